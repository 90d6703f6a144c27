"""Coverage of 95 % intervals, in simulated experiments of real Sevens games where the truth is known.

An A/A comparison sets a program against itself, so the true difference is zero. Deterministic programs on the same
deals tie in every game and would prove nothing; there are two ways to make the experiment real:

``same deals``: a program with ``math.random()`` plays the same packs twice with other keys, other coin tosses that is.
    This is ``gpkit compare`` of a program with a copy of itself, paired by deal.
``other deals``: a program plays two independent sets of deals. This is ``gpkit run`` twice.

Beside the interval by deal stands the one that takes games for independent. The seatings of one deal share its hands,
and what one hand wins the others lose, so the scores of one deal are negatively correlated: intervals by game are too
wide, claim less than they could, and cover more than 95 %. In ``same deals`` the hands cancel out and what is left is
coin tosses, independent from game to game, so there the two kinds of interval agree.

``ratings``: small round robins, with the bootstrap interval of every rating against the rating of a very large one.

    python -m gpkit_experiments.coverage_simulation > experiments/data/coverage.json
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.analysis.ratings import rate
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval, paired_difference
from gpkit.gamekit.players import Player
from gpkit.games.sevens.game import GAME, Deals
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.playing.tournament import play_tournament
from gpkit.vm.keyed import HALF

SEED = 20260
COMMAND = "python -m gpkit_experiments.coverage_simulation"
COMPARISONS = 1000
DEALS = 200
TOURNAMENTS = 200
FIELD = ("random", "hold", "simple")
RULES = GAME.make_rules({})

Scores = NDArray[np.float64]


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
    return _scores(TOSSING, deals), _scores(TOSSING, Deals(keys, deals.decks))


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


def _scores(agent: Player, deals: Deals) -> Scores:
    return GAME.play([agent, OPPONENT, OPPONENT], deals, RULES).values


TOSSING = player_of_text(
    "play: env.depth + env.selfblock + 4.0 * math.random()\nsend: env.dist + 4.0 * math.random()\n",
    GAME,
    filename="tossing.tree",
)
STEADY = player_of_name("own-minus-others", GAME)
OPPONENT = player_of_name("simple", GAME)


def main() -> None:
    """Print the whole result as JSON."""
    result = {
        "command": COMMAND,
        "seed": SEED,
        "same deals": asdict(coverage(same_deals, COMPARISONS)),
        "other deals": asdict(coverage(other_deals, COMPARISONS)),
        "ratings": {"tournaments": TOURNAMENTS, "deals": DEALS, "covered": coverage_of_ratings(TOURNAMENTS)},
    }
    sys.stdout.write(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
