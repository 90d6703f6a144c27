"""The reference agent: its pattern database, the neighbours of hits, and what it makes of ships that sink.

Which directions are drawn, and the two readings of "if none, any": the source leaves open any of which.
"""

import pytest

from gpkit.games.battleship.agents import HALO, HITS_ALONE, REFERENCE, ReferenceAgent, database, finished
from gpkit.games.battleship.primitives import Gunner
from gpkit.games.battleship.rules import BattleshipRules, Board

SMALL = BattleshipRules(width=6, height=6, fleet=(3, 2), touch=False)


def shots(agent: ReferenceAgent, board: Board) -> list[int]:
    while board.status == "playing":
        board = board.shoot(agent.consider(board, 0, 5)[0])
    return [shot.square for shot in board.shots]


def test_the_database_is_three_of_four_diagonals_the_longest_first() -> None:
    squares = database(10, 10)
    assert len(squares) == len(set(squares)) == 75
    assert {square // 10 + square % 10 for square in squares[:26]} == {1, 5, 9, 13, 17}
    assert {(square // 10 + square % 10 - 9) % 4 for square in squares} == {0, 1, 2}


def test_neighbours_of_a_hit_come_first_and_then_what_is_left_is_shot_at() -> None:
    fleet = (2 * 14, 2 * 30)
    board = Board.of(fleet, SMALL).shoot(14)
    assert shots(HITS_ALONE, board)[:5] == [14, 8, 15, 20, 13]
    found = shots(REFERENCE, board)
    assert found[:3] == [14, 8, 15]
    assert len(set(found)) == len(found)
    assert {14, 15, 16, 30, 31} <= set(found)


def test_told_sinkings_it_leaves_a_ship_alone_and_by_its_halo_it_leaves_the_squares_around_it() -> None:
    board = Board.of((2 * 14, 2 * 30), SMALL)
    for square in (14, 15, 16):
        board = board.shoot(square)
    assert finished(board) == {14, 15, 16}
    assert HITS_ALONE.consider(board, 0, 1)[0] == 8
    around = {7, 8, 9, 10, 11, 13, 17, 19, 20, 21, 22, 23}
    plain = REFERENCE.consider(board, 0, 1)[0]
    assert plain == database(6, 6)[0]
    assert not around & set(shots(HALO, board)[3:])
    assert around & set(shots(REFERENCE, board)[3:])


def test_where_it_is_only_told_that_a_ship_sank_the_hits_that_hang_together_did() -> None:
    rules = BattleshipRules(width=6, height=6, fleet=(3, 2), touch=False, announce="sunk")
    board = Board.of((2 * 14, 2 * 30), rules)
    for square in (30, 14, 15, 16):
        board = board.shoot(square)
    assert finished(board) == {14, 15, 16}
    silent = Board.of(
        (2 * 14, 2 * 30), BattleshipRules(width=6, height=6, fleet=(3, 2), touch=False, announce="hit")
    )
    for square in (14, 15, 16):
        silent = silent.shoot(square)
    assert finished(silent) == frozenset()


def test_chances_share_what_is_left() -> None:
    board = Board.of((2 * 14, 2 * 30), SMALL).shoot(14).shoot(0)
    chances = REFERENCE.chances(board, 0, 1)
    assert chances[[14, 0]].tolist() == [1.0, 0.0]
    assert abs(chances.sum() - 5) < 1e-12


RULES = BattleshipRules(width=3, height=3, fleet=(1,))
CENTRE = (1, 1)
NORTH, WEST, EAST, SOUTH = 1, 3, 5, 7
"""The squares around the centre."""


def drawn(word: str, switch: str, *shot: int) -> set[str]:
    """The directions that come up in many draws from the centre after shots."""
    board = Board.of((0,), RULES)
    for square in shot:
        board = board.shoot(square)
    gunner = Gunner.of(board, 5, {"target": "uniform"})
    return {gunner.draw(word, CENTRE, switch) for _ in range(60)}


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
