"""Which directions are drawn, and the two readings of "if none, any": the source leaves open any of which."""

import pytest

from gpkit.games.battleship.gunnery import Gunner, draw_direction
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board

RULES = Rules(width=3, height=3, fleet=(1,))
CENTRE = (1, 1)
NORTH, WEST, EAST, SOUTH = 1, 3, 5, 7
"""The squares around the centre."""


def drawn(word: str, switch: str, *shot: int) -> set[str]:
    """The directions that come up in many draws from the centre after shots."""
    board = Board.of((0,), RULES)
    for square in shot:
        board = board.shoot(square)
    gunner = Gunner.of(5, "uniform", board)
    found = set()
    for _ in range(60):
        direction, gunner = draw_direction(word, CENTRE, switch, gunner, board)
        found.add(direction)
    return found


@pytest.mark.parametrize("switch", ["unshot", "unshot-all"])
def test_directions_lead_to_unshot_squares_as_long_as_there_are_any(switch: str) -> None:
    assert drawn("VertDir", switch) == {"north", "south"}
    assert drawn("VertDir", switch, NORTH) == {"south"}
    assert drawn("VertDir", switch, NORTH, SOUTH) == {"east", "west"}
    assert drawn("VertDir", switch, NORTH, SOUTH, WEST) == {"east"}


@pytest.mark.parametrize(
    ("switch", "word", "expected"),
    [
        ("unshot", "VertDir", {"north", "south"}),
        ("unshot", "HorzDir", {"east", "west"}),
        ("unshot-all", "VertDir", {"north", "east", "south", "west"}),
        ("unshot-all", "HorzDir", {"north", "east", "south", "west"}),
        ("unshot", "RandDir", {"north", "east", "south", "west"}),
        ("unshot-all", "RandDir", {"north", "east", "south", "west"}),
    ],
)
def test_without_an_unshot_square_any_of_the_kind_or_of_all(
    switch: str, word: str, expected: set[str]
) -> None:
    assert drawn(word, switch, NORTH, WEST, EAST, SOUTH) == expected
