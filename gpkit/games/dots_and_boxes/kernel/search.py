"""Search for boards that are too large for a table: whether the value of a position is at least a goal.

What is known of the game makes the tree small (Berlekamp, "The Dots and Boxes Game", 2000; Barker and Korf, "Solving
Dots-and-Boxes", 2012). A box is taken at once unless it belongs to a run of exactly two boxes with an open end or of
exactly four without: then the player takes all of it and draws again, or leaves it to the other one, who takes it and
has to draw again; both lead to the same position of value v, so the value is |v + 2| or |v + 4|. Of several such runs
all are taken but one of the shortest. So positions are settled: nothing can be taken in them. There all edges of a
chain are alike (of two boxes the inner one is the best), and so are all edges from one box to the ground. Where only
chains and loops are left, ``boxes`` knows the value.
The values that a position may have are all even or all odd, as are the boxes that are left to be shared.
A transposition table has what searches have found of positions, as long as there is room.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest, ones
from gpkit.games.dots_and_boxes.kernel.boxes import (
    chain_through,
    closed_by,
    degree,
    is_only_chains,
    list_lengths,
    run_from,
    value_of_lengths,
)

LOW, HIGH = 0, 1
"""Columns of the bounds."""

MIX = 0x1E3779B97F4A7C15
"""An odd number that spreads positions over the places."""

UNKNOWN = (1 << 63) - 1
"""The key of an empty place: more edges than any board has, so that whatever comes is put there."""


class Transpositions(NamedTuple):
    """Transposition table: bounds on the values of positions.

    Attributes:
        keys: int64 (places,), a power of two of them: masks of drawn edges, or ``UNKNOWN``.
        bounds: int8 (places, 2): the least and the greatest value that each may have.
        searched: int64 (1,): how many positions were searched, each as often as it was.
    """

    keys: NDArray[np.int64]
    bounds: NDArray[np.int8]
    searched: NDArray[np.int64]


@inlined
def place_of(drawn, known):  # type: ignore[no-untyped-def]
    """The place of a position, or where to put it.

    There are two places for each. A position that is not there is put into the first unless that holds one with fewer
    drawn edges, which took longer to search.
    """
    place = (int(drawn) * MIX >> 20) & (known.keys.shape[0] - 2)
    there = known.keys[place]
    if there == drawn or (known.keys[place + 1] != drawn and ones(drawn) <= ones(there)):
        return place
    return place + 1


@inlined
def store(drawn, goal, reached, low, high, known):  # type: ignore[no-untyped-def]
    """Keep whether the value of a position, which had these bounds, reaches a goal."""
    place = place_of(drawn, known)
    known.keys[place] = drawn
    known.bounds[place, LOW] = goal if reached else low
    known.bounds[place, HIGH] = high if reached else goal - 2


MOVE, SETTLED, TAKEN, RUN, ROW = range(5)
"""Columns of rows: an edge to draw, and what ``settle`` returns after it."""


class Alike(NamedTuple):
    """Symmetries and twin edges, which make positions of a board alike.

    Attributes:
        twins: int64 (pairs, 2): two edges from one box to the ground, the lower one first, in an order that sorts.
        images: int64 (symmetries, bytes, 256): the image of each byte of a mask; the first symmetry changes nothing.
    """

    twins: NDArray[np.int64]
    images: NDArray[np.int64]


class SolverScratch(NamedTuple):
    """Scratch of a search.

    Attributes:
        rows: int64 (edges + 1, edges, ROW): the moves at each depth of the recursion.
        lengths: int64 (KINDS, boxes), see ``list_lengths``.
        values: int64 (boxes + 1,), see ``value_of_lengths``.
    """

    rows: NDArray[np.int64]
    lengths: NDArray[np.int64]
    values: NDArray[np.int64]


@inlined
def normal(drawn, twins):  # type: ignore[no-untyped-def]
    """The position with the drawn ones of edges that are alike (from one box to the ground) moved to the front.

    Args:
        drawn: mask.
        twins: see ``Alike``.
    """
    for pair in range(twins.shape[0]):
        low, high = 1 << twins[pair, 0], 1 << twins[pair, 1]
        if drawn & high and not drawn & low:
            drawn ^= low | high
    return drawn


@inlined
def least_image(drawn, alike):  # type: ignore[no-untyped-def]
    """The least of the normal forms of all rotations and reflections of a position.

    Args:
        drawn: mask.
        alike: see ``Alike``.
    """
    least = normal(drawn, alike.twins)
    for symmetry in range(1, alike.images.shape[0]):
        image = 0
        for byte in range(alike.images.shape[1]):
            image |= alike.images[symmetry, byte, drawn >> 8 * byte & 0xFF]
        least = min(least, normal(image, alike.twins))
    return least


@inlined
def take_forced(drawn, board):  # type: ignore[no-untyped-def]
    """Take all boxes that are best taken at once.

    Returns:
        How many were taken, the mask after that, and the single run that may be left: its boxes (0 if there is none)
        and the mask of its edges.
    """
    taken = 0
    while True:
        kept_length, kept_edges, kept_first = 0, 0, 0
        forced = 0
        for box in range(board.sides.shape[0]):
            if degree(drawn, box, board) != 1:
                continue
            length, edges, end = run_from(drawn, box, board)
            first = board.sides[box] & ~drawn
            if length != (2 if end < 0 else 4):
                forced = first
                break
            if kept_length == 0:
                kept_length, kept_edges, kept_first = length, edges, first
            elif edges != kept_edges:
                forced = kept_first if kept_length > length else first
                break
        if forced == 0:
            return taken, drawn, kept_length, kept_edges
        taken += closed_by(drawn, lowest(forced), board)
        drawn |= forced


@inlined
def settle(drawn, board, alike):  # type: ignore[no-untyped-def]
    """Settle a position: its least image after forced moves, the boxes taken before, and those of a run.

    The value of the position is that of the settled one, v, plus the boxes taken; with a run of that many
    boxes |v + run| instead of v.
    """
    taken, drawn, run, edges = take_forced(drawn, board)
    return least_image(drawn | edges, alike), taken, run


@inlined
def known_bounds(drawn, board, known, scratch):  # type: ignore[no-untyped-def]
    """The least and the greatest value that a settled position may have, as far as is known."""
    if is_only_chains(drawn, board):
        chains, loops = list_lengths(drawn, board, scratch.lengths)
        value = value_of_lengths(scratch.lengths, chains, loops, scratch.values)
        return value, value
    place = place_of(drawn, known)
    if known.keys[place] == drawn:
        return int(known.bounds[place, LOW]), int(known.bounds[place, HIGH])
    left = 0
    for box in range(board.sides.shape[0]):
        left += (board.sides[box] & ~drawn) != 0
    return -left, left


@inlined
def list_moves(drawn, rows, board, twins):  # type: ignore[no-untyped-def]
    """The edges that are worth drawing in a settled position, the most promising first.

    Safe ones come before those that give a chain or a loop away, by its length; of safe ones those that leave most
    boxes with two sides, and then those with more undrawn edges around them: the tree of 3x4 boxes is 2.5 times
    larger in the order of numbers.

    Args:
        drawn, board: see ``boxes``.
        rows: int64 (edges, ROW), their column ``MOVE`` is written.
        twins: see ``Alike``.

    Returns:
        Their number.
    """
    skipped = drawn
    for pair in range(twins.shape[0]):
        if not drawn >> twins[pair, 0] & 1:
            skipped |= 1 << twins[pair, 1]
    count = 0
    for edge in range(board.touching.shape[0]):
        if skipped >> edge & 1:
            continue
        length, chain, inner = chain_through(drawn, edge, board)
        if length > 0:
            skipped |= chain
        around, tight = 0, 0
        for side in range(2):
            if board.touching[edge, side] >= 0:
                sides = degree(drawn, board.touching[edge, side], board)
                around += sides
                tight += sides == 3
        move = (((length + 1) * 4 - tight) * 16 - around) * 64 + (edge if inner == 0 else lowest(inner))
        place = count
        while place > 0 and rows[place - 1, MOVE] > move:
            rows[place, MOVE] = rows[place - 1, MOVE]
            place -= 1
        rows[place, MOVE] = move
        count += 1
    for place in range(count):
        rows[place, MOVE] &= 63
    return count


@kernel
def reaches(goal, drawn, depth, board, alike, known, scratch):  # type: ignore[no-untyped-def]
    """Whether the value of a settled position, for the player to draw, is at least a goal.

    What is known of the positions after all moves is looked up before any of them is searched.

    Args:
        goal: the goal.
        drawn, board: see ``boxes``.
        depth: of the recursion.
        alike, known, scratch: see ``Alike``, ``Transpositions`` and ``SolverScratch``; what is found is added to
            ``known``.
    """
    low, high = known_bounds(drawn, board, known, scratch)
    goal += (goal - low) & 1
    if goal <= low or goal > high:
        return goal <= low
    known.searched[0] += 1
    rows = scratch.rows[depth]
    count = list_moves(drawn, rows, board, alike.twins)
    reached = False
    for row in range(count):
        after, taken, run = settle(drawn | 1 << rows[row, MOVE], board, alike)
        rows[row, SETTLED], rows[row, TAKEN], rows[row, RUN] = after, taken, run
        least, greatest = known_bounds(after, board, known, scratch)
        most = taken + (greatest if run == 0 else max(-least - run, greatest + run))
        if goal <= -most:
            goal, reached = -most, True
            break
    row = 0
    while row < count and not reached:
        after, run = rows[row, SETTLED], rows[row, RUN]
        enough = 1 - goal - rows[row, TAKEN]
        if run == 0:
            reached = not reaches(enough, after, depth + 1, board, alike, known, scratch)
        elif enough > 0:
            reached = not (
                reaches(enough - run, after, depth + 1, board, alike, known, scratch)
                or not reaches(1 - enough - run, after, depth + 1, board, alike, known, scratch)
            )
        row += 1
    store(drawn, goal, reached, low, high, known)
    return reached


settle_alone = kernel(settle)
"""``settle`` for callers from outside."""
