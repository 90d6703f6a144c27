"""Sampling fleets that agree with some facts: sequential importance sampling down the tree of ``counting``.

Each fleet that was drawn has the weight 1 / its probability, so that weighted sums over samples are unbiased.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest, nth, ones
from gpkit.games.battleship.kernel.counting import (
    WORD,
    begin,
    count_last,
    is_covered,
    lay,
    next_hit,
    open_node,
    ships_left,
)
from gpkit.vm.keyed import keyed_uniform

PLACE_BITS = 9
"""The counter of a draw has the place of the ship in its last bits."""

IRRATIONAL = 0.718281828459045
"""The roots of the whole numbers and this are the steps of a lattice."""


class Batches(NamedTuple):
    """Sums over batches of samples, written by ``estimate_fleets``.

    Attributes:
        draws: the samples of a batch.
        totals: float64 (batches,), zeros at first: in proportion to the fleets.
        weights: float64 (batches, numbers), zeros at first: in the same proportion to those with each placement.
    """

    draws: int
    totals: NDArray[np.float64]
    weights: NDArray[np.float64]


@kernel
def estimate_fleets(key, turn, ships, question, stack, shares, batches):  # type: ignore[no-untyped-def]
    """Estimate the number of fleets that agree with some facts, and of those with each placement.

    A sample draws all ships but those that ``counting.count_last`` can count. The samples of a batch are the points
    of a lattice that is shifted at random, so that each is uniform by itself and together they are spread evenly
    (Cranley and Patterson, "Randomization of number theoretic methods for multiple integration", 1976).

    Args:
        key: of at least 0 and below 2^26.
        turn: of at least 0 and below 2^17; other turns draw other numbers.
        ships: ``counting.Ships``.
        question: ``counting.Question``.
        stack: ``counting.ShipStack``, scratch.
        shares: float64 (numbers,), scratch.
        batches: ``Batches``, written.
    """
    draws, count = batches.draws, batches.totals.shape[0]
    for batch in range(count):
        for draw in range(draws):
            begin(question, stack)
            weight, depth = 1.0, 0
            while weight > 0.0:
                hit = next_hit(depth, question, stack)
                left = ships_left(depth, stack)
                if left <= 2 and hit == question.reasons.shape[0]:
                    break
                u = keyed_uniform(key, batch, (turn << PLACE_BITS) + depth)
                u += draw / draws if depth == 0 else draw * sqrt(depth + IRRATIONAL)
                u -= int(u)
                open_node(depth, ships, question, stack)
                if hit < question.reasons.shape[0]:
                    weight *= draw_reason(depth, u, ships, question, stack, shares)
                else:
                    weight *= draw_free(depth, u, ships, question, stack)
                depth += 1
            for length in range(question.counts.shape[0]):
                places = size_of(length, ships, question.free) + 1.0
                for _ in range(stack.afloat[depth, length]):
                    weight /= places
            if weight > 0.0:
                weights = batches.weights[batch]
                total, _ = count_last(depth, weight, ships, question, stack, weights)
                for above in range(depth):
                    weights[stack.picks[above]] += weight * total
                batches.totals[batch] += weight * total


@inlined
def size_of(length, ships, words):  # type: ignore[no-untyped-def]
    """The placements of a length in a set."""
    total = 0
    for word in range(ships.firsts[length], ships.firsts[length + 1]):
        total += ones(words[word])
    return total


@inlined
def draw_free(depth, u, ships, question, stack):  # type: ignore[no-untyped-def]
    """Lay the next ship, all its placements equally likely; returns the factor of the weight, 0 if it has no place.

    The order in which ships of one length are drawn does not matter, so each fleet is met in several orders. Every ship
    divides the weight by the placements of its length at the root and one, so that it stays near 1.
    """
    length = stack.lengths[depth]
    total = size_of(length, ships, stack.options[depth])
    if total == 0:
        return 0.0
    place = int(u * total)
    word = ships.firsts[length]
    options = stack.options[depth, word]
    while place >= ones(options):
        place -= ones(options)
        word += 1
        options = stack.options[depth, word]
    factor = total / (stack.afloat[depth, length] * (size_of(length, ships, question.free) + 1.0))
    lay(depth, word * WORD + nth(options, place), length, ships, stack)
    return factor


@inlined
def draw_reason(depth, u, ships, question, stack, shares):  # type: ignore[no-untyped-def]
    """Lay a ship over the next hit, drawn by its ``prospect``; returns the factor of the weight, 0 if none can."""
    total = 0.0
    for length in range(question.counts.shape[0]):
        for word in range(ships.firsts[length], ships.firsts[length + 1]):
            options = stack.options[depth, word]
            while options:
                number = word * WORD + lowest(options)
                options &= options - 1
                lay(depth, number, length, ships, stack)
                shares[number] = prospect(depth + 1, ships, question, stack)
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
    return total / (shares[chosen] * (size_of(chosen_length, ships, question.free) + 1.0))


@inlined
def prospect(depth, ships, question, stack):  # type: ignore[no-untyped-def]
    """The fleets below a node, roughly: as if ships were laid without regard to each other and hits covered by chance.

    0 only if there is none.
    """
    found = 1.0
    for length in range(question.counts.shape[0]):
        places = 0
        for word in range(ships.firsts[length], ships.firsts[length + 1]):
            places += ones(question.free[word] & stack.possible[depth, word])
        root = size_of(length, ships, question.free) + 1.0
        for ship in range(stack.afloat[depth, length]):
            found *= (places + 0.5) / (root * (ship + 1))
    hit = stack.hits[depth]
    for other in range(hit, question.reasons.shape[0]):
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
