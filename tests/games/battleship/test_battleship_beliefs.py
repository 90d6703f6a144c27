"""Sensors of beliefs: against full enumeration, and their meaning."""

from itertools import product

import pytest

from gpkit.games.battleship.fleets import is_legal, is_on_board
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.propagation import beliefs
from gpkit.games.battleship.rules import Board, replayed


def enumerated(board: Board) -> list[float]:
    """The exact chance of each square: every fleet that answers all shots so is equally likely."""
    rules = board.rules
    ways = [[p for p in range(2 * rules.squares) if is_on_board(p, n, rules)] for n in rules.fleet]
    fleets = [fleet for fleet in product(*ways) if is_legal(fleet, rules) and replayed(fleet, board)]
    boards = [Board.of(fleet, rules) for fleet in fleets]
    return [
        sum(each.ship_at(square) >= 0 for each in boards) / len(boards) for square in range(rules.squares)
    ]


def board_after(shots: tuple[int, ...], options: dict[str, str]) -> Board:
    """Ships of 3 and 2 on 4x4 squares, in the first row and at the right of the last one."""
    board = Board.of((0, 2 * 14), GAME.make_rules({"board": "4x4", "fleet": "3,2", **options}))
    for square in shots:
        board = board.shoot(square)
    return board


@pytest.mark.parametrize("options", [{}, {"touch": "no"}, {"announce": "hit"}], ids=str)
@pytest.mark.parametrize("shots", [(), (5,), (5, 1), (5, 1, 0), (10, 15, 3)], ids=str)
def test_chances_are_near_those_of_all_fleets(shots: tuple[int, ...], options: dict[str, str]) -> None:
    board = board_after(shots, options)
    exact, chance = enumerated(board), beliefs(board).chance
    unshot = [square for square, known in enumerate(board.known) if known == "unshot"]
    errors = [abs(chance[square] - exact[square]) for square in unshot]
    # that ships hold each other off is not seen, which counts most on a board as small as this
    error, loss = (0.06, 0.05) if board.rules.touch else (0.08, 0.2)
    assert sum(errors) / len(errors) < error
    best = max(unshot, key=lambda square: chance[square])
    assert exact[best] > max(exact[square] for square in unshot) - loss


def test_a_ship_of_one_place_is_sure() -> None:
    believed = beliefs(board_after((0, 1, 4), {}))
    assert believed.chance[2] > 0.99, "the ship of three goes on to the right"
    assert believed.sinks[2] > 0.7, "and ends there, unless the ship of two lies there"
    assert believed.chance[0] == believed.chance[4] == 0.0, "both are known"


def test_what_is_not_told_does_not_count() -> None:
    told, untold = (beliefs(board_after((0, 5), {"announce": word})) for word in ("sunk", "hit"))
    assert max(told.sinks) > 0.0
    assert max(untold.sinks) == 0.0
    assert told.chance == untold.chance
