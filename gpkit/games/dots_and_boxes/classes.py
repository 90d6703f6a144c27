"""Boards as arrays, classes of positions with isomorphic graphs, and the values of positions.

The rest of a game depends only on the graph of the position, so all positions with the same graph have the same value
and the same optimal play. The 2^24 positions of 3x3 boxes form 195,551 classes.

The value of a position is the margin that the player to draw gains in the rest of the game with perfect play. The
owners of closed boxes do not affect optimal play, so the set of drawn edges is enough to describe a position. gpkit
computes the values in three ways that agree: with readable recursion (``readable_value``), with a table of all
positions on boards of up to 24 edges (``table``), and with a search on larger boards
(``gpkit.games.dots_and_boxes.solving``).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Ints, for_reading
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.kernel.boxes import NONE, BoardArrays, Classes, build, solve
from gpkit.games.dots_and_boxes.rules import (
    DotsAndBoxesRules,
    DotsAndBoxesState,
    Field,
    boxes_of_edges,
    edges_of_box,
)

NEVER = 1 << 62
"""An edge that does not exist on any board, so a box with this edge is never closed."""

GROUND = -1
"""The number that replaces the second box of an edge at the border."""


def mask_of(edges: Iterable[int]) -> int:
    """The bit mask of a set of edges.

    >>> bin(mask_of((0, 3)))
    '0b1001'
    """
    return sum(1 << edge for edge in edges)


def edges_of(mask: int) -> tuple[int, ...]:
    """The edges of a mask, in ascending order."""
    return tuple(edge for edge in range(mask.bit_length()) if mask >> edge & 1)


def state_of(drawn: int, rules: Field) -> DotsAndBoxesState:
    """The state in which the edges of a mask are drawn, nobody owns a box, and player 0 is to draw."""
    return DotsAndBoxesState(rules, frozenset(edges_of(drawn)), (NOBODY,) * rules.boxes)


@cache
def box_sides(rules: Field) -> Ints:
    """The mask of edges for each box: int64 (boxes,)."""
    return for_reading(np.array([mask_of(edges_of_box(box, rules)) for box in range(rules.boxes)], np.int64))


@cache
def board_of(rules: Field) -> BoardArrays:
    """The read-only arrays that describe a board for the kernels."""
    sides, touching = box_sides(rules), boxes_of_edges(rules)
    others = np.full((rules.edges, 2), NEVER, dtype=np.int64)
    for edge, boxes in enumerate(touching):
        others[edge, : len(boxes)] = sides[list(boxes)] & ~(1 << edge)
    pairs = np.array([(*boxes, GROUND)[:2] for boxes in touching], dtype=np.int64)
    return BoardArrays(sides, for_reading(pairs), for_reading(others))


TABLE_EDGES = 24
"""The maximum number of edges of a board with a table; the table of 3x3 boxes takes 16 MiB."""

NO_TABLE = np.zeros(0, dtype=np.int8)
"""An empty table for policies that need no table."""
NO_TABLE.setflags(write=False)


@lru_cache(maxsize=8)
def table(rules: DotsAndBoxesRules) -> NDArray[np.int8]:
    """The value of each mask of drawn edges for the player to draw: int8 (2^edges,), read-only."""
    assert rules.edges <= TABLE_EDGES, "larger boards are searched"
    values = np.empty(1 << rules.edges, dtype=np.int8)
    solve(board_of(rules), values)
    return for_reading(values)


def readable_value(state: DotsAndBoxesState, known: dict[frozenset[int], int] | None = None) -> int:
    """The value of a state for the player to draw, which the function finds by trying all continuations.

    Args:
        state: a position with few edges left; each additional edge doubles the running time.
        known: the values found so far, by drawn edges; the function adds new values.
    """
    known = {} if known is None else known
    if state.is_terminal:
        return 0
    if state.drawn not in known:
        known[state.drawn] = max(values_of_edges(state, lambda after: readable_value(after, known)).values())
    return known[state.drawn]


def value_of_edge(state: DotsAndBoxesState, edge: int, value: Callable[[DotsAndBoxesState], int]) -> int:
    """The value of drawing an edge, for the player who draws it.

    The function ``value`` returns the value of a state for the player to draw.
    """
    closed, after = len(state.closed_by(edge)), value(state.apply(edge))
    return closed + after if closed else -after


def values_of_edges(state: DotsAndBoxesState, value: Callable[[DotsAndBoxesState], int]) -> dict[int, int]:
    """The value of drawing each undrawn edge; see ``value_of_edge``."""
    return {edge: value_of_edge(state, edge, value) for edge in state.legal_actions()}


def best_of(values: Mapping[int, float]) -> tuple[int, ...]:
    """All edges with the highest value."""
    highest = max(values.values(), default=0)
    return tuple(edge for edge, value in values.items() if value == highest)


ROOM = 1 << 18
PLACES = 1 << 20

CLASS_BOXES = 9
"""The maximum number of boxes of a board for which gpkit lists the classes."""


@lru_cache(maxsize=8)
def classes(rules: DotsAndBoxesRules) -> Classes:
    """The classes of a board with at most 24 edges and 9 boxes."""
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
