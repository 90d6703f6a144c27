"""The sensors of a square for formulas, in plain Python; ``kernel/formulas.py`` is the compiled twin.

They speak of what the shooter knows and of nothing else: the squares that it shot, and the ships that it must reckon
with.
"""

from collections.abc import Iterator

from gpkit.games.battleship.aiming import possible_placements
from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.kernel.layout import KINDS_OF_COVER
from gpkit.games.battleship.propagation import beliefs
from gpkit.games.battleship.rules import Board

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""From a square to those beside it, in columns and rows."""


def sense(board: Board) -> dict[int, dict[str, float]]:
    """The value of every sensor, by name, for each square that has not been shot."""
    covers, believed = placements_by_hits(board), beliefs(board)
    moment = {
        "env.open": board.known.count("open"),
        "env.longest": max(board.afloat, default=0),
        "env.shortest": min(board.afloat, default=0),
        "env.afloat": len(board.afloat),
        "env.left": board.known.count("unshot"),
        "env.turns": board.turns,
    }
    return {
        square: {
            name: float(value)
            for name, value in {
                **_of_square(square, covers[square], board),
                **moment,
                "env.chance": believed.chance[square],
                "env.sinks": believed.sinks[square],
                "env.follow": believed.follow[square],
                "env.fleets": believed.fleets[square],
            }.items()
        }
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


def _of_square(square: int, covers: list[int], board: Board) -> dict[str, int]:
    rules = board.rules
    y, x = divmod(square, rules.width)
    runs = [sum(1 for _ in _open_run(x, y, step, board)) for step in STEPS]
    opened = [divmod(other, rules.width) for other, known in enumerate(board.known) if known == "open"]
    return {
        "env.cover": covers[0],
        "env.cover1": covers[1],
        "env.cover2": covers[2],
        "env.cover3": covers[3],
        "env.parity": (x + y) % 2,
        "env.beside": sum(run > 0 for run in runs),
        "env.line": max(runs),
        "env.near": min((abs(row - y) + abs(column - x) for row, column in opened), default=0),
        "env.edge": min(x, y, rules.width - 1 - x, rules.height - 1 - y),
        "env.blocked": sum(_is_blocked(x + right, y + down, board) for right, down in STEPS),
    }


def _open_run(x: int, y: int, step: tuple[int, int], board: Board) -> Iterator[int]:
    """The open hits that follow upon each other from beside a square."""
    rules = board.rules
    while True:
        x, y = x + step[0], y + step[1]
        on_board = 0 <= x < rules.width and 0 <= y < rules.height
        if not on_board or board.known[y * rules.width + x] != "open":
            return
        yield y * rules.width + x


def _is_blocked(x: int, y: int, board: Board) -> bool:
    """Whether no ship afloat can lie on (x, y): it is off the board, a miss, or of a ship that is known to be sunk."""
    rules = board.rules
    on_board = 0 <= x < rules.width and 0 <= y < rules.height
    return not on_board or board.known[y * rules.width + x] in ("miss", "sunk")
