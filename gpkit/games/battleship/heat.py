"""Heat maps: how likely a ship lies on each square, as text and as colours."""

from collections.abc import Sequence

from gpkit.games.battleship.board import SIGNS, column_name
from gpkit.games.battleship.rules import Board

Chances = Sequence[float]
"""By square the chance of a ship."""

WIDEST = 24
"""Columns of a board that is shown with chances in hundredths; wider ones have them in tenths."""

COLDEST, HOTTEST = (43, 88, 118), (240, 140, 40)
"""Red, green and blue of chances 0 and 1."""


def heat_text(board: Board, chances: Chances) -> str:
    """A board in lines that end with a line break: chances of unshot squares, and what is known of the others.

    Chances are in hundredths, on wide boards (where columns show their last letter) in tenths, rounded down;
    ``o`` miss, ``x`` hit, ``#`` of a ship sunk.
    """
    rules = board.rules
    wide, parts, blank = (2, 100, " ") if rules.width <= WIDEST else (1, 10, "")
    margin = len(str(rules.height))
    names = [column_name(x)[-wide:] for x in range(rules.width)]
    lines = [f"{'':{margin}} " + blank.join(f"{name:>{wide}}" for name in names)]
    for y in range(rules.height):
        squares = range(y * rules.width, (y + 1) * rules.width)
        cells = [
            str(min(int(parts * chances[square]), parts - 1))
            if board.known[square] == "unshot"
            else SIGNS[board.known[square]]
            for square in squares
        ]
        lines.append(f"{y + 1:{margin}} " + blank.join(f"{cell:>{wide}}" for cell in cells))
    return "".join(f"{line}\n" for line in lines)


def colour(chance: float) -> str:
    """The colour of a chance, as ``#rrggbb``."""
    part = min(max(chance, 0.0), 1.0)
    mixed = (round(cold + part * (hot - cold)) for cold, hot in zip(COLDEST, HOTTEST, strict=True))
    return "#" + "".join(f"{each:02x}" for each in mixed)
