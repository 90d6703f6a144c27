"""Significant wins: circles are found and told, chance is not taken for a win."""

from collections.abc import Mapping

import numpy as np
import pytest

from gpkit.analysis.ratings import find_order
from gpkit.core.rng import stream
from gpkit.gamekit.game import Metric
from gpkit.games.sevens.game import GAME
from gpkit.playing.contest import Result, Tournament, play_tournament
from gpkit.playing.players import player_of_name

DEALS = 400
SHARE = Metric("win_share", 0.0, 1.0)


def _tournament(names: str, shares: Mapping[str, float]) -> Tournament:
    """A round robin of two-seat games: ``shares["AB"]`` is the chance of A to beat B, one half where not given."""

    def cell(i: int, j: int) -> Result | None:
        if i == j:
            return None
        pair = names[min(i, j)] + names[max(i, j)]
        chance = shares.get(pair, 1.0 - shares.get(pair[::-1], 0.5))
        won = stream(7, "cell", min(i, j), max(i, j)).random(DEALS) < chance
        by_deal = (won if i < j else ~won).astype(np.float64)
        return Result(names[i], "coins", names[j], SHARE, by_deal, DEALS, 0, 0)

    size = len(names)
    cells = tuple(tuple(cell(i, j) for j in range(size)) for i in range(size))
    return Tournament("coins", SHARE, 2, tuple(names), cells)


def test_a_clear_order() -> None:
    order = find_order(_tournament("ABC", {"BA": 0.7, "BC": 0.9, "AC": 0.7}))
    assert order.wins == (("B", "A"), ("A", "C"), ("B", "C"))
    assert order.undecided == ()
    assert order.cycles == ()
    assert order.verdict == "no cycle: B beats A beats C, and each also beats everyone after it"


def test_a_circle_is_told_from_the_first_of_the_table() -> None:
    order = find_order(_tournament("ABC", {"AC": 0.7, "CB": 0.7, "BA": 0.7}))
    assert order.cycles == (("A", "C", "B"),)
    assert order.verdict == "a cycle: A beats C beats B beats A"


def test_the_shortest_circle_of_a_group_is_shown() -> None:
    wins = {"AB": 0.8, "BC": 0.8, "CD": 0.8, "DE": 0.8, "EA": 0.8, "DB": 0.8}
    assert find_order(_tournament("ABCDE", wins)).cycles == (("B", "C", "D"),)


def test_two_groups_have_a_circle_each() -> None:
    inside = {"AB": 0.8, "BC": 0.8, "CA": 0.8, "DE": 0.8, "EF": 0.8, "FD": 0.8}
    across = {f"{a}{d}": 0.8 for a in "ABC" for d in "DEF"}
    order = find_order(_tournament("ABCDEF", inside | across))
    assert order.cycles == (("A", "B", "C"), ("D", "E", "F"))
    assert order.verdict == "a cycle: A beats B beats C beats A; a cycle: D beats E beats F beats D"


def test_chance_is_no_win() -> None:
    order = find_order(_tournament("ABCDEFGH", {}))
    assert order.wins == ()
    assert len(order.undecided) == 28
    assert order.verdict == "no cycle; 28 of 28 pairs are too close to call"


def test_confidence_is_raised_with_the_number_of_pairs() -> None:
    """A lead of two and a half standard errors settles a single pair, not one of 28."""
    lead = {"AB": 0.5 + 2.5 * 0.5 / DEALS**0.5}
    pair, many = _tournament("AB", lead), _tournament("ABCDEFGH", lead)
    assert pair.cells[0][1].by_deal.mean() == pytest.approx(many.cells[0][1].by_deal.mean())
    assert find_order(pair).wins == (("A", "B"),)
    assert ("A", "B") in find_order(many).undecided


@pytest.mark.parametrize("players", ["2", "3", "7"])
def test_real_programs(players: str) -> None:
    agents = [player_of_name(name, GAME) for name in ("random", "hold", "simple")]
    rules = GAME.make_rules({"players": players})
    order = find_order(play_tournament(GAME, agents, rules=rules, seed=2, games=4200))
    assert order.verdict == "no cycle: simple beats hold beats random, and each also beats everyone after it"
