"""Sensors of a square for formulas: what the shooter knows of it, and nothing else.

They speak of the squares that it shot, and of the ships that it must reckon with; all ships count as afloat where
nobody tells which one sank. Each has a twin in a slot of its name in ``kernel.layout``, which ``kernel.formulas``
fills, and in ``lua/battleship_sensors.lua``.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gpkit.gamekit.sensors import declared, sensed, sensor
from gpkit.games.battleship.aiming import STEPS, open_runs, possible_placements, squares_beside
from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.kernel.layout import KINDS_OF_COVER
from gpkit.games.battleship.options import MAX_SHIPS, MAX_SIDE
from gpkit.games.battleship.propagation import Beliefs, beliefs
from gpkit.games.battleship.rules import Board

MOST = 2 * MAX_SIDE * MAX_SHIPS
"""No square is covered by more placements."""


class Seen(NamedTuple):
    """A board as its shooter knows it, with the placements that cover each square, and what is to be believed."""

    board: Board
    covers: Sequence[Sequence[int]]
    believed: Beliefs


@sensor(0, MOST, "placements of ships afloat that cover the square and no open hit")
def cover(seen: Seen, square: int) -> float:
    return seen.covers[square][0]


@sensor(0, MOST, "placements that cover the square and one open hit")
def cover1(seen: Seen, square: int) -> float:
    return seen.covers[square][1]


@sensor(0, MOST, "placements that cover the square and two open hits")
def cover2(seen: Seen, square: int) -> float:
    return seen.covers[square][2]


@sensor(0, MOST, "placements that cover the square and three open hits or more")
def cover3(seen: Seen, square: int) -> float:
    return seen.covers[square][3]


@sensor(0, 1, "0 and 1, alternating as on a chessboard")
def parity(seen: Seen, square: int) -> float:
    return sum(_place(seen, square)) % 2


@sensor(0, 4, "open hits beside the square")
def beside(seen: Seen, square: int) -> float:
    return sum(run > 0 for run in open_runs(square, seen.board))


@sensor(0, MAX_SIDE, "open hits in a row that starts beside the square, in any direction")
def line(seen: Seen, square: int) -> float:
    return max(open_runs(square, seen.board))


@sensor(0, 2 * MAX_SIDE, "columns and rows to the nearest open hit; 0 if there is none")
def near(seen: Seen, square: int) -> float:
    x, y = _place(seen, square)
    hits = [_place(seen, other) for other, known in enumerate(seen.board.known) if known == "open"]
    return min((abs(row - y) + abs(column - x) for column, row in hits), default=0)


@sensor(0, MAX_SIDE // 2, "squares between this one and the nearest edge")
def edge(seen: Seen, square: int) -> float:
    x, y = _place(seen, square)
    rules = seen.board.rules
    return min(x, y, rules.width - 1 - x, rules.height - 1 - y)


@sensor(0, 4, "squares beside it that are off the board, misses, or parts of ships known to be sunk")
def blocked(seen: Seen, square: int) -> float:
    near = squares_beside(square, seen.board.rules)
    return len(STEPS) - sum(seen.board.known[each] in ("unshot", "open") for each in near)


@sensor(0, MAX_SIDE**2, "open hits on the board: hits on ships not known to be sunk")
def open_(seen: Seen) -> float:
    return seen.board.known.count("open")


@sensor(0, MAX_SIDE, "length of the longest ship afloat")
def longest(seen: Seen) -> float:
    return max(seen.board.afloat, default=0)


@sensor(0, MAX_SIDE, "length of the shortest ship afloat")
def shortest(seen: Seen) -> float:
    return min(seen.board.afloat, default=0)


@sensor(0, MAX_SHIPS, "ships afloat")
def afloat(seen: Seen) -> float:
    return len(seen.board.afloat)


@sensor(1, MAX_SIDE**2, "squares not yet shot at")
def left(seen: Seen) -> float:
    return seen.board.known.count("unshot")


@sensor(0, 2 * MAX_SIDE**2, "turns taken")
def turns(seen: Seen) -> float:
    return seen.board.turns


COUNTING = declared(globals())
"""Sensors that count squares and placements, in the order of their slots."""


@sensor(0, 1, "chance that a ship lies on the square, given all that is known", integer=False)
def chance(seen: Seen, square: int) -> float:
    return seen.believed.chance[square]


@sensor(0, 1, "chance that a shot at it sinks a ship, where sinking is announced", integer=False)
def sinks(seen: Seen, square: int) -> float:
    return seen.believed.sinks[square]


@sensor(
    0, 1, "chance that the likeliest square beside it holds the same ship, if it holds one", integer=False
)
def follow(seen: Seen, square: int) -> float:
    return seen.believed.follow[square]


@sensor(0, 1, "share of the possible fleets expected to be left after the answer", integer=False)
def fleets(seen: Seen, square: int) -> float:
    return seen.believed.fleets[square]


BELIEVING = declared(globals())[len(COUNTING) :]
"""Sensors of the posterior, in the slots after those."""


def sense(board: Board) -> dict[int, dict[str, float]]:
    """The value of every sensor, by name, for each square that has not been shot."""
    seen = Seen(board, placements_by_hits(board), beliefs(board))
    return {
        square: sensed((*COUNTING, *BELIEVING), seen, square)
        for square, known in enumerate(board.known)
        if known == "unshot"
    }


def placements_by_hits(board: Board) -> list[list[int]]:
    """By square how many placements of ships afloat cover it, by the open hits that they cover: 0, 1, 2, and more."""
    covers = [[0] * KINDS_OF_COVER for _ in board.known]
    for length in board.afloat:
        for placement in possible_placements(length, board):
            squares = squares_of(placement, length, board.rules)
            hits = sum(board.known[square] == "open" for square in squares)
            for square in squares:
                covers[square][min(hits, KINDS_OF_COVER - 1)] += 1
    return covers


def _place(seen: Seen, square: int) -> tuple[int, int]:
    """The column and the row of a square."""
    return square % seen.board.rules.width, square // seen.board.rules.width
