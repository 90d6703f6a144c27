"""Battleship as people see it and type it (``gpkit.gamekit.view.View``)."""

from gpkit.core.errors import UsageError
from gpkit.gamekit.view import View
from gpkit.games.battleship.board import board_text, square_name, square_of_name
from gpkit.games.battleship.fleets import fleet_squares
from gpkit.games.battleship.picture import action_spots, board_svg, squares
from gpkit.games.battleship.rules import State
from gpkit.games.battleship.sensors import sense


def action_text(state: State, square: int) -> str:
    """The name of a square, such as ``C4``."""
    return square_name(square, state.rules)


def parse_action(state: State, text: str) -> int:
    """The unshot square of a name.

    Raises:
        UsageError: there is no such square, or it was shot at before; the message names the nearest unshot one.
    """
    rules, known = state.rules, state.board.known
    square = square_of_name(text, rules)
    if known[square] == "unshot":
        return square
    y, x = divmod(square, rules.width)
    close = min(
        state.legal_actions(), key=lambda other: abs(other // rules.width - y) + abs(other % rules.width - x)
    )
    message = {"miss": "a miss", "open": "a hit", "sunk": "of a ship that sank"}[known[square]]
    raise UsageError(
        f"{square_name(square, rules)} is known: {message}; the nearest unshot square is {square_name(close, rules)}"
    )


def sensors(state: State, square: int) -> dict[str, float]:
    """The value of every sensor for a square that was not shot at."""
    return sense(state.board)[square]


def laid_squares(state: State) -> dict[int, set[int]]:
    """By seat the squares of its player's fleet: that which the other one shoots at."""
    rules = state.rules
    return {1 - shooter: set(fleet_squares(board.fleet, rules)) for shooter, board in enumerate(state.boards)}


VIEW = View(
    action_text,
    parse_action,
    board_text,
    board_svg,
    sensors,
    action_spots=action_spots,
    squares=squares,
    laid_squares=laid_squares,
)
