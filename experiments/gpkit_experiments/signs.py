"""Medians and shares with intervals that assume no distribution."""

from collections.abc import Sequence
from math import comb, sqrt
from statistics import median


def median_interval(values: Sequence[float], level: float = 0.95) -> tuple[float, float, float]:
    """The median, and an interval that holds that of the population: it ends at two of the values.

    Each value is above the population's median with chance one half, so that the number of those below is binomial (H.
    David and H. Nagaraja, "Order Statistics", 2003, section 7.1). Of fewer than six values the interval of level .95 is
    all numbers.

    >>> median_interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    (3.5, 1.0, 6.0)

    Args:
        values: at least one.
        level: the least chance of an interval to hold the median.
    """
    ordered, count = sorted(values), len(values)
    below, place = 0.0, 0  # the chance that at most so many values are below, and how many places are cut off
    while place < count and below + comb(count, place) / 2**count <= (1.0 - level) / 2:
        below += comb(count, place) / 2**count
        place += 1
    if place == 0:
        return median(ordered), float("-inf"), float("inf")
    return median(ordered), ordered[place - 1], ordered[count - place]


def share_interval(hits: int, count: int) -> tuple[float, float, float]:
    """The share of hits, and its interval of level .95 (E. Wilson, 1927).

    >>> [round(value, 3) for value in share_interval(45, 100)]
    [0.45, 0.356, 0.548]

    Args:
        hits: at most the count.
        count: at least 1.
    """
    z = 1.959963984540054
    share, spread = hits / count, z * z / count
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return share, middle - half, middle + half
