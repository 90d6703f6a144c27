"""The posterior against every fleet of small boards, and the number of fleets of the usual board."""

from collections.abc import Iterator
from dataclasses import replace
from math import factorial, prod

import numpy as np
import pytest
from consistent_fleets import chances_of, consistent_covers
from kernel_marks import compiled_only

from gpkit.core.rng import stream
from gpkit.games.battleship.arena import running_sums
from gpkit.games.battleship.belief.facts import Facts, Sinking
from gpkit.games.battleship.belief.posterior import Effort, posterior, posterior_of
from gpkit.games.battleship.fleets import draw_fleet
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board

SMALL = Rules(width=6, height=6, fleet=(3, 2, 2))
TINY = Rules(width=4, height=4, fleet=(3, 2, 2))
APART = Rules(width=5, height=3, fleet=(3, 1, 1), touch=False)
SAMPLED = Effort(operations=0, samples=10_000)


def positions(rules: Rules, count: int) -> Iterator[Board]:
    """Boards under fire: some shots at random, every fourth of them at a ship."""
    rng = stream(7_301, "positions", *rules.fleet)
    for key, extra, _ in GAME.deal(rng, count, rules).keys[:, 1].tolist():
        board = Board.of(draw_fleet(key, extra, running_sums("uniform", rules), rules), rules)
        for _ in range(int(rng.integers(1, 2 * rules.squares // 3))):
            unshot = [square for square, known in enumerate(board.known) if known == "unshot"]
            ships = [square for square in unshot if board.ship_at(square) >= 0]
            after = board.shoot(int(rng.choice(ships if rng.random() < 0.25 else unshot)))
            if after.status == "playing":
                board = after
        yield board


def check(board: Board, *, sampled: bool) -> None:
    covers = consistent_covers(board)
    counted = posterior(board)
    assert counted.exact
    assert counted.error == 0.0
    fleet = board.rules.fleet
    assert counted.fleets * prod(factorial(fleet.count(length)) for length in set(fleet)) == len(covers)
    np.testing.assert_array_equal(counted.chances, chances_of(covers))
    if sampled:
        estimated = posterior(board, 11, SAMPLED)
        assert not estimated.exact
        assert np.abs(estimated.chances - counted.chances).max() <= 0.02


@pytest.mark.parametrize("announce", ["ship", "sunk", "hit"])
@pytest.mark.parametrize("rules", [TINY, APART])
def test_chances_are_those_of_all_fleets_that_agree(rules: Rules, announce: str) -> None:
    told = replace(rules, announce=announce)
    for number, board in enumerate(positions(told, 8)):
        check(board, sampled=number < 2)


@pytest.mark.slow
@pytest.mark.parametrize("announce", ["ship", "sunk", "hit"])
def test_chances_on_two_hundred_positions(announce: str) -> None:
    for board in positions(replace(SMALL, announce=announce), 200):
        check(board, sampled=True)


@compiled_only
def test_fleets_of_the_usual_board() -> None:
    found = posterior_of(Facts(Rules()), effort=Effort(operations=4_000_000_000))
    assert found.exact
    assert found.fleets == 15_046_987_768
    board = found.chances.reshape(10, 10)
    assert found.chances.sum() == pytest.approx(17.0)
    np.testing.assert_array_equal(board, board.T)
    np.testing.assert_array_equal(board, board[::-1])


def test_facts_do_not_depend_on_the_order_of_shots() -> None:
    board = Board.of((0, 12, 24), SMALL)
    one, other = board, board
    for square in (0, 1, 30, 2, 35):
        one = one.shoot(square)
    for square in (35, 30, 1, 0, 2):
        other = other.shoot(square)
    assert Facts.of(one) == Facts.of(other)
    assert Facts.of(one) == Facts(SMALL, (30, 35), (0, 1, 2), (Sinking(2, 3, (0, 1, 2)),))
    assert Facts.of(board.shoot(0).shoot(0).shoot(-1)) == Facts(SMALL, (), (0,))
