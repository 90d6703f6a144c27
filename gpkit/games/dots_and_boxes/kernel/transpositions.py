"""A transposition table: what searches have found of positions, as long as there is room."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import ones

LOW, HIGH = 0, 1
"""Columns of the bounds."""

MIX = 0x1E3779B97F4A7C15
"""An odd number that spreads positions over the places."""

UNKNOWN = (1 << 63) - 1
"""The key of an empty place: more edges than any board has, so that whatever comes is put there."""


class Transpositions(NamedTuple):
    """Transposition table: bounds on the values of positions.

    Attributes:
        keys: int64 (places,), a power of two of them: masks of drawn edges, or ``UNKNOWN``.
        bounds: int8 (places, 2): the least and the greatest value that each may have.
        searched: int64 (1,): how many positions were searched, each as often as it was.
    """

    keys: NDArray[np.int64]
    bounds: NDArray[np.int8]
    searched: NDArray[np.int64]


@inlined
def place_of(drawn, known):  # type: ignore[no-untyped-def]
    """The place of a position, or where to put it.

    There are two places for each. A position that is not there is put into the first unless that holds one with fewer
    drawn edges, which took longer to search.
    """
    place = (int(drawn) * MIX >> 20) & (known.keys.shape[0] - 2)
    there = known.keys[place]
    if there == drawn or (known.keys[place + 1] != drawn and ones(drawn) <= ones(there)):
        return place
    return place + 1


@inlined
def store(drawn, goal, reached, low, high, known):  # type: ignore[no-untyped-def]
    """Keep whether the value of a position, which had these bounds, reaches a goal."""
    place = place_of(drawn, known)
    known.keys[place] = drawn
    known.bounds[place, LOW] = goal if reached else low
    known.bounds[place, HIGH] = high if reached else goal - 2
