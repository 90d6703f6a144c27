"""Intervals for means of independent units (deals, boards, secrets), single and paired.

The unit is what was drawn independently. Games of one deal in its several seatings are not independent (a hand that
wins in one seat loses for the others), so the scores of a deal are averaged first and the deal is the unit.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95
"""The confidence of an interval unless another is asked for."""

Verdict = Literal["better", "worse", "not distinguished", "equally good"]
"""Verdict on the first of two, by their difference; those that were computed exactly can be equally good."""

ROUNDING = 1e-12
"""Values that differ by no more than this, relative to the largest, are alike but for the rounding of their sums."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The mean of ``units`` independent values, and a confidence interval [low, high] for what it estimates."""

    mean: float
    low: float
    high: float
    units: int

    @property
    def text(self) -> str:
        """The ends in words; one value alone has no interval."""
        return f"{self.low:.4f} to {self.high:.4f}" if self.units > 1 else "none"

    @property
    def ends(self) -> list[float] | None:
        """The ends as JSON values; None for one value alone."""
        return [self.low, self.high] if self.units > 1 else None

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        """Whether the interval lies wholly above or below ``value``."""
        return not self.low <= value <= self.high

    def verdict(self, direction: float) -> Verdict:
        """Verdict on the first of two from their difference, which settles nothing where 0 lies in the interval.

        Args:
            direction: 1 if more is better, −1 if less is.
        """
        if not self.excludes(0.0):
            return "not distinguished"
        return "better" if self.mean * direction > 0.0 else "worse"


def student_quantile(probability: float, freedom: int) -> float:
    """The quantile of Student's t: exact for one and two degrees of freedom, else by the Cornish–Fisher expansion.

    The expansion around the normal quantile is Abramowitz & Stegun 26.7.5; the exact forms are those of Hill (1970).
    The error is below 0.005 for probabilities of 0.025 … 0.975 and below 1 % of the quantile up to 0.995.

    Args:
        probability: of (0, 1).
        freedom: degrees of freedom, at least 1.
    """
    if freedom == 1:
        return math.tan(math.pi * (probability - 0.5))
    if freedom == 2:
        return (2.0 * probability - 1.0) / math.sqrt(2.0 * probability * (1.0 - probability))
    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom**power for power, term in enumerate(terms, start=1)))


ONLY = 0
"""Instead of a number of a course: it is the only one that there is."""


def mean_interval(
    values: ArrayLike,
    *,
    support: tuple[float, float] = (-math.inf, math.inf),
    level: float = LEVEL,
    courses: NDArray[np.int64] | None = None,
) -> Interval:
    """The mean of independent values and its confidence interval by Student's t.

    Values that are all alike do not prove that every value is: then each side of the interval reaches as far as values
    of the support could move the mean, if they are as frequent as they can be without having been met. For values of 0
    or 1 that is the interval of Clopper and Pearson. Without a support such an interval has no width.

    Args:
        values: float64 (units,), one value for each independent unit, at least one.
        support: the least and the greatest value that there can be; the interval stays within it.
        level: the confidence, of (0, 1).
        courses: int64 (units,): values of one number are the same one met again, and count once; ``ONLY`` for the one
            that is always met, of which nothing is uncertain. None for values that are all of their own.
    """
    data: NDArray[np.float64] = np.asarray(values, dtype=np.float64)
    lowest, highest = support
    mean = float(data.mean())
    shares = None
    if courses is not None:
        numbers, firsts, counts = np.unique(courses, return_index=True, return_counts=True)
        if numbers.tolist() == [ONLY]:
            return Interval(mean, mean, mean, 1)
        data, shares = data[firsts], counts / len(data)
    units = len(data)
    if units == 1:
        return Interval(mean, lowest, highest, 1)
    if float(np.ptp(data)) <= ROUNDING * float(np.abs(data).max()):
        unseen = 1.0 - ((1.0 - level) / 2) ** (1.0 / units)
        below, above = (unseen * (d if math.isfinite(d) else 0.0) for d in (mean - lowest, highest - mean))
        return Interval(mean, max(mean - below, lowest), min(mean + above, highest), units)
    if shares is None:
        spread = float(data.std(ddof=1))
    else:
        spread = math.sqrt(float(shares @ (data - mean) ** 2) * units / (units - 1))
    half = student_quantile((1.0 + level) / 2, units - 1) * spread / math.sqrt(units)
    return Interval(mean, max(mean - half, lowest), min(mean + half, highest), units)


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    *,
    support: tuple[float, float] = (-math.inf, math.inf),
    level: float = LEVEL,
    courses: NDArray[np.int64] | None = None,
) -> Interval:
    """The mean of ``first − second`` over the same units, with its confidence interval.

    Args:
        first, second: float64 (units,): the values of two programs on the same units, in the same order.
        support: the least and the greatest value of each, as for ``mean_interval``.
        level, courses: as for ``mean_interval``; those of both programs together.
    """
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    width = support[1] - support[0]
    return mean_interval(differences, support=(-width, width), level=level, courses=courses)
