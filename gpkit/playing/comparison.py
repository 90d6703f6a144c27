"""Two programs compared against the same opponents: on the same deals, or by their exact results."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gpkit.core.statistics import Interval, paired_difference
from gpkit.playing.exact import ExactResult, Strength
from gpkit.playing.match import Result, joint_courses, united

Verdict = Literal["better", "worse", "not distinguished", "equally good"]

ROUNDING = 1e-12
"""Exact results that differ by no more are equal: they are sums of floating-point numbers."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two programs against the same opponent, on the same deals or by their exact results.

    Attributes:
        difference: the mean of the first less that of the second, paired by deal; without units where it is exact.
    """

    first: Strength
    second: Strength
    difference: Interval

    @property
    def is_exact(self) -> bool:
        """Whether the difference was computed and not sampled."""
        return isinstance(self.first, ExactResult)

    @property
    def verdict(self) -> Verdict:
        """Verdict on the first program: of the 95 % interval, where a difference of zero within it settles nothing."""
        if self.is_exact and abs(self.difference.mean) <= ROUNDING:
            return "equally good"
        if not self.is_exact and not self.difference.excludes(0.0):
            return "not distinguished"
        return "better" if self.difference.mean * self.first.metric.direction > 0.0 else "worse"

    def to_json(self) -> dict[str, object]:
        """The comparison as one entry of ``results``; for exact results no game is played, and there is no interval."""
        first, both = self.first, (self.first, self.second)
        sampled = [each.different_games for each in both if isinstance(each, Result)]
        seatings = [list(each.expected.seatings) for each in both if isinstance(each, ExactResult)]
        return {
            "first": first.program,
            "second": self.second.program,
            "game": first.game,
            "opponent": first.opponent,
            "metric": first.metric.name,
            "verdict": self.verdict,
            "means": [each.interval.mean for each in both],
            "difference": self.difference.mean,
            "ci95": self.difference.ends,
            "deals": self.difference.units,
            "games": [each.games for each in both],
            **({"different_games": sampled} if sampled else {}),
            "stalled": [each.stalled for each in both],
            "invalid": [each.invalid for each in both],
            **({"exact": True, "seatings": seatings} if seatings else {}),
        }


def compare(first: Strength, second: Strength) -> Comparison:
    """Compare two results against the same opponent, on the same deals or exact ones."""
    assert first.opponent == second.opponent, "programs are compared against the same opponent"
    if isinstance(first, ExactResult) or isinstance(second, ExactResult):
        mean = first.interval.mean - second.interval.mean
        return Comparison(first, second, Interval(mean, mean, mean, 0))
    courses, support = joint_courses([first, second]), first.metric.support
    difference = paired_difference(first.by_deal, second.by_deal, support=support, courses=courses)
    return Comparison(first, second, difference)


def pool(results: Sequence[Result]) -> Result:
    """A program's results against several opponents on the same deals as one: each deal counts once, averaged."""
    by_deal = np.mean([result.by_deal for result in results], axis=0)
    return united(results, by_deal, joint_courses(results))
