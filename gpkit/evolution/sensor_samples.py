"""Values of sensors from which thresholds come: those that games at random show, or between bounds."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.rng import below, stream
from gpkit.gamekit.game import Game
from gpkit.gamekit.state import end_of
from gpkit.gamekit.view import view_of

OBSERVED = 8
"""Games at random from which the quantiles of sensors come."""


def sensor_samples(game: Game, rules: Any, games: int = OBSERVED) -> dict[str, NDArray[np.float64]]:
    """The values of every sensor for all legal actions in some games at random, by name: float64 (values,)."""
    view, rng = view_of(game.name), stream(0, "observed")
    deals = game.deal(rng, games, rules)
    found: dict[str, list[float]] = {}

    def sampled(state: Any) -> int:
        legal = state.legal_actions()
        for action in legal if len(legal) > 1 else ():
            for name, value in view.sensors(state, action).items():
                found.setdefault(name, []).append(value)
        return int(legal[below(rng, len(legal))])

    for number in range(games):
        end_of(game.begin([], deals[number : number + 1], rules), sampled)
    return {name: np.array(values, dtype=np.float64) for name, values in found.items()}


VALUES = 65
"""Values of a sensor of a problem, evenly from its least to its greatest."""


def sensor_values(primitives: PrimitiveSet) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Values of the sensors of a problem, which no game shows, by name: float64 (values,) between their bounds.

    Raises:
        UsageError: a sensor has no bounds, from which thresholds are taken.
    """
    for sensor in primitives.sensors:
        if not (np.isfinite(sensor.low) and np.isfinite(sensor.high)):
            raise UsageError(
                f"sensor `{sensor.name}` has no bounds, and thresholds lie between them: name the least and "
                f"the greatest value, such as sensors={{{sensor.name!r}: (0, 1)}}"
            )
        yield sensor.name, np.linspace(sensor.low, sensor.high, VALUES)
