"""Compiled functions that count, list and sample the fleets consistent with the facts, and compare shots by rollouts.

At each node of the search tree, some ships have been placed. While any hit is uncovered, the node's children place a
ship over the first such hit. Once all hits are covered, the children place the next ship of the longest length afloat,
with ships of the same length in the order of their placement numbers. The tree thus reaches every fleet exactly once,
without distinguishing ships of the same length. Counting does not list the fleets: it counts the last two ships as
pairs from two sets. Sets of small numbers are stored as bits of int64 words, with only ``WORD`` bits in each word, so
no word is negative.

The weight of a sampled fleet is the inverse of its probability, so weighted sums over samples are unbiased.

A rollout shoots at a square and then follows a policy until every fleet is cleared. All fleets have the same number of
ship squares left, so rollouts are compared by their misses. The announced results split the list of fleets into parts.
Each part is a range of the list, so a node of the tree consists of a range and a set of unshot squares.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Ints
from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.shared import lowest, nth, ones
from gpkit.vm.kernel.keyed import keyed_uniform

WORD = 62
"""The number of set elements stored in a word."""


class Ships(NamedTuple):
    """The placements of ships, as in ``belief.posterior.Geometry``.

    Attributes:
        firsts: int64 (lengths + 1,).
        apart: int64 (numbers, words).
    """

    firsts: Ints
    apart: Ints


class Question(NamedTuple):
    """The sets of placements consistent with the facts.

    Attributes:
        counts: int64 (lengths,): the number of ships of each length.
        free: int64 (words,): the possible placements of ships that have not sunk.
        reasons: int64 (hits, words): the placements that may explain each hit; sinkings come before other hits.
        through: int64 (hits, words): all placements that cover the square of each hit.
    """

    counts: Ints
    free: Ints
    reasons: Ints
    through: Ints


class ShipStack(NamedTuple):
    """Scratch arrays that describe the nodes from the root to the current one.

    Attributes:
        possible: int64 (ships + 1, words): the placements compatible with all ships placed so far.
        options: int64 (ships + 1, words): the placements of the children that are still to be visited.
        afloat: int64 (ships + 1, lengths): the number of ships of each length that are still to be placed.
        hits: int64 (ships + 1,): the index of the first uncovered hit.
        lengths: int64 (ships + 1,): the length of the next ship, as an index of the lengths, or −1 if the ship explains
            a hit.
        picks: int64 (ships + 1,): the placement of the current child.
        totals: int64 (ships + 1,): the number of fleets found so far.
    """

    possible: Ints
    options: Ints
    afloat: Ints
    hits: Ints
    lengths: Ints
    picks: Ints
    totals: Ints


@inlined
def begin(question, stack):  # type: ignore[no-untyped-def]
    """Reset the stack to the root."""
    stack.possible[0, :] = (1 << WORD) - 1
    for length in range(question.counts.shape[0]):
        stack.afloat[0, length] = question.counts[length]
    stack.hits[0] = 0
    stack.totals[0] = 0


@inlined
def ships_left(depth, stack):  # type: ignore[no-untyped-def]
    """The number of ships still to be placed."""
    left = 0
    for length in range(stack.afloat.shape[1]):
        left += stack.afloat[depth, length]
    return left


@inlined
def next_hit(depth, question, stack):  # type: ignore[no-untyped-def]
    """The first hit that no placed ship covers, or the number of hits if there is none."""
    hit = stack.hits[depth]
    while hit < question.reasons.shape[0] and is_covered(hit, depth, question, stack):
        hit += 1
    stack.hits[depth] = hit
    return hit


@inlined
def is_covered(hit, depth, question, stack):  # type: ignore[no-untyped-def]
    """True if a ship placed so far covers a hit."""
    for above in range(depth):
        pick = stack.picks[above]
        if question.through[hit, pick // WORD] >> (pick % WORD) & 1:
            return True
    return False


@inlined
def open_node(depth, ships, question, stack):  # type: ignore[no-untyped-def]
    """Write the children of the node at this depth, after a call to ``next_hit``."""
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
    """Place the next child's ship, and write the placements that remain possible; returns whether there is a child."""
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
    """Place a ship, and write the placements that remain possible."""
    stack.picks[depth] = number
    for word in range(stack.possible.shape[1]):
        stack.possible[depth + 1, word] = stack.possible[depth, word] & ships.apart[number, word]
    for other in range(stack.afloat.shape[1]):
        stack.afloat[depth + 1, other] = stack.afloat[depth, other] - (other == length)
    stack.hits[depth + 1] = stack.hits[depth]
    stack.totals[depth + 1] = 0


