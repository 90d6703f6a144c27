"""Intervals for means of independent units (deals, boards, secrets), single and paired."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean of ``units`` independent values with its 95 % confidence interval [low, high]."""

    mean: float
    low: float
    high: float
    units: int

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        """Whether the interval lies wholly above or below ``value``."""
        return not self.low <= value <= self.high


def student_quantile(probability: float, freedom: int) -> float:
    """The quantile of Student's t, by the Cornish–Fisher expansion around the normal one (Abramowitz & Stegun 26.7.5).

    The error is below 0.01 for five or more degrees of freedom at 0.975.
    """
    z = NormalDist().inv_cdf(probability)
    n = float(max(freedom, 1))
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / n**power for power, term in enumerate(terms, start=1))


def mean_interval(values: ArrayLike) -> Interval:
    """The mean of independent values and its 95 % interval.

    Values that are all 0 or all 1 get the exact one-sided bound of Clopper and Pearson in place of a width of zero.

    Args:
        values: float64 (units,), one value for each independent unit, at least one.
    """
    data: NDArray[np.float64] = np.asarray(values, dtype=np.float64)
    units = len(data)
    mean = float(data.mean())
    if units == 1:
        return Interval(mean, -np.inf, np.inf, 1)
    spread = float(data.std(ddof=1))
    if spread == 0.0 and mean in (0.0, 1.0):
        bound = 1.0 - 0.025 ** (1.0 / units)
        return Interval(mean, 0.0, bound, units) if mean == 0.0 else Interval(mean, 1.0 - bound, 1.0, units)
    half = student_quantile(0.975, units - 1) * spread / units**0.5
    return Interval(mean, mean - half, mean + half, units)


def paired_difference(first: ArrayLike, second: ArrayLike) -> Interval:
    """The mean of ``first − second`` over the same units, with its 95 % interval.

    Args:
        first, second: float64 (units,): the values of two programs on the same units, in the same order.
    """
    return mean_interval(np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64))
