"""A rule list against several opponents at once: the least of its win rates, each above a floor of its own.

People write the floors as ``chain=0.93``, ``greedy``, ``chain=0.6@4x4``. The coverage of rules says in which classes
of a board each matches and acts, and what one more or one less is worth.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.core.diagnostics import check_known
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.players import Player, strategy_player
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.exact import TOGETHER, Choices, choices_of
from gpkit.games.dots_and_boxes.kernel.classes import play_policies
from gpkit.games.dots_and_boxes.ladder import check_board, margins
from gpkit.games.dots_and_boxes.learner.kernel.selection import add_stakes, mean_stakes, play_out
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_lists import propose
from gpkit.genomes.graph import Rule, RuleList
from gpkit.matching.plan import plan, plan_of

SOFTNESS = 0.01
"""Differences of win rates that the soft minimum tells apart: an opponent that is this much further above its floor
than another one weighs 1/e of it."""

ALONE = np.zeros(1, dtype=np.int64)
"""The list of one rule, which stands for whatever a player chooses."""


@dataclass(frozen=True, slots=True)
class TargetRate:
    """A win rate to be reached against a policy.

    Attributes:
        opponent: its name.
        floor: the win rate.
        board: where games are played and counted; None is the board on which win rates are exact.
    """

    opponent: str
    floor: float = 0.0
    board: Rules | None = None

    def __str__(self) -> str:
        place = "" if self.board is None else f" on {self.board.width}x{self.board.height}"
        return f"{self.opponent}{place}"


def soft_least(numbers: Sequence[float]) -> float:
    """A smooth lower bound of the least of some numbers, no further below it than ``SOFTNESS`` · log n.

    >>> -SOFTNESS < soft_least([0.0, 0.1]) < 0.0
    True
    """
    least = min(numbers)
    return least - SOFTNESS * float(np.log(np.exp((least - np.array(numbers)) / SOFTNESS).sum()))


def soft_shares(numbers: Sequence[float]) -> NDArray[np.float64]:
    """Derivatives of ``soft_least`` by each of the numbers: float64 (numbers,), with the sum 1."""
    shares = np.exp((min(numbers) - np.array(numbers)) / SOFTNESS)
    return np.asarray(shares / shares.sum())


class Mixture:
    """Opponents of a rule list: its win rates, how good they are together, and what each choice adds to that.

    Attributes:
        aims: all of them; at least one has no board of its own.
        legal: int64 (classes,): the edges that are not drawn, as masks.
    """

    def __init__(
        self, target_rates: Sequence[TargetRate], board: Rules, games: int = 0, seed: int = 0
    ) -> None:
        """Prepare the opponents.

        Args:
            aims: see above.
            board: one whose classes are listed.
            games: on each board of an aim, always the same ones; even, as each player begins once in every deal.
            seed: of these games.
        """
        self.target_rates = tuple(target_rates)
        self._classes = classes(board)
        self.legal = self._classes.legal
        self._computed = [k for k, target_rate in enumerate(target_rates) if target_rate.board is None]
        self._replies = [choices_of(target_rates[k].opponent, board) for k in self._computed]
        self._keys = Deals.drawn(stream(seed, "mixture"), games // 2).keys
        shape = (len(self.legal), 2, 2 * board.boxes + 1)
        self._met = np.zeros(len(self.legal), dtype=np.uint8)
        self._chances, self._values = np.zeros(shape), np.zeros(shape)
        self._copy = np.zeros(len(self.legal), dtype=np.int64)

    def score(self, rates: Sequence[float]) -> float:
        """Soft least of what the win rates of all aims are above their floors."""
        return soft_least(
            [rate - target_rate.floor for rate, target_rate in zip(rates, self.target_rates, strict=True)]
        )

    def rates(self, choices: Choices, rules: RuleList, least: float = -np.inf) -> tuple[float, ...] | None:
        """The win rates of a list, with a random starting player; None if their score is not above ``least``.

        Args:
            choices: of the list in all classes, int64 (classes,).
            rules: the list.
            least: games are not played for a list whose exact rates alone are no better than this.
        """
        computed = [self._play(choices, replies) for replies in self._replies]
        if soft_least(self._margins(computed)) < least:
            return None
        found = [0.0] * len(self.target_rates)
        for k, rate in zip(self._computed, computed, strict=True):
            found[k] = rate
        for k, target_rate in enumerate(self.target_rates):
            if target_rate.board is not None:
                players = Player("", (plan_of(rules),)), strategy_player(target_rate.opponent)
                margin, _ = margins(players, self._keys, target_rate.board)
                found[k] = float(np.mean(np.sign(margin) + 1) / 2)
        return tuple(found)

    def stakes(self, choices: Choices, rates: Sequence[float]) -> NDArray[np.float64]:
        """Worth of each edge in each class: float64 (classes, edges), 0 where the player is never to draw.

        If a player with these choices and rates chose other edges in one class, the soft least of the exact rates
        would change by the difference of what they are worth there, but for second-order terms.
        """
        shares = soft_shares(self._margins([rates[k] for k in self._computed]))
        found = np.zeros(self._classes.successors.shape)
        for replies, share in zip(self._replies, shares, strict=True):
            self._play(choices, replies)
            first, second = (for_reading(each.reshape(-1, 1)) for each in (choices, replies))
            play_policies(self._classes, first, second, self._values)
            add_stakes(self._classes, self._met, self._chances, self._values, share, found)
        return found

    def _play(self, choices: Choices, replies: Choices) -> float:
        proposed = choices.astype(np.int32).reshape(-1, 1)
        scratch = self._met, self._chances, self._copy
        return float(play_out(ALONE, proposed, self._classes, replies, *scratch))

    def _margins(self, computed: Sequence[float]) -> list[float]:
        """Exact rates less their floors."""
        return [rate - self.target_rates[k].floor for k, rate in zip(self._computed, computed, strict=True)]


_FORM = re.compile(r"(?P<opponent>[^=@]+)(=(?P<floor>[^@]*))?(@(?P<board>.*))?")


def read_target_rate(text: str) -> TargetRate:
    """The aim that a text names: an opponent, the win rate to be above, and the board if it is another one.

    >>> str(read_target_rate("chain=0.6@4x4"))
    'chain on 4x4'

    Raises:
        UsageError: there is no such opponent or board, or the win rate is none.
    """
    parts = _FORM.fullmatch(text)
    if parts is None:
        raise UsageError(f"`{text}` names no opponent; expected for example chain=0.9, or chain=0.6@4x4")
    opponent = parts["opponent"]
    check_known("opponent", opponent, POLICIES)
    board = None if parts["board"] is None else Rules.from_options({"board": parts["board"]})
    if board is not None:
        check_board(strategy_player(opponent), board)
    floor = "0" if parts["floor"] is None else parts["floor"]
    if not re.fullmatch(r"[01]|0?\.[0-9]+", floor):
        raise UsageError(f"in `{text}` the win rate is from 0 to 1, such as chain=0.9")
    return TargetRate(opponent, float(floor), board)


@dataclass(frozen=True, slots=True)
class Cover:
    """Proposals of a rule where it matches.

    Attributes:
        classes: int64 (matches,): the numbers of the classes, ascending.
        masks: int64 (matches,): the edges that it proposes in each.
    """

    classes: NDArray[np.int64]
    masks: NDArray[np.int64]


def covers(
    rules: Sequence[Rule], numbers: NDArray[np.int64], positions: NDArray[np.int64], board: Rules
) -> list[Cover]:
    """The covers of rules among some classes, where the score is even.

    Args:
        rules: the rules.
        numbers: int64 (some,): the classes, ascending.
        positions: int64 (classes,): a position of each class, as the mask of its drawn edges.
        board: the rules of the board.
    """
    found = []
    for first in range(0, len(rules), TOGETHER):
        for column in propose(plan(rules[first : first + TOGETHER]), positions[numbers], board).T:
            here = np.flatnonzero(column)
            found.append(Cover(numbers[here], column[here]))
    return found


class Stakes:
    """Worth of edges, and of what a list chooses among them.

    Attributes:
        edges: float64 (classes, edges): what each edge is worth, see ``Mixture.stakes``.
        now: float64 (classes,): what the list's choice is worth.
    """

    def __init__(self, edges: NDArray[np.float64], choices: Choices) -> None:
        self.edges = edges
        self.now = self.mean(np.arange(len(choices)), choices)

    def mean(self, numbers: NDArray[np.int64], masks: NDArray[np.int64]) -> NDArray[np.float64]:
        """The worth of any edge of a mask in classes, all equally likely: float64 (numbers,), 0 for no edge."""
        found = np.empty(len(numbers))
        mean_stakes(numbers, masks, self.edges, found)
        return found

    def weighty(self, share: float) -> NDArray[np.int64]:
        """The fewest classes that have this share of all that is at stake, ascending: int64 (classes,)."""
        best = self.edges.max(axis=1)
        order = np.argsort(-best, kind="stable")
        total = np.cumsum(best[order])
        return np.sort(order[: 1 + int(np.searchsorted(total, share * total[-1]))])


class Ranks:
    """Acting rules of a list.

    Attributes:
        covers: of the rules, by precedence.
        acting: int64 (classes,): the place of the rule that acts, the number of rules where none matches.
        choices: int64 (classes,): the edges among which the list chooses.
    """

    def __init__(self, covers: Sequence[Cover], legal: NDArray[np.int64]) -> None:
        """Find out which rule acts where.

        Args:
            covers: among all classes.
            legal: int64 (classes,): the edges that are not drawn.
        """
        self.covers = list(covers)
        self.acting = np.full(len(legal), len(covers))
        self.choices: Choices = legal.copy()
        for place in reversed(range(len(covers))):
            self.acting[covers[place].classes] = place
            self.choices[covers[place].classes] = covers[place].masks

    def insert(self, place: int, cover: Cover) -> None:
        """Add a rule before the one in a place."""
        self.covers.insert(place, cover)
        self.acting += self.acting >= place
        first = self.acting[cover.classes] > place
        self.acting[cover.classes[first]] = place
        self.choices[cover.classes[first]] = cover.masks[first]

    def best_place(self, cover: Cover, stakes: Stakes) -> tuple[int, float]:
        """The place where a rule adds most, the last of equal ones, and how much."""
        more = stakes.mean(cover.classes, cover.masks) - stakes.now[cover.classes]
        by_place = np.bincount(self.acting[cover.classes], weights=more, minlength=len(self.covers) + 1)
        from_last = np.cumsum(by_place[::-1])
        best = int(np.argmax(from_last))
        return len(self.covers) - best, float(from_last[best])

    def losses(self, stakes: Stakes, legal: NDArray[np.int64]) -> NDArray[np.float64]:
        """Loss without each rule alone, as the next one that matches acts instead: float64 (rules,)."""
        instead = legal.copy()
        for place in reversed(range(len(self.covers))):
            cover = self.covers[place]
            later = self.acting[cover.classes] < place
            instead[cover.classes[later]] = cover.masks[later]
        lost = stakes.now - stakes.mean(np.arange(len(legal)), instead)
        by_place = np.bincount(self.acting, weights=lost, minlength=len(self.covers) + 1)
        return np.asarray(by_place[:-1], dtype=np.float64)
