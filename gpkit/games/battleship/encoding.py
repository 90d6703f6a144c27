"""Encoding of what a shooter knows (``gpkit.gamekit.encoding.Encoding``)."""

from typing import get_args

from gpkit.core.primitives import Sensor
from gpkit.gamekit.encoding import FeatureTable, rows_of
from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.primitives import SENSORS
from gpkit.games.battleship.rules import Known
from gpkit.games.battleship.sensors import sense
from gpkit.games.battleship.state import State

KNOWN = Sensor("known", "0 not shot at, 1 a miss, 2 an open hit, 3 a hit on a ship known to be sunk", 0, 3)

HOME = Sensor("home", "own board in a duel: 1 for a ship, plus 2 where the opponent has shot; else 0", 0, 3)

COLUMNS = (*SENSORS, KNOWN, HOME)
"""Sensors of the squares not yet shot at at, and what is known of every square of both boards."""

_NUMBERS = {word: float(number) for number, word in enumerate(get_args(Known))}


def columns() -> tuple[Sensor, ...]:
    """Columns of a table."""
    return COLUMNS


def actions(rules: Rules) -> int:
    """Number of squares."""
    return rules.squares


def encode(state: State, player: int) -> FeatureTable:
    """Table of what a player knows: float64 (squares, columns)."""
    rules, board = state.rules, state.boards[player]
    table = rows_of(sense(board), rules.squares, COLUMNS)
    table[:, -2] = [_NUMBERS[known] for known in board.known]
    if rules.is_duel:
        home = state.boards[1 - player]
        for placement, length in zip(home.fleet, rules.fleet, strict=True):
            table[list(squares_of(placement, length, rules)), -1] = 1
        table[sorted({shot.square for shot in home.shots if shot.square >= 0}), -1] += 2
    return table
