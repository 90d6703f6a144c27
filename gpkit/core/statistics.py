"""Confidence intervals for single and paired means of independent units (deals, boards, secrets), and paired tests.

Each unit is drawn independently. The games of one deal in its different seatings are not independent, because a hand
that wins for one player loses for the others. Therefore, the scores of a deal are averaged first, and the deal is the
unit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from statistics import NormalDist, median
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from gpkit.core.arrays import Floats, Ints

LEVEL = 0.95
"""The default confidence level of an interval."""

Verdict = Literal["better", "worse", "not distinguished", "equally good"]
"""The verdict on the first of two values, from their difference; only exactly computed values can be equally good."""

ROUNDING = 1e-12
"""The largest relative difference between values that count as equal, because it comes from rounding."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The mean of ``units`` independent values, with a confidence interval [low, high] for the true mean."""

    mean: float
    low: float
    high: float
    units: int

    @property
    def text(self) -> str:
        """The bounds in words; a single value has no interval."""
        return f"{self.low:.4f} to {self.high:.4f}" if self.units > 1 else "none"

    @property
    def ends(self) -> list[float] | None:
        """The bounds as JSON values; None for a single value."""
        return [self.low, self.high] if self.units > 1 else None

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        """Whether the whole interval is above or below ``value``."""
        return not self.low <= value <= self.high

    def verdict(self, direction: float) -> Verdict:
        """The verdict on the first of two values from their difference; not distinguished if the interval contains 0.

        Args:
            direction: 1 if higher is better, −1 if lower is.
        """
        if not self.excludes(0.0):
            return "not distinguished"
        return "better" if self.mean * direction > 0.0 else "worse"


