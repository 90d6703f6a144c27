"""Thresholds of features: where tests can cut, and how a threshold is varied apart from the structure around it."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Feature:
    """Feature that programs test, and its cuts: rising thresholds between quantiles of what was observed."""

    name: str
    cuts: tuple[float, ...]


def cuts_of(values: NDArray[np.float64], count: int = 16) -> tuple[float, ...]:
    """The middles between neighbouring quantiles of observed values, at most ``count`` − 1 of them, without repetition.

    Few different values have a cut between each two neighbours.
    """
    different = np.unique(values)
    if len(different) > count:
        different = np.unique(np.quantile(values, np.linspace(0.0, 1.0, count), method="nearest"))
    return tuple(((different[1:] + different[:-1]) / 2.0).tolist())


def scale_of(draw: float, octaves: float) -> float:
    """A factor of 2^−octaves to 2^octaves, from a number of [0, 1)."""
    return float(2.0 ** (octaves * (2.0 * draw - 1.0)))


def scaled(threshold: float, factor: float) -> float:
    """A threshold times a factor; itself where doubles end."""
    return threshold * factor if math.isfinite(threshold * factor) else threshold


def stepped(threshold: float, cuts: Sequence[float], steps: int) -> float:
    """A threshold moved by so many cuts of its feature, down where that is negative; itself without cuts."""
    if not cuts:
        return threshold
    place = bisect_right(cuts, threshold) - 1  # of the last cut that is not above
    if steps < 0 and place >= 0 and cuts[place] < threshold:
        place += 1  # downwards, that cut is the first step
    return cuts[min(max(place + steps, 0), len(cuts) - 1)]
