"""The adaptive player's fleets, its beliefs about an opponent's fleets, and its answers to ``Target``.

Fleets follow J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and
Placement Strategies", section III.A: the weight of a square is the inverse of the density of random fleets, but smaller
if the opponent has shot there in earlier games.

Targeting extends section III.B: it combines two predictors, a wave and smoothed counts, weighted by the quality of
their past predictions. This module also contains the settings of the player; the player ``adaptive`` uses the defaults.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.core.codec import Count
from gpkit.core.rng import stream
from gpkit.games.battleship.arena import TargetAnswers, fleets_of, running_sums
from gpkit.games.battleship.memory import Memory, base_rates, learned_rates, means_along, weights_of_rates
from gpkit.games.battleship.rules import (
    REDRAWS,
    BattleshipRules,
    Board,
    draw_deals,
    no_fleet,
    squares_of,
    surroundings,
)
from gpkit.games.battleship.waves import Wave, fitted, values

RESTARTS = 100
"""The number of populations to try if all particles of a population die."""

SAMPLED = 1_000_000
"""The total number of squares on the boards from which the density of random fleets is estimated."""


@dataclass(frozen=True, slots=True)
class Received:
    """An opponent's shots at earlier fleets.

    Attributes:
        games: the number of games so far.
        times: for each square, the number of games in which it was shot at.
        turns: for each square, the sum of the numbers of the turns in which it was shot at, counted from 1.
    """

    games: Count
    times: tuple[Count, ...]
    turns: tuple[Count, ...]

    @classmethod
    def none(cls, rules: BattleshipRules) -> "Received":
        """The empty history before the first game."""
        return cls(0, (0,) * rules.squares, (0,) * rules.squares)

    def after(self, home: Board) -> "Received":
        """The history after a game; ``home`` is the board with the player's own fleet."""
        times, turns = list(self.times), list(self.turns)
        for turn, shot in enumerate(home.shots, 1):
            if shot.square >= 0 and not shot.known:
                times[shot.square] += 1
                turns[shot.square] += min(turn, home.rules.squares)
        return Received(self.games + 1, tuple(times), tuple(turns))

    def heat(self, rules: BattleshipRules) -> Floats:
        """The heat of each square: float64 (squares,).

        The heat is a mean over all games, where a game counts from 1 (shot in the first turn) to 0 (no shot).
        """
        times, turns = np.array(self.times, float), np.array(self.turns, float)
        return np.asarray((times * (rules.squares + 1) - turns) / (rules.squares * max(1, self.games)))


def square_weights(received: Received, rules: BattleshipRules, *, caution: float) -> Floats:
    """Weights of squares for placing the player's fleet: float64 (squares,), with sum 1.

    A weight is the inverse of the density of random fleets, times exp(−caution · heat).

    Args:
        received: shots in earlier games.
        rules: the board and the fleet.
        caution: the strength with which shots lower a weight; 0 ignores shots.
    """
    inverse = 1.0 / np.maximum(random_density(rules), _LEAST)
    weights = inverse * np.exp(-caution * received.heat(rules))
    return np.asarray(weights / weights.sum())


_LEAST = 1e-3
"""The minimum density, which matters on large boards with few ships."""


