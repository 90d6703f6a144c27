"""Encoding of what who builds knows (``gpkit.gamekit.encoding.Encoding``)."""

from gpkit.core.primitives import Sensor
from gpkit.gamekit.encoding import FeatureTable, rows_of
from gpkit.games.build_order.kernel.things import ACTIONS
from gpkit.games.build_order.options import Rules
from gpkit.games.build_order.primitives import SENSORS
from gpkit.games.build_order.rules import State
from gpkit.games.build_order.sensors import sense


def columns() -> tuple[Sensor, ...]:
    """Sensors of every order that can begin now or later."""
    return SENSORS


def actions(rules: Rules) -> int:
    """Number of orders, and ``wait``."""
    return len(ACTIONS)


def encode(state: State, player: int) -> FeatureTable:
    """Table of what a player knows: float64 (actions, columns)."""
    return rows_of({each: sense(state, each) for each in state.legal_actions()}, len(ACTIONS), SENSORS)
