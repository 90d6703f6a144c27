"""Dots and Boxes as people see it and type it (``gpkit.games.view.View``)."""

from gpkit.core.errors import UsageError
from gpkit.games.dots_and_boxes.board import board_text, string_name, string_of_name
from gpkit.games.dots_and_boxes.picture import board_svg
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.strings import place_of

__all__ = ["action_text", "board_svg", "board_text", "parse_action", "sensors"]


def action_text(state: State, string: int) -> str:
    """A box and one of its sides, such as ``B2 top``."""
    return string_name(string, state.rules)


def parse_action(state: State, text: str) -> int:
    """The undrawn string of a name.

    Raises:
        UsageError: it is none; the message says why, and names the nearest.
    """
    string = string_of_name(text, state.rules)
    if string not in state.drawn:
        return string
    x, y = place_of(string, state.rules)

    def distance(other: int) -> int:
        column, row = place_of(other, state.rules)
        return (column - x) ** 2 + (row - y) ** 2

    close = min(state.legal_actions(), key=distance)
    raise UsageError(
        f"{action_text(state, string)} is drawn already; the nearest side that is not is {action_text(state, close)}"
    )


def sensors(state: State, string: int) -> dict[str, float]:
    """None: rules match the graph of the position."""
    return {}
