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

    Chances are in hundredths, on wide boards in tenths, rounded down; ``o`` miss, ``x`` hit, ``#`` of a ship sunk.
    """
    rules = board.rules
    hundredths = rules.width <= WIDEST
    wide, parts = (2, 100) if hundredths else (1, 10)
    margin = len(str(rules.height))
    names = [column_name(x) for x in range(rules.width)]
    blank = " " if hundredths or len(names[-1]) == 1 else ""
    lines = [f"{'':{margin}} " + blank.join(f"{name:>{wide}}" for name in names)] if blank else []
    for y in range(rules.height):
        cells = [
            str(min(int(parts * chances[square]), parts - 1)) if known == "unshot" else SIGNS[known]
            for square, known in enumerate(board.known)
            if square // rules.width == y
        ]
        lines.append(f"{y + 1:{margin}} " + blank.join(f"{cell:>{wide}}" for cell in cells))
    return "".join(f"{line}\n" for line in lines)


def colour(chance: float) -> str:
    """The colour of a chance, as ``#rrggbb``."""
    part = min(max(chance, 0.0), 1.0)
    mixed = (round(cold + part * (hot - cold)) for cold, hot in zip(COLDEST, HOTTEST, strict=True))
    return "#" + "".join(f"{each:02x}" for each in mixed)
