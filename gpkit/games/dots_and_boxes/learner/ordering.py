"""An order of rules in which the decisions that were met lately lose least, found by moving one rule after the other.

A rule is good where it matches and none before it does: that depends on all the others, so an average over all
decisions in which it matches puts few rules in their best place. Here each rule in turn goes where the decisions gain
most, as far as the values of their classes are known from the games.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.ordering import (
    BEYOND,
    LEAST_GAIN,
    Proposals,
    Scratch,
    list_proposals,
    meet_all,
    put_in_order,
)
from gpkit.games.dots_and_boxes.learner.kernel.placing import STEP
from gpkit.games.dots_and_boxes.learner.slotted_rules import SlottedRules


def proposals_in(met: NDArray[np.int32], times: NDArray[np.int64], world: at.World) -> Proposals:
    """Proposals of the rules in classes that were met so many times each."""
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
    live, quality = rules.live(), rules.arrays.quality
    rules.arrays.ordered[live] = True
    if len(live) < 2:
        return 0
    order = live[np.argsort(-quality[live], kind="stable")]
    places = np.zeros(len(quality), dtype=np.int64)
    places[order] = np.arange(len(order))
    scratch = Scratch(
        acting=np.zeros((len(proposals.times), 2), dtype=np.int64),
        gains=np.zeros(len(order)),
        marks=np.zeros(-(-len(order) // at.IN_WORD), dtype=np.uint32),
        touched=np.zeros(len(order) + 1, dtype=np.int64),
    )
    return int(put_in_order(order.copy(), order, places, quality, proposals, scratch))


def space_out(rules: SlottedRules) -> None:
    """Give the rules qualities that are a step apart, in the order in which they are."""
    live, quality = rules.live(), rules.arrays.quality
    order = live[np.argsort(-quality[live], kind="stable")]
    quality[order] = -STEP * np.arange(len(order))


def readable_order(
    quality: Mapping[int, float], proposed: Mapping[int, Mapping[int, float]], times: Mapping[int, int],
    unguided: Mapping[int, float],
) -> dict[int, float]:  # fmt: skip
    """``kernel.ordering.put_in_order`` in plain Python.

    Args:
        quality: by slot.
        proposed: by class and slot of a rule that matches there, what it proposes is worth.
        times: by class how many decisions were met in it.
        unguided: by class what any edge is worth.

    Returns:
        The qualities after each rule was put in its place.
    """
    quality = dict(quality)
    visits = sorted(quality, key=lambda slot: (-quality[slot], slot))
    order = list(visits)
    for slot in visits:
        here = order.index(slot)
        order.remove(slot)
        gains = [0.0] * (len(order) + 1)
        for number, values in proposed.items():
            if slot in values:
                acting = next((other for other in order if other in values), None)
                place = len(order) if acting is None else order.index(acting)
                instead = unguided[number] if acting is None else values[acting]
                gains[place] += times[number] * (values[slot] - instead)
        totals, total = [0.0] * len(gains), 0.0
        for place in reversed(range(len(gains))):
            total += gains[place]
            totals[place] = total
        best, target = totals[here] + LEAST_GAIN, here
        for place in reversed(range(len(gains))):
            if totals[place] > best and place != here and _between(place, order, quality) is not None:
                best, target = totals[place], place
        middle = _between(target, order, quality)
        if target != here and middle is not None:
            quality[slot] = middle
        order.insert(target, slot)
    return quality


def _between(place: int, order: list[int], quality: Mapping[int, float]) -> float | None:
    """A quality between those of the neighbours of a place, None if there is no number between them."""
    if place == 0:
        return quality[order[0]] + BEYOND
    above = quality[order[place - 1]]
    if place == len(order):
        return above - BEYOND
    middle = (above + quality[order[place]]) / 2
    return middle if above > middle > quality[order[place]] else None
