"""Placement of a fleet where it is least expected, by Sequential Monte Carlo.

After J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and Placement
Strategies", section III.A: squares weigh by the inverse of the density of random fleets, and less where the opponent
has shot in earlier games.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.core.codec import Count
from gpkit.core.rng import stream
from gpkit.games.battleship.arena import fleets_of, running_sums
from gpkit.games.battleship.fleets import draw_deals, no_fleet, squares_of, surroundings
from gpkit.games.battleship.memory import means_along
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.patterns import REDRAWS
from gpkit.games.battleship.rules import Board

RESTARTS = 100
"""Populations of particles that are tried where all of one have died out."""

SAMPLED = 1_000_000
"""Squares of all fleets together from which the density of random fleets is estimated."""


@dataclass(frozen=True, slots=True)
class Received:
    """Shots that an opponent has taken at earlier fleets.

    Attributes:
        games: their number.
        times: by square the games in which it was shot at.
        turns: by square the sum of the numbers of the turns, from 1, in which it was.
    """

    games: Count
    times: tuple[Count, ...]
    turns: tuple[Count, ...]

    @classmethod
    def none(cls, rules: Rules) -> "Received":
        """Before the first game."""
        return cls(0, (0,) * rules.squares, (0,) * rules.squares)

    def after(self, home: Board) -> "Received":
        """The shots after a game in which this board was the own one."""
        times, turns = list(self.times), list(self.turns)
        for turn, shot in enumerate(home.shots, 1):
            if shot.square >= 0 and not shot.known:
                times[shot.square] += 1
                turns[shot.square] += min(turn, home.rules.squares)
        return Received(self.games + 1, tuple(times), tuple(turns))

    def heat(self, rules: Rules) -> Floats:
        """Earliness of shots: float64 (squares,), the mean over games of 1 for the first turn … 0 for none."""
        times, turns = np.array(self.times, float), np.array(self.turns, float)
        return np.asarray((times * (rules.squares + 1) - turns) / (rules.squares * max(1, self.games)))


def square_weights(received: Received, rules: Rules, *, caution: float) -> Floats:
    """Weights of squares for a fleet of one's own: float64 (squares,), of sum 1.

    The inverse of the density of random fleets, times exp(−caution · heat).

    Args:
        received: shots in earlier games.
        rules: the board and the fleet.
        caution: how much shots lower a weight; at 0 they do not.
    """
    inverse = 1.0 / np.maximum(random_density(rules), _LEAST)
    weights = inverse * np.exp(-caution * received.heat(rules))
    return np.asarray(weights / weights.sum())


_LEAST = 1e-3
"""The least density that is told apart from none, on large boards with few ships."""


@lru_cache(maxsize=64)
def random_density(rules: Rules) -> Floats:
    """Chance that a ship of a random fleet lies on each square: float64 (squares,), read-only.

    An estimate, which is made as symmetric as the board.

    Raises:
        UsageError: no legal fleet was found.
    """
    count = max(100, SAMPLED // rules.squares)
    fleets = drawn_fleets(stream(0, "random density"), np.ones(rules.squares), rules, count)
    grid = (times_covered(fleets, rules) / len(fleets)).reshape(rules.height, rules.width)
    grid = (grid + grid[::-1]) / 2.0
    grid = (grid + grid[:, ::-1]) / 2.0
    if rules.width == rules.height:
        grid = (grid + grid.T) / 2.0
    density = grid.ravel()
    density.flags.writeable = False
    return density


def drawn_fleets(
    rng: np.random.Generator, weights: Floats, rules: Rules, particles: int
) -> NDArray[np.int64]:
    """Legal fleets by Sequential Monte Carlo: int64 (particles, ships), placements; fleets may be equal.

    In the limit of many particles a fleet is as likely as the product over its ships of the geometric means of their
    squares' weights. A particle is a fleet of which some ships are laid, the longest first. One ship a step is drawn
    among its legal placements by their weights; then particles are drawn anew, with replacement, in proportion to the
    weight of all legal placements that they had. A particle without any dies.

    Args:
        rng: the source of chance.
        weights: float64 (squares,), above 0; their scale does not matter.
        rules: the board, the fleet, and whether ships may touch.
        particles: fleets that are laid out at the same time.

    Raises:
        UsageError: no legal fleet was found.
    """
    logs = np.log(np.maximum(weights, np.finfo(float).tiny)).reshape(rules.height, rules.width)
    logs -= logs.mean()
    for _ in range(RESTARTS):
        fleets = _all_laid(rng, logs, rules, particles)
        if fleets is not None:
            return fleets
    raise no_fleet(rules)


def _all_laid(
    rng: np.random.Generator, logs: Floats, rules: Rules, particles: int
) -> NDArray[np.int64] | None:
    """As ``drawn_fleets``; None if all particles died. ``logs`` of weights are float64 (height, width)."""
    blocked = np.zeros((particles, rules.height, rules.width), dtype=bool)
    fleets = np.zeros((particles, len(rules.fleet)), dtype=np.int64)
    for ship, length in enumerate(rules.fleet):
        chances = np.where(_free(blocked, length), np.exp(np.stack(means_along(logs, length), axis=-1)), 0.0)
        sums = chances.reshape(particles, -1).cumsum(axis=1)
        left = sums[:, -1]
        if not left.any():
            return None
        drawn = rng.random(particles) * left
        fleets[:, ship] = np.minimum((sums <= drawn[:, None]).sum(axis=1), sums.shape[1] - 1)
        _block(blocked, fleets[:, ship], length, rules)
        marks = (np.arange(particles) + rng.random()) / particles * left.sum()  # systematic resampling
        stay = np.minimum(np.searchsorted(left.cumsum(), marks, side="right"), particles - 1)
        fleets, blocked = fleets[stay], blocked[stay]
    return rng.permutation(fleets)


def _free(blocked: NDArray[np.bool_], length: int) -> NDArray[np.bool_]:
    """Whether a ship can lie there: bool (particles, height, width, 2), horizontal before vertical."""
    particles, height, width = blocked.shape
    free = np.zeros((particles, height, width, 2), dtype=bool)
    if length <= width:
        free[:, :, : width - length + 1, 0] = True
        for k in range(length):
            free[:, :, : width - length + 1, 0] &= ~blocked[:, :, k : width - length + 1 + k]
    if length <= height and length > 1:
        free[:, : height - length + 1, :, 1] = True
        for k in range(length):
            free[:, : height - length + 1, :, 1] &= ~blocked[:, k : height - length + 1 + k, :]
    return free


def _block(blocked: NDArray[np.bool_], placements: NDArray[np.int64], length: int, rules: Rules) -> None:
    """Mark where no other ship can lie beside one that was laid."""
    for placement in np.unique(placements).tolist():
        around = sorted(surroundings(squares_of(placement, length, rules), rules))
        rows = np.flatnonzero(placements == placement)
        flat = blocked.reshape(len(blocked), -1)
        flat[rows[:, None], around] = True


BATCH = 50_000


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
