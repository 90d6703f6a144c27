"""Place of a new rule among others that are in order: where the decisions that were met lately gain most by it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined

STEP = 1.0
"""The quality of the first rule of an order is so much above that of the next one, that of the last so much below."""


class Acting(NamedTuple):
    """Rules that act where a new one matches, scratch.

    Attributes:
        slots: int64 (slots,): of these rules.
        gains: float64 (slots,), 0 between calls: by slot what is gained where the new rule acts instead.
        acts: bool (slots,), False between calls: by slot whether it is one of these.
    """

    slots: NDArray[np.int64]
    gains: NDArray[np.float64]
    acts: NDArray[np.bool_]


@inlined
def credit(slot, gain, rules, acting):  # type: ignore[no-untyped-def]
    """Add a gain to those where the rule of a slot acts, one of so many or a new one; how many there are then."""
    if not acting.acts[slot]:
        acting.acts[slot] = True
        acting.slots[rules] = slot
        rules += 1
    acting.gains[slot] += gain
    return rules


@inlined
def sort_by_quality(slots, count, quality):  # type: ignore[no-untyped-def]
    """Sort slots by quality, the least first; of equal ones the higher slot."""
    for k in range(1, count):
        slot, place = slots[k], k
        while place > 0 and (
            quality[slots[place - 1]] > quality[slot]
            or (quality[slots[place - 1]] == quality[slot] and slots[place - 1] < slot)
        ):
            slots[place] = slots[place - 1]
            place -= 1
        slots[place] = slot


@inlined
def best_place(rules, unguided, acting, quality):  # type: ignore[no-untyped-def]
    """Find the place before so many rules that act, the worst of them first, where most is gained.

    Returns:
        What is gained there, and the quality of that place.
    """
    sort_by_quality(acting.slots, rules, quality)
    best, total = unguided, unguided
    found = quality[acting.slots[0]] - STEP if rules > 0 else 0.0
    for k in range(rules):
        slot = acting.slots[k]
        total += acting.gains[slot]
        floor = quality[slot]
        ceiling = quality[acting.slots[k + 1]] if k + 1 < rules else floor + 2.0 * STEP
        middle = (floor + ceiling) / 2.0
        if total > best and floor < middle < ceiling:
            best, found = total, middle
        acting.gains[slot] = 0.0
        acting.acts[slot] = False
    return best, found
