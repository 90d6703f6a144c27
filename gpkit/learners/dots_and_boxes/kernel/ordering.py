"""Putting rules in order: each goes where the decisions that were met lately gain most by it.

What rules propose in the classes of these decisions is listed once, class by class: in all of this file ``starts`` is
int64 (classes + 1,), the first row of each class and the end; ``slots`` int64 (rows,), the rules that match, ascending;
``values`` float64 (rows,), what they propose is worth; ``unguided`` float64 (classes,), what any edge is worth.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.learners.dots_and_boxes.kernel.arrays import NO_SLOT
from gpkit.learners.dots_and_boxes.kernel.learning import average_value, legal_edges
from gpkit.learners.dots_and_boxes.kernel.proposals import meet, next_matching, propose, set_domains

LEAST_GAIN = 1e-6
"""A rule stays where it is if all decisions together gain no more than this by its going elsewhere."""

BEYOND = 1e-3
"""The first rule of an order gets a quality that is so much above that of the next one, the last one below."""


class Proposals(NamedTuple):
    """Proposals of rules in the classes of decisions.

    Attributes:
        times: int64 (classes,): how many decisions were met in each class.
        starts, slots, values, unguided: see above.
        classes: int64 (rows,): the number of the class of each row.
        rows: int64 (rows,): the rows by slot, of equal ones ascending.
        firsts: int64 (slots + 1,): the first of ``rows`` for each slot, and the end.
    """

    times: NDArray[np.int64]
    starts: NDArray[np.int64]
    slots: NDArray[np.int64]
    values: NDArray[np.float64]
    unguided: NDArray[np.float64]
    classes: NDArray[np.int64]
    rows: NDArray[np.int64]
    firsts: NDArray[np.int64]


@kernel
def meet_all(met, graphs, population, memory):  # type: ignore[no-untyped-def]
    """Bring the memory up to date for classes.

    Args:
        met: int32 (classes,): classes.
        graphs, population, memory: see ``proposals.meet``.
    """
    for number in met:
        meet(number, graphs, population, memory)


@kernel
def list_proposals(met, starts, slots, values, unguided, world):  # type: ignore[no-untyped-def]
    """List what the rules propose that match in classes.

    Args:
        met: int32 (classes,): classes.
        starts: see above.
        slots, values, unguided: see above; written.
        world: see ``arrays``; its memory is up to date for the classes.
    """
    _, environment, graphs, population, memory, critic, _ = world
    for k in range(met.shape[0]):
        number, row = met[k], starts[k]
        unguided[k] = average_value(number, legal_edges(number, environment), environment, critic)
        set_domains(number, graphs, memory)
        slot = next_matching(number, 0, memory)
        while slot != NO_SLOT:
            slots[row] = slot
            mask = propose(number, population.searches[slot], graphs, population, memory)
            values[row] = average_value(number, mask, environment, critic)
            row += 1
            slot = next_matching(number, slot + 1, memory)


@inlined
def gains_of(slot, places, last, proposals, gains):  # type: ignore[no-untyped-def]
    """Gain of the decisions by a rule, by the place of the one that acts without it: it must come before that one.

    Args:
        slot: of a rule that is in no place.
        places: int64 (slots,): by slot the place of each other rule in the order.
        last: how many other rules there are.
        proposals: see ``Proposals``.
        gains: float64 (last + 1,), written: by place, and in ``last`` where no other rule matches.
    """
    gains[: last + 1] = 0.0
    for entry in range(proposals.firsts[slot], proposals.firsts[slot + 1]):
        row = proposals.rows[entry]
        number = proposals.classes[row]
        first, value = last, proposals.unguided[number]
        for other in range(proposals.starts[number], proposals.starts[number + 1]):
            if proposals.slots[other] != slot and places[proposals.slots[other]] < first:
                first, value = places[proposals.slots[other]], proposals.values[other]
        gains[first] += proposals.times[number] * (proposals.values[row] - value)


@inlined
def between(place, last, order, quality):  # type: ignore[no-untyped-def]
    """The quality of a rule in a place of an order of others, and whether it keeps it apart from its neighbours."""
    if place == 0:
        return quality[order[0]] + BEYOND, True
    above = quality[order[place - 1]]
    if place == last:
        return above - BEYOND, True
    below = quality[order[place]]
    middle = (above + below) / 2
    return middle, above > middle > below


@kernel
def put_in_order(visits, order, places, quality, proposals, gains):  # type: ignore[no-untyped-def]
    """Put each rule where the decisions gain most by it, one after the other, with a quality between its neighbours'.

    Args:
        visits: int64 (rules,): the slots of at least two rules, in the order in which they are put.
        order: int64 (rules,): the same slots by quality, of equal ones ascending; changed.
        places: int64 (slots,): by slot its place in the order; changed.
        quality: float64 (slots,), changed.
        proposals: see ``Proposals``.
        gains: float64 (rules,), scratch.

    Returns:
        How many rules were moved.
    """
    moved, last = 0, order.shape[0] - 1
    for slot in visits:
        here = places[slot]
        for place in range(here, last):
            order[place] = order[place + 1]
            places[order[place]] = place
        gains_of(slot, places, last, proposals, gains)
        now = 0.0
        for place in range(last, here - 1, -1):
            now += gains[place]
        best, total = now + LEAST_GAIN, 0.0
        target = here
        for place in range(last, -1, -1):
            total += gains[place]
            if total > best and place != here and between(place, last, order, quality)[1]:
                best, target = total, place
        if target != here:
            quality[slot] = between(target, last, order, quality)[0]
            moved += 1
        for place in range(last, target, -1):
            order[place] = order[place - 1]
            places[order[place]] = place
        order[target] = slot
        places[slot] = target
    return moved