@lru_cache(maxsize=64)
def random_density(rules: BattleshipRules) -> Floats:
    """The chance that a ship of a random fleet lies on each square: float64 (squares,), read-only.

    The density is an estimate that has the symmetries of the board.

    Raises:
        UsageError: no legal fleet was found.
    """
    fleets = drawn_fleets(
        stream(0, "random density"), np.ones(rules.squares), rules, max(100, SAMPLED // rules.squares)
    )
    grid = (times_covered(fleets, rules) / len(fleets)).reshape(rules.height, rules.width)
    grid = (grid + grid[::-1]) / 2.0
    grid = (grid + grid[:, ::-1]) / 2.0
    if rules.width == rules.height:
        grid = (grid + grid.T) / 2.0
    density = grid.ravel()
    density.flags.writeable = False
    return density


def drawn_fleets(rng: np.random.Generator, weights: Floats, rules: BattleshipRules, particles: int) -> Ints:
    """Legal fleets from Sequential Monte Carlo, as placements: int64 (particles, ships); some fleets may be equal.

    As the number of particles grows, the probability of a fleet approaches a product with one factor for each ship (up
    to a constant): the geometric mean of the weights of the ship's squares. A particle is a fleet with some ships
    already placed, longest first. In each step, the next ship is drawn from its legal placements by their weights. Then
    the particles are resampled with replacement, in proportion to the total weight of their legal placements. A
    particle for which no legal placement exists dies.

    Args:
        rng: the random generator.
        weights: float64 (squares,), above 0; their scale does not matter.
        rules: the board, the fleet, and whether ships may touch.
        particles: the number of fleets to draw.

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


def _all_laid(rng: np.random.Generator, logs: Floats, rules: BattleshipRules, particles: int) -> Ints | None:
    """Fleets, see ``drawn_fleets``; None if all particles died. ``logs`` are log weights: float64 (height, width)."""
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


def _free(blocked: Flags, length: int) -> Flags:
    """A mask of the squares where a ship can begin: bool (particles, height, width, 2), horizontal before vertical."""
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


def _block(blocked: Flags, placements: Ints, length: int, rules: BattleshipRules) -> None:
    """Mark the squares that a newly placed ship blocks for other ships."""
    for placement in np.unique(placements).tolist():
        around = sorted(surroundings(squares_of(placement, length, rules), rules))
        blocked.reshape(len(blocked), -1)[np.flatnonzero(placements == placement)[:, None], around] = True


BATCH = 50_000


def times_covered(fleets: Ints, rules: BattleshipRules) -> Ints:
    """The number of fleets that have a ship on each square: int64 (squares,).

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


def pattern_density(rng: np.random.Generator, pattern: str, rules: BattleshipRules, count: int) -> Floats:
    """The share of ``count`` fleets of a pattern that have a ship on each square: float64 (squares,).

    Raises:
        UsageError: no legal fleet was found.
    """
    sums, redraw = running_sums(pattern, rules), REDRAWS.get(pattern, "fleet")
    times = np.zeros(rules.squares, dtype=np.int64)
    for start in range(0, count, BATCH):
        times += times_covered(
            fleets_of(draw_deals(rng, min(BATCH, count - start)).keys[:, 1], sums, rules, redraw), rules
        )
    return times / count


Targeting = Literal["mixture", "waves", "counts", "filter"]
"""The ways to answer ``Target``.

``waves`` takes the square with the highest wave value where the largest ship left may lie. ``counts`` uses the ships
expected from smoothed counts of earlier games. ``mixture`` weights the predictions of counts and waves by their past
quality. ``filter`` takes any square where the largest ship left may lie, without learning.
"""


@dataclass(frozen=True, slots=True)
class LearnerSettings:
    """The settings of the adaptive player.

    Attributes:
        caution: the strength with which the opponent's shots lower the weight of a square.
        particles: the number of particles in Sequential Monte Carlo.
        rehearsed: the number of fleets to rehearse; the player uses the fleet that costs hard-coded players the most
            shots. With 1, the player uses the first fleet.
        rehearsals: the number of games of each hard-coded player against each fleet.
        targeting: the way to answer ``Target``.
        training: the weight of the training density for the waves, in games.
        generations: the number of generations of waves before each game.
        rounds: the number of generations of sinking programs before each game.
        saved: the number of recent games that are used to evaluate sinking programs.
    """

    caution: float = 32.0
    particles: int = 100
    rehearsed: int = 30
    rehearsals: int = 4
    targeting: Targeting = "mixture"
    training: float = 1.0
    generations: int = 10
    rounds: int = 20
    saved: int = 50


DEFAULTS = LearnerSettings()


PREDICTORS = ("counts", "waves")

LESSON_PATTERNS = ("uniform", "corner", "wall", "corners")
"""The training patterns from Figure 4."""

LESSONS = 1_000
"""The number of fleets of each pattern from which the training density is estimated."""

TRUST = 0.3
"""The exponent of likelihoods (generalised Bayes), because predictions for neighbouring squares are not independent."""

LEAST, MOST = 0.01, 0.95
"""The bounds of a predicted rate; no prediction is certain."""


@lru_cache(maxsize=16)
def training_density(rules: BattleshipRules) -> Floats:
    """The mean density of the training patterns in Figure 4: float64 (squares,), read-only.

    Raises:
        UsageError: no legal fleet was found.
    """
    found = np.zeros(rules.squares)
    keys = draw_deals(stream(0, "training density"), LESSONS).keys[:, 0]
    for pattern in LESSON_PATTERNS:
        found += times_covered(fleets_of(keys, running_sums(pattern, rules), rules), rules)
    found /= LESSONS * len(LESSON_PATTERNS)
    found.flags.writeable = False
    return found


def wave_target(seen: Memory, rules: BattleshipRules, training: float) -> Floats:
    """The density that waves are fitted to, from counts of earlier games and the training density: float64 (squares,).

    Args:
        seen: the squares where ships were found.
        rules: the board and the fleet.
        training: the weight of the training density, in games.
    """
    ships, known = np.array(seen.ships, float), np.array(seen.known, float)
    return np.asarray((training * training_density(rules) + ships) / np.maximum(training + known, _NO_GAMES))


_NO_GAMES = 1e-9


def wave_rates(wave: Wave, target: Floats) -> Floats:
    """A wave's rate of ships on each square, scaled to the target by least squares: float64 (squares,)."""
    signal, slope = fitted(wave, target)
    return np.asarray(np.clip(target.mean() + max(0.0, slope) * signal, LEAST, MOST))


def predictions(
    seen: Memory, wave: Wave, rules: BattleshipRules, settings: LearnerSettings
) -> dict[str, Floats]:
    """Each predictor's rate of ships on each square in the next game: float64 (squares,)."""
    target = wave_target(seen, rules, settings.training)
    learned = learned_rates(np.array(seen.ships, float), np.array(seen.known, float), rules)
    counts = np.asarray(np.clip(learned * base_rates(rules), LEAST, MOST))
    return {"counts": counts, "waves": wave_rates(wave, target)}


def log_likelihoods(
    foretold: Mapping[str, Floats], seen: Memory, rules: BattleshipRules
) -> tuple[float, ...]:
    """Each predictor's log-likelihood of a game, where the dependent squares under a ship count as one square.

    Args:
        foretold: the predicted rates, float64 (squares,), as in ``predictions``.
        seen: the memory of only that game.
        rules: the board and the fleet.
    """
    share = len(rules.fleet) / sum(rules.fleet)
    ships, known = np.array(seen.ships, float), np.array(seen.known, float)
    return tuple(
        share * float((ships * np.log(rates) + (known - ships) * np.log(1.0 - rates)).sum())
        for rates in map(foretold.__getitem__, PREDICTORS)
    )


def shares(logs: Sequence[float]) -> Floats:
    """The belief in each predictor, with sum 1: float64 (predictors,). Before the first game, all beliefs are equal."""
    chances = np.exp(TRUST * (np.array(logs) - max(logs)))
    return np.asarray(chances / chances.sum())


def mixed_rates(foretold: Mapping[str, Floats], logs: Sequence[float]) -> Floats:
    """The mean rate of ships on each square over all predictors, weighted by the belief in each: float64 (squares,)."""
    return sum(
        (share * foretold[name] for name, share in zip(PREDICTORS, shares(logs).tolist(), strict=True)),
        start=np.zeros(len(foretold[PREDICTORS[0]])),
    )


def target_answers(
    seen: Memory, wave: Wave, logs: Sequence[float], rules: BattleshipRules, settings: LearnerSettings
) -> TargetAnswers:
    """The answers to ``Target`` in the next game.

    Args:
        seen: the squares where ships were found.
        wave: the best wave.
        logs: each predictor's log-likelihood of all games so far.
        rules: the board and the fleet.
        settings: the settings of the player.
    """
    if settings.targeting == "waves":
        return TargetAnswers(order=wave_order(wave, rules))
    if settings.targeting == "filter":
        return TargetAnswers()
    foretold = predictions(seen, wave, rules, settings)
    rates = foretold["counts"] if settings.targeting == "counts" else mixed_rates(foretold, logs)
    return TargetAnswers(weights=weights_of_rates(rates / base_rates(rules), rules))


def wave_order(wave: Wave, rules: BattleshipRules) -> NDArray[np.int16]:
    """The squares in descending order of their values in a wave: int16 (2, squares), as in ``arena.target_order``."""
    return np.stack(
        [(-values(wave, rules.squares)).argsort(kind="stable"), np.arange(1, rules.squares + 1)]
    ).astype(np.int16)
