"""Many positions of one board as graphs in the arrays of the compiled matcher, made without a graph for each.

The 195,550 classes of 3x3 boxes that are not the end take a second, not half a minute as with ``state_graph``.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.kernel.graphs import write_graphs
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_plans import board_of, room_for
from gpkit.matching.kernel import layout as at
from gpkit.matching.plan import plan


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
    signatures = np.empty((count, at.WORDS), dtype=np.uint64)
    values = np.empty((count, rules.strings), dtype=np.int8)
    room = room_for(plan(()), rules)
    write_graphs(positions, board_of(rules), room, starts, nodes, neighbours, ends, signatures, values)
    used = starts[-1]
    nodes, neighbours, ends = nodes[:used].copy(), neighbours[:used].copy(), ends[:used].copy()
    for array in (starts, nodes, neighbours, ends, signatures, values):
        array.setflags(write=False)
    return Graphs(starts, nodes, neighbours, ends, signatures, values)


@lru_cache(maxsize=2)
def class_graphs(rules: Rules) -> Graphs:
    """The graphs of all classes of a board but the last one, which is the end."""
    return graphs_of(classes(rules).positions[:-1], rules)
