"""A shooter's memory of where an opponent's ships lay in earlier games, and the placement weights that follow from it.

A shooter remembers only the announced facts: its hits and misses and, on a cleared board, that the other squares are
empty. The shooter trusts the counts more if they differ from the counts for uniformly placed fleets by more than
chance.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.codec import Count
from gpkit.games.battleship.rules import BattleshipRules, Board, placements_of, squares_of

CONCENTRATIONS = (1.0, 3.0, 10.0, 30.0)
"""The possible weights of the prior, measured in games.

Before the first game, all of these weights and the model of an opponent who places ships uniformly are equally likely.
"""

MIDDLE = 2.0
"""The weight of a square in the mean over its neighbourhood in a row or column, where its neighbours have weight 1."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Counts of earlier games against one opponent; ``kernel.games.remember`` is the compiled version.

    Attributes:
        ships: for each square, the number of games in which a ship was found there.
        known: for each square, the number of games in which the shooter learned whether a ship was there.
    """

    ships: tuple[Count, ...]
    known: tuple[Count, ...]

    @classmethod
    def empty(cls, rules: BattleshipRules) -> "Memory":
        """The memory before the first game."""
        return cls((0,) * rules.squares, (0,) * rules.squares)

    def after(self, board: Board) -> "Memory":
        """The memory after a game in which ``board`` was shot at."""
        hits = [known in ("open", "sunk") for known in board.known]
        told = [known != "unshot" or board.status == "cleared" for known in board.known]
        return Memory(
            tuple(count + hit for count, hit in zip(self.ships, hits, strict=True)),
            tuple(count + tell for count, tell in zip(self.known, told, strict=True)),
        )

    def weights(self, rules: BattleshipRules) -> Floats:
        """The placement weights, float64 (..., 2 · ships, squares), as in ``placement_weights``."""
        return placement_weights(np.array(self.ships, float), np.array(self.known, float), rules)


def placement_weights(ships: Floats, known: Floats, rules: BattleshipRules) -> Floats:
    """The placement weights of each ship: the mean of the learned rates on the ship's squares.

    Args:
        ships, known: float64 (..., squares): counts, as in ``Memory``.
        rules: the board and the fleet.

    Returns:
        float64 (..., 2 · ships, squares), as in ``weights_of_rates``.
    """
    return weights_of_rates(learned_rates(ships, known, rules), rules)


def learned_rates(ships: Floats, known: Floats, rules: BattleshipRules) -> Floats:
    """The rates of ships on squares, relative to uniformly placed fleets: float64 (..., squares).

    A square about which the shooter has no information has rate 1. Otherwise, the rate is between 1 and the relative
    frequency of ships around the square, depending on the weight of the counts. ``placement_weights`` explains the
    arguments.
    """
    base = base_rates(rules)
    grid = (*ships.shape[:-1], rules.height, rules.width)
    found = _smoothed((ships / base).reshape(grid))
    games = _smoothed(known.reshape(grid))
    relative = np.divide(found, games, out=np.ones(grid), where=games > 0)
    return 1.0 + belief(ships, known, rules) * (relative.reshape(ships.shape) - 1.0)


def weights_of_rates(rates: Floats, rules: BattleshipRules) -> Floats:
    """The placement weights of each ship: the mean of the rates on the ship's squares.

    Args:
        rates: float64 (..., squares), relative to uniformly placed fleets.
        rules: the board and the fleet.

    Returns:
        float64 (..., 2 · ships, squares): by ship, by direction (horizontal before vertical), and by top or left end; 0
        for placements off the board.
    """
    learned = rates.reshape(*rates.shape[:-1], rules.height, rules.width)
    weights = np.stack([each for length in rules.fleet for each in means_along(learned, length)], axis=-3)
    return weights.reshape(*weights.shape[:-2], rules.squares)


def means_along(grid: Floats, length: int) -> tuple[Floats, Floats]:
    """The means over the squares of a horizontal and a vertical ship that begin at each square; 0 off the board.

    Arguments and results are float64 (..., height, width).
    """
    across, down = np.zeros_like(grid), np.zeros_like(grid)
    rows, columns = (side - length + 1 for side in grid.shape[-2:])
    for k in range(length):
        if columns > 0:
            across[..., :, :columns] += grid[..., :, k : k + columns] / length
        if rows > 0:
            down[..., :rows, :] += grid[..., k : k + rows, :] / length
    return across, down


def belief(ships: Floats, known: Floats, rules: BattleshipRules) -> Floats:
    """The weight of the counts relative to the prior, by Bayesian model averaging over ``CONCENTRATIONS``.

    In a model with concentration k, each square has its own rate. The rate follows a beta distribution around the
    default rate, with the weight of k games. Squares under one ship are not independent, so the likelihood counts ships
    instead of squares.

    Args:
        ships, known: float64 (..., squares): counts, as in ``Memory``.
        rules: the board and the fleet.

    Returns:
        float64 (..., squares), in [0, 1).
    """
    base = base_rates(rules)
    share = len(rules.fleet) / sum(rules.fleet)
    logs = [share * _log_likelihoods(k, base, ships, known).sum(axis=-1) for k in CONCENTRATIONS]
    logs.append(np.zeros(ships.shape[:-1]))
    likelihoods = np.exp(np.stack(logs) - np.max(logs, axis=0))
    chances = likelihoods / likelihoods.sum(axis=0)
    believed = np.zeros(ships.shape)
    for k, chance in zip(CONCENTRATIONS, chances, strict=False):
        believed += chance[..., None] * known / (known + k)
    return believed


@lru_cache(maxsize=64)
def base_rates(rules: BattleshipRules) -> Floats:
    """The expected number of ships on each square if all placements are equally likely: float64 (squares,)."""
    rates = np.zeros(rules.squares)
    for length in sorted(set(rules.fleet)):
        placements = placements_of(length, rules)
        for placement in placements:
            rates[list(squares_of(placement, length, rules))] += rules.fleet.count(length) / len(placements)
    return np.minimum(rates, _MOST)


_MOST = 0.95
"""The largest default rate, which matters only on boards that are nearly full of ships."""


def _log_likelihoods(k: float, base: Floats, ships: Floats, known: Floats) -> Floats:
    """For each square, the log-likelihood of the counts under a concentration, relative to the default rates."""
    water = known - ships
    rises = _log_rising(k * base, ships) + _log_rising(k * (1.0 - base), water)
    plain = ships * np.log(base) + water * np.log(1.0 - base)
    return rises - _log_rising(np.full_like(base, k), known) - plain


def _log_rising(start: Floats, counts: Floats) -> Floats:
    """For each square, the logarithm of start · (start + 1) · …, where the number of factors is the square's count."""
    steps = np.arange(int(counts.max(initial=0.0)))[:, None]
    table = np.concatenate([np.zeros((1, len(start))), np.cumsum(np.log(start + steps), axis=0)])
    return table[counts.astype(np.int64), np.arange(len(start))]


def _smoothed(grid: Floats) -> Floats:
    """For each square, the weighted sum over the square and its neighbours: float64 (..., height, width)."""
    rows = MIDDLE * grid
    rows[..., 1:, :] += grid[..., :-1, :]
    rows[..., :-1, :] += grid[..., 1:, :]
    both = MIDDLE * rows
    both[..., 1:] += rows[..., :-1]
    both[..., :-1] += rows[..., 1:]
    return both
