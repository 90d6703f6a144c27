"""Strings-and-coins classes: positions with the same graph, and the whole game on them; and the values of positions.

What follows upon a position depends on its graph alone, so all positions of one graph have one value and one best play.
The 2^24 positions of 3x3 boxes are 195,551 classes.

The value of a position is the margin that the player to draw gets from here on by perfect play. Boxes closed before do
not matter for what is best, so a position is its set of drawn edges. Three ways to the same values: plain recursion to
be read (``readable_value``), a table of all positions for boards of up to 24 edges (``table``), and a search for larger
boards (``gpkit.games.dots_and_boxes.search``).
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.games.dots_and_boxes.arrays import board_of
from gpkit.games.dots_and_boxes.kernel.boxes import solve
from gpkit.games.dots_and_boxes.kernel.classes import NONE, Classes, build
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State

TABLE_EDGES = 24
"""A table has a byte for every set of edges: 16 MiB for the 24 of 3x3 boxes."""

NO_TABLE = np.zeros(0, dtype=np.int8)
"""Instead of a table, for policies that do without."""
NO_TABLE.setflags(write=False)


@lru_cache(maxsize=8)
def table(rules: Rules) -> NDArray[np.int8]:
    """By mask of drawn edges the value for the player to draw: int8 (2^edges,), read-only."""
    assert rules.edges <= TABLE_EDGES, "larger boards are searched"
    values = np.empty(1 << rules.edges, dtype=np.int8)
    solve(board_of(rules), values)
    return for_reading(values)


def readable_value(state: State, known: dict[frozenset[int], int] | None = None) -> int:
    """The value of a state for the player to draw, by trying everything.

    Args:
        state: with few edges left: the time doubles with each of them.
        known: values found before, by the drawn edges; added to.
    """
    known = {} if known is None else known
    if state.is_terminal:
        return 0
    if state.drawn not in known:
        known[state.drawn] = max(values_of_edges(state, lambda after: readable_value(after, known)).values())
    return known[state.drawn]


def value_of_edge(state: State, edge: int, value: Callable[[State], int]) -> int:
    """The value of drawing an edge, for the player who draws it, from the values of states for the player to move."""
    closed, after = len(state.closed_by(edge)), value(state.apply(edge))
    return closed + after if closed else -after


def values_of_edges(state: State, value: Callable[[State], int]) -> dict[int, int]:
    """The value of drawing each undrawn edge, as in ``value_of_edge``."""
    return {edge: value_of_edge(state, edge, value) for edge in state.legal_actions()}


def best_of(values: Mapping[int, float]) -> tuple[int, ...]:
    """All edges with the highest value."""
    highest = max(values.values(), default=0)
    return tuple(edge for edge, value in values.items() if value == highest)


ROOM = 1 << 18
PLACES = 1 << 20

CLASS_BOXES = 9
"""The most boxes of a board whose classes are listed."""


@lru_cache(maxsize=8)
def classes(rules: Rules) -> Classes:
    """The classes of a board of up to 24 edges and 9 boxes."""
    assert rules.edges <= TABLE_EDGES and rules.boxes <= CLASS_BOXES, "larger boards have too many classes"
    room = min(ROOM, 1 << rules.edges)
    positions = np.empty(room, dtype=np.int64)
    successors = np.empty((room, rules.edges), dtype=np.int32)
    closed = np.empty((room, rules.edges), dtype=np.int8)
    keys, numbers = np.full(PLACES, NONE, dtype=np.int64), np.empty(PLACES, dtype=np.int32)
    known = np.full(1 << rules.edges, NONE, dtype=np.int32)
    colours = np.empty((2, rules.boxes), dtype=np.int64)
    count = build(board_of(rules), colours, keys, numbers, known, positions, successors, closed)
    assert count > 0, "there is room for all of them"
    done = np.zeros(count, dtype=np.int8)
    for sides in board_of(rules).sides:
        done += positions[:count] & sides == sides
    legal = (successors[:count] >= 0) @ (1 << np.arange(rules.edges))
    return Classes(
        for_reading(positions[:count].copy()),
        for_reading(successors[:count].copy()),
        for_reading(closed[:count].copy()),
        for_reading(done),
        for_reading(legal),
    )
