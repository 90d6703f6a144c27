"""Lower bounds of the misses of a belief, and squares that need not be tried.

Fleets that cover different squares lead to different sequences of answers. With r hits, one of them at the end, and m
misses there are C(m + r − 1, m) sequences, times the orders in which the ships left can be announced: only so many
fleets can do with so few misses.
A line of shots that all miss finds at its k-th shot no more fleets than cover the k-th of the squares, sorted by how
many fleets cover them. Those fleets go on with one hit less, after k − 1 misses.
A shooter who is told where all ships but the last one lie needs no more misses; each case is bounded by itself.

If every fleet that covers a square s also covers t, then t is at least as good. Whoever would shoot s may shoot t
before it: after a miss s is empty, too; after a hit it shoots s and goes on as if t were unshot, until its turn comes.
For that it has to know what it would have been told, so whenever a ship sinks, whether that ship covers t. It knows if
ships are separable; or if all fleets that cover t do so with a ship of one announcement, and no other ship of that
announcement is left. A sure hit is the case that all fleets cover t. Where ships touch it is not always best: on 3x3
squares with three ships of 2, who takes every sure hit at once has 90 misses in the 56 fleets, optimal play 86.
"""

from gpkit.core.compiled import inlined
from gpkit.games.battleship.optimal.kernel.beliefs import HIT, MIXED


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
def ones(mask):  # type: ignore[no-untyped-def]
    """The number of bits set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


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
