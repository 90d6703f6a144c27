"""The search for optimal shots: depth-first branch and bound over beliefs, without recursion.

The search minimises the number of misses, summed over the fleets of a belief, because the number of hits is always the
same. A shot costs one miss in each fleet that it misses. Each belief on the stack has a frame. The search tries a
belief's moves in the order of their lower bounds, and abandons a move as soon as it cannot beat the best move.

A belief contains the remaining squares of each fleet. The search recognises equal beliefs, and remembers its results
for them.

The rest of a game depends on the unhit squares of each ship of each possible fleet. Each subset of each ship's squares
has a random token. The key of a fleet is the product of its ships' tokens, and the key of a belief is the sum of its
fleets' keys, in ``LANES`` finite fields with ``PRIME`` elements each. If keys are seen as polynomials in the tokens,
two beliefs have the same key only if they have the same unhit squares. The probability that two different beliefs have
the same key is at most (ships / PRIME)^LANES (Schwartz and Zippel). A large belief is represented by the smallest of
its images under the symmetries.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Ints
from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.shared import ones

LANES = 4
PRIME = (1 << 31) - 1
"""The modulus of each lane of a key."""

LARGE = 12
"""The minimum number of fleets for which symmetric beliefs count as equal."""

MISS, HIT = 0, 1
"""Codes for the answers to a shot; larger codes announce a sunk ship."""

USED, OPENED = 0, 1
"""Indices into the ``counts`` of a table."""

MIXED = -1
"""The value that indicates several possible answers."""


class FleetArrays(NamedTuple):
    """The possible fleets.

    Attributes:
        fleets: int16 (fleets, ships): the ships of each fleet.
        ships: int16 (ships in places, longest): the squares of each placed ship, followed by −1.
        answers: int16 (ships in places,): the answer to the shot that sinks the ship.
        unions: int16 (fleets,): a number below the number of fleets, which is equal for fleets that cover the same
            squares.
        tokens: int64 (symmetries, LANES, ships in places, 2^longest): the token of a placed ship, by the mask of its
            unhit squares.
        ways: int64 (hits, misses): the number of sequences with these numbers of hits and misses that end with a hit.
        separable: int64 (1,): whether the answer when a ship sinks reveals which hits belong to the ship.
    """

    fleets: NDArray[np.int16]
    ships: NDArray[np.int16]
    answers: NDArray[np.int16]
    unions: NDArray[np.int16]
    tokens: Ints
    ways: Ints
    separable: Ints


class BeliefTable(NamedTuple):
    """A table of the beliefs that the search has seen.

    Attributes:
        keys: int64 (places, 2); the number of places is a power of two.
        values: int32 (places,): twice the number of misses, plus 1 if it is a lower bound; −1 for an empty place.
        counts: int64 (2,): the number of places in use, and the number of beliefs expanded.
    """

    keys: Ints
    values: NDArray[np.int32]
    counts: Ints


class Sight(NamedTuple):
    """Scratch space for the counts of one belief.

    Attributes:
        left: int64 (fleets, ships): the mask of each ship's remaining squares.
        counts: int64 (squares, answers): the number of fleets with a ship on each square, by answer.
        covered: int64 (squares,): the number of fleets that cover each square.
        both: int64 (squares, squares): the number of fleets that cover each pair of squares.
        classes: int64 (squares,): the answer when the ship on each square sinks, or ``MIXED``; 0 for a square without
            ships.
        afloat: int64 (answers,): the number of ships left, by the answer when they sink.
        seen: int64 (fleets,): whether a fleet with these squares has been seen.
        row, case: int64 (squares,): scratch space.
        sums: int64 (LANES,).
        key: int64 (2,).
    """

    left: Ints
    counts: Ints
    covered: Ints
    both: Ints
    classes: Ints
    afloat: Ints
    seen: Ints
    row: Ints
    case: Ints
    sums: Ints
    key: Ints


@inlined
def look(members, shot, problem, sight):  # type: ignore[no-untyped-def]
    """Record the remaining squares and ships of a belief; returns the number of squares left in each fleet.

    Args:
        members: int16 (fleets,): the fleets of the belief.
        shot: int8 (squares,): whether each square was shot.
        problem: the fleets.
        sight: output: the counts.
    """
    to_hit = 0
    for place in range(members.shape[0]):
        to_hit = 0
        sight.afloat[:] = 0
        for number in range(problem.fleets.shape[1]):
            ship = problem.fleets[members[place], number]
            mask = 0
            for k in range(problem.ships.shape[1]):
                square = problem.ships[ship, k]
                if square >= 0 and not shot[square]:
                    mask |= 1 << k
                    to_hit += 1
            sight.left[place, number] = mask
            sight.afloat[problem.answers[ship]] += mask != 0
    return to_hit


@inlined
def write_key(members, problem, sight):  # type: ignore[no-untyped-def]
    """Write the key of a belief, after a call to ``look``."""
    sums, key = sight.sums, sight.key
    for symmetry in range(problem.tokens.shape[0] if members.shape[0] >= LARGE else 1):
        sums[:] = 0
        for place in range(members.shape[0]):
            for lane in range(LANES):
                product = 1
                for number in range(problem.fleets.shape[1]):
                    mask = sight.left[place, number]
                    if mask:
                        ship = problem.fleets[members[place], number]
                        product = product * problem.tokens[symmetry, lane, ship, mask] % PRIME
                sums[lane] += product
        first = (sums[0] % PRIME << 31) | sums[1] % PRIME
        second = (sums[2] % PRIME << 31) | sums[3] % PRIME
        if symmetry == 0 or first < key[0] or (first == key[0] and second < key[1]):
            key[0], key[1] = first, second


@inlined
def place_of(first, second, table):  # type: ignore[no-untyped-def]
    """The place of a key in the table, or an empty place where the key can be stored."""
    place = (first ^ second >> 7) & (table.values.shape[0] - 1)
    while table.values[place] >= 0 and (table.keys[place, 0] != first or table.keys[place, 1] != second):
        place = (place + 1) & (table.values.shape[0] - 1)
    return place


@inlined
def keep(first, second, value, table):  # type: ignore[no-untyped-def]
    """Store the value of a belief; returns False if the table is too full."""
    place = place_of(first, second, table)
    if table.values[place] < 0:
        if table.counts[USED] * 8 >= table.values.shape[0] * 7:
            return False
        table.counts[USED] += 1
        table.keys[place, 0], table.keys[place, 1] = first, second
    table.values[place] = value
    return True


@inlined
def count(members, problem, sight):  # type: ignore[no-untyped-def]
    """Compute the counts of ``Sight`` for a belief, after a call to ``look``.

    Returns:
        The number of different sets of squares that the fleets cover.
    """
    sight.counts[:] = 0
    sight.covered[:] = 0
    sight.both[:] = 0
    sight.classes[:] = 0
    sight.seen[:] = 0
    different = 0
    for place in range(members.shape[0]):
        union = problem.unions[members[place]]
        different += sight.seen[union] == 0
        sight.seen[union] = 1
        squares = 0
        for number in range(problem.fleets.shape[1]):
            ship, mask = problem.fleets[members[place], number], sight.left[place, number]
            answer = problem.answers[ship]
            for k in range(problem.ships.shape[1]):
                if mask >> k & 1:
                    square = problem.ships[ship, k]
                    sight.covered[square] += 1
                    sight.counts[square, answer if mask & mask - 1 == 0 else HIT] += 1
                    if sight.classes[square] != answer:
                        sight.classes[square] = MIXED if sight.classes[square] else answer
                    sight.row[squares] = square
                    squares += 1
        for a in range(squares):
            for b in range(squares):
                sight.both[sight.row[a], sight.row[b]] += 1
    return different


@inlined
def announcements(to_hit, sight):  # type: ignore[no-untyped-def]
    """The maximum number of orders in which the remaining hits can announce the remaining ships."""
    ships, orders = 0, 1
    for answer in range(HIT + 1, sight.afloat.shape[0]):
        for alike in range(1, sight.afloat[answer] + 1):
            ships += 1
            orders = orders * ships // alike
    for k in range(1, ships):
        orders = orders * (to_hit - k) // k
    return orders


@inlined
def least_misses(fleets, different, to_hit, orders, ways):  # type: ignore[no-untyped-def]
    """A lower bound on the misses, from the number of fleets and of the different sets of squares that they cover.

    Args:
        fleets, different: the number of fleets, and the number of different sets of squares.
        to_hit: the number of squares left in each fleet.
        orders: the number of orders in which ships can be announced.
        ways: see ``FleetArrays``.
    """
    spare = fleets - different
    total = 0
    for misses in range(ways.shape[1]):
        room = orders * ways[to_hit, misses]
        taken = min(fleets, room + spare)
        spare -= max(0, taken - room)
        total += misses * taken
        fleets -= taken
        if fleets == 0:
            break
    return total


@inlined
def least_misses_by_cover(fleets, different, to_hit, orders, ways, covered, row):  # type: ignore[no-untyped-def]
    """A lower bound on the misses, from the number of fleets and the number of them that cover each square.

    Args:
        fleets, different, to_hit, orders, ways: see ``least_misses``.
        covered: int64 (squares,): the number of fleets that cover each square.
        row: int64 (squares,), overwritten.
    """
    squares = 0
    for square in range(covered.shape[0]):
        count = covered[square]
        if count:
            place = squares
            while place and row[place - 1] < count:
                row[place] = row[place - 1]
                place -= 1
            row[place] = count
            squares += 1
    spare = fleets - different
    total = 0
    for misses in range(ways.shape[1]):
        for before in range(min(misses + 1, squares)):
            room = orders * ways[to_hit - 1, misses - before]
            taken = min(min(fleets, row[before]), room + spare)
            spare -= max(0, taken - room)
            row[before] -= taken
            total += misses * taken
            fleets -= taken
        if fleets == 0:
            break
    return total


@inlined
def least_misses_if_told(members, problem, sight):  # type: ignore[no-untyped-def]
    """The fewest possible misses of a belief if the shooter learns the placements of all ships except the last one.

    Args:
        members: int16 (fleets,): the fleets of the belief.
        problem: the fleets, in which fleets that differ only in the last ship are adjacent.
        sight: the remaining squares, from ``look``; ``case`` and ``row`` are overwritten.
    """
    last = problem.fleets.shape[1] - 1
    total, begin = 0, 0
    while last > 0 and begin < members.shape[0]:
        sight.case[:] = 0
        end = begin
        while end < members.shape[0] and has_same_ships(members[begin], members[end], last, problem):
            ship = problem.fleets[members[end], last]
            for k in range(problem.ships.shape[1]):
                if sight.left[end, last] >> k & 1:
                    sight.case[problem.ships[ship, k]] += 1
            end += 1
        to_hit = ones(sight.left[begin, last])
        if end - begin > 1 and to_hit:
            fleets = end - begin
            total += least_misses_by_cover(fleets, fleets, to_hit, 1, problem.ways, sight.case, sight.row)
        begin = end
    return total


@inlined
def has_same_ships(fleet, other, ships, problem):  # type: ignore[no-untyped-def]
    """True if the first ships of two fleets are the same; ``ships`` is the number of ships to compare."""
    same = True
    for number in range(ships):
        same = same and problem.fleets[fleet, number] == problem.fleets[other, number]
    return same


@inlined
def is_needless(square, problem, sight):  # type: ignore[no-untyped-def]
    """True if another square is certainly at least as good; of several equivalent squares, the first one is kept."""
    covered = sight.covered[square]
    for other in range(sight.covered.shape[0]):
        if other == square or sight.both[square, other] != covered:
            continue
        if sight.covered[other] > covered or other < square:
            answer = sight.classes[other]
            if problem.separable[0] or (answer != MIXED and sight.afloat[answer] == 1):
                return True
    return False


NO_ROOM = -1
"""The value to return instead of the misses if the table is full."""

UNKNOWN = -2
"""The value to return instead of the misses if only a search can find them."""

DONE = -2
"""The value that replaces an answer if no move is being tried."""

FIRST, END, BOUND, BEST, MOVE, PLACE, MOVES, ANSWER, TOTAL, TO_HIT, SAME, ORDERS, KEY, FRAME = *range(13), 14
"""Columns of a frame: the start and end of its fleets in their row; the number of misses at or above which the belief
does not matter; the fewest misses so far, and the square that leads to them; the place of the current move, and the
number of moves; the current answer (counting down from the last one), and the lower bound on the misses of the move;
the number of squares to hit in each fleet; the number of fleets that cover the same squares as others; the number of
orders of announcements; both halves of the key."""

SQUARE, LEAST = 0, 1
"""Columns of moves: the square, and the lower bound on its misses."""

BEGIN, MISSES = 0, 1
"""Columns of groups: the place at which the fleets with an answer begin, and the lower bound on their misses."""


class SearchStack(NamedTuple):
    """The frames of a search.

    Attributes:
        frames: int64 (depth, FRAME).
        members: int16 (depth + 1, fleets): the fleets of each belief, sorted by the answer to the previous shot.
        moves: int64 (depth, squares, 2): the moves of each belief.
        groups: int64 (depth, answers + 1, 2): the groups, by answer.
        shot: int8 (squares,): whether each square was shot.
    """

    frames: Ints
    members: NDArray[np.int16]
    moves: Ints
    groups: Ints
    shot: NDArray[np.int8]


@kernel
def search(problem, stack, sight, table):  # type: ignore[no-untyped-def]
    """Search for the fewest misses, summed over the fleets; returns their number, or ``NO_ROOM``.

    The best square is the ``MOVE`` of the first frame, or −1 if all squares are hit.

    Args:
        problem: the possible fleets.
        stack: ``shot`` marks the squares that were shot; all other arrays are output.
        sight: output.
        table: the beliefs seen so far; the search adds new ones.
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
    """The misses of a belief (or a number that is at least its bound), if they are known without a search.

    Otherwise, the function lists the moves of the belief and returns ``UNKNOWN``.
    """
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
    """List the squares that may improve on the belief's bound, in ascending order of their lower bounds.

    Args:
        frame: the frame of the belief, in which the function writes the number of moves.
        moves: int64 (squares, 2), output.
        problem, sight: the fleets, and their counts.
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
    """A lower bound on the misses of the fleets that are left after an answer."""
    if fleets < 2:
        return 0
    return least_misses(fleets, max(1, fleets - frame[SAME]), to_hit, frame[ORDERS], problem.ways)


@inlined
def next_belief(depth, problem, stack):  # type: ignore[no-untyped-def]
    """Set up the frame of the next belief below this one; returns False if all moves of this belief have been tried.

    Hits leave the fewest fleets, so the search tries a miss last. At that point, most moves have already proved to be
    worse.
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
    """Shoot at a square: sort the fleets of a belief by answer into the row below, and add up their lower bounds."""
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
    """A fleet's answer to a shot that ``shot`` already marks."""
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
