"""Values of sensors that games at random show, from which thresholds come."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

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
