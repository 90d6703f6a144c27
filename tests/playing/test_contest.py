"""Contests: totals that grow, parts that make a whole, and games that are only compiled."""

import numpy as np
import pytest

from gpkit.core.registry import game_of
from gpkit.playing.contest import contest, finished, play_matches
from gpkit.playing.match import BLOCK, Match
from gpkit.playing.players import player_of_name
from gpkit.playing.series import joined

SEVENS, BATTLESHIP = game_of("sevens"), game_of("battleship")
RULES = SEVENS.make_rules({})
DUEL = BATTLESHIP.make_rules({"mode": "duel", "board": "5x5", "fleet": "3,2"})


def matches(*pairs: tuple[str, str]) -> list[Match]:
    """Matches of Sevens."""
    return [Match(player_of_name(each, SEVENS), (player_of_name(other, SEVENS),)) for each, other in pairs]


def test_totals_at_any_step_are_those_of_as_many_deals() -> None:
    pairs = matches(("pimc:2", "random"), ("simple", "random"))
    games = []
    for step, totals in enumerate(contest(SEVENS, pairs, rules=RULES, seed=4, deals=range(4))):
        assert totals.deals == (step + 1) // 2
        games.append(totals.games)
        if totals.deals:
            again = play_matches(SEVENS, pairs, rules=RULES, seed=4, games=3 * totals.deals)
            for result, expected in zip(totals.results, again, strict=True):
                assert result.by_deal.tolist() == expected.by_deal.tolist()
                assert result.games == 3 * totals.deals
    assert games == [3 * step for step in range(1, 9)]  # a player that searches plays deal by deal


@pytest.mark.parametrize("cut", [1, BLOCK - 1, BLOCK, BLOCK + 20])
def test_parts_make_the_whole(cut: int) -> None:
    deals, pairs = BLOCK + 40, matches(("simple", "random"))
    parts = [
        finished(contest(SEVENS, pairs, rules=RULES, seed=2, deals=part)).series[0]
        for part in (range(cut), range(cut, deals))
    ]
    (whole,) = play_matches(SEVENS, pairs, rules=RULES, seed=2, games=3 * deals)
    assert joined(parts).result().to_json() == whole.to_json()
    assert np.array_equal(joined(parts).result().by_deal, whole.by_deal)


def test_series_are_over_one_after_another_and_players_remember_within_them() -> None:
    pair = [Match(player_of_name("counts", BATTLESHIP), (player_of_name("hunt", BATTLESHIP),))]
    running = contest(BATTLESHIP, pair, rules=DUEL, seed=1, deals=range(30), series=3)
    seen = [(totals.games, totals.deals) for totals in running]
    assert seen[-1] == (180, 30)
    assert all(deals == 0 for games, deals in seen if games < 180 // 3)
    parts = [
        finished(contest(BATTLESHIP, pair, rules=DUEL, seed=1, deals=part, series=3)).series[0]
        for part in (range(7), range(7, 30))
    ]
    (whole,) = finished(contest(BATTLESHIP, pair, rules=DUEL, seed=1, deals=range(30), series=3)).series
    assert joined(parts).to_json() == whole.to_json()
    assert whole.unit == "series"


def test_no_deals_compile_the_game_and_play_nothing() -> None:
    (totals,) = contest(SEVENS, matches(("simple", "random")), rules=RULES, seed=0, deals=range(0))
    assert (totals.games, totals.deals, totals.series[0].games) == (0, 0, 0)
