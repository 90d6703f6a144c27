"""Intervals hold what they promise: A/A comparisons of real games, few in CI and 1,000 when asked for.

An A/A comparison sets a program against itself, so the true difference is zero. Deterministic programs on the same
deals tie in every game and would prove nothing; there are two ways to make the experiment real:

``same deals``: a program with ``math.random()`` plays the same packs twice with other keys, other coin tosses that is.
    This is ``gpkit compare`` of a program with a copy of itself, paired by deal.
``other deals``: a program plays two independent sets of deals. This is ``gpkit run`` twice.

Beside the interval by deal stands the one that takes games for independent. The seatings of one deal share its hands,
and what one hand wins the others lose, so the scores of one deal are negatively correlated: intervals by game are too
wide, claim less than they could, and cover more than 95%. In ``same deals`` the hands cancel out and what is left is
coin tosses, independent from game to game, so there the two kinds of interval agree.

``ratings``: small round robins, with the bootstrap interval of every rating against the rating of a very large one.

``experiments/data/coverage.json`` has the result of many.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
import pytest

from gpkit.analysis.ratings import rate
from gpkit.core.arrays import Floats
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval, paired_difference
from gpkit.gamekit.players import Player
from gpkit.games.sevens.game import GAME, PackDeals
from gpkit.playing.contest import play_tournament
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.vm.keyed import HALF

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "coverage.json").read_text(encoding="utf-8"))
SEED = RECORDED["seed"]
COMPARISONS = 1000
DEALS = 200
TOURNAMENTS = 200
FIELD = ("random", "hold", "simple")
RULES = GAME.make_rules({})
FEW = 200

Scores = Floats


@dataclass(frozen=True, slots=True)
class Coverage:
    """Number of the intervals by deal and by game held the true difference of zero, and their mean half widths."""

    comparisons: int
    deals: int
    covered_by_deal: int
    covered_by_game: int
    half_width_by_deal: float
    half_width_by_game: float


def same_deals(seed: int, number: int) -> tuple[Scores, Scores]:
    """The scores of a program and of its copy with other coin tosses: float64 (deals, seatings) each."""
    deals = GAME.deal(stream(seed, "coverage", number), DEALS, RULES)
    keys = stream(seed, "other keys", number).integers(0, HALF, DEALS)
    return _scores(TOSSING, deals), _scores(TOSSING, PackDeals(keys, deals.decks))


def other_deals(seed: int, number: int) -> tuple[Scores, Scores]:
    """The scores of a program on two independent sets of deals: float64 (deals, seatings) each."""
    first, second = (GAME.deal(stream(seed, "coverage", number, s), DEALS, RULES) for s in (0, 1))
    return _scores(STEADY, first), _scores(STEADY, second)


def coverage(
    design: Callable[[int, int], tuple[Scores, Scores]], comparisons: int, seed: int = SEED
) -> Coverage:
    """Simulate A/A comparisons of a design."""
    by_deal: list[Interval] = []
    by_game: list[Interval] = []
    for number in range(comparisons):
        first, second = design(seed, number)
        by_deal.append(paired_difference(first.mean(axis=1), second.mean(axis=1)))
        by_game.append(mean_interval((first - second).ravel()))
    return Coverage(
        comparisons=comparisons,
        deals=DEALS,
        covered_by_deal=sum(not interval.excludes(0.0) for interval in by_deal),
        covered_by_game=sum(not interval.excludes(0.0) for interval in by_game),
        half_width_by_deal=round(float(np.mean([interval.half_width for interval in by_deal])), 6),
        half_width_by_game=round(float(np.mean([interval.half_width for interval in by_game])), 6),
    )


def coverage_of_ratings(tournaments: int, seed: int = SEED) -> dict[str, int]:
    """Number of rating intervals of small round robins hold the rating of a large one, for each program."""
    agents = [player_of_name(name, GAME) for name in FIELD]
    large = play_tournament(GAME, agents, rules=RULES, seed=seed, games=600_000)
    truth = {r.program: r.interval.mean for r in rate(large, seed=seed, resamples=2).ratings}
    covered = dict.fromkeys(FIELD, 0)
    for number in range(1, tournaments + 1):
        table = play_tournament(GAME, agents, rules=RULES, seed=seed + number, games=3 * DEALS)
        for rating in rate(table, seed=seed + number, resamples=400).ratings:
            covered[rating.program] += not rating.interval.excludes(truth[rating.program])
    return covered


def _scores(agent: Player, deals: PackDeals) -> Scores:
    return GAME.play([agent, OPPONENT, OPPONENT], deals, RULES).values


TOSSING = player_of_text(
    "play: env.depth + env.selfblock + 4.0 * math.random()\nsend: env.dist + 4.0 * math.random()\n",
    GAME,
    filename="tossing.tree",
)
STEADY = player_of_name("own-minus-others", GAME)
OPPONENT = player_of_name("simple", GAME)


few_comparisons = cache(lambda design: coverage(design, FEW))
DESIGNS = {"same deals": same_deals, "other deals": other_deals}


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
