"""The instructions that the game carries out, in plain Python; ``kernel/gunnery.py`` is the compiled twin.

Positions are (column, row) from the top left corner and may lie off the board; directions are words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from gpkit.games.battleship.aiming import STEPS, Weights, answer, expected, target_squares
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, announced
from gpkit.vm.keyed import keyed_uniform_readable

Position = tuple[int, int]

DIRECTIONS = dict(zip(("north", "east", "south", "west"), STEPS, strict=True))
"""The step of each direction, in columns and rows."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "RandDir": ("north", "east", "south", "west"),
    "VertDir": ("north", "south"),
    "HorzDir": ("east", "west"),
}
"""The directions that each instruction draws from."""

OPPOSITE: Mapping[str, str] = {"north": "south", "east": "west", "south": "north", "west": "east"}


@dataclass(frozen=True, slots=True)
class Gunner:
    """State of a player between instructions, besides the board.

    Attributes:
        key: of the player's shots, 26 bits.
        target: who answers ``Target``.
        squares: the order of targets.
        draws: how many directions have been drawn.
        used: the directions drawn since the last ``Target``.
        weights: of placements, where memory of earlier games answers ``Target``; else empty.
    """

    key: int
    target: str
    squares: tuple[int, ...]
    draws: int = 0
    used: frozenset[str] = frozenset()
    weights: Weights = ()

    @classmethod
    def of(cls, key: int, target: str, board: Board, weights: Weights = ()) -> "Gunner":
        """The gunner before the first shot at a board."""
        return cls(key, target, target_squares(target, key, board), weights=weights)


def aim(gunner: Gunner, board: Board) -> tuple[Position, Gunner]:
    """``Target``: the position that the targeting player names, and the gunner after it."""
    if gunner.weights:
        square = expected(gunner.squares, gunner.weights, board)
    else:
        square = answer(gunner.target, gunner.squares, board)
    y, x = divmod(square, board.rules.width)
    return (x, y), replace(gunner, used=frozenset())


def ahead(position: Position, direction: str) -> Position:
    """The position one step further."""
    step = DIRECTIONS[direction]
    return position[0] + step[0], position[1] + step[1]


def is_on_board(position: Position, rules: Rules) -> bool:
    """Whether there is such a square."""
    return 0 <= position[0] < rules.width and 0 <= position[1] < rules.height


def square_at(position: Position, rules: Rules) -> int:
    """The square of a position, −1 off the board."""
    return position[1] * rules.width + position[0] if is_on_board(position, rules) else -1


def move_forward(position: Position, direction: str, edge: str, rules: Rules) -> Position:
    """``MoveFwd``: one step; ``edge`` says what happens there: ``leave`` the board, ``clamp`` to it, or ``torus``."""
    x, y = ahead(position, direction)
    if edge == "clamp":
        return min(max(x, 0), rules.width - 1), min(max(y, 0), rules.height - 1)
    if edge == "torus":
        return x % rules.width, y % rules.height
    return x, y


def draw_direction(
    word: str, position: Position, switch: str, gunner: Gunner, board: Board
) -> tuple[str, Gunner]:
    """``RandDir``, ``VertDir`` or ``HorzDir``: a direction drawn uniformly from those that the switch allows.

    Args:
        word: the instruction.
        position: the target.
        switch: ``unshot``: those that lead to an unshot square, else any direction that does, else all of the kind;
            ``unshot-all``: the same, but else all four; ``unused``: those not drawn since ``Target``, else all of the
            kind; ``any``: all of the kind.
        gunner: before.
        board: what the player shoots at.
    """
    choices = KINDS[word]
    if switch in ("unshot", "unshot-all"):
        free = [d for d in DIRECTIONS if _is_unshot(ahead(position, d), board)]
        rest = choices if switch == "unshot" else tuple(DIRECTIONS)
        choices = tuple(d for d in choices if d in free) or tuple(free) or rest
    elif switch == "unused":
        choices = tuple(d for d in choices if d not in gunner.used) or choices
    drawn = choices[int(keyed_uniform_readable(gunner.key, gunner.draws, 1) * len(choices))]
    return drawn, replace(gunner, draws=gunner.draws + 1, used=gunner.used | {drawn})


def _is_unshot(position: Position, board: Board) -> bool:
    return is_on_board(position, board.rules) and board.known[square_at(position, board.rules)] == "unshot"


def is_edge_ahead(position: Position, direction: str, rules: Rules) -> bool:
    """``IfEdge``: whether the square ahead is off the board."""
    return not is_on_board(ahead(position, direction), rules)


def is_known_ahead(position: Position, direction: str, board: Board) -> bool:
    """``IfKnown``: whether the square ahead is on the board and has been shot at."""
    position = ahead(position, direction)
    return is_on_board(position, board.rules) and not _is_unshot(position, board)


class Answer(NamedTuple):
    """Answer to ``Shoot`` for a program, and whether that cost it the turn."""

    hit: bool
    sunk: bool
    costs: bool


def shot_answer(position: Position, off_board: str, known: str, board: Board) -> Answer:
    """``Shoot``: what the answer is; the board is the one before the shot.

    Args:
        position: the target.
        off_board: a shot off the board is ``free`` or costs a ``turn``.
        known: a shot at a square shot before is ``free``, with what is known there; ``blind``: free and a miss; or
            costs a ``turn``, with what is known there.
        board: what the player shoots at.
    """
    square = square_at(position, board.rules)
    if square < 0:
        return Answer(hit=False, sunk=False, costs=off_board == "turn")
    if board.known[square] != "unshot":
        return Answer(known != "blind" and board.known[square] != "miss", sunk=False, costs=known == "turn")
    shot = board.shoot(square).shots[-1]
    return Answer(shot.hit, announced(shot, board.rules) is not None, costs=True)
