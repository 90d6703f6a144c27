"""Boxes and their undrawn sides: degrees, runs that can be taken, chains and loops.

In all kernels of the game ``drawn`` is the mask of the drawn edges, and ``board`` is a ``Board``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import lowest, ones


class Board(NamedTuple):
    """A board as the kernels read it.

    Attributes:
        sides: int64 (boxes,): by box the mask of its edges.
        touching: int64 (edges, 2): by edge its boxes, the second -1 at the border.
        others: int64 (edges, 2): by edge, for both of its boxes, the mask of the other three edges; in place of
            the border an edge that no board has, so that it is never closed.
    """

    sides: NDArray[np.int64]
    touching: NDArray[np.int64]
    others: NDArray[np.int64]


@inlined
def degree(drawn, box, board):  # type: ignore[no-untyped-def]
    """The number of undrawn sides of a box, 0 to 4."""
    return ones(board.sides[box] & ~drawn)


@inlined
def beyond(box, edge, board):  # type: ignore[no-untyped-def]
    """The box on the other side of an edge of a box, or -1 for the ground."""
    return board.touching[edge, 0] + board.touching[edge, 1] - box


@inlined
def run_from(drawn, box, board):  # type: ignore[no-untyped-def]
    """The boxes that can be taken one after the other, beginning with a capturable one.

    Args:
        drawn, board: see above.
        box: one with one undrawn side.

    Returns:
        The number of boxes, their undrawn edges as a mask, and the capturable box at the other end, or -1 if that is
        open: an edge to the ground or to a box of degree 3 or 4.
    """
    length = 1
    last = board.sides[box] & ~drawn
    edges = last
    while True:
        box = beyond(box, lowest(last), board)
        if box < 0:
            return length, edges, -1
        count = degree(drawn, box, board)
        if count == 1:
            return length + 1, edges, box
        if count > 2:
            return length, edges, -1
        length += 1
        last = board.sides[box] & ~drawn & ~last
        edges |= last


@inlined
def chain_through(drawn, edge, board):  # type: ignore[no-untyped-def]
    """The chain or loop of boxes of degree 2 that an edge belongs to, where nothing can be taken.

    Returns:
        The number of boxes, 0 if none of the edge's boxes has degree 2; their undrawn edges, and the inner ones
        among them, which have such a box on both sides, as masks.
    """
    length = 0
    edges, inner = 1 << edge, 0
    for side in range(2):
        box, last = board.touching[edge, side], edge
        while box >= 0 and degree(drawn, box, board) == 2:
            length += 1
            last = lowest(board.sides[box] & ~drawn & ~(1 << last))
            if last == edge:
                return length, edges, edges
            edges |= 1 << last
            box = beyond(box, last, board)
    for each in range(board.touching.shape[0]):
        one, other = board.touching[each, 0], board.touching[each, 1]
        if edges >> each & 1 and other >= 0 and degree(drawn, one, board) == degree(drawn, other, board) == 2:
            inner |= 1 << each
    return length, edges, inner