@kernel
def list_fleets(ships, question, stack, fleets):  # type: ignore[no-untyped-def]
    """List as many of the fleets consistent with the facts as the output can hold.

    Args:
        ships: ``Ships``.
        question: ``Question``.
        stack: ``ShipStack``, scratch space.
        fleets: int64 (room, ships), output: the numbers of placements, in the order in which the ships are placed.

    Returns:
        The number of fleets that were listed.
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
"""The value to return if a count would take too many operations."""

VISIT = 40
"""The number of operations for a node, in addition to the operations on its words."""


@kernel
def count_fleets(ships, question, stack, weights, limit):  # type: ignore[no-untyped-def]
    """Count the fleets consistent with the facts, in total and for each placement.

    Args:
        ships: ``Ships``.
        question: ``Question``.
        stack: ``ShipStack``, scratch space.
        weights: int64 (numbers,), initially zeros; output: the number of fleets with each placement.
        limit: the maximum number of operations on words.

    Returns:
        The number of fleets (or ``TOO_MANY``) and the number of operations.
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
    """Write a new node's children, or count its fleets if at most two ships are left; returns the operations needed."""
    if next_hit(depth, question, stack) == question.reasons.shape[0] and ships_left(depth, stack) <= 2:
        stack.options[depth, :] = 0
        stack.totals[depth], operations = count_last(depth, 1, ships, question, stack, weights)
        return operations + VISIT
    open_node(depth, ships, question, stack)
    return stack.options.shape[1] + VISIT


@inlined
def count_last(depth, unit, ships, question, stack, weights):  # type: ignore[no-untyped-def]
    """Count the fleets of a node that covers every hit and has at most two ships left.

    Args:
        depth: the depth of the node.
        unit: the number that each fleet adds to the weights of its last ships.
        ships, question, stack: see ``count_fleets``.
        weights: (numbers,), with the type of ``unit``; modified in place.

    Returns:
        The number of fleets, and the number of operations.
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
    """Count the placements of the last ship; returns the count."""
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
    """Count the compatible placements of the other last ship for each placement of a ship.

    The result consists of the total and the number of operations. If both ships have the same length, every pair is
    counted twice.
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


PLACE_BITS = 9
"""The number of low bits in a draw's counter that contain the place of the ship."""

IRRATIONAL = 0.718281828459045
"""The offset of the lattice steps, which are the square roots of whole numbers plus this offset."""


