"""Strings-and-coins classes: positions with the same graph, and the whole game on them.

What follows upon a position depends on its graph alone, so all positions of one graph have one value and one best play.
The 2^24 positions of 3x3 boxes are 195,551 classes.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.arrays import board_of
from gpkit.games.dots_and_boxes.kernel.classes import NONE, build
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.solution import TABLE_EDGES

ROOM = 1 << 18
PLACES = 1 << 20

CLASS_BOXES = 9
"""The most boxes of a board whose classes are listed."""


@dataclass(frozen=True, slots=True)
class Classes:
    """All classes of a board, by the number of drawn edges: the first is the empty board, the last one the end.

    Attributes:
        rules: the rules.
        positions: int64 (classes,): the mask of the drawn edges of one position of each.
        successors: int32 (classes, edges): the class after drawing an edge in that position, −1 if it is drawn.
        closed: int8 (classes, edges): how many boxes drawing it closes.
        done: int8 (classes,): how many boxes are closed.
    """

    rules: Rules
    positions: NDArray[np.int64]
    successors: NDArray[np.int32]
    closed: NDArray[np.int8]
    done: NDArray[np.int8]

    def __len__(self) -> int:
        """The number of classes."""
        return len(self.positions)


@lru_cache(maxsize=2)
def classes(rules: Rules) -> Classes:
    """The classes of a board of up to 24 edges and 9 boxes."""
    assert rules.edges <= TABLE_EDGES and rules.boxes <= CLASS_BOXES, (
        "the classes of larger boards are too many"
    )
    room = min(ROOM, 1 << rules.edges)
    positions = np.empty(room, dtype=np.int64)
    successors = np.empty((room, rules.edges), dtype=np.int32)
    closed = np.empty((room, rules.edges), dtype=np.int8)
    count = build(
        board_of(rules),
        np.empty((2, rules.boxes), dtype=np.int64),
        np.full(PLACES, NONE, dtype=np.int64),
        np.empty(PLACES, dtype=np.int32),
        positions,
        successors,
        closed,
    )
    assert count > 0, "there is room for all of them"
    done = np.zeros(count, dtype=np.int8)
    for sides in board_of(rules).sides:
        done += positions[:count] & sides == sides
    found = positions[:count].copy(), successors[:count].copy(), closed[:count].copy(), done
    for array in found:
        array.setflags(write=False)
    return Classes(rules, *found)
