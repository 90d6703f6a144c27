"""Leagues: the cells are those of series, and what one player wins the other lacks."""

import numpy as np
import pytest

from gpkit.core.errors import UsageError
from gpkit.core.registry import game_of
from gpkit.playing.contest import play_league
from gpkit.playing.players import player_of_name
from tests.series_of_two import play_series

GAME = game_of("battleship")
RULES = GAME.make_rules({"mode": "duel", "board": "6x6", "fleet": "3,2"})


def test_cells_are_the_series_of_each_pair() -> None:
    names = ("hunt", "counts", "random")
    players = [player_of_name(name, GAME) for name in names]
    told: list[int] = []
    league = play_league(GAME, players, rules=RULES, seed=3, games=4, repeat=5, watch=told.append)
    assert (league.programs, told[-1]) == (names, 3 * 4 * 5 * 2)
    for i, row in enumerate(league.cells):
        assert row[i] is None
    series = play_series(GAME, [players[1], players[2]], rules=RULES, seed=3, games=4, repeat=5)
    cell, back = league.cells[1][2], league.cells[2][1]
    assert cell is not None
    assert back is not None
    assert np.array_equal(cell.by_deal, series.scores.mean(axis=(1, 2)))
    assert np.array_equal(back.by_deal, 1.0 - cell.by_deal)
    reverse = play_series(GAME, [players[2], players[1]], rules=RULES, seed=3, games=4, repeat=5)
    assert back.mean == pytest.approx(reverse.tally().interval.mean)


def test_leagues_are_for_two_who_share_a_win() -> None:
    sevens = game_of("sevens")
    players = [player_of_name(name, sevens) for name in ("simple", "random")]
    with pytest.raises(UsageError, match="a league needs a game for two players with a fixed total score"):
        play_league(sevens, players, rules=sevens.make_rules({}), seed=1, games=2, repeat=1)