@kernel
def estimate_fleets(key, turn, draws, ships, question, units, stack, shares, totals, weights):  # type: ignore[no-untyped-def]
    """Estimate the number of fleets consistent with the facts, in total and for each placement.

    A sample draws all ships except those that ``count_last`` can count. The samples of a batch are the points of a
    randomly shifted lattice, so each sample is uniform, and together they are evenly spread (Cranley and Patterson,
    "Randomization of number theoretic methods for multiple integration", 1976).

    Args:
        key: the key of the random numbers, from 0 to 2^26 − 1.
        turn: from 0 to 2^17 − 1; different turns use different random numbers.
        draws: the number of samples in a batch.
        ships: ``Ships``.
        question: ``Question``.
        units: float64 (lengths,): one more than the number of free placements of each length.
        stack: ``ShipStack``, scratch space.
        shares: float64 (numbers,), scratch space.
        totals: float64 (batches,), initially zeros; output: a value proportional to the number of fleets.
        weights: float64 (batches, numbers), initially zeros; output: values proportional to the number of fleets with
            each placement, with the same factor as in ``totals``.
    """
    for batch in range(totals.shape[0]):
        for draw in range(draws):
            begin(question, stack)
            weight, depth = 1.0, 0
            while weight > 0.0:
                hit = next_hit(depth, question, stack)
                if ships_left(depth, stack) <= 2 and hit == question.reasons.shape[0]:
                    break
                u = keyed_uniform(key, batch, (turn << PLACE_BITS) + depth)
                u += draw / draws if depth == 0 else draw * sqrt(depth + IRRATIONAL)
                u -= int(u)
                open_node(depth, ships, question, stack)
                if hit < question.reasons.shape[0]:
                    weight *= draw_reason(depth, u, ships, question, units, stack, shares)
                else:
                    weight *= draw_free(depth, u, ships, units, stack)
                depth += 1
            for length in range(question.counts.shape[0]):
                for _ in range(stack.afloat[depth, length]):
                    weight /= units[length]
            if weight > 0.0:
                total, _ = count_last(depth, weight, ships, question, stack, weights[batch])
                for above in range(depth):
                    weights[batch, stack.picks[above]] += weight * total
                totals[batch] += weight * total


@inlined
def draw_free(depth, u, ships, units, stack):  # type: ignore[no-untyped-def]
    """Place the next ship uniformly at random; returns the factor for the weight, or 0 if no placement fits.

    Ships of the same length can be drawn in any order, so each fleet is reached in several orders. For each ship, the
    function divides the weight by one more than the number of placements of its length at the root. This division keeps
    the weight near 1.
    """
    length = stack.lengths[depth]
    total = 0
    for word in range(ships.firsts[length], ships.firsts[length + 1]):
        total += ones(stack.options[depth, word])
    if total == 0:
        return 0.0
    place = int(u * total)
    word = ships.firsts[length]
    options = stack.options[depth, word]
    while place >= ones(options):
        place -= ones(options)
        word += 1
        options = stack.options[depth, word]
    factor = total / (stack.afloat[depth, length] * units[length])
    lay(depth, word * WORD + nth(options, place), length, ships, stack)
    return factor


@inlined
def draw_reason(depth, u, ships, question, units, stack, shares):  # type: ignore[no-untyped-def]
    """Place a ship over the next hit, drawn by its ``prospect``; returns the weight's factor, or 0 if none fits."""
    total = 0.0
    for length in range(question.counts.shape[0]):
        for word in range(ships.firsts[length], ships.firsts[length + 1]):
            options = stack.options[depth, word]
            while options:
                number = word * WORD + lowest(options)
                options &= options - 1
                lay(depth, number, length, ships, stack)
                shares[number] = prospect(depth + 1, ships, question, units, stack)
                total += shares[number]
    if total == 0.0:
        return 0.0
    wanted = u * total
    chosen, chosen_length = -1, 0
    for length in range(question.counts.shape[0]):
        for word in range(ships.firsts[length], ships.firsts[length + 1]):
            options = stack.options[depth, word]
            while options and (chosen < 0 or wanted >= 0.0):
                number = word * WORD + lowest(options)
                options &= options - 1
                if shares[number] > 0.0:
                    chosen, chosen_length = number, length
                    wanted -= shares[number]
    lay(depth, chosen, chosen_length, ships, stack)
    return total / (shares[chosen] * units[chosen_length])


