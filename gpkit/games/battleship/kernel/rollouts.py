"""Rollouts over a list of fleets, one of which is the hidden one: shots that miss, summed over all of them.

A rollout shoots at a square and then as a policy does, until every fleet is cleared. As all fleets have as many squares
left, rollouts are compared by their misses. The list is split by what would be announced; each part is a range of the
list, so that a node of the tree is a range and the squares that are still unshot.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest
from gpkit.games.battleship.kernel.counting import WORD

MISS, HIT, FIRST_SUNK = range(3)
"""Answers to a shot; from ``FIRST_SUNK`` on that a ship sank, as it is told."""


class FleetTable(NamedTuple):
    """Fleets on the squares that are not shot, as bits: word 0 has the first ``WORD`` squares, word 1 the others.

    Attributes:
        squares: int64 (fleets, 2): the squares of all ships.
        ships: int64 (fleets, ships, 2): those of each ship.
        answers: int64 (fleets, ships): the answer when it sinks.
        order: int64 (fleets,): the fleets in some order; changed.
        codes: int64 (fleets,): scratch.
        spare: int64 (fleets,): scratch.
        ends: int64 (answers + 1,): scratch; the answers, and that the fleet is cleared.
    """

    squares: NDArray[np.int64]
    ships: NDArray[np.int64]
    answers: NDArray[np.int64]
    order: NDArray[np.int64]
    codes: NDArray[np.int64]
    spare: NDArray[np.int64]
    ends: NDArray[np.int64]


class Nodes(NamedTuple):
    """Nodes that are still to be looked at.

    Attributes:
        starts, ends: int64 (nodes,): the range of the list.
        unshot: int64 (nodes, 2): the squares that are not shot, as bits.
        counts: int32 (nodes, squares): the fleets with each of those squares.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    unshot: NDArray[np.int64]
    counts: NDArray[np.int32]


class Candidates(NamedTuple):
    """Squares that a rollout compares.

    Attributes:
        squares: int64 (most,): the squares.
        margin: those with a chance below the best by at most so much.
    """

    squares: NDArray[np.int64]
    margin: float


@inlined
def add(fleet, node, sign, fleets, nodes):  # type: ignore[no-untyped-def]
    """Count the squares of a fleet at a node, or discount them."""
    for word in range(2):
        squares = fleets.squares[fleet, word] & nodes.unshot[node, word]
        while squares:
            nodes.counts[node, word * WORD + lowest(squares)] += sign
            squares &= squares - 1


@inlined
def open_node(node, start, end, unshot, fleets, nodes):  # type: ignore[no-untyped-def]
    """Write a node and count its squares."""
    nodes.starts[node], nodes.ends[node] = start, end
    nodes.unshot[node, 0], nodes.unshot[node, 1] = unshot[0], unshot[1]
    nodes.counts[node, :] = 0
    for place in range(start, end):
        add(fleets.order[place], node, 1, fleets, nodes)


@inlined
def best_square(counts):  # type: ignore[no-untyped-def]
    """The first square that most fleets have."""
    best = 0
    for square in range(1, counts.shape[0]):
        if counts[square] > counts[best]:
            best = square
    return best


