"""Many positions of one board as graphs in the arrays of the compiled matcher, made without a graph for each.

The 195,550 classes of 3x3 boxes that are not the end take a second, not half a minute as with ``state_graph``.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.games.dots_and_boxes.arrays import board_of
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.kernel.graphs import Graphs, write_graphs
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_plans import scratch_for
from gpkit.matching.kernel import layout as at
from gpkit.matching.plan import plan


def graphs_of(masks: NDArray[np.int64], rules: Rules) -> Graphs:
    """The graphs of positions, given as masks of drawn edges, none of which is the end; the arrays are read-only."""
    nodes, count = len(masks) * rules.boxes, len(masks)
    graphs = Graphs(
        at.Positions(
            starts=np.zeros(count + 1, dtype=np.int64),
            nodes=np.empty((nodes, at.NODE), dtype=np.int16),
            neighbours=np.empty((nodes, at.EDGES), dtype=np.uint64),
            ends=np.empty((nodes, at.END_SLOTS), dtype=np.int16),
            signatures=np.empty((count, at.WORDS), dtype=np.uint64),
            left=np.empty(count, dtype=np.int16),
        ),
        np.empty((count, rules.edges), dtype=np.int8),
    )
    write_graphs(for_reading(masks), board_of(rules), scratch_for(plan(()), rules), graphs)
    made, values = graphs
    used = made.starts[-1]
    positions = made._replace(
        nodes=made.nodes[:used].copy(), neighbours=made.neighbours[:used].copy(), ends=made.ends[:used].copy()
    )
    for array in (*positions, values):
        array.setflags(write=False)
    return Graphs(positions, values)


@lru_cache(maxsize=2)
def class_graphs(rules: Rules) -> Graphs:
    """The graphs of all classes of a board but the last one, which is the end."""
    return graphs_of(classes(rules).positions[:-1], rules)


def some_graphs(graphs: Graphs, numbers: NDArray[np.integer]) -> Graphs:
    """The graphs of some of many positions, in the order of their numbers; the arrays are read-only."""
    positions = graphs.positions
    sizes = positions.starts[numbers + 1] - positions.starts[numbers]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.arange(starts[-1]) + np.repeat(positions.starts[numbers] - starts[:-1], sizes)
    found = at.Positions(
        for_reading(starts),
        for_reading(positions.nodes.take(rows, axis=0)),
        for_reading(positions.neighbours.take(rows, axis=0)),
        for_reading(positions.ends.take(rows, axis=0)),
        for_reading(positions.signatures.take(numbers, axis=0)),
        for_reading(positions.left.take(numbers)),
    )
    return Graphs(found, for_reading(graphs.values.take(numbers, axis=0)))
