"""The search: branch and bound over beliefs, depth first, without recursion.

What is minimised is the number of misses, summed over the fleets of a belief; hits are the same whatever the order. A
shot that may miss costs one in each fleet for which it does. A belief has its frame; its moves are tried from the one
of the lowest bound on, and left as soon as they cannot be better than what was found.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.games.battleship.kernel.optimal_beliefs import (
    HIT,
    MISS,
    OPENED,
    announcements,
    count,
    is_needless,
    keep,
    least_misses,
    least_misses_by_cover,
    least_misses_if_told,
    look,
    place_of,
    write_key,
)

NO_ROOM = -1
"""Instead of a number of misses: the table is full."""

UNKNOWN = -2
"""Instead of a number of misses: it has to be searched."""

DONE = -2
"""Instead of an answer: no move is looked at."""

FIRST, END, BOUND, BEST, MOVE, PLACE, MOVES, ANSWER, TOTAL, TO_HIT, SAME, ORDERS, KEY, FRAME = *range(13), 14
"""Columns of a frame: the first of its fleets in their row and the end of them; the misses from which on it does not
matter; the least found, and with which square; the place among so many of the move that is looked at; the answer that
is looked at, from the last one down, and the least misses of the move as far as is known; squares to hit of each fleet,
fleets that cover the same squares as others, orders of announcements; both halves of the key."""

SQUARE, LEAST = 0, 1
"""Columns of moves: the square, and the least misses with it."""

BEGIN, MISSES = 0, 1
"""Columns of groups: where the fleets of an answer begin, and the least misses of them."""


class SearchStack(NamedTuple):
    """Frames of a search.

    Attributes:
        frames: int64 (depth, FRAME).
        members: int16 (depth + 1, fleets): of each belief, by the answer to the shot before.
        moves: int64 (depth, squares, 2).
        groups: int64 (depth, answers + 1, 2): by answer.
        shot: int8 (squares,): squares that were shot.
    """

    frames: NDArray[np.int64]
    members: NDArray[np.int16]
    moves: NDArray[np.int64]
    groups: NDArray[np.int64]
    shot: NDArray[np.int8]


@kernel
def search(problem, stack, sight, table):  # type: ignore[no-untyped-def]
    """The least misses, summed over the fleets, or ``NO_ROOM``.

    The best square is the ``MOVE`` of the first frame, −1 if there is none left to hit.

    Args:
        problem: the fleets, all of them possible.
        stack: its ``shot`` says which squares were shot; the rest is written.
        sight: written.
        table: beliefs that were met; added to.
    """
    frames, members = stack.frames, stack.members
    for fleet in range(members.shape[1]):
        members[0, fleet] = fleet
    frames[0, FIRST], frames[0, END] = 0, members.shape[1]
    frames[0, BOUND] = members.shape[1] * stack.shot.shape[0]
    depth = 0
    value = open_belief(0, problem, stack, sight, table)
    while True:
        if value == NO_ROOM:
            return NO_ROOM
        if value >= 0:
            if depth == 0:
                return value
            depth -= 1
            frame = frames[depth]  # the misses of the belief below are exact or beyond its bound
            frame[TOTAL] += value - stack.groups[depth, frame[ANSWER], MISSES]
            frame[ANSWER] -= 1
        if next_belief(depth, problem, stack):
            depth += 1
            value = open_belief(depth, problem, stack, sight, table)
        else:
            frame = frames[depth]  # the misses are exact, or the bound if no move leads to fewer
            value = frame[BEST]
            if depth > 0 and not keep(frame[KEY], frame[KEY + 1], 2 * value + (frame[MOVE] < 0), table):
                value = NO_ROOM


@inlined
def open_belief(depth, problem, stack, sight, table):  # type: ignore[no-untyped-def]
    """The misses of a belief, or at least its bound, if known at once; else ``UNKNOWN``, and its moves are listed."""
    frame = stack.frames[depth]
    members = stack.members[depth, frame[FIRST] : frame[END]]
    frame[BEST], frame[MOVE], frame[PLACE], frame[MOVES], frame[ANSWER] = frame[BOUND], -1, -1, 0, DONE
    to_hit = look(members, stack.shot, problem, sight)
    if to_hit == 0 or (depth > 0 and members.shape[0] == 1):
        return 0
    if depth > 0:
        write_key(members, problem, sight)
        frame[KEY], frame[KEY + 1] = sight.key[0], sight.key[1]
        known = table.values[place_of(frame[KEY], frame[KEY + 1], table)]
        if known >= 0 and (known & 1 == 0 or known >> 1 >= frame[BOUND]):
            return known >> 1
    table.counts[OPENED] += 1
    fleets, different = members.shape[0], count(members, problem, sight)
    orders = announcements(to_hit, sight)
    frame[TO_HIT], frame[SAME], frame[ORDERS] = to_hit, fleets - different, orders
    least = least_misses_by_cover(fleets, different, to_hit, orders, problem.ways, sight.covered, sight.row)
    if least < frame[BOUND]:
        least = max(least, least_misses_if_told(members, problem, sight))
    if least < frame[BOUND]:
        list_moves(frame, stack.moves[depth], problem, sight)
        return UNKNOWN
    return least if keep(frame[KEY], frame[KEY + 1], 2 * least + 1, table) else NO_ROOM


@inlined
def list_moves(frame, moves, problem, sight):  # type: ignore[no-untyped-def]
    """List the squares that may be better than the bound, those of the lowest bound first.

    Args:
        frame: of the belief; its number of moves is written.
        moves: int64 (squares, 2), written.
        problem, sight: everything has been counted.
    """
    found = 0
    fleets = frame[END] - frame[FIRST]
    for square in range(sight.covered.shape[0]):
        covered = sight.covered[square]
        if covered == 0 or is_needless(square, problem, sight):
            continue
        missed = fleets - covered
        least = missed + least_after(missed, frame[TO_HIT], frame, problem)
        for answer in range(HIT, sight.counts.shape[1]):
            least += least_after(sight.counts[square, answer], frame[TO_HIT] - 1, frame, problem)
        if least >= frame[BOUND]:
            continue
        place = found
        while place and moves[place - 1, LEAST] > least:
            moves[place, SQUARE], moves[place, LEAST] = moves[place - 1, SQUARE], moves[place - 1, LEAST]
            place -= 1
        moves[place, SQUARE], moves[place, LEAST] = square, least
        found += 1
    frame[MOVES] = found


@inlined
def least_after(fleets, to_hit, frame, problem):  # type: ignore[no-untyped-def]
    """Least misses of so many of a belief's fleets after an answer."""
    if fleets < 2:
        return 0
    different = max(1, fleets - frame[SAME])
    return least_misses(fleets, different, to_hit, frame[ORDERS], problem.ways)


