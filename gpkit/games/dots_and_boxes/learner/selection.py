"""Short lists out of the rules of some files: chosen, and put in order, by their exact win rates."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.core.rng import below, stream
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.exact import choices_of, masks_by_rule
from gpkit.games.dots_and_boxes.learner.config import GAME
from gpkit.games.dots_and_boxes.learner.kernel.selection import differs, play_out
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.genomes.graph import NamedRule, RuleList
from gpkit.languages.rulegraph.language import LANGUAGE as RULES
from gpkit.matching.plan import asks_for_score, plan
from gpkit.playing.named import Named, program_file, read_named

Order = tuple[int, ...]
"""A list by the places of its rules in the pool."""


@dataclass(frozen=True, slots=True)
class Selected:
    """Result of the selection.

    Attributes:
        rules: the list.
        rates: its exact win rate against each opponent, with a random starting player.
        steps: how many changes were tried.
    """

    rules: RuleList
    rates: tuple[float, ...]
    steps: int


class Duel:
    """Rule lists of a pool against one policy: their exact results.

    Attributes:
        rate: of the last list that was played out.
    """

    def __init__(self, proposed: NDArray[np.int32], opponent: str, board: Rules) -> None:
        self._proposed, self._classes = proposed, classes(board)
        self._replies = choices_of(opponent, board)
        count = len(self._replies)
        self._met = np.zeros(count, dtype=np.uint8)
        self._chances = np.zeros((count, 2, 2 * board.boxes + 1))
        self._choices = np.zeros(count, dtype=np.int64)
        self.rate = 0.0

    def play(self, order: Order) -> float:
        """The exact win rate of a list."""
        given = np.array(order, dtype=np.int64), self._proposed, self._classes, self._replies
        self.rate = float(play_out(*given, self._met, self._chances, self._choices))
        return self.rate

    def differs(self, order: Order) -> bool:
        """Whether a list plays otherwise than the last one that was played out."""
        given = np.array(order, dtype=np.int64), self._proposed, self._classes
        return bool(differs(*given, self._met, self._choices))


def proposals(pool: RuleList, board: Rules) -> NDArray[np.int32]:
    """Proposals of each rule of a pool in each class at an even score, masks of edges: int32 (classes, rules)."""
    found = np.zeros((len(classes(board).done), len(pool.rules)), dtype=np.int32)
    for place, masks in enumerate(masks_by_rule(plan([named.rule for named in pool.rules]), board)):
        found[:, place] = masks
    return found


class Climb:
    """A list on its way up.

    Attributes:
        order: the list.
        rate: the mean of its exact win rates.
    """

    def __init__(self, order: Order, duels: Sequence[Duel], spare: Sequence[Duel]) -> None:
        self.order = order
        self._duels, self._spare = duels, spare
        self.rate = sum(duel.play(order) for duel in duels) / len(duels)

    def offer(self, order: Order, least: float) -> None:
        """Take another list if it is no longer and plays alike, or plays otherwise and has at least this rate."""
        if not any(duel.differs(order) for duel in self._duels):
            self.order = order if len(order) <= len(self.order) else self.order
            return
        rate = sum(duel.play(order) for duel in self._spare) / len(self._spare)
        if rate >= least:
            self.order, self.rate = order, rate
            self._duels, self._spare = self._spare, self._duels


@dataclass(frozen=True, slots=True)
class Ascent:
    """The settings of a choice of rules.

    Attributes:
        most: rules that the list may have.
        steps: changes that are tried.
        seed: of all chance.
        refine: begin with the rules of the pool in their order, as many as the list may have, and not with none.
    """

    most: int
    steps: int
    seed: int
    refine: bool = False


def select(
    pool: RuleList,
    opponents: Sequence[str],
    board: Rules,
    ascent: Ascent,
    *,
    watch: Callable[[int, float], object] = lambda step, rate: None,
    stop: Callable[[], bool] = lambda: False,
) -> Selected:
    """Choose a list from a pool: random changes of a list, each kept unless the mean win rate falls.

    At the end the rules go without which the rate is not lower.

    Args:
        pool: the rules, each with a precedence of its own here.
        opponents: policies; what counts is the mean of the exact win rates against them.
        board: one whose classes are listed.
        ascent: how long the list may be, and how it is found.
        watch: is told the number of changes tried and the rate, again and again.
        stop: asked before each change whether to try no more.
    """
    proposed = proposals(pool, board)
    duels, spare = ([Duel(proposed, opponent, board) for opponent in opponents] for _ in range(2))
    rng = stream(ascent.seed, "selection")
    first = min(ascent.most, len(pool.rules)) if ascent.refine else 0
    climb = Climb(tuple(range(first)), duels, spare)
    tried = 0
    while tried < ascent.steps and not stop():
        climb.offer(change(rng, climb.order, len(pool.rules), ascent.most), climb.rate)
        tried += 1
        watch(tried, climb.rate)
    reached = climb.rate
    for place in range(len(climb.order) - 1, -1, -1):
        climb.offer(climb.order[:place] + climb.order[place + 1 :], reached)
    rates = tuple(duel.play(climb.order) for duel in duels)
    rules = tuple(replace(pool.rules[place], joined=False) for place in climb.order)
    return Selected(RuleList(rules), rates, tried)


def change(rng: np.random.Generator, order: Order, pool: int, most: int) -> Order:
    """A list with one rule more, with one less, with another instead of one, or with one elsewhere."""
    kind = rng.random()
    if not order or (len(order) < most and kind < 0.4):
        return _with(rng, order, below(rng, pool))
    taken = below(rng, len(order))
    rest = order[:taken] + order[taken + 1 :]
    if kind < 0.5:
        return rest
    return _with(rng, rest, below(rng, pool) if kind < 0.8 else order[taken])


def _with(rng: np.random.Generator, order: Order, rule: int) -> Order:
    place = below(rng, len(order) + 1)
    return (*order[:place], rule, *order[place:])


def rule_list_of(named: Named) -> RuleList:
    """The rule list of what was named.

    Raises:
        UsageError: it is not a rule list.
    """
    if named.source is None or named.source.program.language != RULES.name:
        raise UsageError(f"{named.spec}: expected a rule list (.rules)")
    rules: RuleList = named.source.program
    return rules


def read_pool(programs: Sequence[str]) -> RuleList:
    """All rules of some files, each once.

    Raises:
        UsageError: a file holds no rules, or one that looks at the score.
    """
    found: dict[object, NamedRule] = {}
    for named in read_named([program_file(program, GAME) for program in programs], None):
        for each in rule_list_of(named).rules:
            if asks_for_score(plan([each.rule])):
                raise UsageError(
                    f"{named.spec}: lists can only be chosen from rules that do not look at the score"
                )
            found.setdefault(each.rule, each)
    return RuleList(tuple(found.values()))
