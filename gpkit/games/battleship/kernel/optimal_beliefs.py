"""Beliefs, compiled: what is left of each fleet, when two beliefs are alike, and what was found of them.

The rest of a game depends on the squares of each possible fleet that are not yet hit, ship by ship. A token is drawn
for every part of every ship; a fleet is the product of the tokens of its ships, and a belief the sum of its fleets, in
``LANES`` fields of ``PRIME`` numbers each. As polynomials in the tokens two beliefs are equal only if their rests are:
by chance they are taken for each other with a probability of at most (ships / PRIME)^LANES (Schwartz and Zippel).
Of the images of a large belief under symmetries the least one counts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import ones

LANES = 4
PRIME = (1 << 31) - 1
"""Every lane of a key is a number below it."""

LARGE = 12
"""Number of fleets from which on symmetric beliefs are taken for alike."""

MISS, HIT = 0, 1
"""Answers; those above announce a ship."""

USED, OPENED = 0, 1
"""In ``counts`` of a table."""

MIXED = -1
"""Instead of an answer: there are several."""


class Problem(NamedTuple):
    """The possible fleets.

    Attributes:
        fleets: int16 (fleets, ships): the ships of each.
        ships: int16 (ships in places, longest): their squares, −1 after the last.
        answers: int16 (ships in places,): to the shot that sinks each.
        unions: int16 (fleets,): equal for fleets that cover the same squares, and below their number.
        tokens: int64 (symmetries, LANES, ships in places, 2^longest): by the mask of the squares left.
        ways: int64 (hits, misses): in how many sequences with so many of each a hit is last.
        separable: int64 (1,): whether the answer that sinks a ship tells which hits belong to it.
    """

    fleets: NDArray[np.int16]
    ships: NDArray[np.int16]
    answers: NDArray[np.int16]
    unions: NDArray[np.int16]
    tokens: NDArray[np.int64]
    ways: NDArray[np.int64]
    separable: NDArray[np.int64]


class BeliefTable(NamedTuple):
    """Beliefs that were met.

    Attributes:
        keys: int64 (places, 2), a power of two of them.
        values: int32 (places,): twice the misses, and 1 more if that is a lower bound; −1 in an empty place.
        counts: int64 (2,): places in use, and beliefs that were opened, each as often as it was.
    """

    keys: NDArray[np.int64]
    values: NDArray[np.int32]
    counts: NDArray[np.int64]


class Sight(NamedTuple):
    """Counts of one belief; scratch.

    Attributes:
        left: int64 (fleets, ships): masks of the squares left of each ship.
        counts: int64 (squares, answers): fleets with a ship there, by answer.
        covered: int64 (squares,): fleets with a ship there.
        both: int64 (squares, squares): fleets with ships on both.
        classes: int64 (squares,): the answer to sinking the ship there, or ``MIXED``; 0 without ships.
        afloat: int64 (answers,): ships left, by the answer to sinking them.
        seen: int64 (fleets,): whether the squares of a fleet were met.
        row, case: int64 (squares,).
        sums: int64 (LANES,).
        key: int64 (2,).
    """

    left: NDArray[np.int64]
    counts: NDArray[np.int64]
    covered: NDArray[np.int64]
    both: NDArray[np.int64]
    classes: NDArray[np.int64]
    afloat: NDArray[np.int64]
    seen: NDArray[np.int64]
    row: NDArray[np.int64]
    case: NDArray[np.int64]
    sums: NDArray[np.int64]
    key: NDArray[np.int64]


@inlined
def look(members, shot, problem, sight):  # type: ignore[no-untyped-def]
    """Note the squares left of each ship, and the ships left; returns how many squares are left of each fleet.

    Args:
        members: int16 (fleets,): those of the belief.
        shot: int8 (squares,): whether each was shot.
        problem, sight: the latter written.
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
    """Write the key of a belief whose squares left have been noted."""
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
    """The place of a key in the table, or the empty one where to put it."""
    place = (first ^ second >> 7) & (table.values.shape[0] - 1)
    while table.values[place] >= 0 and (table.keys[place, 0] != first or table.keys[place, 1] != second):
        place = (place + 1) & (table.values.shape[0] - 1)
    return place


@inlined
def keep(first, second, value, table):  # type: ignore[no-untyped-def]
    """Keep what was found of a belief; False if the table is too full for it."""
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
    """Count what is said at ``Sight``, of a belief whose squares left have been noted.

    Returns:
        How many different sets of squares its fleets cover.
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
    """At most in how many orders the ships left can be announced during the hits left."""
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
    """Least misses of so many fleets, of which so many cover different squares.

    Args:
        fleets, different: their numbers.
        to_hit: squares left of each.
        orders: in which ships can be announced.
        ways: see ``Problem``.
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
    """Least misses of fleets, by how many of them cover each square.

    Args:
        fleets, different, to_hit, orders, ways: as of ``least_misses``.
        covered: int64 (squares,): fleets that cover each square.
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
    """Least misses of a belief if the shooter is told where all ships lie but the last one of each fleet.

    Args:
        members: int16 (fleets,): those of the belief.
        problem: the fleets; those that differ in the last ship alone follow upon each other.
        sight: the squares left have been noted; ``case`` and ``row`` are overwritten.
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
    """Whether two fleets have the first so many ships in common."""
    same = True
    for number in range(ships):
        same = same and problem.fleets[fleet, number] == problem.fleets[other, number]
    return same


@inlined
def is_needless(square, problem, sight):  # type: ignore[no-untyped-def]
    """Whether another square is at least as good for certain; of two that are alike the first one is kept."""
    covered = sight.covered[square]
    for other in range(sight.covered.shape[0]):
        if other == square or sight.both[square, other] != covered:
            continue
        if sight.covered[other] > covered or other < square:
            answer = sight.classes[other]
            if problem.separable[0] or (answer != MIXED and sight.afloat[answer] == 1):
                return True
    return False
