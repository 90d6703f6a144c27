"""Two programs compared against the same opponents: on the same deals, or by their exact results."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gpkit.core.statistics import Interval, mean_interval, paired_difference
from gpkit.playing.exact import ExactResult
from gpkit.playing.match import Result, joint_courses

Verdict = Literal["better", "worse", "not distinguished", "equally good"]

ROUNDING = 1e-12
"""Exact results that differ by no more are equal: they are sums of floating-point numbers."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two programs on the same deals against the same opponent: the mean of first minus second, paired by deal."""

    first: Result
    second: Result
    difference: Interval

    @property
    def verdict(self) -> Verdict:
        """Verdict of the 95 % interval on the first program; a difference of zero within it settles nothing."""
        if not self.difference.excludes(0.0):
            return "not distinguished"
        return "better" if self.difference.mean * self.first.metric.direction > 0.0 else "worse"

    def to_json(self) -> dict[str, object]:
        """The comparison as one entry of ``results``."""
        return _entry(self.first, self.second, self.verdict) | {
            "means": [self.first.interval.mean, self.second.interval.mean],
            "difference": self.difference.mean,
            "ci95": self.difference.ends,
            "deals": self.difference.units,
            "games": [self.first.games, self.second.games],
            "different_games": [self.first.different_games, self.second.different_games],
            "stalled": [self.first.stalled, self.second.stalled],
            "invalid": [self.first.invalid, self.second.invalid],
        }


@dataclass(frozen=True, slots=True)
class ExactComparison:
    """Comparison of two programs' expected results against the same opponent, computed and not sampled."""

    first: ExactResult
    second: ExactResult

    @property
    def difference(self) -> float:
        """The mean of the first less that of the second."""
        return self.first.expected.mean - self.second.expected.mean

    @property
    def verdict(self) -> Verdict:
        """Verdict of the difference on the first program."""
        if abs(self.difference) <= ROUNDING:
            return "equally good"
        return "better" if self.difference * self.first.metric.direction > 0.0 else "worse"

    def to_json(self) -> dict[str, object]:
        """The comparison as one entry of ``results``; no game is played, and there is no interval."""
        return _entry(self.first, self.second, self.verdict) | {
            "means": [self.first.expected.mean, self.second.expected.mean],
            "difference": self.difference,
            "ci95": None,
            "deals": 0,
            "games": [0, 0],
            "stalled": [0, 0],
            "invalid": [0, 0],
            "exact": True,
            "seatings": [list(self.first.expected.seatings), list(self.second.expected.seatings)],
        }


def _entry(first: Result | ExactResult, second: Result | ExactResult, verdict: Verdict) -> dict[str, object]:
    """JSON entry of the two compared, and of the verdict on the first one."""
    return {
        "first": first.program,
        "second": second.program,
        "game": first.game,
        "opponent": first.opponent,
        "metric": first.metric.name,
        "verdict": verdict,
    }


def compare(first: Result, second: Result) -> Comparison:
    """Compare two results against the same opponent on the same deals."""
    assert first.opponent == second.opponent, "programs are compared against the same opponent"
    courses = joint_courses([first, second])
    support = first.metric.support
    difference = paired_difference(first.by_deal, second.by_deal, support=support, courses=courses)
    return Comparison(first, second, difference)


def pool(results: Sequence[Result]) -> Result:
    """A program's results against several opponents on the same deals as one: each deal counts once, averaged."""
    first, courses = results[0], joint_courses(results)
    by_deal = np.mean([result.by_deal for result in results], axis=0)
    return Result(
        program=first.program,
        game=first.game,
        opponent=" + ".join(result.opponent for result in results),
        metric=first.metric,
        interval=mean_interval(by_deal, support=first.metric.support, courses=courses),
        by_deal=by_deal,
        games=sum(result.games for result in results),
        stalled=sum(result.stalled for result in results),
        invalid=sum(result.invalid for result in results),
        courses=courses,
    )
