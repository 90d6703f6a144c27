"""Intervals hold what they promise: A/A comparisons of real games, few in CI and 1,000 when asked for.

``experiments/data/coverage.json`` is the committed result of ``experiments/gpkit_experiments/coverage_simulation.py``.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from math import comb
from pathlib import Path

import pytest

from gpkit_experiments.coverage_simulation import (
    COMMAND,
    COMPARISONS,
    SEED,
    TOURNAMENTS,
    coverage,
    coverage_of_ratings,
    other_deals,
    same_deals,
)

few_comparisons = cache(lambda design: coverage(design, FEW))
RECORDED = json.loads((Path(__file__).parents[1] / "data" / "coverage.json").read_text(encoding="utf-8"))
DESIGNS = {"same deals": same_deals, "other deals": other_deals}
FEW = 200


def _binomial_range(trials: int, probability: float, doubt: float) -> tuple[int, int]:
    """The counts that such trials stay within, but for a probability of at most ``doubt`` on either side."""

    def mass(counts: range) -> Iterator[tuple[int, float]]:
        total = 0.0
        for k in counts:
            total += comb(trials, k) * probability**k * (1.0 - probability) ** (trials - k)
            yield k, total

    low = next(k for k, below in mass(range(trials + 1)) if below > doubt)
    high = next(k for k, above in mass(range(trials, -1, -1)) if above > doubt)
    return low, high


def test_binomial_range() -> None:
    assert _binomial_range(10, 0.5, 0.01) == (1, 9)
    assert _binomial_range(FEW, 0.95, 0.001) == (179, 198)


@pytest.mark.parametrize("name", DESIGNS)
def test_intervals_by_deal_cover(name: str) -> None:
    low, high = _binomial_range(FEW, 0.95, 0.001)
    assert low <= few_comparisons(DESIGNS[name]).covered_by_deal <= high


def test_intervals_by_game_are_too_wide_where_hands_are_shared() -> None:
    few = few_comparisons(other_deals)
    assert few.half_width_by_game > 1.2 * few.half_width_by_deal
    assert few.covered_by_game > few.covered_by_deal


def test_intervals_by_game_agree_where_only_coin_tosses_differ() -> None:
    few = few_comparisons(same_deals)
    assert few.half_width_by_game == pytest.approx(few.half_width_by_deal, rel=0.02)


@pytest.mark.parametrize("name", DESIGNS)
def test_recorded_coverage(name: str) -> None:
    recorded = RECORDED[name]
    assert recorded["comparisons"] == COMPARISONS == 1000
    assert 930 <= recorded["covered_by_deal"] <= 970
    assert (RECORDED["command"], RECORDED["seed"]) == (COMMAND, SEED)


def test_recorded_coverage_of_ratings() -> None:
    low, high = _binomial_range(TOURNAMENTS, 0.95, 0.005)
    for covered in RECORDED["ratings"]["covered"].values():
        assert low <= covered <= high


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_a_thousand_comparisons_give_what_is_recorded(name: str) -> None:
    assert asdict(coverage(DESIGNS[name], COMPARISONS)) == RECORDED[name]


@pytest.mark.slow
def test_ratings_give_what_is_recorded() -> None:
    assert coverage_of_ratings(TOURNAMENTS) == RECORDED["ratings"]["covered"]