@inlined
def prospect(depth, ships, question, units, stack):  # type: ignore[no-untyped-def]
    """A rough estimate of the number of fleets below a node.

    The estimate ignores conflicts between ships, and assumes that ships cover hits by chance. The estimate is 0 only if
    there are no such fleets.
    """
    found = 1.0
    for length in range(question.counts.shape[0]):
        places = 0
        for word in range(ships.firsts[length], ships.firsts[length + 1]):
            places += ones(question.free[word] & stack.possible[depth, word])
        for ship in range(stack.afloat[depth, length]):
            found *= (places + 0.5) / (units[length] * (ship + 1))
    for other in range(stack.hits[depth], question.reasons.shape[0]):
        if is_covered(other, depth, question, stack):
            continue
        chance = 0.0
        for length in range(question.counts.shape[0]):
            if stack.afloat[depth, length] > 0:
                places, fitting = 1, 0
                for word in range(ships.firsts[length], ships.firsts[length + 1]):
                    places += ones(question.free[word] & stack.possible[depth, word])
                    fitting += ones(question.reasons[other, word] & stack.possible[depth, word])
                chance += stack.afloat[depth, length] * fitting / places
        found *= min(chance, 1.0)
    return found


MISS, HIT, FIRST_SUNK = range(3)
"""Codes for the answers to a shot; ``FIRST_SUNK`` and larger codes announce a sunk ship."""


class FleetTable(NamedTuple):
    """Fleets on the unshot squares, as bits: word 0 contains the first ``WORD`` squares, and word 1 the others.

    Attributes:
        squares: int64 (fleets, 2): the squares of all ships.
        ships: int64 (fleets, ships, 2): the squares of each ship.
        answers: int64 (fleets, ships): the answer when each ship sinks.
        order: int64 (fleets,): the order of the fleets; modified in place.
        codes: int64 (fleets,): scratch space.
        spare: int64 (fleets,): scratch space.
        ends: int64 (answers + 1,): scratch space for each answer, and for a cleared fleet.
    """

    squares: Ints
    ships: Ints
    answers: Ints
    order: Ints
    codes: Ints
    spare: Ints
    ends: Ints


class Nodes(NamedTuple):
    """The nodes that are still to be visited.

    Attributes:
        starts, ends: int64 (nodes,): each node's range in the list of fleets.
        unshot: int64 (nodes, 2): the unshot squares of each node, as bits.
        counts: int32 (nodes, squares): the number of fleets that cover each unshot square.
    """

    starts: Ints
    ends: Ints
    unshot: Ints
    counts: NDArray[np.int32]


@inlined
def add(fleet, node, sign, fleets, nodes):  # type: ignore[no-untyped-def]
    """Add the squares of a fleet to the counts of a node, or subtract them."""
    for word in range(2):
        squares = fleets.squares[fleet, word] & nodes.unshot[node, word]
        while squares:
            nodes.counts[node, word * WORD + lowest(squares)] += sign
            squares &= squares - 1


@inlined
def open_range(node, start, end, unshot, fleets, nodes):  # type: ignore[no-untyped-def]
    """Write a node, and count the fleets that cover each of its squares."""
    nodes.starts[node], nodes.ends[node] = start, end
    nodes.unshot[node, 0], nodes.unshot[node, 1] = unshot[0], unshot[1]
    nodes.counts[node, :] = 0
    for place in range(start, end):
        add(fleets.order[place], node, 1, fleets, nodes)


@inlined
def best_square(counts):  # type: ignore[no-untyped-def]
    """The square that the most fleets cover; ties go to the first."""
    best = 0
    for square in range(1, counts.shape[0]):
        if counts[square] > counts[best]:
            best = square
    return best


@inlined
def answer_of(fleet, square, unshot, fleets):  # type: ignore[no-untyped-def]
    """The answer to a shot that leaves these squares unshot, or the last code if the shot clears the fleet."""
    word, bit = square // WORD, 1 << (square % WORD)
    if fleets.squares[fleet, word] & bit == 0:
        return MISS
    if (fleets.squares[fleet, 0] & unshot[0]) | (fleets.squares[fleet, 1] & unshot[1]) == 0:
        return fleets.ends.shape[0] - 1
    for ship in range(fleets.ships.shape[1]):
        if fleets.ships[fleet, ship, word] & bit:
            if (fleets.ships[fleet, ship, 0] & unshot[0]) | (fleets.ships[fleet, ship, 1] & unshot[1]) == 0:
                return fleets.answers[fleet, ship]
            return HIT
    return MISS


