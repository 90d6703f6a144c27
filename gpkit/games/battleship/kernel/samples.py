"""The compiled sampler of fleets, with its votes and shots; ``agents`` explains the method."""

from typing import NamedTuple

from gpkit.core.arrays import Ints
from gpkit.core.compiled import inlined, kernel
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.kernel.shooting import lies_alone, may_lie, window_of
from gpkit.vm.kernel.keyed import keyed_uniform, keyed_word
from gpkit.vm.keyed import HALF

UNSHOT, MISS, HIT = at.UNSHOT, at.MISS, at.OPEN
"""The agent's knowledge of a square, which does not include which ship sank."""

# ships: int64 (FACTS, ships), of each ship of the sample that grows
GROUP, BUCKET, LEFT, PLACE, COVERED, FACTS = range(6)
"""The rows of ``ships``: the row for the ship's length in ``lists``, the number of hits that each listed location
covers, the number of listed locations, the place of the chosen location in the list, and the number of hits that
earlier ships cover."""

# tally: int64 (COUNTS,)
DRAWN, INCONSISTENT, DROPPED, POPPED, COUNTS = range(5)
"""The indices of ``tally``: the numbers of samples drawn, samples that leave a hit uncovered, abandoned samples, and
backtracks."""


class Plan(NamedTuple):
    """The plan for drawing samples.

    Attributes:
        rules: int64 (see ``layout``): the rules that samples follow.
        required: whether each sample must cover all hits.
        samples: the number of samples to draw in each turn.
        backtracks: the maximum number of times that the sampler backtracks in one sample.
        key: the key of the player's shots, 26 bits.
    """

    rules: Ints
    required: bool
    samples: int
    backtracks: int
    key: int


@kernel
def shoot(board, known, plan, turn, last, scratch, tally):  # type: ignore[no-untyped-def]
    """Take turns until the board is cleared or ``last`` is reached; returns the next turn and the last square shot at.

    Args:
        board: int8 (squares,): whether a ship lies on each square.
        known: int8 (squares,), modified in place.
        plan: ``Plan``.
        turn, last: the number of turns taken so far, and the maximum number of turns.
        scratch: scratch arrays. ``lists``, int16 (lengths, 2 · squares): the valid locations of each length, longest
            first, sorted by the number of hits that they cover. ``starts``, int64 (lengths, longest + 2): the places in
            the list at which the locations with each number of hits begin. ``mine``, int16 (ships, 2 · squares): for
            each ship, the locations still in its list, which all cover the same number of hits. ``ships``, int64
            (FACTS, ships). ``taken``, int16 (squares,): the number of ships in the sample that block each square.
            ``votes``, int64 (squares,): the number of samples with a ship on each square, in the last turn.
        tally: int64 (COUNTS,): the counts, which the function increases.
    """
    lists, starts, _, ships, _, votes = scratch
    left = 0
    for square in range(board.shape[0]):
        left += board[square] and known[square] == UNSHOT
    shot = -1
    while turn < last:
        hits, group = 0, -1
        for ship in range(ships.shape[1]):
            length = plan.rules[at.LENGTHS + ship]
            if ship == 0 or length != plan.rules[at.LENGTHS + ship - 1]:
                group += 1
                list_group(lists[group], starts[group], length, known, plan)
            ships[GROUP, ship] = group
        for square in range(board.shape[0]):
            hits += known[square] == HIT
        votes[:] = 0
        for number in range(plan.samples):
            word = keyed_word(plan.key, turn, number)
            add_sample(word >> 26, word & (HALF - 1), hits, plan, scratch, tally)
        shot = most_votes(votes, known, keyed_uniform(plan.key, turn, HALF - 1))
        known[shot] = HIT if board[shot] else MISS
        turn += 1
        if board[shot]:
            left -= 1
            if left == 0:
                break
    return turn, shot


@inlined
def most_votes(votes, known, u):  # type: ignore[no-untyped-def]
    """The unshot square with the most votes; ``u`` in [0, 1) breaks ties, counted from the top left."""
    most = -1
    equal = 0
    for square in range(votes.shape[0]):
        if known[square] == UNSHOT:
            if votes[square] > most:
                most = votes[square]
                equal = 0
            equal += votes[square] == most
    place = int(u * equal)
    for square in range(votes.shape[0]):
        if known[square] == UNSHOT and votes[square] == most:
            if place == 0:
                return square
            place -= 1
    return -1


@inlined
def list_group(locations, starts, length, known, plan):  # type: ignore[no-untyped-def]
    """List the valid locations of a length, with the most hits first and ties in ascending order.

    Args:
        locations: int16 (2 · squares,), output.
        starts: int64 (longest + 2,), output: for each number of squares without a hit, the place at which the locations
            with that number begin.
        length: the length of the ships.
        known, plan: see ``shoot``.
    """
    starts[: length + 2] = 0
    for location in range(2 * known.shape[0]):
        hits = hits_on(location, length, known, plan)
        if hits >= 0:
            starts[length - hits + 1] += 1
    for missing in range(length + 1):
        starts[missing + 1] += starts[missing]
    for location in range(2 * known.shape[0]):
        hits = hits_on(location, length, known, plan)
        if hits >= 0:
            locations[starts[length - hits]] = location
            starts[length - hits] += 1
    for missing in range(length + 1, 0, -1):
        starts[missing] = starts[missing - 1]
    starts[0] = 0


