"""Optimal play near the end of any game, by the compiled search: the best shot when few fleets are left."""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.games.battleship.belief.facts import zeros
from gpkit.games.battleship.kernel.optimal_beliefs import LANES, PRIME, BeliefTable, Problem, Sight
from gpkit.games.battleship.kernel.optimal_search import FRAME, MOVE, NO_ROOM, SearchStack, search

MISS, HIT, SUNK = 0, 1, 2
"""Answers to a shot: ``SUNK`` and the numbers above it announce a ship, by its length where that is told."""

ENOUGH = 1 << 15
"""More fleets than there ever are: where more sequences of answers are possible, their number does not matter."""

Ints = NDArray[np.int64]


class Best(NamedTuple):
    """Best shot in a belief.

    Attributes:
        square: to shoot at; the first one that was found.
        misses: that are still to come, summed over the fleets of the belief.
    """

    square: int
    misses: int


def searched(problem: Problem, shot: NDArray[np.int8], table: BeliefTable) -> Best | None:
    """The best shot if all fleets of a problem are possible; None if the table is too small to find it.

    Args:
        problem: the fleets.
        shot: int8 (squares,): whether each square was shot; squares are marked in a copy.
        table: beliefs that were met with these tokens; added to.
    """
    count, ships = problem.fleets.shape
    squares, depth = len(shot), len(shot) + 2
    answers = 1 + max(HIT, int(problem.answers.max()))

    stack = SearchStack(
        frames=zeros(depth, FRAME),
        members=np.zeros((depth, count), dtype=np.int16),
        moves=zeros(depth, squares, 2),
        groups=zeros(depth, answers + 1, 2),
        shot=shot.copy(),
    )
    sight = Sight(
        left=zeros(count, ships),
        counts=zeros(squares, answers),
        covered=zeros(squares),
        both=zeros(squares, squares),
        classes=zeros(squares),
        afloat=zeros(answers),
        seen=zeros(int(problem.unions.max()) + 1),
        row=zeros(squares),
        case=zeros(squares),
        sums=zeros(LANES),
        key=zeros(2),
    )
    misses = int(search(problem, stack, sight, table))
    return None if misses == NO_ROOM else Best(int(stack.frames[0, MOVE]), misses)


def table_of(places: int) -> BeliefTable:
    """An empty table for so many beliefs, a power of two; it takes 20 bytes for each."""
    return BeliefTable(zeros(places, 2), np.full(places, -1, dtype=np.int32), zeros(2))


def ways_of(hits: int, misses: int) -> Ints:
    """Number of sequences of answers in which a hit is last: int64 (hits + 1, misses + 1), at most ``ENOUGH``."""
    rows = [[min(comb(m + h - 1, m), ENOUGH) for m in range(misses + 1)] for h in range(1, hits + 1)]
    return np.array([[1] + [0] * misses, *rows], dtype=np.int64)


def tokens_of(ships: NDArray[np.int16], answers: NDArray[np.int16], images: Ints) -> Ints:
    """The token of each part of each ship under each symmetry, as of ``Problem``.

    It depends on the squares and on what is announced of the ship; where nothing is, it is the product of one for each
    square. Words are drawn for squares and announcements, and their sums are mixed (SplitMix64: Steele, Lea and Flood,
    2014), so that tokens of other squares are independent for all purposes.

    Args:
        ships: int16 (ships in places, longest): their squares, −1 after the last.
        answers: int16 (ships in places,): to the shots that sink them.
        images: int64 (symmetries, squares).
    """
    rng = stream(0, "beliefs")
    words = rng.integers(0, 1 << 63, size=(LANES, images.shape[1]), dtype=np.uint64)
    names = rng.integers(0, 1 << 63, size=(LANES, int(answers.max()) + 1), dtype=np.uint64)
    longest = ships.shape[1]
    parts = (np.arange(1 << longest)[:, None] >> np.arange(longest) & 1).astype(np.uint64)
    of_squares = np.moveaxis(words[:, images[:, ships]], 1, 0)
    sums = of_squares @ parts.T + names[:, answers][None, :, :, None]
    tokens = _mixed(sums)
    product = np.ones_like(tokens)
    for k in range(longest):
        product = product * np.where(parts[:, k] > 0, _mixed(of_squares[..., k, None]), 1) % PRIME
    return np.where((answers == HIT)[:, None], product, tokens)


def _mixed(words: NDArray[np.uint64]) -> Ints:
    """Numbers of 1 … PRIME − 1 that look drawn."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return ((words ^ words >> np.uint64(31)) % np.uint64(PRIME - 1)).astype(np.int64) + 1


MOST_FLEETS = 32_000
"""More fleets are no end of a game."""


def best_square(
    fleets: NDArray[np.int64],
    covers: NDArray[np.bool_],
    answers: NDArray[np.int64],
    *,
    separable: bool,
    places: int,
) -> Best | None:
    """The best shot of a shooter for whom these fleets are possible and equally likely.

    Args:
        fleets: int64 (fleets, ships): the ships of each, by their numbers; two or more fleets.
        covers: bool (ships in places, squares): the squares of each ship that were not shot.
        answers: int64 (ships in places,): to the shot that sinks each: ``HIT`` if that is not announced, and from
            ``SUNK`` on equal for ships that are announced alike.
        separable: whether ships may not touch, or sinkings are not announced.
        places: a power of two: so many beliefs are remembered, and about as many searched.

    Returns:
        The best square, −1 if all are hit, and the misses to come, summed over the fleets; None if the search is too
        large.
    """
    fleets = fleets[np.lexsort(fleets.T[::-1])]
    used, places_of = np.unique(fleets, return_inverse=True)
    live = np.flatnonzero(covers[used].any(axis=0))
    if len(fleets) > MOST_FLEETS:
        return None
    if not len(live):
        return Best(-1, 0)
    left = covers[used][:, live]
    counts = left.sum(axis=1)
    # the squares of each, -1 after the last
    ships = np.full((len(left), int(counts.max())), -1, dtype=np.int16)
    rows, squares = np.nonzero(left)
    ships[rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)] = squares
    told = answers[used].astype(np.int16)
    numbers: NDArray[np.int16] = places_of.reshape(fleets.shape).astype(np.int16)
    unions = np.unique(left[numbers].any(axis=1), axis=0, return_inverse=True)[1]
    to_hit = int(left[numbers[0]].sum())
    problem = Problem(
        numbers,
        ships,
        told,
        unions.reshape(-1).astype(np.int16),
        tokens_of(ships, told, np.arange(len(live))[None]),
        ways_of(to_hit, len(live)),
        np.array([separable], dtype=np.int64),
    )
    best = searched(problem, np.zeros(len(live), dtype=np.int8), table_of(places))
    return best and Best(int(live[best.square]), best.misses)
