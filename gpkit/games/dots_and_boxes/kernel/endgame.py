"""Positions in which nothing can be taken and every open box has two undrawn sides: chains and loops, and nothing else.

Whoever is to draw gives a chain or a loop away. The other one takes all of it and has to give the next one, or leaves
the last two boxes of a chain of at least three, or the last four of a loop of at least four, and with them the next
gift. (The boxes of a chain of two are given by the edge between them, so that nothing can be left of it; loops of two
or three are on no board, but among coins.) Of chains it is best to give the shortest, and so of loops (Buzzard and
Ciere, "Playing Simple Loony Dots and Boxes Endgames Optimally", 2014): the value depends on the lengths alone, and is
found from the longest to the shortest.
"""

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import lowest
from gpkit.games.dots_and_boxes.kernel.boxes import chain_through, degree

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
