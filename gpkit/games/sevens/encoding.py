"""Encoding of what a player of Sevens knows (``gpkit.gamekit.encoding.Encoding``)."""

from gpkit.core.primitives import Sensor
from gpkit.gamekit.encoding import FeatureTable, rows_of
from gpkit.games.sevens.cards import CARDS, suit_of
from gpkit.games.sevens.options import Rules
from gpkit.games.sevens.primitives import SENSORS
from gpkit.games.sevens.rules import State
from gpkit.games.sevens.sensors import sense

PLACE = Sensor("place", "where the card is: 0 in another hand, 1 in own hand, 2 on the table", 0, 2)

COLUMNS = (*SENSORS, PLACE)
"""Sensors of the cards that can be chosen, and where every card is."""


def columns() -> tuple[Sensor, ...]:
    """Columns of a table."""
    return COLUMNS


def actions(rules: Rules) -> int:
    """Number of cards."""
    return CARDS


def encode(state: State, player: int) -> FeatureTable:
    """Table of what a player knows: float64 (cards, columns)."""
    seen, pack = state.observation(player), state.rules.pack
    table = rows_of({card: sense(seen, card) for card in seen.legal}, CARDS, COLUMNS)
    for card in range(CARDS):
        laid = state.tableau.has(suit_of(card), pack.rank(card))
        table[card, -1] = 2 if laid else card in seen.hand
    return table