@inlined
def hits_on(location, length, known, plan):  # type: ignore[no-untyped-def]
    """The number of hits that a location covers, or −1 if the location covers a miss or leaves the board.

    If samples must cover all hits and ships must not touch, the result is also −1 for a location beside a hit that it
    does not cover.
    """
    rules, is_vertical = plan.rules, location & 1
    hits = may_lie(known, location >> 1, is_vertical, length, rules)
    if hits < 0 or (is_vertical and length == 1):
        return -1
    return hits if not plan.required or lies_alone(known, location, length, hits, rules) else -1


@inlined
def add_sample(key, left, hits, plan, scratch, tally):  # type: ignore[no-untyped-def]
    """Draw one sample and count its votes.

    Args:
        key, left: the key and the first counter for random numbers, 26 bits each.
        hits: the number of hits on the board.
        plan, scratch, tally: see ``shoot``.
    """
    _, _, mine, ships, _, votes = scratch
    last = ships.shape[1] - 1
    tally[DRAWN] += 1
    if not grow_sample(key, left, hits, plan, scratch, tally):
        tally[DROPPED] += 1
        return
    tally[INCONSISTENT] += ships[COVERED, last] + ships[BUCKET, last] < hits
    for ship in range(last + 1):
        location = mine[ship, ships[PLACE, ship]]
        step = plan.rules[at.WIDTH] if location & 1 else 1
        for k in range(plan.rules[at.LENGTHS + ship]):
            votes[(location >> 1) + k * step] += 1


@inlined
def grow_sample(key, left, hits, plan, scratch, tally):  # type: ignore[no-untyped-def]
    """Place the ships one by one, and backtrack if a ship does not fit; returns whether all ships were placed."""
    _, _, mine, ships, taken, _ = scratch
    taken[:] = 0
    rest = 0
    for later in range(1, ships.shape[1]):
        rest += plan.rules[at.LENGTHS + later]
    draws, popped, ship = 0, 0, 0
    ships[COVERED, 0] = 0
    open_list(0, plan, scratch)
    while True:
        length = plan.rules[at.LENGTHS + ship]
        least = hits - ships[COVERED, ship] - rest if plan.required else 0
        while ships[LEFT, ship] == 0 and ships[BUCKET, ship] > 0:
            ships[BUCKET, ship] -= 1
            fill_list(ship, plan, scratch)
        if ships[LEFT, ship] == 0 or ships[BUCKET, ship] < least:
            if ship == 0 or popped == plan.backtracks:
                return False
            rest += length
            ship -= 1
            popped += 1
            tally[POPPED] += 1
            mark(mine[ship, ships[PLACE, ship]], plan.rules[at.LENGTHS + ship], -1, plan, taken)
            remove(ship, ships[PLACE, ship], mine, ships)
            continue
        place = int(keyed_uniform(key, left, draws) * ships[LEFT, ship])
        draws += 1
        location = mine[ship, place]
        if not is_free(location, length, plan.rules[at.WIDTH], taken):
            remove(ship, place, mine, ships)
            continue
        mark(location, length, 1, plan, taken)
        ships[PLACE, ship] = place
        if ship == ships.shape[1] - 1:
            return True
        ship += 1
        rest -= plan.rules[at.LENGTHS + ship]
        ships[COVERED, ship] = ships[COVERED, ship - 1] + ships[BUCKET, ship - 1]
        open_list(ship, plan, scratch)


@inlined
def open_list(ship, plan, scratch):  # type: ignore[no-untyped-def]
    """Reset a ship's list to that of an equally long previous ship, or else to the locations with the most hits."""
    _, _, mine, ships, _, _ = scratch
    if ship == 0 or ships[GROUP, ship] != ships[GROUP, ship - 1]:
        ships[BUCKET, ship] = plan.rules[at.LENGTHS + ship]
        fill_list(ship, plan, scratch)
        return
    ships[BUCKET, ship] = ships[BUCKET, ship - 1]
    ships[LEFT, ship] = ships[LEFT, ship - 1]
    for place in range(ships[LEFT, ship]):
        mine[ship, place] = mine[ship - 1, place]


@inlined
def fill_list(ship, plan, scratch):  # type: ignore[no-untyped-def]
    """List the locations of a ship that cover ``BUCKET`` hits."""
    lists, starts, mine, ships, _, _ = scratch
    group = ships[GROUP, ship]
    bucket = plan.rules[at.LENGTHS + ship] - ships[BUCKET, ship]
    begin, end = starts[group, bucket], starts[group, bucket + 1]
    for place in range(end - begin):
        mine[ship, place] = lists[group, begin + place]
    ships[LEFT, ship] = end - begin


@inlined
def remove(ship, place, mine, ships):  # type: ignore[no-untyped-def]
    """Remove a location from a ship's list; the last location takes its place."""
    ships[LEFT, ship] -= 1
    mine[ship, place] = mine[ship, ships[LEFT, ship]]


@inlined
def is_free(location, length, width, taken):  # type: ignore[no-untyped-def]
    """True if no ship in the sample blocks a square of a location."""
    square = location >> 1
    step = width if location & 1 else 1
    for k in range(length):  # noqa: SIM110  (a generator cannot be compiled)
        if taken[square + k * step]:
            return False
    return True


@inlined
def mark(location, length, change, plan, taken):  # type: ignore[no-untyped-def]
    """Change the number of ships that block each square on a location and, if ships must not touch, around it."""
    width, margin = plan.rules[at.WIDTH], 0 if plan.rules[at.TOUCH] else 1
    top, bottom, left, right = window_of(location, length, margin, width, plan.rules[at.HEIGHT])
    for row in range(top, bottom):
        for column in range(left, right):
            taken[row * width + column] += change
