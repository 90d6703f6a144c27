"""Positions of Dots and Boxes in files: boards as ``gpkit play`` and ``gpkit trace`` show them, and coins."""

from collections.abc import Callable

from gpkit.app.files import read_text
from gpkit.core.errors import UsageError
from gpkit.games.dots_and_boxes.board import state_of_text
from gpkit.games.dots_and_boxes.coins_text import coins_of_text
from gpkit.games.dots_and_boxes.rules import State

BOARD_SUFFIX = ".board"


def read_position(path: str) -> State:
    """The position on a board in a file.

    Raises:
        UsageError: the file cannot be read, or holds no board.
    """
    return _read(path, state_of_text)


def read_board_or_coins(path: str) -> State:
    """The position in a file, on a board or of coins; a board has a dot in its first corner, or the suffix of boards.

    Raises:
        UsageError: the file cannot be read, or holds neither.
    """

    def read(text: str) -> State:
        is_board = path.endswith(BOARD_SUFFIX) or text.lstrip().startswith("+")
        return state_of_text(text) if is_board else coins_position(text)

    return _read(path, read)


def coins_position(text: str) -> State:
    """The position in which all strings of a text are there (``coins_of_text``)."""
    return State.begin(coins_of_text(text))


def _read(path: str, read: Callable[[str], State]) -> State:
    text = read_text(path)
    try:
        return read(text)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
