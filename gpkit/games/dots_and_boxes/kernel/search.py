"""Alpha-beta search for boards that are too large for a table.

What is known of the game makes the tree small (Berlekamp, "The Dots and Boxes Game", 2000; Barker and Korf, "Solving
Dots-and-Boxes", 2012). A box is taken at once unless it belongs to a run of exactly two boxes with an open end or of
exactly four without: then the player takes all of it and draws again, or leaves it to the other one, who takes it and
has to draw again; both lead to the same position of value v, so the value is |v + 2| or |v + 4|. Where nothing can be
taken, all strings of a chain are alike (of two boxes the inner one is the best), and so are all strings from one box to
the ground.
"""

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest
from gpkit.games.dots_and_boxes.kernel.boxes import chain_through, degree, run_from
from gpkit.games.dots_and_boxes.kernel.rules import closed_by

LOW, HIGH = 0, 1
"""Columns of the stored bounds."""

MOST = 100
"""More than any value."""

MIX = 0x1E3779B97F4A7C15
"""An odd number that spreads positions over the places of a table."""

UNKNOWN = -1
"""The key of an empty place."""


@inlined
def normal(drawn, twins):  # type: ignore[no-untyped-def]
    """The position with the drawn ones of strings that are alike (from one box to the ground) moved to the front.

    Args:
        drawn: mask.
        twins: int64 (pairs, 2): two such strings, the lower one first, in an order that sorts.
    """
    for pair in range(twins.shape[0]):
        low, high = 1 << twins[pair, 0], 1 << twins[pair, 1]
        if drawn & high and not drawn & low:
            drawn ^= low | high
    return drawn


@inlined
def least_image(drawn, twins, images):  # type: ignore[no-untyped-def]
    """The least of the normal forms of all rotations and reflections of a position.

    Args:
        drawn: mask.
        twins: see ``normal``.
        images: int64 (symmetries, bytes, 256): the image of each byte of a mask; the first symmetry changes nothing.
    """
    least = normal(drawn, twins)
    for symmetry in range(1, images.shape[0]):
        image = 0
        for byte in range(images.shape[1]):
            image |= images[symmetry, byte, drawn >> 8 * byte & 0xFF]
        least = min(least, normal(image, twins))
    return least


@inlined
def take_forced(drawn, board):  # type: ignore[no-untyped-def]
    """Take all boxes that are best taken at once.

    Returns:
        How many were taken, the mask after that, and the single run that may be left: its boxes (0 if there is none)
        and the mask of its strings.
    """
    taken = 0
    while True:
        kept_length, kept_strings, kept_first = 0, 0, 0
        forced = 0
        for box in range(board.sides.shape[0]):
            if degree(drawn, box, board) != 1:
                continue
            length, strings, end = run_from(drawn, box, board)
            first = board.sides[box] & ~drawn
            if length != (2 if end < 0 else 4):
                forced = first
                break
            if kept_length == 0:
                kept_length, kept_strings, kept_first = length, strings, first
            elif strings != kept_strings:
                forced = kept_first if kept_length > length else first
                break
        if forced == 0:
            return taken, drawn, kept_length, kept_strings
        taken += closed_by(drawn, lowest(forced), board)
        drawn |= forced


@inlined
def list_moves(drawn, moves, board, twins):  # type: ignore[no-untyped-def]
    """The strings that are worth drawing where nothing can be taken, the most promising first.

    Safe ones come before those that give boxes away, by the number of these; of safe ones those with more undrawn
    strings around them, which makes the tree of 3x4 boxes three times smaller than the order of numbers.

    Args:
        drawn, board: see ``boxes``.
        moves: int64 (strings,), written.
        twins: see ``normal``.

    Returns:
        Their number.
    """
    strings = board.touching.shape[0]
    skipped = drawn
    for pair in range(twins.shape[0]):
        if not drawn >> twins[pair, 0] & 1:
            skipped |= 1 << twins[pair, 1]
    count = 0
    for string in range(strings):
        if skipped >> string & 1:
            continue
        length, chain, inner = chain_through(drawn, string, board)
        if length > 0:
            skipped |= chain
        around = 0
        for side in range(2):
            if board.touching[string, side] >= 0:
                around += degree(drawn, board.touching[string, side], board)
        move = ((length + 1) * 8 - around) * 64 + (string if inner == 0 else lowest(inner))
        place = count
        while place > 0 and moves[place - 1] > move:
            moves[place] = moves[place - 1]
            place -= 1
        moves[place] = move
        count += 1
    for place in range(count):
        moves[place] &= 63
    return count


@kernel
def search(drawn, alpha, beta, depth, board, twins, images, keys, bounds, moves, counters):  # type: ignore[no-untyped-def]
    """The value of a position for the player to draw, as far as it lies between two bounds.

    Args:
        drawn, board: see ``boxes``.
        alpha, beta: what the player has for sure, and what the other one will not allow.
        depth: of the recursion, the row of ``moves`` to use.
        twins: see ``normal``.
        images: see ``least_image``.
        keys: int64 (places,), a power of two of them: the stored position or ``UNKNOWN``; changed.
        bounds: int8 (places, 2): the least and the greatest value that it may have; changed.
        moves: int64 (strings + 1, strings), scratch.
        counters: int64 (1,): the positions searched, added to.

    Returns:
        A lower bound if it is at least beta, an upper bound if it is at most alpha, else the value.
    """
    taken, drawn, run, strings = take_forced(drawn, board)
    alpha -= taken
    beta -= taken
    if run > 0:
        if beta <= 0:
            return taken
        after = search(
            drawn | strings, -beta - run, beta - run, depth, board, twins, images, keys, bounds,
            moves, counters,
        )  # fmt: skip
        return taken + abs(after + run)
    drawn = least_image(drawn, twins, images)
    left = 0
    for box in range(board.sides.shape[0]):
        left += (board.sides[box] & ~drawn) != 0
    if left == 0:
        return taken
    place = ((int(drawn) * MIX) >> 20) & (keys.shape[0] - 1)
    low, high = -left, left
    if keys[place] == drawn:
        low, high = bounds[place, LOW], bounds[place, HIGH]
    if low >= beta or low == high:
        return taken + low
    if high <= alpha:
        return taken + high
    counters[0] += 1
    best = -MOST
    floor = max(alpha, low)
    count = list_moves(drawn, moves[depth], board, twins)
    for number in range(count):
        after = drawn | 1 << moves[depth, number]
        value = -search(
            after, -beta, -max(floor, best), depth + 1, board, twins, images, keys, bounds, moves,
            counters,
        )  # fmt: skip
        best = max(best, value)
        if best >= beta or best >= high:
            break
    if keys[place] != drawn:
        keys[place] = drawn
        bounds[place, LOW], bounds[place, HIGH] = -left, left
    if best > alpha:
        bounds[place, LOW] = max(bounds[place, LOW], best)
    if best < beta:
        bounds[place, HIGH] = min(bounds[place, HIGH], best)
    return taken + best
