"""The posterior of a shooter: how likely a ship lies on each square, if every fleet that agrees is equally likely.

It is counted where that promises to be possible in a stated number of operations, and estimated from weighted samples
otherwise. Where no sample agrees with the facts, as it happens once many hits are to be explained, the fleets are
counted all the same, and if that stops at the limit, as on large boards, the chances are those of a mean field.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import factorial, inf, nan, prod

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.games.battleship.belief.facts import (
    Facts,
    Geometry,
    geometry,
    question_of,
    stack_of,
    sums_by_square,
)
from gpkit.games.battleship.belief.field import mean_field
from gpkit.games.battleship.kernel.counting import TOO_MANY, Question, count_fleets
from gpkit.games.battleship.kernel.weighted_samples import Batches, estimate_fleets


@dataclass(frozen=True, slots=True)
class PosteriorLimits:
    """Limits of the work for a posterior.

    Attributes:
        operations: the most operations on words of 64 bits for a count, about a thousand million a second.
        samples: fleets that are drawn where a count would take more.
    """

    operations: int = 3_000_000_000
    samples: int = 10_000


@dataclass(frozen=True, slots=True)
class Posterior:
    """The belief about a fleet.

    Attributes:
        chances: float64 (squares,): the probability that a ship lies on each square; 0 or 1 where that is known.
        fleets: those that agree with the facts, ships of one length not told apart; an estimate unless exact, infinite
            for the mean field.
        exact: whether the chances are counted, and not estimated.
        error: the largest standard error of a chance; 0 if exact, NaN for the mean field, which does not tell.
    """

    chances: Floats
    fleets: float
    exact: bool
    error: float = 0.0


def posterior_of(facts: Facts, key: int = 0, effort: PosteriorLimits = PosteriorLimits()) -> Posterior:
    """The belief of a shooter who knows these facts.

    Args:
        facts: what is known.
        key: of the samples, if any are drawn: 26 bits.
        effort: limits of the work.
    """
    found = None
    if 2 * facts.rules.squares * len(set(facts.rules.fleet)) <= MOST_PLACEMENTS:
        shots = len(facts.missed) + len(facts.hit)
        found = (
            (_remembered if shots <= OPENING else _promised)(facts, effort.operations)
            or _sampled(facts, key, effort.samples)
            or _counted(question_of(facts), facts, effort.operations)
        )
    return found or Posterior(mean_field(facts), inf, exact=False, error=nan)


MOST_PLACEMENTS = 3_000
"""Larger boards, where different ships have more placements than that, have the chances of ``field``."""

OPENING = 20
"""Counts for positions of up to so many shots are remembered: they take longest, and games share them."""


def _promised(facts: Facts, operations: int) -> Posterior | None:
    """The exact posterior; None if ``operations_for`` promises too many operations."""
    question = question_of(facts)
    return _counted(question, facts, operations) if operations_for(question, facts) <= operations else None


_remembered = lru_cache(maxsize=1 << 14)(_promised)


def _counted(question: Question, facts: Facts, operations: int) -> Posterior | None:
    """The exact posterior; None if it takes too many operations."""
    board = geometry(facts.rules)
    weights = np.zeros(len(board.sizes), dtype=np.int64)
    fleets, _ = count_fleets(board.ships, question, stack_of(facts.rules), weights, operations)
    if fleets == TOO_MANY:
        return None
    assert fleets > 0, "some fleet agrees with the facts"
    chances = sums_by_square(weights.astype(np.float64)[None], board)[0] / fleets
    chances.flags.writeable = False
    return Posterior(chances, float(fleets), exact=True)


def operations_for(question: Question, facts: Facts) -> float:
    """The operations that a count takes at most, about: the product of the placements of all ships but two.

    Sinkings come before the first open hit, the first open hit before ships that are free. Open hits after the first
    leave fewer.
    """
    board = geometry(facts.rules)
    sizes = _sizes(question.free, board)
    counts = question.counts.tolist()
    ways = 1.0
    for sinking, reason in zip(facts.sinkings, question.reasons, strict=False):
        ways *= max(sum(_sizes(reason, board)), 1)
        announced = board.lengths.index(sinking.length) if sinking.length else 0
        left = [announced, *range(len(counts))]
        counts[next(length for length in left if counts[length])] -= 1
    if len(question.reasons) == len(facts.sinkings):
        return ways * _free_operations(sizes, counts, board)
    first = _sizes(question.reasons[len(facts.sinkings)], board)
    total = 0.0
    for length, size in enumerate(first):
        if counts[length]:
            rest = [count - (other == length) for other, count in enumerate(counts)]
            total += size * _free_operations(sizes, rest, board)
    return ways * total


def _sizes(bits: NDArray[np.int64], board: Geometry) -> list[int]:
    """The placements of each length in a set."""
    return [
        sum(map(int.bit_count, bits[low:high].tolist()))
        for low, high in zip(board.ships.firsts.tolist(), board.ships.firsts[1:].tolist(), strict=False)
    ]


def _free_operations(sizes: list[int], counts: list[int], board: Geometry) -> float:
    """The operations for ships that explain no hit: in order the longest, the last two counted as pairs."""
    ships = [length for length, count in enumerate(counts) for _ in range(count)]
    words = np.diff(board.ships.firsts).tolist()
    orders = prod(factorial(count) for count in counts) if len(ships) > 2 else 1
    if len(ships) < 2:
        return float(board.ships.firsts[-1])
    one, other = ships[-2:]
    pairs = sizes[one] * words[other] + (0 if one == other else sizes[other] * words[one])
    return float(prod(sizes[ship] for ship in ships[:-2]) * (pairs + int(board.ships.firsts[-1])) / orders)


BATCHES = 16
"""Batches of samples, whose differences tell the error."""


def _sampled(facts: Facts, key: int, samples: int) -> Posterior | None:
    """The posterior by weighted samples; None if not one of them agrees with the facts."""
    board, question = geometry(facts.rules), question_of(facts)
    numbers = len(board.sizes)
    draws = -(-samples // BATCHES)
    batches = Batches(draws, np.zeros(BATCHES), np.zeros((BATCHES, numbers)))
    turn = len(facts.missed) + len(facts.hit)
    shares = np.zeros(numbers)
    estimate_fleets(key, turn, board.ships, question, stack_of(facts.rules), shares, batches)
    total = float(batches.totals.sum())
    if total == 0.0:
        return None
    sums = sums_by_square(batches.weights, board)
    chances = sums.sum(axis=0) / total
    spread = ((sums - batches.totals[:, None] * chances) ** 2).sum(axis=0) * BATCHES / (BATCHES - 1)
    chances[list(facts.hit)], chances[list(facts.missed)] = 1.0, 0.0
    chances.flags.writeable = False
    units = zip(_sizes(question.free, board), question.counts.tolist(), strict=True)
    fleets = total / (draws * BATCHES) * prod((size + 1.0) ** ships for size, ships in units)
    return Posterior(chances, fleets, exact=False, error=float(np.sqrt(spread.max())) / total)
