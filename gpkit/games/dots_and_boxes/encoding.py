"""Encoding of what a player of Dots and Boxes knows (``gpkit.gamekit.encoding.Encoding``)."""

import numpy as np

from gpkit.core.primitives import Sensor
from gpkit.gamekit.encoding import FeatureTable
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.edges import boxes_of_edges
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State

COLUMNS = (
    Sensor("drawn", "1 if the edge is drawn, else 0", 0, 1),
    Sensor("sides1", "drawn sides of its first box", 0, 4),
    Sensor("sides2", "drawn sides of its second box; 0 at the border", 0, 4),
    Sensor("owner1", "owner of its first box: 1 the player, 2 the opponent, 0 nobody", 0, 2),
    Sensor("owner2", "owner of its second box; 0 at the border", 0, 2),
)
"""The whole position: every edge, and the one or two boxes that it is a side of, in the order of their numbers."""


def columns() -> tuple[Sensor, ...]:
    """Columns of a table."""
    return COLUMNS


def actions(rules: Rules) -> int:
    """Number of edges."""
    return rules.edges


def encode(state: State, player: int) -> FeatureTable:
    """Table of the position as a player sees it: float64 (edges, columns)."""
    table = np.zeros((state.rules.edges, len(COLUMNS)))
    for edge, boxes in enumerate(boxes_of_edges(state.rules)):
        table[edge, 0] = edge in state.drawn
        for place, box in enumerate(boxes):
            owner = state.owners[box]
            table[edge, 1 + place] = 4 - state.undrawn_sides(box)
            table[edge, 3 + place] = 0 if owner == NOBODY else 1 if owner == player else 2
    return table
