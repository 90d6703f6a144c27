"""The board with the players' names, each with the letter that its boxes show."""

from collections.abc import Sequence

from gpkit.games.dots_and_boxes.board import OWNERS, board_text
from gpkit.games.dots_and_boxes.rules import State


def lettered(names: Sequence[str]) -> tuple[str, ...]:
    """The names behind the letters of the players.

    >>> lettered(["careful", "chain"])
    ('A careful', 'B chain')
    """
    return tuple(f"{letter} {name}" for letter, name in zip(OWNERS, names, strict=True))


def named_board(state: State, names: Sequence[str]) -> str:
    """The board and, below it, whose boxes show which letter, the score and who is to draw."""
    *rows, told = board_text(state, names).splitlines(keepends=True)
    standing = told.rpartition("; ")[2]
    score = ", ".join(f"{name} {state.boxes_of(player)}" for player, name in enumerate(lettered(names)))
    return "".join([*rows, f"{score}; {standing}"])
