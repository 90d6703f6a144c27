"""Racing: all genomes play a first block of deals, the clearly bad ones stop, the others go on.

After O. Maron and A. Moore, "Hoeffding races", 1994, with paired differences: all genomes meet the same deals, so the
difference of two is known far better than either of them.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.evolution.tables import RaceSettings

NO_RACE = RaceSettings()
"""Everybody plays everything."""

Play = Callable[[Sequence[int], int, int], list[Floats | None]]
"""Plays some genomes, given by number, on the deals from one up to another.

Gives for each float64 (opponents, deals), or None for a genome that cannot be played.
"""


def run_race(race: RaceSettings, play: Play, count: int, deals: int) -> list[tuple[float, Floats] | None]:
    """Play ``count`` genomes on up to ``deals`` deals.

    Returns:
        For each genome its estimated mean over all deals and its scores, float64 (opponents, deals played); None for
        one that cannot be played. The estimate of a stopped genome adds to its mean what the others gained or lost on
        average in the deals that it did not meet.
    """
    scores: list[Floats | None] = [np.zeros((0, 0))] * count
    alive = list(range(count))
    start = 0
    for end in race.stages(deals):
        for number, more in zip(alive, play(alive, start, end), strict=True):
            before = scores[number]
            scores[number] = (
                more if start == 0 or more is None or before is None else np.hstack([before, more])
            )
        alive = [number for number in alive if scores[number] is not None]
        start = end
        if end < deals:
            by_deal = {number: _by_deal(scores[number]) for number in alive}
            alive = survivors(race, by_deal, max(1, math.ceil(race.keep * count)))
    final = [_by_deal(scores[number]) for number in alive]
    missed = {  # the average gain by the deals after the first ones of those that played all
        end: float(np.mean([one.mean() - one[:end].mean() for one in final])) if final else 0.0
        for end in race.stages(deals)[:-1]
    }
    return [None if one is None else (_estimate(one, missed), one) for one in scores]


def _estimate(scores: Floats, missed: Mapping[int, float]) -> float:
    mean, played = float(scores.mean()), scores.shape[1]
    return mean + missed[played] if played in missed else mean


def survivors(race: RaceSettings, by_deal: dict[int, Floats], keep: int) -> list[int]:
    """The numbers of the genomes not clearly worse than the ``keep``-th best, by scores: float64 (deals,)."""
    if len(by_deal) <= keep:
        return list(by_deal)
    ranked = sorted(by_deal, key=lambda number: -float(by_deal[number].mean()))
    reference = by_deal[ranked[keep - 1]]
    return [n for n in by_deal if not _clearly_below(by_deal[n] - reference, race.confidence)]


def _clearly_below(differences: Floats, confidence: float) -> bool:
    if len(differences) < 2:
        return False
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    return float(differences.mean()) + confidence * error < 0.0


def _by_deal(scores: Floats | None) -> Floats:
    assert scores is not None
    mean: Floats = scores.mean(axis=0)
    return mean
