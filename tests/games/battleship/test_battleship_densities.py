"""Densities of placement patterns: counts by definition, and what each pattern makes certain."""

import numpy as np
import pytest
from kernel_marks import compiled_only

from gpkit.core.rng import stream
from gpkit.games.battleship.learner.targeting import pattern_density, times_covered
from gpkit.games.battleship.rules import BattleshipRules, squares_of

pytestmark = compiled_only

RULES = BattleshipRules()


def test_a_square_counts_the_fleets_that_have_a_ship_there() -> None:
    fleets = np.array([[0, 20, 40, 60, 80], [0, 21, 45, 61, 83]])
    expected = np.zeros(100)
    for fleet in fleets.tolist():
        for placement, length in zip(fleet, RULES.fleet, strict=True):
            for square in squares_of(placement, length, RULES):
                expected[square] += 1
    assert times_covered(fleets, RULES).tolist() == expected.tolist()


@pytest.mark.parametrize("pattern", ["uniform", "one-by-one"])
def test_random_fleets_have_the_shares_that_were_measured_beforehand(pattern: str) -> None:
    count = 40_000
    density = pattern_density(stream(1, "test"), pattern, RULES, count)
    assert density.sum() == pytest.approx(sum(RULES.fleet))
    expected = {"uniform": (0.080, 0.167, 0.213), "one-by-one": (0.074, 0.158, 0.222)}[pattern]
    for square, share in zip((0, 4, 44), expected, strict=True):
        assert abs(density[square] - share) < 4 * np.sqrt(share * (1 - share) / count) + 0.0005


def test_a_pattern_of_corners_has_a_ship_in_each() -> None:
    density = pattern_density(stream(1, "test"), "corners", RULES, 1000)
    assert density[[0, 9, 90, 99]].tolist() == [1.0] * 4


def test_more_fleets_than_are_drawn_at_once_are_one_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pattern_density(stream(1, "test"), "uniform", RULES, 30)
    monkeypatch.setattr("gpkit.games.battleship.learner.targeting.BATCH", 7)
    assert pattern_density(stream(1, "test"), "uniform", RULES, 30).tolist() == whole.tolist()
