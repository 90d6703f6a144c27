"""Series of games: seats, deals, units of intervals, and what is told of them."""

from dataclasses import replace

import numpy as np
import pytest

from gpkit.core.statistics import mean_interval
from gpkit.games.sevens.game import GAME
from gpkit.playing.contest import BLOCK, Series
from tests.series_of_two import play_series

RULES = GAME.make_rules({})


def series_of(player, games: int, repeat: int, seed: int = 1) -> Series:
    players = [player("own-minus-others"), player("simple"), player("simple")]
    return play_series(GAME, players, rules=RULES, seed=seed, games=games, repeat=repeat)


def test_players_without_memory_are_counted_by_deal(player) -> None:
    series = series_of(player, games=4, repeat=30)
    assert series.unit == "deal"
    assert series.scores.shape == (30, 4, 3)
    by_deal = series.scores.mean(axis=2)
    assert series.tally().interval == mean_interval(by_deal.ravel(), support=(0.0, 1.0))
    assert series.tally_of(2).interval == mean_interval(by_deal[:, 2], support=(0.0, 1.0))
    assert series.tally().games == 360
    assert series.tally().wins == (series.scores == 1.0).sum()


def test_every_game_has_deals_of_its_own_and_more_begin_with_the_same(player) -> None:
    few, many = series_of(player, 2, 20), series_of(player, 3, BLOCK + 5)
    assert np.array_equal(many.scores[:20, :2], few.scores)
    assert not np.array_equal(few.scores[:, 0], few.scores[:, 1])
    assert not np.array_equal(series_of(player, 2, 20, seed=2).scores, few.scores)


def test_players_move_on_by_a_seat_after_every_game(player) -> None:
    """One deal over and over: what a series meets in its next game is what the next seating met in this one."""

    def one_deal(rng, count, rules):
        return GAME.deal(np.random.default_rng(5), count, rules)

    players = [player("own-minus-others"), player("simple"), player("simple")]
    scores = play_series(replace(GAME, deal=one_deal), players, rules=RULES, seed=1, games=4, repeat=9).scores
    for number in range(3):
        assert np.array_equal(scores[:, number + 1], np.roll(scores[:, number], -1, axis=1))


def test_watch_is_told_of_all_games(player) -> None:
    told: list[int] = []
    play_series(GAME, [player("simple")] * 3, rules=RULES, seed=1, games=3, repeat=4, watch=told.append)
    assert told == [12, 24, 36]


def test_json_tells_all_games_and_each(player) -> None:
    entry = series_of(player, 2, 5).to_json()
    assert entry["share"] == entry["mean"] == pytest.approx(np.mean([g["share"] for g in entry["by_game"]]))
    assert entry["wins"] == sum(each["wins"] for each in entry["by_game"])
    assert [(each["number"], each["games"]) for each in entry["by_game"]] == [(1, 15), (2, 15)]