@inlined
def answer_of(fleet, square, unshot, fleets):  # type: ignore[no-untyped-def]
    """The answer to a shot at a square, after which these are unshot; the number of answers if the fleet is cleared."""
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
    """Split a node, the last one, by the answers to a shot at a square; returns the number of nodes after it.

    Each part of two or more fleets is a node; parts of one fleet need no more misses. The largest part takes the node's
    place, so that its squares need not be counted anew.
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
            open_node(top, begin, end, nodes.unshot[node], fleets, nodes)
            top += 1
    nodes.starts[node], nodes.ends[node] = low, high
    return top


@inlined
def misses_of_two(node, fleets, nodes):  # type: ignore[no-untyped-def]
    """The misses at a node of two fleets: squares of both are shot first, lowest first; then one, if they differ."""
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
    """Drop the last of so many nodes while they have up to two fleets and the bound is not reached.

    Returns:
        The nodes that are left, and the misses with those of the others.
    """
    while top > 0 and misses < bound and nodes.ends[top - 1] - nodes.starts[top - 1] <= 2:
        top -= 1
        if nodes.ends[top] - nodes.starts[top] == 2:
            misses += misses_of_two(top, fleets, nodes)
    return top, misses


@kernel
def greedy_misses(square, bound, fleets, nodes):  # type: ignore[no-untyped-def]
    """Misses of a shot at a square and of greedy shots after it, over the fleets of a node.

    Args:
        square: the first shot.
        bound: as soon as there are so many misses, no more are counted.
        fleets: ``FleetTable``; the range of node 0 is put into another order.
        nodes: ``Nodes``; node 0 has its squares counted; it is scratch.
    """
    misses, top = 0, 1
    while True:
        count = nodes.ends[top - 1] - nodes.starts[top - 1]
        misses += count - nodes.counts[top - 1, square]
        top, misses = drop_small(shoot(top - 1, square, fleets, nodes), misses, bound, fleets, nodes)
        if top == 0 or misses >= bound:
            return misses
        square = best_square(nodes.counts[top - 1])


@inlined
def choose_candidates(counts, count, candidates):  # type: ignore[no-untyped-def]
    """Write the squares that most fleets have, the best first, the first of equals first; returns how many.

    A square that all fleets have is the only one: that shot misses in none of them. Where ships may touch another shot
    can still lead to fewer misses in all (``gpkit.games.battleship.kernel.optimal_beliefs`` has an example).
    """
    candidates.squares[0] = best_square(counts)
    best = counts[candidates.squares[0]]
    if best == count:
        return 1
    found = 0
    while found < candidates.squares.shape[0]:
        next_best, most = -1, 0
        for square in range(counts.shape[0]):
            if counts[square] > most:
                fresh = True
                for place in range(found):
                    fresh = fresh and candidates.squares[place] != square
                if fresh:
                    next_best, most = square, counts[square]
        if next_best < 0 or most < best - candidates.margin * count:
            break
        candidates.squares[found] = next_best
        found += 1
    return found


@inlined
def copy_node(node, nodes, target):  # type: ignore[no-untyped-def]
    """Write a node as node 0 of other nodes."""
    target.starts[0], target.ends[0] = nodes.starts[node], nodes.ends[node]
    target.unshot[0, 0], target.unshot[0, 1] = nodes.unshot[node, 0], nodes.unshot[node, 1]
    for square in range(nodes.counts.shape[1]):
        target.counts[0, square] = nodes.counts[node, square]


@kernel
def rollout_misses(square, bound, fleets, nodes, scratch, candidates):  # type: ignore[no-untyped-def]
    """Misses of a shot at a square and of the shots after it that rollouts of greedy shots choose.

    Args:
        square, bound, fleets, nodes: as of ``greedy_misses``.
        scratch: ``Nodes`` for the rollouts.
        candidates: ``Candidates`` for the rollouts.
    """
    misses, top = 0, 1
    while True:
        count = nodes.ends[top - 1] - nodes.starts[top - 1]
        misses += count - nodes.counts[top - 1, square]
        top, misses = drop_small(shoot(top - 1, square, fleets, nodes), misses, bound, fleets, nodes)
        if top == 0 or misses >= bound:
            return misses
        count = nodes.ends[top - 1] - nodes.starts[top - 1]
        found = choose_candidates(nodes.counts[top - 1], count, candidates)
        square, least = candidates.squares[0], count * nodes.counts.shape[1]  # no order has more misses
        for place in range(found if found > 1 else 0):
            copy_node(top - 1, nodes, scratch)
            there = greedy_misses(candidates.squares[place], least, fleets, scratch)
            if there < least:
                square, least = candidates.squares[place], there


@kernel
def compare_rollouts(nested, fleets, root, nodes, scratch, candidates, values):  # type: ignore[no-untyped-def]
    """Compare the best squares of all fleets by rollouts; returns how many were compared.

    Args:
        nested: whether rollouts follow rollouts, and not greedy shots.
        fleets: ``FleetTable``.
        root: ``Nodes``: node 0 is the position, its squares not yet counted.
        nodes, scratch: ``Nodes``, scratch.
        candidates: two ``Candidates``: those of the position, written, and scratch.
        values: int64 (most,), written: the misses of each; at least those of the best one where it was not finished.
    """
    count = fleets.order.shape[0]
    open_node(0, 0, count, root.unshot[0], fleets, root)
    found = choose_candidates(root.counts[0], count, candidates[0])
    bound = count * root.counts.shape[1]
    for place in range(found):
        copy_node(0, root, nodes)
        square = candidates[0].squares[place]
        if nested:
            values[place] = rollout_misses(square, bound, fleets, nodes, scratch, candidates[1])
        else:
            values[place] = greedy_misses(square, bound, fleets, nodes)
        bound = min(bound, values[place])
    return found
