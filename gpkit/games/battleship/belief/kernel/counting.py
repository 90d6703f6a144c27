"""Counting fleets without listing them: the last two ships of each are counted as pairs of two sets."""

from gpkit.core.compiled import inlined, kernel
from gpkit.games.battleship.belief.kernel.bits import WORD, lowest, popcount
from gpkit.games.battleship.belief.kernel.search import (
    begin,
    close_node,
    lay_next,
    next_hit,
    open_node,
    ships_left,
)

TOO_MANY = -1
"""In place of a count that would take too many operations."""

VISIT = 40
"""Operations of a node, beside those on its words."""


@kernel
def count_fleets(ships, question, stack, weights, limit):  # type: ignore[no-untyped-def]
    """Count the fleets that agree with some facts, and those with each placement.

    Args:
        ships: ``search.Ships``.
        question: ``search.Question``.
        stack: ``search.Stack``, scratch.
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
        close_node(depth, stack)
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
        total += popcount(free)
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
                beside += popcount(stack.options[depth + 1, each] & ships.apart[number, each])
            weights[number] += beside * unit
            total += beside
            met += 1
    return total, met * (high - low)
