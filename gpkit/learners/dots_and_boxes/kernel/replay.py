"""Replay of decisions that were met lately: what the rules that act lose there, and what would be lost without each.

Arguments that are not explained are the tables of that name in ``arrays``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest, ones
from gpkit.learners.dots_and_boxes.kernel import arrays as at
from gpkit.learners.dots_and_boxes.kernel.choosing import is_before, rank
from gpkit.learners.dots_and_boxes.kernel.judging import best_edges
from gpkit.learners.dots_and_boxes.kernel.learning import average_value, best_edge, value_of
from gpkit.learners.dots_and_boxes.kernel.placing import best_place
from gpkit.learners.dots_and_boxes.kernel.proposals import propose, set_domains
from gpkit.matching.kernel.signature import may_match


class Replay(NamedTuple):
    """Decisions that were met lately, class by class.

    Attributes:
        classes: int32 (classes,): the classes that were met, each once.
        times: int64 (classes,): how often each was met.
        signatures: uint64 (classes, WORDS): of their positions.
        acting: int64 (classes, 2): the slots of the best rule that matches and of the next one, or ``NO_SLOT``.
        values: float64 (classes, 2): what they propose is worth; without a rule what any edge is.
        edges: int64 (classes,): the edge of the greatest value.
        tops: float64 (classes,): this value.
        stakes: float64 (classes, edges): what each edge is worth; of those that are drawn already never read.
        tried: float64 (classes,), scratch: what a new rule proposes is worth.
        matched: int64 (1 + classes,), scratch: how many classes a new rule matches in, and which.
    """

    classes: NDArray[np.int32]
    times: NDArray[np.int64]
    signatures: NDArray[np.uint64]
    acting: NDArray[np.int64]
    values: NDArray[np.float64]
    edges: NDArray[np.int64]
    tops: NDArray[np.float64]
    stakes: NDArray[np.float64]
    tried: NDArray[np.float64]
    matched: NDArray[np.int64]

    def losses(self) -> NDArray[np.float64]:
        """Losses in all decisions up to those of each class: float64 (classes,)."""
        return np.cumsum(self.times * (self.tops - self.values[:, 0]))


@kernel
def find_acting(replay, gone, best, world):  # type: ignore[no-untyped-def]
    """Find the best two rules of each class in which one of them is gone.

    Args:
        replay: written.
        gone: bool (slots + 1,): whether the rule of a slot is gone; the last stands for ``NO_SLOT``.
        best: int64 (2,), scratch.
        world: see ``arrays``.
    """
    _, environment, graphs, population, memory, critic, _ = world
    for k in range(replay.classes.shape[0]):
        if not (gone[replay.acting[k, 0]] or gone[replay.acting[k, 1]]):
            continue
        number = replay.classes[k]
        replay.edges[k], replay.tops[k] = best_edge(number, environment, critic)
        for edge in range(replay.stakes.shape[1]):
            if environment.successors[number, edge] >= 0:
                replay.stakes[k, edge] = value_of(number, edge, environment, critic)
        count = rank(number, best, graphs, population, memory)
        for place in range(2):
            slot = best[place] if place < count else at.NO_SLOT
            replay.acting[k, place] = slot
            if place <= count:
                mask = best_edges(number, slot, world)
                replay.values[k, place] = average_value(number, mask, environment, critic)


PACE = 200_003
"""Rows are gone through in steps of so many: a prime number beyond the number of classes, so that each comes once."""

PART, HOPE = 4, 0.25
"""A rule is tried in the first so-many-th of the rows alone, if these would gain less by it, were it the first of all,
than this share of what it must gain; it acts in no other row then until the next replay."""


@inlined
def gather(search, signature, own, least, replay, acting, world):  # type: ignore[no-untyped-def]
    """Find the rules that act where a new one matches, and what is gained where it acts instead.

    Returns:
        As ``placing.gather``, of the rows in which it is tried.
    """
    _, _, graphs, population, memory, _, _ = world
    count, rules, unguided, found, gains = 0, 0, 0.0, 0, 0.0
    classes = replay.classes.shape[0]
    for step in range(classes):
        k = (own + step * PACE) % classes
        if step == classes // PART and gains < least * HOPE:
            break
        if not may_match(replay.signatures[k], signature[0], signature[1]):
            continue
        number = replay.classes[k]
        set_domains(number, graphs, memory)
        mask = propose(number, search, graphs, population, memory)
        if mask == 0:
            continue
        found += 1
        replay.matched[found] = k
        total, left = 0.0, mask
        while left:
            total += replay.stakes[k, lowest(left)]
            left &= left - 1
        replay.tried[k] = total / ones(mask)
        gain = replay.times[k] * (replay.tried[k] - replay.values[k, 0])
        count += replay.times[k]
        gains += gain
        best = replay.acting[k, 0]
        if best == at.NO_SLOT:
            unguided += gain
            continue
        if not acting.acts[best]:
            acting.acts[best] = True
            acting.slots[rules] = best
            rules += 1
        acting.gains[best] += gain
    replay.matched[0] = found
    return count, rules, unguided


@kernel
def find_place(search, signature, own, least, replay, acting, world):  # type: ignore[no-untyped-def]
    """Find the place of a new rule: before all rules that are worse where it matches, taken together.

    Args:
        search: int16 (PLACES + PLACE · places,): of the rule, as the plan's ``imaging``.
        signature: uint64 (WORDS,): of the rule.
        own: the row of the class that it is made for.
        least: it is wanted only if it gains more than this.
        replay: see ``Replay``; its scratch is written.
        acting: see ``placing.Acting``.
        world: see ``arrays``.

    Returns:
        In how many of the decisions the rule matches, as far as it is tried; what they gain by it there; and the
        quality of that place.
    """
    count, rules, unguided = gather(search, signature, own, least, replay, acting, world)
    gain, place = best_place(rules, unguided, acting, world.population.quality)
    return count, gain, place


@kernel
def take_place(slot, quality, replay):  # type: ignore[no-untyped-def]
    """Let the rule that was tried last act where it is better than the rules that were best.

    Args:
        slot: of this rule.
        quality: float64 (slots,).
        replay: see ``Replay``; written.
    """
    acting, values = replay.acting, replay.values
    for entry in range(1, replay.matched[0] + 1):
        k = replay.matched[entry]
        for place in range(2):
            if acting[k, place] == at.NO_SLOT or is_before(slot, acting[k, place], quality):
                if place == 0:
                    acting[k, 1], values[k, 1] = acting[k, 0], values[k, 0]
                acting[k, place], values[k, place] = slot, replay.tried[k]
                break
