"""Counting, listing and searching the fleets that agree with some facts: ship by ship, those that explain a hit first.

A node of the tree has laid some ships. As long as a hit is not covered, its children lay a ship over the first such
hit; then they lay the next ship of the longest length afloat, ships of one length in the order of their numbers. So
every fleet, in which ships of one length are not told apart, is reached once. Counting lists none: the last two ships
of each fleet are counted as pairs of two sets. Sets of small numbers are bits of words: int64 words of ``WORD`` bits
each, so that no word is ever negative.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest, ones

WORD = 62
"""Elements of a word."""


class Ships(NamedTuple):
    """The placements of ships: those of ``belief.facts.Geometry``.

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


class ShipStack(NamedTuple):
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
    stack.possible[0, :] = (1 << WORD) - 1
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
    while hit < question.reasons.shape[0] and is_covered(hit, depth, question, stack):
        hit += 1
    stack.hits[depth] = hit
    return hit


@inlined
def is_covered(hit, depth, question, stack):  # type: ignore[no-untyped-def]
    """Whether a ship laid so far covers a hit."""
    for above in range(depth):
        pick = stack.picks[above]
        if question.through[hit, pick // WORD] >> (pick % WORD) & 1:
            return True
    return False


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


@kernel
def list_fleets(ships, question, stack, fleets):  # type: ignore[no-untyped-def]
    """List the fleets that agree with some facts, as far as there is room.

    Args:
        ships: ``Ships``.
        question: ``Question``.
        stack: ``ShipStack``, scratch.
        fleets: int64 (room, ships), written: numbers of placements, in the order in which they are laid.

    Returns:
        The fleets written.
    """
    begin(question, stack)
    next_hit(0, question, stack)
    open_node(0, ships, question, stack)
    depth, found = 0, 0
    while depth >= 0 and found < fleets.shape[0]:
        if not lay_next(depth, ships, stack):
            depth -= 1
            continue
        depth += 1
        covered = next_hit(depth, question, stack) == question.reasons.shape[0]
        if ships_left(depth, stack) > 0:
            open_node(depth, ships, question, stack)
            continue
        stack.options[depth, :] = 0
        if covered:
            for ship in range(depth):
                fleets[found, ship] = stack.picks[ship]
            found += 1
    return found


TOO_MANY = -1
"""Instead of a count that would take too many operations."""

VISIT = 40
"""Operations of a node, beside those on its words."""


@kernel
def count_fleets(ships, question, stack, weights, limit):  # type: ignore[no-untyped-def]
    """Count the fleets that agree with some facts, and those with each placement.

    Args:
        ships: ``Ships``.
        question: ``Question``.
        stack: ``ShipStack``, scratch.
        weights: int64 (numbers,), zeros; written: the fleets with each placement.
        limit: the most operations on words.

    Returns:
        The fleets, or ``TOO_MANY``; and the operations.
    """
    begin(question, stack)
    depth = 0
    operations = enter(depth, ships, question, stack, weights)
    while depth >= 0:
        if lay_next(depth, ships, stack):
            depth += 1
            operations += enter(depth, ships, question, stack, weights)
            if operations > limit:
                return TOO_MANY, operations
        else:
            depth -= 1
            if depth >= 0:
                weights[stack.picks[depth]] += stack.totals[depth + 1]
                stack.totals[depth] += stack.totals[depth + 1]
    return stack.totals[0], operations


@inlined
def enter(depth, ships, question, stack, weights):  # type: ignore[no-untyped-def]
    """Write the children of a new node, or count its fleets if at most two ships are left; returns the operations."""
    covered = next_hit(depth, question, stack) == question.reasons.shape[0]
    if covered and ships_left(depth, stack) <= 2:
        stack.options[depth, :] = 0
        stack.totals[depth], operations = count_last(depth, 1, ships, question, stack, weights)
        return operations + VISIT
    open_node(depth, ships, question, stack)
    return stack.options.shape[1] + VISIT


@inlined
def count_last(depth, unit, ships, question, stack, weights):  # type: ignore[no-untyped-def]
    """Count the fleets of a node where every hit is covered and at most two ships are left.

    Args:
        depth: of the node.
        unit: what a fleet adds to the weights of its last ships.
        ships, question, stack: as of ``count_fleets``.
        weights: of the type of ``unit``, (numbers,); changed.

    Returns:
        The fleets and the operations.
    """
    first = second = -1
    for length in range(question.counts.shape[0]):
        if stack.afloat[depth, length] > 0:
            first = length if first < 0 else first
            second = length
    left = ships_left(depth, stack)
    if left == 0:
        return 1, 1
    if left == 1:
        return count_ones(depth, first, unit, ships, question, stack, weights), stack.options.shape[1]
    total, operations = count_pairs(depth, first, second, unit, ships, question, stack, weights)
    if first == second:
        return total // 2, operations
    total, more = count_pairs(depth, second, first, unit, ships, question, stack, weights)
    return total, operations + more


@inlined
def count_ones(depth, length, unit, ships, question, stack, weights):  # type: ignore[no-untyped-def]
    """Count the placements of the last ship; returns them."""
    total = 0
    for word in range(ships.firsts[length], ships.firsts[length + 1]):
        free = question.free[word] & stack.possible[depth, word]
        total += ones(free)
        while free:
            weights[word * WORD + lowest(free)] += unit
            free &= free - 1
    return total


@inlined
def count_pairs(depth, length, other, unit, ships, question, stack, weights):  # type: ignore[no-untyped-def]
    """Count, for each placement of a ship, those of the other last ship beside it; returns the sum and the operations.

    Of two ships of one length, each pair is met twice.
    """
    low, high = ships.firsts[other], ships.firsts[other + 1]
    for word in range(low, high):
        stack.options[depth + 1, word] = question.free[word] & stack.possible[depth, word]
    total, met = 0, 0
    for word in range(ships.firsts[length], ships.firsts[length + 1]):
        free = question.free[word] & stack.possible[depth, word]
        while free:
            number = word * WORD + lowest(free)
            free &= free - 1
            beside = 0
            for each in range(low, high):
                beside += ones(stack.options[depth + 1, each] & ships.apart[number, each])
            weights[number] += beside * unit
            total += beside
            met += 1
    return total, met * (high - low)
