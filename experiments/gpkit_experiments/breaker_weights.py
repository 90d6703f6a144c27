"""Weights of a sum of sensors that breaks codes in few guesses over all secrets of the classic game, by annealing.

python -m gpkit_experiments.breaker_weights 1   # the seed; some 20,000 formulas, each over all 1296 secrets
"""

import math
import sys

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.gamekit.players import machine_programs
from gpkit.games.mastermind.game import GAME
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.programs import guesses_for_all
from gpkit.playing.players import player_of_text

SENSORS = ("env.win", "env.next", "env.worst", "env.alone", "env.twins", "env.three")
"""Sensors that are added to ``env.entropy``, whose weight is 1."""

FORMULAS = 20_000
"""Number of formulas that are tried."""

WARMEST, COLDEST = 2.5, 0.2
"""Temperatures, in guesses over all secrets; they fall four times from the first to the second."""


def total(text: str) -> int:
    """The guesses over all secrets."""
    (program,) = machine_programs([player_of_text(text, GAME, filename="weights.tree")])
    return int(guesses_for_all(program, Rules()).sum())


def text_of(weights: NDArray[np.float64]) -> str:
    """The formula with these weights, float64 (sensors,), as a program."""
    terms = [f"{weight!r} * {name}" for weight, name in zip(weights.tolist(), SENSORS, strict=True)]
    return f"// game: mastermind\nguess: {' + '.join(['env.entropy', *terms])}\n"


def main(seed: int) -> None:
    """Print each formula that is better than those before it, with its guesses."""
    rng = stream(seed, "breaker weights")
    weights = np.ones(len(SENSORS))
    at = best = total(text_of(weights))
    for tried in range(FORMULAS):
        warmth = WARMEST + (COLDEST - WARMEST) * (4 * tried / FORMULAS % 1)
        changed = weights.copy()
        for place in rng.choice(len(SENSORS), rng.integers(1, 3), replace=False):
            changed[place] += rng.standard_normal() * 10 ** rng.uniform(-2, 0)
        found = total(text_of(changed))
        if found <= at or rng.random() < math.exp((at - found) / warmth):
            weights, at = changed, found
        if found < best:
            best = found
            print(tried, best, text_of(changed), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
