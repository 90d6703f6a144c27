"""Sensor values from which to choose thresholds: from random games, or evenly spaced between bounds."""

from collections.abc import Iterator

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.rng import below, stream
from gpkit.gamekit.game import Game
from gpkit.gamekit.state import ObservableState, end_of

OBSERVED = 8
"""The number of random games that provide the sensors' quantiles."""


def sensor_samples(game: Game, rules: object) -> dict[str, Floats]:
    """The values of each sensor for all legal actions in some random games, by sensor name: float64 (values,)."""
    view, rng = game.view, stream(0, "observed")
    deals = game.deal(rng, OBSERVED, rules)
    found: dict[str, list[float]] = {}

    def sampled(state: ObservableState) -> int:
        legal = state.legal_actions()
        for action in legal if len(legal) > 1 else ():
            for name, value in view.sensors(state, action).items():
                found.setdefault(name, []).append(value)
        return int(legal[below(rng, len(legal))])

    for number in range(OBSERVED):
        end_of(game.begin([], deals[number : number + 1], rules), sampled)
    return {name: np.array(values, dtype=np.float64) for name, values in found.items()}


VALUES = 65
"""The number of values for each sensor of a problem, evenly spaced from its smallest to its largest value."""


def sensor_values(primitives: PrimitiveSet) -> Iterator[tuple[str, Floats]]:
    """Evenly spaced values for a problem's sensors, by sensor name: float64 (values,), between the sensor's bounds.

    Raises:
        UsageError: a sensor has no bounds, so gpkit cannot choose thresholds.
    """
    for sensor in primitives.sensors:
        if not (np.isfinite(sensor.low) and np.isfinite(sensor.high)):
            raise UsageError(
                f"sensor `{sensor.name}` has no bounds, and thresholds lie between them: name the smallest and "
                f"the largest value, such as sensors={{{sensor.name!r}: (0, 1)}}"
            )
        yield sensor.name, np.linspace(sensor.low, sensor.high, VALUES)