def student_quantile(probability: float, freedom: int) -> float:
    """A quantile of Student's t: exact for 1 or 2 degrees of freedom, otherwise a Cornish–Fisher expansion.

    The expansion around the normal quantile is Abramowitz & Stegun 26.7.5; the exact forms come from Hill (1970). The
    error is below 0.005 for probabilities from 0.025 to 0.975 and below 1% of the quantile up to 0.995.

    Args:
        probability: the probability of a value below the quantile, in (0, 1).
        freedom: the degrees of freedom, at least 1.
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
"""The course number which means that only one course of the game is possible."""


def mean_interval(
    values: ArrayLike,
    *,
    support: tuple[float, float] = (-math.inf, math.inf),
    level: float = LEVEL,
    courses: Ints | None = None,
) -> Interval:
    """The mean of independent values, and its confidence interval from Student's t distribution.

    If all values are equal, the population may still contain others. In this case, each side of the interval extends as
    far as unseen values of the support could move the mean, at the highest frequency at which the sample could have
    missed them. For values of 0 or 1, this is the Clopper-Pearson interval. Without a support, the interval has zero
    width in this case.

    Args:
        values: float64 (units,): one value for each independent unit; at least one.
        support: the smallest and the largest possible value; the interval stays within this range.
        level: the confidence level, in (0, 1).
        courses: int64 (units,): the course of the game behind each value; values with the same course number are
            repetitions and count once. ``ONLY`` means that there is only one course, so the mean is certain. None if no
            value is a repetition.
    """
    data: Floats = np.asarray(values, dtype=np.float64)
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
    spread = (
        float(data.std(ddof=1))
        if shares is None
        else math.sqrt(float(shares @ (data - mean) ** 2) * units / (units - 1))
    )
    half = student_quantile((1.0 + level) / 2, units - 1) * spread / math.sqrt(units)
    return Interval(mean, max(mean - half, lowest), min(mean + half, highest), units)


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    *,
    support: tuple[float, float] = (-math.inf, math.inf),
    level: float = LEVEL,
    courses: Ints | None = None,
) -> Interval:
    """The mean of ``first − second`` over the same units, with its confidence interval.

    Args:
        first, second: float64 (units,): the values of two programs on the same units, in the same order.
        support: the smallest and the largest value of each, as for ``mean_interval``.
        level, courses: as for ``mean_interval``; each course is that of both programs together.
    """
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    width = support[1] - support[0]
    return mean_interval(differences, support=(-width, width), level=level, courses=courses)


def median_interval(values: Sequence[float], level: float = LEVEL) -> tuple[float, float, float]:
    """The median, and a confidence interval for the population median; the ends of the interval are two of the values.

    Each value is above the population median with probability one half, so the number of values below it is binomial
    (David and Nagaraja, "Order Statistics", 2003, section 7.1). For fewer than six values, the 95% interval is
    infinite.

    >>> median_interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    (3.5, 1.0, 6.0)

    Args:
        values: the values; at least one.
        level: the minimum probability that the interval contains the median.
    """
    ordered, count = sorted(values), len(values)
    below = accumulate(math.comb(count, place) / 2**count for place in range(count))
    cut = sum(chance <= (1.0 - level) / 2 for chance in below)  # this many values at each end are outside
    ends = (ordered[cut - 1], ordered[count - cut]) if cut else (-math.inf, math.inf)
    return (median(ordered), *ends)


def share_interval(hits: int, count: int) -> tuple[float, float, float]:
    """The proportion of hits, and its 95% confidence interval (Wilson, 1927).

    >>> [round(value, 3) for value in share_interval(45, 100)]
    [0.45, 0.356, 0.548]

    Args:
        hits: the number of hits, at most ``count``.
        count: the number of trials, at least 1.
    """
    z = NormalDist().inv_cdf((1.0 + LEVEL) / 2.0)
    share, spread = hits / count, z * z / count
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return share, middle - half, middle + half


def signed_rank(differences: Sequence[float]) -> tuple[float, int]:
    """The two-sided p-value of Wilcoxon's signed-rank test (1945) for paired differences, and the sign they favour.

    The p-value is exact, even for tied differences: given the ranks, both signs are equally likely. Differences of 0
    are left out; if all differences are 0, the p-value is 1. The sign is 1, -1 or 0.

    >>> signed_rank([1.0, 2.0, 3.0, 4.0, 5.0])
    (0.0625, 1)
    """
    found: Floats = np.array([each for each in differences if each != 0.0], dtype=np.float64)
    _, places, counts = np.unique(np.abs(found), return_inverse=True, return_counts=True)
    ranks: Ints = (2 * np.cumsum(counts) - counts + 1)[places]  # twice the mean ranks, so they are integers
    chances = np.eye(1, int(ranks.sum()) + 1)[0]
    for rank in ranks.tolist():
        chances *= 0.5
        chances[rank:] += chances[:-rank].copy()
    positive = int(ranks[found > 0.0].sum())
    p = min(1.0, 2.0 * float(min(chances[: positive + 1].sum(), chances[positive:].sum())))
    return p, int(np.sign(2 * positive - int(ranks.sum())))


def holm(chances: Sequence[float]) -> list[float]:
    """The p-values of several tests, corrected for their number (Holm, 1979), in the same order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    found, highest = [1.0] * len(chances), 0.0
    for place, test in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        highest = max(highest, min(1.0, (len(chances) - place) * chances[test]))
        found[test] = highest
    return found


def superiority(first: Sequence[float], second: Sequence[float]) -> float:
    """The probability that a random value of ``first`` is above a random value of ``second``; ties count half.

    This is the measure A of Vargha and Delaney, "A Critique and Improvement of the CL Common Language Effect Size
    Statistics of McGraw and Wong", 2000.

    >>> superiority([1.0, 2.0], [0.0, 1.0])
    0.875
    """
    return float(np.mean(np.greater.outer(first, second) + 0.5 * np.equal.outer(first, second)))


POWER = 0.8
"""The statistical power for which gpkit estimates the number of pairs that a test needs."""


def pairs_needed(differences: Sequence[float], level: float) -> int | None:
    """The approximate number of pairs that the signed-rank test needs to detect such differences with power ``POWER``.

    The formula is from Noether, "Sample Size Determination for Some Common Nonparametric Tests", 1987.

    Args:
        differences: the known differences.
        level: the p-value below which the test reports a difference.

    Returns:
        The number of pairs; None if the known differences favour neither sign.
    """
    pairs = [one + other for one, other in combinations(differences, 2)]
    share = sum((each > 0.0) + 0.5 * (each == 0.0) for each in pairs) / len(pairs) if pairs else 0.5
    if share == 0.5:
        return None
    effort = NormalDist().inv_cdf(1.0 - level / 2.0) + NormalDist().inv_cdf(POWER)
    return math.ceil(effort**2 / (3.0 * (share - 0.5) ** 2))
