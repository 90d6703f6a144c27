"""Many positions as graphs of strings and coins in the arrays of the compiled matcher."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.games.dots_and_boxes.kernel.positions import fill_position
from gpkit.matching.kernel import layout as at

DRAWN = -1
"""In place of the number of an edge's value."""


class Graphs(NamedTuple):
    """The graphs of positions of a board, and what its edges are in them.

    Attributes:
        positions: as the matcher reads them.
        values: int8 (positions, edges): by edge of the board the number of its value, as
            ``gpkit.matching.edges.edges`` numbers them, or ``DRAWN``.
    """

    positions: at.Positions
    values: NDArray[np.int8]


@inlined
def copy_rows(rows, count, target, first):  # type: ignore[no-untyped-def]
    """Copy so many rows of an array into another one of equal columns, from row ``first`` on."""
    for row in range(count):
        for column in range(rows.shape[1]):
            target[first + row, column] = rows[row, column]


@kernel
def write_graphs(masks, board, scratch, graphs):  # type: ignore[no-untyped-def]
    """Write the graphs of positions one after another.

    Args:
        masks: int64 (positions,): of the drawn edges, none of them all.
        board, scratch: see ``boxes`` and ``positions.Scratch``.
        graphs: written; there is room for a node for each box of each position.
    """
    positions, values = graphs
    positions.starts[0] = 0
    for number in range(masks.shape[0]):
        row = positions.starts[number]
        count = fill_position(masks[number], board, scratch)
        copy_rows(scratch.nodes, count, positions.nodes, row)
        copy_rows(scratch.neighbours, count, positions.neighbours, row)
        copy_rows(scratch.ends, count, positions.ends, row)
        for word in range(scratch.signature.shape[0]):
            positions.signatures[number, word] = scratch.signature[word]
        left = scratch.numbers[at.OF_LEFT]
        positions.left[number] = left
        for edge in range(values.shape[1]):
            values[number, edge] = DRAWN
        value = 0
        while left > 0:
            for edge in range(values.shape[1]):
                if scratch.masks[value] >> edge & 1:
                    values[number, edge] = value
                    left -= 1
            value += 1
        positions.starts[number + 1] = row + count
