"""The board, or coins, as the kernels read it: edges and boxes as masks, and positions as numbers."""

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.edges import Field, boxes_of_edges, edges_of_box
from gpkit.games.dots_and_boxes.kernel.boxes import Board
from gpkit.games.dots_and_boxes.rules import State

NEVER = 1 << 62
"""An edge that no board has, so that a box with it is never closed."""

GROUND = -1
"""Instead of a box: the border."""


def mask_of(edges: Iterable[int]) -> int:
    """The mask of edges that differ.

    >>> bin(mask_of((0, 3)))
    '0b1001'
    """
    return sum(1 << edge for edge in edges)


def edges_of(mask: int) -> tuple[int, ...]:
    """The edges of a mask, ascending."""
    return tuple(edge for edge in range(mask.bit_length()) if mask >> edge & 1)


def state_of(drawn: int, rules: Field) -> State:
    """The state in which these edges are drawn, as a mask; nobody owns a box, and player 0 is to draw."""
    return State(rules, frozenset(edges_of(drawn)), (NOBODY,) * rules.boxes)


@cache
def box_sides(rules: Field) -> NDArray[np.int64]:
    """By box the mask of its edges: int64 (boxes,)."""
    return for_reading(np.array([mask_of(edges_of_box(box, rules)) for box in range(rules.boxes)], np.int64))


@cache
def board_of(rules: Field) -> Board:
    """All that the kernels know of a board: read-only."""
    sides, touching = box_sides(rules), boxes_of_edges(rules)
    others = np.full((rules.edges, 2), NEVER, dtype=np.int64)
    for edge, boxes in enumerate(touching):
        others[edge, : len(boxes)] = sides[list(boxes)] & ~(1 << edge)
    pairs = np.array([(*boxes, GROUND)[:2] for boxes in touching], dtype=np.int64)
    return Board(sides, for_reading(pairs), for_reading(others))
