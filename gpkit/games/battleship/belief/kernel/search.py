"""Search through the fleets that agree with some facts: ship by ship, those that explain a hit before the others.

A node of the tree has laid some ships. As long as a hit is not covered, its children lay a ship over the first such
hit; then they lay the next ship of the longest length afloat, ships of one length in the order of their numbers. So
every fleet, in which ships of one length are not told apart, is reached once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined
from gpkit.games.battleship.belief.kernel.bits import WORD, lowest


class Ships(NamedTuple):
    """The placements of ships: those of ``geometry.Geometry``.

    Attributes:
        firsts: int64 (lengths + 1,).
        apart: int64 (numbers, words).
    """

    firsts: NDArray[np.int64]
    apart: NDArray[np.int64]


class Question(NamedTuple):
    """Sets of placements that agree with some facts.

    Attributes:
        counts: int64 (lengths,): the ships of each length.
        free: int64 (words,): the placements of ships that have not sunk.
        reasons: int64 (hits, words): the placements that may explain each hit; sinkings before other hits.
        through: int64 (hits, words): all placements that cover its square.
    """

    counts: NDArray[np.int64]
    free: NDArray[np.int64]
    reasons: NDArray[np.int64]
    through: NDArray[np.int64]


class Stack(NamedTuple):
    """Scratch arrays: the nodes from the root to the one that is looked at.

    Attributes:
        possible: int64 (ships + 1, words): placements beside all ships laid so far.
        options: int64 (ships + 1, words): the placements of children that are still to be looked at.
        afloat: int64 (ships + 1, lengths): ships of each length that are still to be laid.
        hits: int64 (ships + 1,): the first hit that is not covered.
        lengths: int64 (ships + 1,): the length of the next ship as its place among the lengths; −1: it explains a hit.
        picks: int64 (ships + 1,): the placement of the child that is looked at.
        totals: int64 (ships + 1,): fleets found so far.
    """

    possible: NDArray[np.int64]
    options: NDArray[np.int64]
    afloat: NDArray[np.int64]
    hits: NDArray[np.int64]
    lengths: NDArray[np.int64]
    picks: NDArray[np.int64]
    totals: NDArray[np.int64]


@inlined
def begin(question, stack):  # type: ignore[no-untyped-def]
    """Stand at the root."""
    for word in range(stack.possible.shape[1]):
        stack.possible[0, word] = (1 << WORD) - 1
    for length in range(question.counts.shape[0]):
        stack.afloat[0, length] = question.counts[length]
    stack.hits[0] = 0
    stack.totals[0] = 0


@inlined
def ships_left(depth, stack):  # type: ignore[no-untyped-def]
    """The ships that are still to be laid."""
    left = 0
    for length in range(stack.afloat.shape[1]):
        left += stack.afloat[depth, length]
    return left


@inlined
def next_hit(depth, question, stack):  # type: ignore[no-untyped-def]
    """The first hit that no ship laid so far covers; the number of hits if there is none."""
    hit = stack.hits[depth]
    while hit < question.reasons.shape[0]:
        covered = False
        for above in range(depth):
            pick = stack.picks[above]
            if question.through[hit, pick // WORD] >> (pick % WORD) & 1:
                covered = True
                break
        if not covered:
            break
        hit += 1
    stack.hits[depth] = hit
    return hit


@inlined
def open_node(depth, ships, question, stack):  # type: ignore[no-untyped-def]
    """Write the children of the node at this depth, of which ``next_hit`` has been asked."""
    hit = stack.hits[depth]
    explains = hit < question.reasons.shape[0]
    stack.lengths[depth] = -1
    for length in range(question.counts.shape[0]):
        wanted = stack.afloat[depth, length] > 0 and (explains or stack.lengths[depth] < 0)
        if wanted and not explains:
            stack.lengths[depth] = length
        for word in range(ships.firsts[length], ships.firsts[length + 1]):
            options = 0
            if wanted:
                options = stack.possible[depth, word]
                options &= question.reasons[hit, word] if explains else question.free[word]
            stack.options[depth, word] = options


@inlined
def close_node(depth, stack):  # type: ignore[no-untyped-def]
    """Give the node at this depth no children."""
    for word in range(stack.options.shape[1]):
        stack.options[depth, word] = 0


@inlined
def lay_next(depth, ships, stack):  # type: ignore[no-untyped-def]
    """Lay the next child's ship, and write what is possible below it; returns whether there was one."""
    length = 0
    for word in range(stack.options.shape[1]):
        options = stack.options[depth, word]
        if options == 0:
            continue
        while ships.firsts[length + 1] <= word:
            length += 1
        stack.options[depth, word] = options & (options - 1)
        if stack.lengths[depth] >= 0:  # the next ships of this length have higher numbers
            stack.possible[depth, word] &= ~(options & -options)
        lay(depth, word * WORD + lowest(options), length, ships, stack)
        return True
    return False


@inlined
def lay(depth, number, length, ships, stack):  # type: ignore[no-untyped-def]
    """Lay a ship, and write what is possible below it."""
    stack.picks[depth] = number
    for word in range(stack.possible.shape[1]):
        stack.possible[depth + 1, word] = stack.possible[depth, word] & ships.apart[number, word]
    for other in range(stack.afloat.shape[1]):
        stack.afloat[depth + 1, other] = stack.afloat[depth, other] - (other == length)
    stack.hits[depth + 1] = stack.hits[depth]
    stack.totals[depth + 1] = 0
