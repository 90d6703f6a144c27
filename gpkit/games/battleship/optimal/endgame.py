"""Optimal play near the end of any game: the best shot when few fleets are left, whatever the size of the board."""

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.optimal.kernel.beliefs import Problem
from gpkit.games.battleship.optimal.search import Best, searched, table_of, tokens_of, ways_of

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
        answers: int64 (ships in places,): to the shot that sinks each: ``beliefs.HIT`` if that is not announced, and
            from ``beliefs.SUNK`` on equal for ships that are announced alike.
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
    ships = _rows(left)
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


def _rows(left: NDArray[np.bool_]) -> NDArray[np.int16]:
    """The squares of each ship, −1 after the last: int16 (ships in places, longest)."""
    counts = left.sum(axis=1)
    ships = np.full((len(left), int(counts.max())), -1, dtype=np.int16)
    rows, squares = np.nonzero(left)
    ships[rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)] = squares
    return ships
