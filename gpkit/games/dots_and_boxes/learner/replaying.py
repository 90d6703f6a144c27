"""Replay of the decisions that were met last: new rules are made where the rules lose most, and others go for them.

As far as the values of classes are known from the games, what a rule gains in these decisions is known exactly,
wherever it is put in the order; so is what they would lose without each rule. A rule is good where it matches and none
before it does: that depends on all the others, so an average over all decisions in which it matches puts few rules in
their best place. Here each rule in turn goes where the decisions gain most.
"""

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.ordering import (
    OrderScratch,
    Proposals,
    list_proposals,
    meet_all,
    put_in_order,
)
from gpkit.games.dots_and_boxes.learner.kernel.replay import (
    ACTING,
    PACE,
    STEP,
    Acting,
    Replay,
    find_acting,
    find_domains,
    find_place,
    find_stakes,
    take_place,
)
from gpkit.games.dots_and_boxes.learner.slotted_rules import SlottedRules, prepared
from gpkit.games.dots_and_boxes.rule_lists import some_graphs
from gpkit.genomes.graph import Rule
from gpkit.genomes.graph_order import canonical


class Replaying:
    """Rules that are tried in decisions.

    Attributes:
        rules: the population.
        size: how many rules stay.
        replay: the decisions, and which rules act there.
        least: a rule that gains no more than this would not stay.
    """

    def __init__(
        self,
        rules: SlottedRules,
        size: int,
        met: NDArray[np.int32],
        times: NDArray[np.int64],
        world: at.World,
    ) -> None:
        self.rules = rules
        self.size = size
        self.world = world
        count, memory = len(met), world.memory
        rows = np.arange(count) * PACE % max(count, 1)
        self.replay = Replay(
            met,
            times,
            turns=np.argsort(rows),
            rows=rows,
            graphs=some_graphs(world.graphs, met[rows]),
            domains=np.zeros((count, len(memory.domains)), dtype=np.uint16),
            acting=np.full((count, ACTING), at.NO_SLOT),
            values=np.zeros((count, ACTING)),
            edges=np.zeros(count, dtype=np.int64),
            tops=np.zeros(count),
            stakes=np.zeros((count, world.environment.classes.successors.shape[1])),
            losses=np.zeros(count),
            tried=np.zeros(count),
            matched=np.zeros(1 + count, dtype=np.int64),
        )
        find_domains(self.replay, memory)
        slots = len(rules.rules)
        self._acting = Acting(
            np.zeros(slots, dtype=np.int64), np.zeros(slots), np.zeros(slots, dtype=np.bool_)
        )
        self._gone = np.ones(slots + 1, dtype=np.bool_)
        find_stakes(self.replay, world.environment, world.critic)
        find_acting(self.replay, self._gone, world)
        self.judge()

    def draw(self, rng: np.random.Generator) -> int | None:
        """The row of a class, drawn by what the rules lose in its decisions; None if they lose nothing."""
        losses = self.replay.losses
        if losses[-1] <= 0.0:
            return None
        row = int(np.searchsorted(losses, rng.random() * losses[-1], side="right"))
        return min(row, len(losses) - 1)

    def offer(self, rule: Rule, row: int) -> bool:
        """Take in a rule that was made for the class of a row, if the decisions gain by it; whether it is taken in."""
        search, given = prepared(rule), (self.replay, self._acting, self.world)
        uses, gain, quality = find_place(*search, row, self.least, *given)
        if gain <= self.least:
            return False
        form = canonical(rule)
        if form in self.rules:
            return False
        if not self.rules.has_room:
            self.make_room()
            uses, gain, quality = find_place(*search, row, self.least, *given)
            if gain <= self.least:
                return False
        slot = self.rules.add(form, quality, gain, uses, ordered=True)
        take_place(slot, self.rules.arrays.quality, self.replay)
        return True

    def make_room(self) -> None:
        """Remove the rules that are too many, without which the decisions lose least; of equal ones the lower slots."""
        self.judge()
        live = self.rules.live()
        least_first = live[np.argsort(self.rules.arrays.access[live], kind="stable")]
        self._gone[:] = False
        for slot in least_first[: max(len(live) - self.size, 0)].tolist():
            self.rules.remove(slot)
            self._gone[slot] = True
        find_acting(self.replay, self._gone, self.world)
        self.judge()

    def judge(self) -> None:
        """Set the f of each rule to what the decisions would lose without it."""
        lost = self.replay.times * (self.replay.values[:, 0] - self.replay.values[:, 1])
        slots = len(self.rules.rules)
        by_slot = np.bincount(self.replay.acting[:, 0] + 1, weights=lost, minlength=slots + 1)[1:]
        self.rules.arrays.access[:] = by_slot
        live = self.rules.live()
        self.least = float(by_slot[live].min()) if len(live) >= self.size else 0.0


def own_course(decisions: NDArray[np.int32]) -> NDArray[np.int32]:
    """The classes of those decisions before which the learner drew no edge at random in their game.

    Args:
        decisions: int32 (decisions, DECISION): as a record has them; classes have greater numbers later in a game.
    """
    met = decisions[:, at.AT_CLASS]
    begins = np.concatenate(([True], met[1:] <= met[:-1]))
    random = decisions[:, at.AT_SLOT] == at.UNGUIDED
    before = np.cumsum(random) - random
    return np.asarray(met[before == before[begins][np.cumsum(begins) - 1]])


def proposals_in(met: NDArray[np.int32], times: NDArray[np.int64], world: at.World) -> Proposals:
    """Proposals of the rules in classes, int32 (classes,), that were met ``times``, int64 (classes,)."""
    population, memory = world.population, world.memory
    meet_all(met, world.graphs, population, memory)
    counts = memory.counts[met]
    starts = np.concatenate(([0], np.cumsum(counts)))
    slots, values = np.zeros(starts[-1], dtype=np.int64), np.zeros(starts[-1])
    unguided = np.zeros(len(met))
    list_proposals(met, starts, slots, values, unguided, world)
    rows = np.argsort(slots, kind="stable")
    return Proposals(
        times=times,
        starts=starts,
        slots=slots,
        values=values,
        unguided=unguided,
        classes=np.repeat(np.arange(len(met)), counts),
        rows=rows,
        firsts=np.searchsorted(slots[rows], np.arange(len(population.quality) + 1)),
    )


def order_rules(rules: SlottedRules, proposals: Proposals) -> int:
    """Put the rules in order, the first ones by quality first; their qualities are not learned any more after that.

    Returns:
        How many rules were moved.
    """
    order, quality = rules.by_quality(), rules.arrays.quality
    rules.arrays.ordered[order] = True
    if len(order) < 2:
        return 0
    places = np.zeros(len(quality), dtype=np.int64)
    places[order] = np.arange(len(order))
    scratch = OrderScratch(
        acting=np.zeros((len(proposals.times), 2), dtype=np.int64),
        gains=np.zeros(len(order)),
        marks=np.zeros(-(-len(order) // at.IN_WORD), dtype=np.uint32),
        touched=np.zeros(len(order) + 1, dtype=np.int64),
    )
    return int(put_in_order(order.copy(), order, places, quality, proposals, scratch))


def space_out(rules: SlottedRules) -> None:
    """Give the rules qualities that are a step apart, in the order in which they are."""
    order = rules.by_quality()
    rules.arrays.quality[order] = -STEP * np.arange(len(order))