@inlined
def next_belief(depth, problem, stack):  # type: ignore[no-untyped-def]
    """Set up the frame of the next belief below one; False if all its moves have been looked at.

    The fewest fleets are behind hits, so a miss is looked at last: then most moves are already known to be worse.
    """
    frame, below = stack.frames[depth], stack.frames[depth + 1]
    moves, groups = stack.moves[depth], stack.groups[depth]
    while True:
        if frame[ANSWER] != DONE:
            while frame[TOTAL] < frame[BEST] and frame[ANSWER] >= 0:
                begin, end = groups[frame[ANSWER], BEGIN], groups[frame[ANSWER] + 1, BEGIN]
                if end - begin > 1:
                    below[FIRST], below[END] = begin, end
                    below[BOUND] = frame[BEST] - frame[TOTAL] + groups[frame[ANSWER], MISSES]
                    return True
                frame[ANSWER] -= 1
            square = moves[frame[PLACE], SQUARE]
            if frame[TOTAL] < frame[BEST]:
                frame[BEST], frame[MOVE] = frame[TOTAL], square
            stack.shot[square] = 0
        frame[PLACE] += 1
        if frame[PLACE] == frame[MOVES] or moves[frame[PLACE], LEAST] >= frame[BEST]:
            return False
        frame[ANSWER] = groups.shape[0] - 2
        shoot(depth, moves[frame[PLACE], SQUARE], problem, stack)


@inlined
def shoot(depth, square, problem, stack):  # type: ignore[no-untyped-def]
    """Shoot at a square: sort the fleets of a belief by answer into the row below, and sum up the bounds."""
    frame, groups = stack.frames[depth], stack.groups[depth]
    members, below = stack.members[depth], stack.members[depth + 1]
    stack.shot[square] = 1
    groups[:, BEGIN] = 0
    for place in range(frame[FIRST], frame[END]):
        groups[answer_of(members[place], square, problem, stack.shot) + 1, BEGIN] += 1
    frame[TOTAL] = groups[MISS + 1, BEGIN]
    for answer in range(groups.shape[0] - 1):
        fleets = groups[answer + 1, BEGIN]
        groups[answer, MISSES] = least_after(fleets, frame[TO_HIT] - (answer != MISS), frame, problem)
        frame[TOTAL] += groups[answer, MISSES]
        groups[answer + 1, BEGIN] += groups[answer, BEGIN]
    for place in range(frame[FIRST], frame[END]):
        answer = answer_of(members[place], square, problem, stack.shot)
        below[groups[answer, BEGIN]] = members[place]
        groups[answer, BEGIN] += 1
    for answer in range(groups.shape[0] - 1, 0, -1):
        groups[answer, BEGIN] = groups[answer - 1, BEGIN]
    groups[0, BEGIN] = 0


@inlined
def answer_of(fleet, square, problem, shot):  # type: ignore[no-untyped-def]
    """The answer of a fleet to a shot that has been noted."""
    for number in range(problem.fleets.shape[1]):
        ship = problem.fleets[fleet, number]
        left, is_there = 0, False
        for k in range(problem.ships.shape[1]):
            other = problem.ships[ship, k]
            if other >= 0:
                is_there |= other == square
                left += not shot[other]
        if is_there:
            return HIT if left else problem.answers[ship]
    return MISS
