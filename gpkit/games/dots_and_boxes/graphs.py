"""Many positions of one board as graphs in the arrays of the compiled matcher, made without a graph for each.

The 195,550 classes of 3x3 boxes that are not the end take a second, not half a minute as with ``state_graph``.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.kernel.graphs import COLUMNS, write_graphs
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.tables import box_sides, touching
from gpkit.matching.kernel import layout as at
from gpkit.matching.kernel.signatures import sign_all


@dataclass(frozen=True, slots=True)
class Graphs:
    """The graphs of positions of a board, one after another.

    Attributes:
        starts, nodes, neighbours, ends, signatures: as of ``gpkit.matching.positions.Positions``.
        values: int8 (positions, strings): by string of the board the number of its value, as
            ``gpkit.matching.strings.strings`` numbers them; −1 if it is drawn.
    """

    starts: NDArray[np.int64]
    nodes: NDArray[np.int16]
    neighbours: NDArray[np.uint64]
    ends: NDArray[np.int16]
    signatures: NDArray[np.uint64]
    values: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.values)


def graphs_of(positions: NDArray[np.int64], rules: Rules) -> Graphs:
    """The graphs of positions, given as masks of drawn strings, none of which is the end."""
    boxes, count = rules.boxes, len(positions)
    starts = np.zeros(count + 1, dtype=np.int64)
    nodes = np.empty((count * boxes, at.NODE), dtype=np.int16)
    neighbours = np.empty((count * boxes, at.STRINGS), dtype=np.uint64)
    ends = np.empty((count * boxes, at.END_SLOTS), dtype=np.int16)
    values = np.empty((count, rules.strings), dtype=np.int8)
    write_graphs(
        positions, box_sides(rules), touching(rules), *scratch(rules), starts, nodes, neighbours, ends, values
    )
    used = starts[-1]
    nodes, neighbours, ends = nodes[:used].copy(), neighbours[:used].copy(), ends[:used].copy()
    signatures = np.empty((count, at.WORDS), dtype=np.uint64)
    sign_all(starts, nodes, neighbours, np.empty(at.FIELDS, dtype=np.int64), signatures)
    for array in (starts, nodes, neighbours, ends, signatures, values):
        array.setflags(write=False)
    return Graphs(starts, nodes, neighbours, ends, signatures, values)


def scratch(rules: Rules) -> tuple[NDArray[np.int64], ...]:
    """Room for ``kernel.graphs.write_graph`` to work in."""
    boxes = rules.boxes
    shapes = ((COLUMNS, boxes), (boxes, boxes + 2), (boxes, boxes + 1), (boxes, boxes), (boxes,))
    return tuple(np.zeros(shape, dtype=np.int64) for shape in shapes)


@lru_cache(maxsize=2)
def class_graphs(rules: Rules) -> Graphs:
    """The graphs of all classes of a board but the last one, which is the end."""
    return graphs_of(classes(rules).positions[:-1], rules)
