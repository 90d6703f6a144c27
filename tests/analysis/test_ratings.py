"""Ratings: they recover known weights, match an oracle, order real programs, and their intervals shrink with deals."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from gpkit.analysis.ratings import ELO, advantages, plackett_luce, rate
from gpkit.core.rng import stream
from gpkit.games.sevens.game import GAME
from gpkit.playing.contest import Tournament, play_tournament
from gpkit.playing.players import player_of_name

FIELD = ("random", "simple", "hold", "far-first")
MANY = 10**9


def _shares(weights: NDArray[np.float64], rivals: int) -> NDArray[np.float64]:
    """What the model expects: float64 (programs, programs)."""
    return weights[:, None] / (weights[:, None] + rivals * weights[None, :])


def _tournament(games: int, **options: str) -> Tournament:
    agents = [player_of_name(name, GAME) for name in FIELD]
    return play_tournament(GAME, agents, rules=GAME.make_rules(options), seed=11, games=games)


@pytest.mark.parametrize("rivals", [1, 2, 6])
def test_weights_are_recovered_from_the_shares_that_they_predict(rivals: int) -> None:
    weights = np.exp(stream(1, "test").normal(size=7) * 1.5)
    fitted = plackett_luce(_shares(weights, rivals), rivals, MANY)
    assert fitted == pytest.approx(weights / np.exp(np.log(weights).mean()), rel=1e-6)


@pytest.mark.parametrize("rivals", [1, 2, 6])
def test_weights_are_those_of_greatest_likelihood(rivals: int) -> None:
    """At the maximum the slope of the likelihood in the logarithm of every weight is zero."""
    shares = stream(2, "test").uniform(0.05, 0.95, size=(5, 5))
    np.fill_diagonal(shares, np.nan)
    weights = plackett_luce(shares, rivals, MANY)
    surplus = shares - _shares(weights, rivals)
    slopes = np.nansum(surplus, axis=1) - np.nansum(surplus, axis=0)
    assert slopes == pytest.approx(np.zeros(5), abs=1e-6)


def test_a_stack_of_tables_is_fitted_table_by_table() -> None:
    tables = stream(3, "test").uniform(0.1, 0.9, size=(4, 3, 3))
    stacked = plackett_luce(tables, 2, 1000, start=np.array([0.5, 1.0, 2.0]))
    for weights, table in zip(stacked, tables, strict=True):
        assert weights == pytest.approx(plackett_luce(table, 2, 1000), rel=1e-6)


def test_programs_that_always_or_never_win_have_a_rating() -> None:
    shares = np.array([[0.0, 1.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    few, many = (ELO * np.log(plackett_luce(shares, 2, games)) for games in (100, 10_000))
    assert few[0] > few[1] > few[2]
    assert np.isfinite(many).all()
    assert many[0] - many[2] > few[0] - few[2] > 800  # the more games, the more such a score says


def test_rating_points_are_those_of_elo() -> None:
    weights = plackett_luce(np.array([[0.5, 10 / 11], [1 / 11, 0.5]]), 1, MANY)
    assert ELO * math.log(weights[0] / weights[1]) == pytest.approx(400.0, abs=1e-3)


def test_advantages_are_least_squares() -> None:
    scores = stream(4, "test").normal(size=(4, 4))
    np.fill_diagonal(scores, np.nan)
    rows, targets = [], []
    for i in range(4):
        for j in range(4):
            if i != j:
                rows.append([(k == i) - (k == j) for k in range(4)])
                targets.append(scores[i, j])
    oracle = np.linalg.lstsq(np.array(rows, dtype=float), np.array(targets), rcond=None)[0]
    assert advantages(scores) == pytest.approx(oracle - oracle.mean())


@pytest.mark.parametrize(
    "players", ["3", *(pytest.param(players, marks=pytest.mark.release) for players in ("2", "7"))]
)
@pytest.mark.parametrize(
    ("end", "model", "unit"),
    [
        ("first", "plackett-luce", "Elo points"),
        ("ranks", "plackett-luce", "Elo points"),
        ("points", "advantage", "points a game"),
    ],
)
def test_real_programs_under_every_end(players: str, end: str, model: str, unit: str) -> None:
    ratings = rate(_tournament(2100, players=players, end=end), seed=0, resamples=100)
    assert (ratings.model, ratings.unit) == (model, unit)
    order = [rating.program for rating in ratings.ratings]
    assert order[0] == "simple"
    assert order[-1] == "random"
    assert sum(rating.interval.mean for rating in ratings.ratings) == pytest.approx(0.0, abs=1e-9)
    for rating in ratings.ratings:
        assert rating.interval.low < rating.interval.mean < rating.interval.high
    assert ratings.ratings[0].score > ratings.ratings[-1].score
    assert ratings.misfit < (0.15 if model == "plackett-luce" else 2.0)


@pytest.mark.release
def test_intervals_shrink_with_the_root_of_the_deals() -> None:
    few, many = (rate(_tournament(games), seed=0, resamples=200).ratings[0] for games in (1200, 19_200))
    assert few.interval.units == 400
    assert few.interval.half_width / many.interval.half_width == pytest.approx(4.0, rel=0.25)


def test_seed_decides_the_intervals_and_not_the_ratings() -> None:
    table = _tournament(600)
    first, again, other = (rate(table, seed=seed, resamples=50) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert [r.interval.mean for r in first.ratings] == [r.interval.mean for r in other.ratings]


def test_ratings_do_not_depend_on_the_order_of_the_programs() -> None:
    table = _tournament(600)
    turned = replace(
        table, programs=table.programs[::-1], cells=tuple(row[::-1] for row in table.cells[::-1])
    )
    for one, other in zip(rate(table, seed=0).ratings, rate(turned, seed=0).ratings, strict=True):
        assert one.program == other.program
        assert one.interval.mean == pytest.approx(other.interval.mean, abs=1e-5)
        assert one.interval.low == pytest.approx(other.interval.low, abs=1e-5)
