"""Positions of Dots and Boxes in files, as ``gpkit play`` and ``gpkit trace`` show them."""

from gpkit.app.files import read_text
from gpkit.core.errors import UsageError
from gpkit.games.dots_and_boxes.board import state_of_text
from gpkit.games.dots_and_boxes.rules import State

BOARD_SUFFIX = ".board"


def read_position(path: str) -> State:
    """The position in a file.

    Raises:
        UsageError: the file cannot be read, or holds no board.
    """
    text = read_text(path)
    try:
        return state_of_text(text)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
