"""Positions prepared for the compiled matcher, flattened into arrays."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import LimitError
from gpkit.genomes.graph import GROUND, SYMBOLS, Action, Graph
from gpkit.matching.edges import edge, edges, edges_left
from gpkit.matching.kernel import layout as at
from gpkit.matching.kernel.layout import Positions
from gpkit.matching.signature import signature


def flatten(graphs: Sequence[Graph]) -> Positions:
    """These positions in arrays, which are read-only.

    Raises:
        LimitError: a position has more than ``MAX_NODES`` nodes, values of edges, or boxes in one chain.
    """
    starts = np.zeros(len(graphs) + 1, dtype=np.int64)
    np.cumsum([len(graph.nodes) for graph in graphs], out=starts[1:])
    nodes = np.zeros((starts[-1], at.NODE), dtype=np.int16)
    neighbours = np.zeros((starts[-1], at.EDGES), dtype=np.uint64)
    ends = np.zeros((starts[-1], at.END_SLOTS), dtype=np.int16)
    ends[:, at.TARGETS : at.TARGETS + at.EDGES] = at.NO_END
    signatures = np.zeros((len(graphs), at.WORDS), dtype=np.uint64)
    for number, graph in enumerate(graphs):
        rows = slice(starts[number], starts[number + 1])
        _fill(graph, nodes[rows], neighbours[rows], ends[rows])
        signatures[number] = signature(graph)
    left = np.array([edges_left(graph) for graph in graphs], dtype=np.int16)
    positions = Positions(starts, nodes, neighbours, ends, signatures, left)
    for array in positions:
        array.setflags(write=False)
    return positions


def _fill(
    graph: Graph, nodes: NDArray[np.int16], neighbours: NDArray[np.uint64], ends: NDArray[np.int16]
) -> None:
    """Write one position."""
    values = edges(graph)
    if max(len(graph.nodes), len(values), *(node.length for node in graph.nodes), 0) > at.MAX_NODES:
        raise LimitError(
            f"positions have at most {at.MAX_NODES} nodes, edges that differ, and boxes in a chain"
        )
    numbers = {value: number for number, value in enumerate(values)}
    for row, (node, grounds) in enumerate(zip(graph.nodes, graph.grounds, strict=True)):
        around = [(other, graph.multiplicity(row, other)) for other in graph.neighbours(row)]
        nodes[row] = (SYMBOLS.index(node.symbol), node.length, grounds, graph.multiplicity(row, row))
        neighbours[row] = [sum(1 << other for other, count in around if count > m) for m in range(at.EDGES)]
        touched = ([(GROUND, grounds)] if grounds else []) + around
        for slot, (other, count) in enumerate(touched):
            ends[row, at.TARGETS + slot] = other
            ends[row, at.COUNTS + slot] = count
            ends[row, at.NUMBERS + slot] = numbers[edge(graph, row, other)]
        if node.length > 1:
            ends[row, at.INNER] = numbers[edge(graph, row, touched[0][0], 1)]


def edges_of(mask: int, values: Sequence[Action]) -> frozenset[Action]:
    """The values of edges whose bits are set.

    Args:
        mask: as the kernel writes them.
        values: of the position, as ``edges`` gives them.
    """
    return frozenset(value for number, value in enumerate(values) if mask >> number & 1)
