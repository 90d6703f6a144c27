"""Two programs on the same deals: verdicts, pairing, several opponents as one."""

import numpy as np
import pytest

from gpkit.core.statistics import mean_interval
from gpkit.games.sevens.game import GAME
from gpkit.playing.contest import Match, Result, play_matches
from gpkit.playing.results import compare, pool

RULES = GAME.make_rules({})


def _results(player, programs: list[str], opponents: list[str], games: int = 6000) -> list[Result]:
    matches = [Match(player(p), (player(o),)) for p in programs for o in opponents]
    return play_matches(GAME, matches, rules=RULES, seed=0, games=games)


def test_verdicts(player) -> None:
    simple, hold, same = _results(player, ["simple", "hold", "simple"], ["random"])
    assert compare(simple, hold).verdict == "better"
    assert compare(hold, simple).verdict == "worse"
    assert compare(simple, same).verdict == "not distinguished"


def test_difference_is_paired_by_deal(player) -> None:
    first, second = _results(player, ["simple", "own-minus-others"], ["random"])
    comparison = compare(first, second)
    unpaired = np.hypot(first.interval.half_width, second.interval.half_width)
    assert comparison.difference.mean == pytest.approx(first.interval.mean - second.interval.mean)
    assert comparison.difference.half_width < 0.9 * unpaired
    assert comparison.difference.units == 2000
    opposite = compare(second, first).difference
    assert (opposite.low, opposite.high) == pytest.approx(
        (-comparison.difference.high, -comparison.difference.low)
    )


def test_identical_programs_are_never_distinguished_nor_certainly_equal(player) -> None:
    first, second = _results(player, ["simple", "simple"], ["random"], games=30)
    comparison = compare(first, second)
    assert comparison.difference.mean == 0.0
    assert comparison.difference.low < 0.0 < comparison.difference.high
    assert comparison.verdict == "not distinguished"


def test_pool_counts_each_deal_once(player) -> None:
    results = _results(player, ["simple"], ["random", "hold"], games=3000)
    pooled = pool(results)
    assert pooled.opponent == "random + hold"
    assert pooled.games == 6000
    assert np.array_equal(pooled.by_deal, (results[0].by_deal + results[1].by_deal) / 2)
    assert pooled.interval == mean_interval(pooled.by_deal, support=(0.0, 1.0))


def test_json(player) -> None:
    fields = compare(*_results(player, ["simple", "hold"], ["random"], games=300)).to_json()
    assert fields["first"] == "simple"
    assert fields["second"] == "hold"
    assert fields["verdict"] == "better"
    assert fields["deals"] == 100
    assert fields["games"] == [300, 300]
