"""Densities: how often the fleets of a pattern have a ship on each square, by sampling.

After J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and Placement
Strategies", Figures 1 and 2: the sum over the ships of how often each lay on a square.
"""

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.arena import fleets_of, running_sums
from gpkit.games.battleship.deals import draw_deals
from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.patterns import REDRAWS

Floats = NDArray[np.float64]

BATCH = 50_000
"""Fleets that are drawn together."""


def times_covered(fleets: NDArray[np.int64], rules: Rules) -> NDArray[np.int64]:
    """By square the number of fleets that have a ship there: int64 (squares,).

    Args:
        fleets: int64 (fleets, ships): placements of legal fleets.
        rules: the board and the fleet.
    """
    times = np.zeros(rules.squares, dtype=np.int64)
    for ship, length in enumerate(rules.fleet):
        chosen = np.bincount(fleets[:, ship], minlength=2 * rules.squares)
        for placement in np.flatnonzero(chosen).tolist():
            times[list(squares_of(placement, length, rules))] += chosen[placement]
    return times


def pattern_density(rng: np.random.Generator, pattern: str, rules: Rules, count: int) -> Floats:
    """The share of ``count`` fleets of a pattern that have a ship on each square: float64 (squares,).

    Raises:
        UsageError: no legal fleet was found.
    """
    sums, redraw = running_sums(pattern, rules), REDRAWS.get(pattern, "fleet")
    times = np.zeros(rules.squares, dtype=np.int64)
    for start in range(0, count, BATCH):
        keys = draw_deals(rng, min(BATCH, count - start)).keys[:, 1]
        times += times_covered(fleets_of(keys, sums, rules, redraw), rules)
    return times / count