@inlined
def shoot(node, square, fleets, nodes):  # type: ignore[no-untyped-def]
    """Split the last node by the answers to a shot at a square; returns the number of nodes after it.

    Parts with two or more fleets become nodes; a part with one fleet adds no misses. The largest part replaces the
    node, so its squares are not counted again.
    """
    start, end = nodes.starts[node], nodes.ends[node]
    unshot, counts = nodes.unshot[node], nodes.counts[node]
    unshot[square // WORD] &= ~(1 << (square % WORD))
    counts[square] = 0
    answers = fleets.ends.shape[0]
    fleets.ends[:] = 0
    for place in range(start, end):
        answer = answer_of(fleets.order[place], square, unshot, fleets)
        fleets.codes[place] = answer
        fleets.ends[answer] += 1
    largest, most, reached = 0, 0, start
    for answer in range(answers):
        size = fleets.ends[answer]
        if answer < answers - 1 and size > most:
            largest, most = answer, size
        fleets.ends[answer] = reached
        reached += size
    for place in range(start, end):
        fleets.spare[place] = fleets.order[place]
    for place in range(start, end):
        answer = fleets.codes[place]
        fleets.order[fleets.ends[answer]] = fleets.spare[place]
        fleets.ends[answer] += 1
    top = node + 1
    low, high = start, start
    for answer in range(answers):
        begin, end = start, fleets.ends[answer]
        start = end
        if answer == largest:
            low, high = begin, end
            continue
        for place in range(begin, end):
            add(fleets.order[place], node, -1, fleets, nodes)
        if end - begin >= 2 and answer < answers - 1:
            open_range(top, begin, end, nodes.unshot[node], fleets, nodes)
            top += 1
    nodes.starts[node], nodes.ends[node] = low, high
    return top


@inlined
def misses_of_two(node, fleets, nodes):  # type: ignore[no-untyped-def]
    """The misses at a node with two fleets: 0 or 1, after shots at their common squares in ascending order."""
    one, other = fleets.order[nodes.starts[node]], fleets.order[nodes.starts[node] + 1]
    unshot = nodes.unshot[node]
    for word in range(2):
        both = fleets.squares[one, word] & fleets.squares[other, word] & unshot[word]
        while both:
            square = word * WORD + lowest(both)
            both &= both - 1
            unshot[word] &= ~(1 << (square % WORD))
            if answer_of(one, square, unshot, fleets) != answer_of(other, square, unshot, fleets):
                return 0
    differ = (fleets.squares[one, 0] ^ fleets.squares[other, 0]) & unshot[0]
    return 1 if differ | ((fleets.squares[one, 1] ^ fleets.squares[other, 1]) & unshot[1]) else 0


@inlined
def drop_small(top, misses, bound, fleets, nodes):  # type: ignore[no-untyped-def]
    """Remove the last node while it has at most two fleets and the number of misses is below the bound.

    Returns:
        The number of nodes left, and the number of misses, including the misses of the removed nodes.
    """
    while top > 0 and misses < bound and nodes.ends[top - 1] - nodes.starts[top - 1] <= 2:
        top -= 1
        if nodes.ends[top] - nodes.starts[top] == 2:
            misses += misses_of_two(top, fleets, nodes)
    return top, misses


@kernel
def greedy_misses(square, bound, fleets, nodes):  # type: ignore[no-untyped-def]
    """The total misses of a shot at a square and of greedy shots after it, summed over the fleets of a node.

    Args:
        square: the square of the first shot.
        bound: the number of misses at which the function stops counting.
        fleets: ``FleetTable``; the order in the range of node 0 is modified in place.
        nodes: ``Nodes``, scratch space, with the squares of node 0 already counted.
    """
    misses, top = 0, 1
    while True:
        misses += nodes.ends[top - 1] - nodes.starts[top - 1] - nodes.counts[top - 1, square]
        top, misses = drop_small(shoot(top - 1, square, fleets, nodes), misses, bound, fleets, nodes)
        if top == 0 or misses >= bound:
            return misses
        square = best_square(nodes.counts[top - 1])


@inlined
def choose_candidates(counts, count, margin, squares):  # type: ignore[no-untyped-def]
    """Write the squares that the most fleets cover, best first, with ties in ascending order; returns their number.

    A square that all fleets cover is the only candidate, because a shot there never misses. If ships may touch, a
    different shot may still lead to fewer misses in total.

    Args:
        counts: int32 (squares,): the number of fleets that cover each square.
        count: the number of fleets.
        margin: the maximum difference between the chance of a square and the best chance.
        squares: int64 (most,), output.
    """
    squares[0] = best_square(counts)
    best = counts[squares[0]]
    if best == count:
        return 1
    found = 0
    while found < squares.shape[0]:
        next_best, most = -1, 0
        for square in range(counts.shape[0]):
            if counts[square] > most:
                fresh = True
                for place in range(found):
                    fresh = fresh and squares[place] != square
                if fresh:
                    next_best, most = square, counts[square]
        if next_best < 0 or most < best - margin * count:
            break
        squares[found] = next_best
        found += 1
    return found


@inlined
def copy_node(node, nodes, target):  # type: ignore[no-untyped-def]
    """Copy a node to node 0 of ``target``."""
    target.starts[0], target.ends[0] = nodes.starts[node], nodes.ends[node]
    target.unshot[0, 0], target.unshot[0, 1] = nodes.unshot[node, 0], nodes.unshot[node, 1]
    for square in range(nodes.counts.shape[1]):
        target.counts[0, square] = nodes.counts[node, square]


@kernel
def rollout_misses(square, bound, fleets, nodes, scratch, margin, squares):  # type: ignore[no-untyped-def]
    """The total misses of a shot at a square and of later shots, chosen by rollouts with greedy shots.

    Args:
        square, bound, fleets, nodes: see ``greedy_misses``.
        scratch: ``Nodes`` for the rollouts.
        margin, squares: see ``choose_candidates``; the squares are scratch space.
    """
    misses, top = 0, 1
    while True:
        misses += nodes.ends[top - 1] - nodes.starts[top - 1] - nodes.counts[top - 1, square]
        top, misses = drop_small(shoot(top - 1, square, fleets, nodes), misses, bound, fleets, nodes)
        if top == 0 or misses >= bound:
            return misses
        count = nodes.ends[top - 1] - nodes.starts[top - 1]
        found = choose_candidates(nodes.counts[top - 1], count, margin, squares)
        square, least = squares[0], count * nodes.counts.shape[1]  # no order has more misses
        for place in range(found if found > 1 else 0):
            copy_node(top - 1, nodes, scratch)
            there = greedy_misses(squares[place], least, fleets, scratch)
            if there < least:
                square, least = squares[place], there


@kernel
def compare_rollouts(nested, margin, fleets, root, nodes, scratch, squares, values):  # type: ignore[no-untyped-def]
    """Compare the most promising squares by rollouts; returns the number of squares compared.

    Args:
        nested: whether the shots within a rollout are chosen by further rollouts rather than greedily.
        margin: see ``choose_candidates``.
        fleets: ``FleetTable``.
        root: ``Nodes``; node 0 is the position, with its squares not counted yet.
        nodes, scratch: ``Nodes``, scratch space.
        squares: int64 (2, most), output: the squares that are compared; the second row is scratch space.
        values: int64 (most,), output: the number of misses after a shot at each square. If a rollout stopped early, the
            number may be too low, but it is not lower than for the best square.
    """
    count = fleets.order.shape[0]
    open_range(0, 0, count, root.unshot[0], fleets, root)
    found = choose_candidates(root.counts[0], count, margin, squares[0])
    bound = count * root.counts.shape[1]
    for place in range(found):
        copy_node(0, root, nodes)
        if nested:
            values[place] = rollout_misses(
                squares[0, place], bound, fleets, nodes, scratch, margin, squares[1]
            )
        else:
            values[place] = greedy_misses(squares[0, place], bound, fleets, nodes)
        bound = min(bound, values[place])
    return found
