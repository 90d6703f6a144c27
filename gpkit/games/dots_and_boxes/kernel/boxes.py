"""Boxes on masks: undrawn sides, runs that can be taken, chains and loops, what an edge closes, and the last endgame.

In all kernels of the game ``drawn`` is the mask of the drawn edges, and ``board`` is a ``Board``.

In the last endgame nothing can be taken and every open box has two undrawn sides: chains and loops, and nothing else.
Whoever is to draw gives a chain or a loop away. The other one takes all of it and has to give the next one, or leaves
the last two boxes of a chain of at least three, or the last four of a loop of at least four, and with them the next
gift. (The boxes of a chain of two are given by the edge between them, so that nothing can be left of it; loops of two
or three are on no board, but among coins.) Of chains it is best to give the shortest, and so of loops (Buzzard and
Ciere, "Playing Simple Loony Dots and Boxes Endgames Optimally", 2014): the value depends on the lengths alone, and is
found from the longest to the shortest.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest, ones


class Board(NamedTuple):
    """A board as the kernels read it.

    Attributes:
        sides: int64 (boxes,): by box the mask of its edges.
        touching: int64 (edges, 2): by edge its boxes, the second -1 at the border.
        others: int64 (edges, 2): by edge, for both of its boxes, the mask of the other three edges; instead of
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


@inlined
def closed_by(drawn, edge, board):  # type: ignore[no-untyped-def]
    """Number of boxes that drawing an edge closes, 0 to 2.

    Args:
        drawn: without the edge.
        edge: its number.
        board: see ``boxes``.
    """
    first, second = board.others[edge, 0], board.others[edge, 1]
    return int((drawn & first) == first) + int((drawn & second) == second)


@kernel
def solve(board, values):  # type: ignore[no-untyped-def]
    """The value of every position, from the last to the first.

    Args:
        board: see ``boxes``.
        values: int8 (2^edges,), written: by mask the boxes that the player to draw gets from here on, less those that
            the other one gets, if both play as well as can be.
    """
    edges = board.others.shape[0]
    values[values.shape[0] - 1] = 0
    for drawn in range(values.shape[0] - 2, -1, -1):
        best = -128
        for edge in range(edges):
            bit = 1 << edge
            if not drawn & bit:
                closed = closed_by(drawn, edge, board)
                after = values[drawn | bit]
                value = closed + after if closed > 0 else -after
                best = max(best, value)
        values[drawn] = best


CHAINS, LOOPS, KINDS = range(3)
"""Rows of lengths."""

MOST = 100
"""More than any value."""

OF_CHAIN, OF_LOOP = 4, 8
"""Cost of leaving the last two boxes of a chain, or the last four of a loop, to the other player."""

SHORT, SHORT_LOOP = 2, 3
"""Of a chain, or a loop, of so many boxes or fewer nothing can be left."""


@inlined
def is_only_chains(drawn, board):  # type: ignore[no-untyped-def]
    """Whether every open box of a position, in which nothing can be taken, has two undrawn sides."""
    box, boxes = 0, board.sides.shape[0]
    while box < boxes and degree(drawn, box, board) <= 2:
        box += 1
    return box == boxes


@inlined
def list_lengths(drawn, board, lengths):  # type: ignore[no-untyped-def]
    """The lengths of the chains and loops of a position that has nothing else.

    Args:
        drawn, board: see ``boxes``.
        lengths: int64 (KINDS, boxes), written: those of chains and those of loops, each ascending.

    Returns:
        How many chains and how many loops there are.
    """
    chains, loops = 0, 0
    left = ((1 << board.touching.shape[0]) - 1) & ~drawn
    while left:
        length, edges, inner = chain_through(drawn, lowest(left), board)
        left &= ~edges
        kind = LOOPS if edges == inner else CHAINS
        place = loops if kind == LOOPS else chains
        while place > 0 and lengths[kind, place - 1] > length:
            lengths[kind, place] = lengths[kind, place - 1]
            place -= 1
        lengths[kind, place] = length
        loops += kind == LOOPS
        chains += kind == CHAINS
    return chains, loops


@inlined
def value_of_lengths(lengths, chains, loops, values):  # type: ignore[no-untyped-def]
    """The value of chains and loops for the player to draw.

    Args:
        lengths, chains, loops: see ``list_lengths``.
        values: int64 (at least loops + 1,), scratch: by number of the shorter loops that are gone, the value of the
            chains that are left together with the other loops.
    """
    for chain in range(chains, -1, -1):
        for loop in range(loops, -1, -1):
            best = 0 if chain == chains and loop == loops else -MOST
            if chain < chains:
                length, rest = lengths[CHAINS, chain], values[loop]
                left = length - OF_CHAIN - rest if length > SHORT else -MOST
                best = max(best, -max(length + rest, left))
            if loop < loops:
                length, rest = lengths[LOOPS, loop], values[loop + 1]
                left = length - OF_LOOP - rest if length > SHORT_LOOP else -MOST
                best = max(best, -max(length + rest, left))
            values[loop] = best
    return values[0]
