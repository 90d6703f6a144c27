"""Placement by Sequential Monte Carlo: legal, in proportion to its weights, and away from where the other shoots."""

from collections import Counter
from math import prod

import numpy as np
import pytest
from battleship_table import legal_fleets

from gpkit.core.arrays import Floats
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.games.battleship.learner.targeting import Received, drawn_fleets, random_density, square_weights
from gpkit.games.battleship.rules import BattleshipRules, Board, Placements, is_legal, squares_of

CLASSIC = BattleshipRules()


def first_fleet(key: int, weights: Floats, rules: BattleshipRules) -> Placements:
    """The first particle of a few."""
    return tuple(drawn_fleets(stream(key, "own"), weights, rules, 30)[0].tolist())


@pytest.mark.parametrize(
    "rules",
    [
        BattleshipRules(width=3, height=3, fleet=(2, 2)),
        BattleshipRules(width=4, height=3, fleet=(3, 2), touch=False),
    ],
)
def test_fleets_come_in_proportion_to_the_weights_of_their_squares(rules: BattleshipRules) -> None:
    weights = stream(1, "weights").random(rules.squares) + 0.2
    expected = {
        fleet: prod(
            float(np.exp(np.log(weights[list(squares_of(placement, length, rules))]).mean()))
            for placement, length in zip(fleet, rules.fleet, strict=True)
        )
        for fleet in legal_fleets(rules)
    }
    drawn = Counter(tuple(row) for row in drawn_fleets(stream(2, "fleets"), weights, rules, 20_000).tolist())
    assert set(drawn) <= set(expected)
    total = sum(expected.values())
    for fleet, weight in expected.items():
        share = weight / total
        assert abs(drawn[fleet] / 20_000 - share) < 6 * (share / 20_000) ** 0.5


def test_the_density_of_random_fleets_is_that_of_figure_1() -> None:
    density = random_density(CLASSIC).reshape(10, 10)
    assert density.sum() == pytest.approx(17)
    assert np.array_equal(density, density.T) and np.array_equal(density, density[::-1])
    found = density[0, 0], density[0, 4], density[4, 4]
    assert found == pytest.approx((0.080, 0.167, 0.214), abs=0.006)


@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"touch": False, "fleet": (4, 3, 3, 2, 2, 2, 1, 1, 1, 1)}, marks=pytest.mark.release),
        {"width": 5, "height": 7, "fleet": (5, 3, 3, 2)},
    ],
)
def test_fleets_are_legal_and_equal_for_equal_streams(options) -> None:  # type: ignore[no-untyped-def]
    rules = BattleshipRules(**options)
    weights = square_weights(Received.none(rules), rules, caution=4.0)
    fleets = [first_fleet(key, weights, rules) for key in range(10)]
    assert all(is_legal(fleet, rules) for fleet in fleets)
    assert fleets == [first_fleet(key, weights, rules) for key in range(10)]
    assert len(set(fleets)) > 5


def test_where_nothing_fits_that_is_said() -> None:
    rules = BattleshipRules(width=3, height=3, fleet=(3, 3), touch=False)
    assert first_fleet(0, np.ones(9), rules) in legal_fleets(rules)
    with pytest.raises(UsageError, match="no layout was found for the ships 2,2,2 on 3x3 without touching"):
        first_fleet(0, np.ones(9), BattleshipRules(width=3, height=3, fleet=(2, 2, 2), touch=False))


def test_squares_that_are_shot_early_are_avoided() -> None:
    rules = BattleshipRules(width=6, height=6, fleet=(3, 2, 2))
    home = Board.of((48, 60, 68), rules)  # in the last two rows
    for square in range(18):
        home = home.shoot(square)
    received = Received.none(rules).after(home)
    assert received.times == (1,) * 18 + (0,) * 18
    heat = received.heat(rules)
    assert heat[0] == 1.0 and heat[1] == pytest.approx(35 / 36) and heat[18] == 0.0
    careful = square_weights(received, rules, caution=20.0)
    careless = square_weights(received, rules, caution=0.0)
    assert np.array_equal(careless, square_weights(Received.none(rules), rules, caution=20.0))
    inverse = 1.0 / random_density(rules)
    assert careless == pytest.approx(inverse / inverse.sum())

    def share(weights) -> float:  # type: ignore[no-untyped-def]
        fleets = [first_fleet(key, weights, rules) for key in range(30)]
        taken = [
            s for f in fleets for p, n in zip(f, rules.fleet, strict=True) for s in squares_of(p, n, rules)
        ]
        return float(np.mean([square >= 18 for square in taken]))

    assert share(careless) < 0.7 < 0.9 < share(careful)
