"""Growth of a rule list: rules are added where the list loses most, exchanged for better ones, and removed.

The worth of a change follows to first order from one computation of what every edge is worth in every class
(``Mixture.stakes``), so hundreds of candidates are weighed for the price of a few exact evaluations. This is policy
iteration in which an improvement is a rule: each is chosen as boosting chooses its next weak learner.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import below, stream
from gpkit.games.dots_and_boxes.arrays import state_of
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.learner.mixture import Cover, Mixture, Ranks, Stakes, covers
from gpkit.games.dots_and_boxes.learner.slotted_rules import fragment_rule
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.state_graph import state_graph
from gpkit.genomes.graph import NamedRule, Rule, RuleList
from gpkit.genomes.graph_operators import Limits, mutate
from gpkit.languages.rulegraph.precedence import shadowed

CUT, MUTANTS, KNOWN = 96, 32, 32
"""Candidates of a round: cut out of positions where much is lost, mutants of rules of the list, and rules of the
pool."""

FINALISTS, LITTERS, LITTER = 12, 2, 4
"""The best candidates, how often each is mutated, and how many mutants it has each time; the best one replaces it."""

MORE = (0.3, 0.5, 0.7, 0.85, 0.95, 1.0)
"""Probabilities of each further node of a part that is cut out; at 1 it has all nodes of its position."""

WEIGHED = 0.995
"""Candidates are weighed in the classes that have this share of all that is at stake."""

LEAST_GAIN = 1e-6
"""A rule is added if the list gains more than this."""

AT_ONCE, SHARE = 8, 0.4
"""So many rules are added in a round at most, none with less than this share of the gain of the first."""

EXCHANGE = 0.5
"""Probability that a round of a list that has room begins with the removal of a rule."""

HALVING = 6.0
"""Of two rules that are this part of the list apart by what is lost without them, one is removed half as often."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Settings of a growth.

    Attributes:
        most: rules that the list may have.
        nodes: that a new rule may have.
        rounds: of candidates.
        seed: of all chance.
    """

    most: int
    nodes: int
    rounds: int
    seed: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A list and what it reaches.

    Attributes:
        rules: the list.
        covers: of its rules, among all classes.
        rates: its win rate in each aim.
        score: of the rates, see ``Mixture.score``.
    """

    rules: tuple[NamedRule, ...]
    covers: tuple[Cover, ...]
    rates: tuple[float, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule that may be added.

    Attributes:
        named: the rule.
        cover: among the classes in which it was weighed.
        place: before which rule of the list it goes.
        gain: of the list by it, to first order.
    """

    named: NamedRule
    cover: Cover
    place: int
    gain: float


def grow(
    pool: RuleList,
    mixture: Mixture,
    board: Rules,
    growth: Growth,
    *,
    watch: Callable[[int, Listed], object] = lambda number, now: None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Listed, int]:
    """Grow a list; returns it, without rules that can never act, and the number of rounds that were done.

    Args:
        pool: rules of which none looks at the score; the list begins with the first of them, as many as it may have,
            and each has a precedence of its own.
        mixture: the opponents.
        board: one whose classes are listed, that of the mixture.
        growth: the settings.
        watch: is told the number of rounds done and the list, again and again.
        stop: asked before each round whether to do no more.
    """
    grower = Grower(_apart(pool), mixture, board, growth)
    now, done = grower.begin(), 0
    while done < growth.rounds and not stop():
        now = grower.step(stream(growth.seed, "growth", done), now)
        done += 1
        watch(done, now)
    return _acting(now), done


class Grower:
    """Rounds of a growth."""

    def __init__(self, pool: tuple[NamedRule, ...], mixture: Mixture, board: Rules, growth: Growth) -> None:
        self._pool, self._mixture, self._board = pool, mixture, board
        self._most, self._limits = growth.most, Limits(nodes=growth.nodes)
        self._positions = classes(board).positions
        self._everywhere = np.arange(len(self._positions) - 1)
        self._known: tuple[Listed, NDArray[np.float64]] | None = None

    def begin(self) -> Listed:
        """The list before the first round."""
        rules = self._pool[: self._most]
        found = self._listed(rules, self._covers(rules, self._everywhere))
        assert found is not None, "every score is above no bound at all"
        return found

    def step(self, rng: np.random.Generator, now: Listed) -> Listed:
        """The list after one round: a better one, one with fewer rules that is as good, or the same."""
        ranks = Ranks(now.covers, self._mixture.legal)
        if self._known is None or self._known[0] is not now:  # many rounds change nothing
            self._known = now, self._mixture.stakes(ranks.choices, now.rates)
        stakes = Stakes(self._known[1], ranks.choices)
        begun, lost = now, 0.0
        if len(now.rules) >= self._most or (now.rules and rng.random() < EXCHANGE):
            losses = ranks.losses(stakes, self._mixture.legal)
            by_loss = np.argsort(np.argsort(losses, kind="stable"), kind="stable")
            shares = 0.5 ** (by_loss / max(1.0, len(losses) / HALVING))  # the less is lost, the more often
            out = int(rng.choice(len(losses), p=shares / shares.sum()))
            begun = replace(
                now,
                rules=now.rules[:out] + now.rules[out + 1 :],
                covers=now.covers[:out] + now.covers[out + 1 :],
            )
            lost = float(losses[out])
            ranks = Ranks(begun.covers, self._mixture.legal)
            stakes = Stakes(stakes.edges, ranks.choices)
        candidates = self._candidates(rng, now, ranks, stakes)
        room = self._most - len(begun.rules) if begun is now or lost <= LEAST_GAIN else 1
        chosen = _together(candidates, ranks, stakes, min(room, AT_ONCE))
        for group in (chosen, chosen[:1]) if len(chosen) > 1 else (chosen,):
            found = self._with(begun, group, now.score)
            if found is not None and (found.score, -len(found.rules)) > (now.score, -len(now.rules)):
                return found
        return now

    def _with(self, begun: Listed, chosen: Sequence[Candidate], least: float) -> Listed | None:
        """A list with more rules, one after another in their places; None if it is not as good as another one."""
        rules, known = list(begun.rules), list(begun.covers)
        everywhere = self._covers([each.named for each in chosen], self._everywhere)
        for each, cover in zip(chosen, everywhere, strict=True):
            rules.insert(each.place, each.named)
            known.insert(each.place, cover)
        return self._listed(tuple(rules), known, least)

    def _listed(
        self, rules: tuple[NamedRule, ...], known: Sequence[Cover], least: float = -np.inf
    ) -> Listed | None:
        choices = Ranks(known, self._mixture.legal).choices
        rates = self._mixture.rates(choices, RuleList(rules), least)
        return None if rates is None else Listed(rules, tuple(known), rates, self._mixture.score(rates))

    def _candidates(
        self, rng: np.random.Generator, now: Listed, ranks: Ranks, stakes: Stakes
    ) -> list[Candidate]:
        """Candidates by what the list gains by them, the best first."""
        here = stakes.weighty(WEIGHED)
        named = [NamedRule(rule) for rule in self._cut(rng, stakes)]
        if now.rules:
            named += [self._mutant(rng, now.rules[below(rng, len(now.rules))]) for _ in range(MUTANTS)]
        spare = [each for each in self._pool if each not in now.rules]
        if spare:
            named += [spare[below(rng, len(spare))] for _ in range(KNOWN)]
        small = [each for each in named if len(each.rule.graph.nodes) <= self._limits.nodes]
        found = _best_first(self._weighed(small, here, ranks, stakes))[:FINALISTS]
        for _ in range(LITTERS):
            children = [self._mutant(rng, each.named) for each in found for _ in range(LITTER)]
            weighed = self._weighed(children, here, ranks, stakes)
            families = (weighed[k * LITTER : (k + 1) * LITTER] for k in range(len(found)))
            found = [
                _best_first([parent, *family])[0] for parent, family in zip(found, families, strict=True)
            ]
        return _best_first(found)

    def _cut(self, rng: np.random.Generator, stakes: Stakes) -> list[Rule]:
        """Rules for parts of positions, the more often the more is lost there, each with the best edge."""
        total = np.cumsum(np.maximum(stakes.edges.max(axis=1) - stakes.now, 0.0))
        found = []
        for _ in range(CUT if total[-1] > 0.0 else 0):
            number = int(np.searchsorted(total, rng.random() * total[-1], side="right"))
            position = state_graph(state_of(int(self._positions[number]), self._board))
            action = position.action_of(int(np.argmax(stakes.edges[number])))
            found.append(fragment_rule(rng, position.graph, action, MORE[below(rng, len(MORE))]))
        return found

    def _mutant(self, rng: np.random.Generator, named: NamedRule) -> NamedRule:
        return NamedRule(mutate(rng, named.rule, self._limits)[0].rule)

    def _weighed(
        self, named: Sequence[NamedRule], here: NDArray[np.int64], ranks: Ranks, stakes: Stakes
    ) -> list[Candidate]:
        """Candidates in their best places, by what they are worth in some classes."""
        known = self._covers(named, here)
        return [
            Candidate(each, cover, *ranks.best_place(cover, stakes))
            for each, cover in zip(named, known, strict=True)
        ]

    def _covers(self, named: Sequence[NamedRule], numbers: NDArray[np.int64]) -> list[Cover]:
        return covers([each.rule for each in named], numbers, self._positions, self._board)


def _apart(pool: RuleList) -> tuple[NamedRule, ...]:
    """The rules of a pool, each with a precedence and, if any, a name of its own, without what was learned."""
    names: set[str] = set()
    found = []
    for each in pool.rules:
        found.append(NamedRule(each.rule, "" if each.name in names else each.name))
        names.add(each.name)
    return tuple(found)


def _acting(now: Listed) -> Listed:
    """A list without the rules that an earlier one hides on every board."""
    hidden = {later for later, _, _ in shadowed(RuleList(now.rules))}
    kept = [place for place in range(len(now.rules)) if place not in hidden]
    return replace(
        now,
        rules=tuple(now.rules[place] for place in kept),
        covers=tuple(now.covers[place] for place in kept),
    )


def _together(candidates: Sequence[Candidate], ranks: Ranks, stakes: Stakes, most: int) -> list[Candidate]:
    """Candidates to add one after another, each in its best place after those before it; ``ranks`` get them."""
    chosen: list[Candidate] = []
    now = Stakes(stakes.edges, ranks.choices)
    for each in candidates:
        if len(chosen) == most:
            break
        place, gain = ranks.best_place(each.cover, now)
        if gain <= LEAST_GAIN or (chosen and gain < SHARE * chosen[0].gain):
            continue
        chosen.append(replace(each, place=place, gain=gain))
        ranks.insert(place, each.cover)
        now.now[each.cover.classes] = now.mean(each.cover.classes, ranks.choices[each.cover.classes])
    return chosen


def _best_first(candidates: Sequence[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda each: -each.gain)
