"""Encoding of what a code breaker knows (``gpkit.gamekit.encoding.Encoding``)."""

from gpkit.core.primitives import Sensor
from gpkit.gamekit.encoding import FeatureTable
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.primitives import SENSORS
from gpkit.games.mastermind.programs import refuse_too_many, sense_codes
from gpkit.games.mastermind.state import State


def columns() -> tuple[Sensor, ...]:
    """Sensors of every code: ``env.possible`` says which ones can still be the secret."""
    return SENSORS


def actions(rules: Rules) -> int:
    """Number of codes.

    Raises:
        UsageError: there are too many.
    """
    refuse_too_many(rules)
    return rules.codes


def encode(state: State, player: int) -> FeatureTable:
    """Table of what a player knows: float64 (actions, columns)."""
    return sense_codes(state.turns, codes_left(state.turns, state.rules), state.rules).T.copy()
