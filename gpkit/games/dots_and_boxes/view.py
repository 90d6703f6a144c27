"""Dots and Boxes as people see it and type it (``gpkit.gamekit.view.View``)."""

from gpkit.core.errors import UsageError
from gpkit.gamekit.view import View
from gpkit.games.dots_and_boxes.board import board_text, edge_name, edge_of_name
from gpkit.games.dots_and_boxes.edges import place_of
from gpkit.games.dots_and_boxes.picture import action_spots, board_svg, squares
from gpkit.games.dots_and_boxes.rules import State


def action_text(state: State, edge: int) -> str:
    """A box and one of its sides, such as ``B2 top``."""
    return edge_name(edge, state.board)


def parse_action(state: State, text: str) -> int:
    """The undrawn edge of a name.

    Raises:
        UsageError: it is none; the message says why, and names the nearest.
    """
    edge = edge_of_name(text, state.board)
    if edge not in state.drawn:
        return edge
    x, y = place_of(edge, state.board)

    def distance(other: int) -> int:
        column, row = place_of(other, state.board)
        return (column - x) ** 2 + (row - y) ** 2

    close = min(state.legal_actions(), key=distance)
    raise UsageError(
        f"{action_text(state, edge)} is drawn already; the nearest side that is not is {action_text(state, close)}"
    )


def sensors(state: State, edge: int) -> dict[str, float]:
    """None: rules match the graph of the position."""
    return {}


VIEW = View(
    action_text, parse_action, board_text, board_svg, sensors, action_spots=action_spots, squares=squares
)
