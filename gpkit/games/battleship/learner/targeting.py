"""Beliefs of the adaptive player about where an opponent's ships lie, and answers to ``Target`` that follow from them.

After J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and Placement
Strategies", section III.B, and beyond: two predictors, a wave and smoothed counts, weigh as much as they have foretold.
The settings of the player stand here, too; the defaults are those of the player ``adaptive``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.core.rng import stream
from gpkit.games.battleship.arena import TargetAnswers, fleets_of, running_sums
from gpkit.games.battleship.fleets import draw_deals
from gpkit.games.battleship.memory import Memory, base_rates, learned_rates, weights_of_rates
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.placing import times_covered
from gpkit.games.battleship.waves import Wave, fitted, values

Targeting = Literal["mixture", "waves", "counts", "filter"]
"""Answers to ``Target``.

``waves``: the best square by the wave of those where the largest ship left may lie. ``counts``: the
expected ships by smoothed counts of earlier games. ``mixture``: the same by counts and waves, each as far as it has
foretold the games so far. ``filter``: any square where the largest ship left may lie; nothing is learned.
"""


@dataclass(frozen=True, slots=True)
class LearnerSettings:
    """Settings of the adaptive player.

    Attributes:
        caution: how much shots received lower the weight of a square.
        particles: of Sequential Monte Carlo.
        rehearsed: particles of which the one that hard-coded players clear latest is laid; with 1 the first is.
        rehearsals: games of each of them against each fleet.
        targeting: who answers ``Target``.
        training: games that the density of training is worth to the waves.
        generations: of waves before a game.
        rounds: generations of sinking programs before a game.
        saved: the most recent games on which they are measured.
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
"""Placements of training, those of Figure 4."""

LESSONS = 1_000
"""Fleets of each pattern from which the density of training is estimated."""

TRUST = 0.3
"""Power of likelihoods (generalised Bayes): squares beside each other are foretold well or badly together."""

LEAST, MOST = 0.01, 0.95
"""Bounds of a foretold rate, which is never certain."""


@lru_cache(maxsize=16)
def training_density(rules: Rules) -> Floats:
    """Mean density of the placements of training, Figure 4: float64 (squares,), read-only.

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


def wave_target(seen: Memory, rules: Rules, training: float) -> Floats:
    """The density to which waves are fitted, float64 (squares,): counts of earlier games with that of training.

    Args:
        seen: where ships lay.
        rules: the board and the fleet.
        training: games that the density of training is worth.
    """
    ships, known = np.array(seen.ships, float), np.array(seen.known, float)
    prior = training_density(rules)
    return np.asarray((training * prior + ships) / np.maximum(training + known, _NO_GAMES))


_NO_GAMES = 1e-9


def wave_rates(wave: Wave, target: Floats) -> Floats:
    """The rate of ships on each square by a wave: float64 (squares,), scaled to the target by least squares."""
    signal, slope = fitted(wave, target)
    return np.asarray(np.clip(target.mean() + max(0.0, slope) * signal, LEAST, MOST))


def predictions(seen: Memory, wave: Wave, rules: Rules, settings: LearnerSettings) -> dict[str, Floats]:
    """By predictor the rate of ships on each square, float64 (squares,), in the next game."""
    target = wave_target(seen, rules, settings.training)
    learned = learned_rates(np.array(seen.ships, float), np.array(seen.known, float), rules)
    counts = np.asarray(np.clip(learned * base_rates(rules), LEAST, MOST))
    return {"counts": counts, "waves": wave_rates(wave, target)}


def log_likelihoods(foretold: Mapping[str, Floats], seen: Memory, rules: Rules) -> tuple[float, ...]:
    """By predictor the log-likelihood of a game; squares under one ship go together and count as one.

    Args:
        foretold: rates, float64 (squares,), as of ``predictions``.
        seen: of that game alone.
        rules: the board and the fleet.
    """
    share = len(rules.fleet) / sum(rules.fleet)
    ships, known = np.array(seen.ships, float), np.array(seen.known, float)
    found = []
    for predictor in PREDICTORS:
        rates = foretold[predictor]
        terms = ships * np.log(rates) + (known - ships) * np.log(1.0 - rates)
        found.append(share * float(terms.sum()))
    return tuple(found)


def shares(logs: Sequence[float]) -> Floats:
    """Belief in each predictor: float64 (predictors,), of sum 1; equally before the first game."""
    chances = np.exp(TRUST * (np.array(logs) - max(logs)))
    return np.asarray(chances / chances.sum())


def mixed_rates(foretold: Mapping[str, Floats], logs: Sequence[float]) -> Floats:
    """The rate of ships on each square by all predictors, each as far as it is believed: float64 (squares,)."""
    return sum(
        (share * foretold[name] for name, share in zip(PREDICTORS, shares(logs).tolist(), strict=True)),
        start=np.zeros(len(foretold[PREDICTORS[0]])),
    )


def target_answers(
    seen: Memory, wave: Wave, logs: Sequence[float], rules: Rules, settings: LearnerSettings
) -> TargetAnswers:
    """Answers to ``Target`` in the next game.

    Args:
        seen: where ships lay.
        wave: the best one.
        logs: log-likelihoods of all games so far, by predictor.
        rules: the board and the fleet.
        settings: of the player.
    """
    if settings.targeting == "waves":
        return TargetAnswers(order=wave_order(wave, rules))
    if settings.targeting == "filter":
        return TargetAnswers()
    foretold = predictions(seen, wave, rules, settings)
    rates = foretold["counts"] if settings.targeting == "counts" else mixed_rates(foretold, logs)
    return TargetAnswers(weights=weights_of_rates(rates / base_rates(rules), rules))


def wave_order(wave: Wave, rules: Rules) -> NDArray[np.int16]:
    """The order of squares by a wave, the highest first: int16 (squares,), as of ``arena.target_order``."""
    squares = (-values(wave, rules.squares)).argsort(kind="stable")
    return np.stack([squares, np.arange(1, rules.squares + 1)]).astype(np.int16)
