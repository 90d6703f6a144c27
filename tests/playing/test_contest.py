"""Contests: games that are told, parts that make a whole, and games that are only compiled."""

from functools import partial

import numpy as np
import pytest

from gpkit.core.registry import game_of
from gpkit.playing.contest import BLOCK, Match, contest, joined, play_matches
from gpkit.playing.players import player_of_name

SEVENS, BATTLESHIP = game_of("sevens"), game_of("battleship")
RULES = SEVENS.make_rules({})
DUEL = BATTLESHIP.make_rules({"mode": "duel", "board": "5x5", "fleet": "3,2"})


def matches(*pairs: tuple[str, str]) -> list[Match]:
    """Matches of Sevens."""
    return [Match(player_of_name(each, SEVENS), (player_of_name(other, SEVENS),)) for each, other in pairs]


def test_a_watch_is_told_of_the_games_after_every_step_and_of_those_before() -> None:
    pairs, told = matches(("pimc:2", "random"), ("simple", "random")), []
    whole = contest(SEVENS, pairs, rules=RULES, seed=4, deals=range(4), watch=told.append, before=100)
    assert told == [100 + 3 * step for step in range(1, 9)]  # a player that searches plays deal by deal
    again = play_matches(SEVENS, pairs, rules=RULES, seed=4, games=3 * 4)
    for series, expected in zip(whole, again, strict=True):
        assert series.result().by_deal.tolist() == expected.by_deal.tolist()
        assert expected.games == 3 * 4


@pytest.mark.parametrize("cut", [1, BLOCK - 1, BLOCK, BLOCK + 20])
def test_parts_make_the_whole(cut: int) -> None:
    deals, pairs = BLOCK + 40, matches(("simple", "random"))
    parts = [
        contest(SEVENS, pairs, rules=RULES, seed=2, deals=part)[0] for part in (range(cut), range(cut, deals))
    ]
    (whole,) = play_matches(SEVENS, pairs, rules=RULES, seed=2, games=3 * deals)
    assert joined(parts).result().to_json() == whole.to_json()
    assert np.array_equal(joined(parts).result().by_deal, whole.by_deal)


def test_series_are_over_one_after_another_and_players_remember_within_them() -> None:
    pair = [Match(player_of_name("counts", BATTLESHIP), (player_of_name("hunt", BATTLESHIP),))]
    told: list[int] = []
    play = partial(contest, BATTLESHIP, pair, rules=DUEL, seed=1, series=3)
    (whole,) = play(deals=range(30), watch=told.append)
    assert whole.games == told[-1] == 180
    parts = [play(deals=part)[0] for part in (range(7), range(7, 30))]
    assert joined(parts).to_json() == whole.to_json()
    assert whole.unit == "series"


def test_no_deals_compile_the_game_and_play_nothing() -> None:
    (played,) = contest(SEVENS, matches(("simple", "random")), rules=RULES, seed=0, deals=range(0))
    assert played.games == 0
