"""The mean field against counts: equal where one ship is left, near where there are more, and large boards."""

from dataclasses import replace
from math import inf, isnan

import numpy as np
import pytest
from belief_positions import positions
from numpy.typing import NDArray

from gpkit.games.battleship.belief.facts import Facts
from gpkit.games.battleship.belief.field import mean_field
from gpkit.games.battleship.belief.player import AGENT
from gpkit.games.battleship.belief.posterior import posterior, posterior_of
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board

LONE = Rules(width=5, height=4, fleet=(3,))
HUNDRED = {"board": "50x50", "touch": "no", "fleet": ",".join("4" * 10 + "3" * 20 + "2" * 30 + "1" * 40)}


@pytest.mark.parametrize("announce", ["ship", "hit"])
def test_chances_of_a_lone_ship_are_exact(announce: str) -> None:
    for board in positions(replace(LONE, announce=announce), 10):
        facts = Facts.of(board)
        np.testing.assert_allclose(mean_field(facts), posterior_of(facts).chances, atol=1e-12)


@pytest.mark.parametrize("variant", ["classic", "ten-ships"])
def test_chances_of_several_ships_are_near(variant: str) -> None:
    rules = GAME.make_rules(
        {"variant": variant, "board": "8x8"} | ({"fleet": "3,2,1"} if variant != "classic" else {})
    )
    errors = []
    for board in positions(rules, 6):
        exact = posterior(board)
        assert exact.exact
        errors.append(np.abs(mean_field(Facts.of(board)) - exact.chances).mean())
    assert np.mean(errors) < 0.02


def test_a_hundred_ships() -> None:
    rules = GAME.make_rules(HUNDRED)
    board = Board.of(tuple(2 * (100 * (ship // 10) + 5 * (ship % 10)) for ship in range(100)), rules)
    for square in (0, 1, 2, 3, 1_234, 5, 55, 777, 10, 110):
        board = board.shoot(square)
    found = posterior(board)
    assert not found.exact
    assert isnan(found.error)
    assert found.fleets == inf
    assert found.chances.sum() == pytest.approx(sum(rules.fleet), rel=0.05)
    assert np.all((found.chances >= 0.0) & (found.chances <= 1.0))
    assert_known(board, found.chances)
    square = AGENT.choose(board, 0, 1)
    assert board.known[square] == "unshot"
    assert found.chances[square] == max(
        chance for chance, known in zip(found.chances, board.known, strict=True) if known == "unshot"
    )


def assert_known(board: Board, chances: NDArray[np.float64]) -> None:
    for chance, known in zip(chances, board.known, strict=True):
        if known != "unshot":
            assert chance == (known != "miss")
