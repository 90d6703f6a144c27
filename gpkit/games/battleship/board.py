"""Boards as text: columns are letters, rows are numbers, so that a square is called C4."""

from collections.abc import Sequence

from gpkit.core.errors import UsageError
from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, Known, Shot, State, announced

SIGNS: dict[Known, str] = {"unshot": ".", "miss": "o", "open": "x", "sunk": "#"}
"""What is known of a square."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

GAP = "    "
"""Between two boards side by side."""


def column_name(column: int) -> str:
    """A, B, …, Z, AA, AB, …

    >>> column_name(0), column_name(25), column_name(26)
    ('A', 'Z', 'AA')
    """
    more, letter = divmod(column, len(_LETTERS))
    return (column_name(more - 1) if more else "") + _LETTERS[letter]


def square_name(square: int, rules: Rules) -> str:
    """The column and the row of a square, such as C4."""
    y, x = divmod(square, rules.width)
    return f"{column_name(x)}{y + 1}"


def square_of_name(text: str, rules: Rules) -> int:
    """The square that is called so; capitals do not matter.

    Raises:
        UsageError: there is no such square.
    """
    word = text.strip().upper()
    by_name = {square_name(square, rules): square for square in range(rules.squares)}
    if word in by_name:
        return by_name[word]
    last = square_name(rules.squares - 1, rules)
    shown = text if len(text) <= 20 else f"{text[:19]}…"
    raise UsageError(f"`{shown}` is no square: expected a letter and a number, from A1 to {last}")


def shot_text(shot: Shot, rules: Rules) -> str:
    """A shot as it is announced, such as ``C4: hit, sinks the ship of 3``."""
    if shot.square < 0:
        return "a place off the board: miss"
    said = f"{square_name(shot.square, rules)}: {'hit' if shot.hit else 'miss'}"
    if shot.known:
        return f"{said}, known before"
    told = announced(shot, rules)
    if told is None:
        return said
    return f"{said}, sinks the ship of {told}" if told else f"{said}, sinks a ship"


def board_text(board: Board, *, reveal: bool = False) -> str:
    """The board in lines that end with a line break: ``.`` unshot, ``o`` miss, ``x`` hit, ``#`` of a ship sunk.

    With ``reveal`` squares of ships that were not hit show the length of the ship (a ``+`` if it has two digits).
    """
    return "".join(f"{line}\n" for line in _lines(board, reveal))


def duel_text(state: State, names: Sequence[str], *, reveal: bool = False) -> str:
    """What each player shoots at, side by side under the players' names."""
    left, right = (_lines(board, reveal) for board in state.boards)
    titles = [f"{name} shoots at" for name in names]
    width = max(len(titles[0]), *map(len, left))
    rows = [(titles[0], titles[1]), *zip(left, right, strict=True)]
    return "".join(f"{a:{width}}{GAP}{b}".rstrip() + "\n" for a, b in rows)


def _lines(board: Board, reveal: bool) -> list[str]:
    rules = board.rules
    hidden: dict[int, str] = {}
    if reveal:
        for placement, length in zip(board.fleet, rules.fleet, strict=True):
            sign = str(length) if length < 10 else "+"
            hidden |= dict.fromkeys(squares_of(placement, length, rules), sign)
    margin = len(str(rules.height))
    wide = len(column_name(rules.width - 1))
    head = " ".join(f"{column_name(x):>{wide}}" for x in range(rules.width))
    lines = [f"{'':{margin}} {head}"]
    for y in range(rules.height):
        squares = range(y * rules.width, (y + 1) * rules.width)
        signs = [
            hidden.get(square, ".") if board.known[square] == "unshot" else SIGNS[board.known[square]]
            for square in squares
        ]
        lines.append(f"{y + 1:{margin}} " + " ".join(f"{sign:>{wide}}" for sign in signs))
    return lines
