"""Putting rules in order: each goes where the decisions that were met lately gain most by it.

What rules propose in the classes of these decisions is listed once, class by class: in all of this file ``starts`` is
int64 (classes + 1,), the first row of each class and the end; ``slots`` int64 (rows,), the rules that match, ascending;
``values`` float64 (rows,), what they propose is worth; ``unguided`` float64 (classes,), what any edge is worth.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest
from gpkit.games.dots_and_boxes.learner.kernel.arrays import IN_WORD, NO_SLOT
from gpkit.games.dots_and_boxes.learner.kernel.choosing import meet, next_matching, propose, set_domains
from gpkit.games.dots_and_boxes.learner.kernel.learning import average_value

NO_ROW = -1
"""Instead of a row: there is none."""

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
        unguided[k] = average_value(number, environment.classes.legal[number], environment, critic)
        set_domains(number, graphs, memory)
        slot = next_matching(number, 0, memory)
        while slot != NO_SLOT:
            slots[row] = slot
            mask = propose(number, population.searches[slot], graphs, population, memory)
            values[row] = average_value(number, mask, environment, critic)
            row += 1
            slot = next_matching(number, slot + 1, memory)


class OrderScratch(NamedTuple):
    """Scratch of ``put_in_order``.

    Attributes:
        acting: int64 (classes, 2): the rows of the first two rules by their places in each class, or ``NO_ROW``.
        gains: float64 (places,), 0 between calls: what is gained by the place of the rule that acts instead, counted
            from the end of the order.
        marks: uint32 (words of ``IN_WORD`` bits,), 0 between calls: by such a place whether anything is gained there.
        touched: int64 (places + 1,): these places, ascending.
    """

    acting: NDArray[np.int64]
    gains: NDArray[np.float64]
    marks: NDArray[np.uint32]
    touched: NDArray[np.int64]


@inlined
def is_earlier(row, other, places, slots):  # type: ignore[no-untyped-def]
    """Whether the rule of a row is before that of another one of its class, or there is no other one."""
    return other == NO_ROW or places[slots[row]] < places[slots[other]]


@inlined
def add_acting(row, number, places, proposals, acting):  # type: ignore[no-untyped-def]
    """Enter the rule of a row among the first two of its class, where it is none so far, if its place says so."""
    if is_earlier(row, acting[number, 0], places, proposals.slots):
        acting[number, 1] = acting[number, 0]
        acting[number, 0] = row
    elif is_earlier(row, acting[number, 1], places, proposals.slots):
        acting[number, 1] = row


@inlined
def find_acting(number, places, proposals, acting):  # type: ignore[no-untyped-def]
    """Find the first two rules of a class."""
    acting[number, 0] = acting[number, 1] = NO_ROW
    for row in range(proposals.starts[number], proposals.starts[number + 1]):
        add_acting(row, number, places, proposals, acting)


@inlined
def gains_of(slot, places, last, proposals, scratch):  # type: ignore[no-untyped-def]
    """Gain of the decisions by a rule, by the place of the one that acts without it: it must come before that one.

    Args:
        slot: of a rule.
        places: int64 (slots,): by slot the place of each rule in the order.
        last: how many other rules there are.
        proposals: see ``Proposals``.
        scratch: see ``OrderScratch``; its gains and marks are written, by how many other rules come after the place,
            with 0 where no other rule matches.
    """
    for entry in range(proposals.firsts[slot], proposals.firsts[slot + 1]):
        row = proposals.rows[entry]
        number = proposals.classes[row]
        other = scratch.acting[number, 0]
        if other == row:
            other = scratch.acting[number, 1]
        after, value = 0, proposals.unguided[number]
        if other != NO_ROW:
            place = places[proposals.slots[other]]
            after, value = last - place + int(place > places[slot]), proposals.values[other]
        scratch.gains[after] += proposals.times[number] * (proposals.values[row] - value)
        scratch.marks[after // IN_WORD] |= 1 << after % IN_WORD


@inlined
def between(place, here, last, order, quality):  # type: ignore[no-untyped-def]
    """The quality of a rule in a place among the others, and whether it keeps it apart from its neighbours.

    Args:
        place: among the others.
        here: where the rule is now.
        last: how many others there are.
        order: int64 (last + 1,): the slots of all rules.
        quality: float64 (slots,).
    """
    if place == 0:
        return quality[order[int(here == 0)]] + BEYOND, True
    above = quality[order[place - 1 + int(place > here)]]
    if place == last:
        return above - BEYOND, True
    below = quality[order[place + int(place >= here)]]
    middle = (above + below) / 2
    return middle, above > middle > below


@inlined
def best_place(here, last, order, quality, scratch):  # type: ignore[no-untyped-def]
    """Find the place among the others, the last of equal ones, where the decisions gain most by a rule.

    They gain all that they gain by the places from there on. The scratch is 0 again afterwards.

    Returns:
        The place; ``here`` if they gain no more elsewhere.
    """
    gains, touched, count = scratch.gains, scratch.touched, 0
    for word in range(scratch.marks.shape[0]):
        mask = int(scratch.marks[word])
        scratch.marks[word] = 0
        while mask:
            touched[count] = word * IN_WORD + lowest(mask)
            count += 1
            mask &= mask - 1
    touched[count] = last + 1
    best, total = 0.0, 0.0
    for k in range(count):
        if touched[k] <= last - here:
            best += gains[touched[k]]
    best += LEAST_GAIN
    target, since = here, 0
    for k in range(count + 1):
        if total > best:
            for place in range(last - since, last - touched[k], -1):
                if place != here and between(place, here, last, order, quality)[1]:
                    best, target = total, place
                    break
        since = touched[k]
        if k < count:
            total += gains[since]
            gains[since] = 0.0
    return target


@inlined
def follow(slot, later, places, proposals, acting):  # type: ignore[no-untyped-def]
    """Bring the first two rules of each class in which a rule matches up to date.

    Args:
        slot: of the rule, which was moved.
        later: whether it is later in the order than it was.
        places: int64 (slots,).
        proposals: see ``Proposals``.
        acting: of ``OrderScratch``; written.
    """
    for entry in range(proposals.firsts[slot], proposals.firsts[slot + 1]):
        row = proposals.rows[entry]
        number = proposals.classes[row]
        if acting[number, 0] == row or acting[number, 1] == row:
            find_acting(number, places, proposals, acting)
        elif not later:
            add_acting(row, number, places, proposals, acting)


@kernel
def put_in_order(visits, order, places, quality, proposals, scratch):  # type: ignore[no-untyped-def]
    """Put each rule where the decisions gain most by it, one after the other, with a quality between its neighbours'.

    Args:
        visits: int64 (rules,): the slots of at least two rules, in the order in which they are put.
        order: int64 (rules,): the same slots by quality, of equal ones ascending; changed.
        places: int64 (slots,): by slot its place in the order; changed.
        quality: float64 (slots,), changed.
        proposals: see ``Proposals``.
        scratch: see ``OrderScratch``.

    Returns:
        How many rules were moved.
    """
    moved, last = 0, order.shape[0] - 1
    for number in range(proposals.times.shape[0]):
        find_acting(number, places, proposals, scratch.acting)
    for slot in visits:
        here = places[slot]
        gains_of(slot, places, last, proposals, scratch)
        target = best_place(here, last, order, quality, scratch)
        if target != here:
            quality[slot] = between(target, here, last, order, quality)[0]
            step = 1 if target > here else -1
            for place in range(here, target, step):
                order[place] = order[place + step]
                places[order[place]] = place
            order[target], places[slot] = slot, target
            follow(slot, target > here, places, proposals, scratch.acting)
            moved += 1
    return moved
