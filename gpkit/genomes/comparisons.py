"""Comparisons of features with thresholds: semantics, cuts of features, and variation of thresholds."""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.primitives import Sensor

Sign = Literal["<", "<=", ">", ">=", "==", "!="]
SIGNS: tuple[Sign, ...] = ("<", "<=", ">", ">=", "==", "!=")

DRAWN: tuple[Sign, ...] = ("<=", ">")
"""The comparison operators that occur in random tests."""

HOLDS: Mapping[Sign, Callable[[float, float], bool]] = {
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: not a <= b,
    ">=": lambda a, b: b <= a,
    "<": lambda a, b: not b <= a,
    "==": lambda a, b: a <= b <= a,
    "!=": lambda a, b: not a <= b <= a,
}
"""The meanings of the comparison operators; each has an exact opposite, even for NaN."""

OPPOSITE: Mapping[Sign, Sign] = {"<=": ">", ">": "<=", ">=": "<", "<": ">=", "==": "!=", "!=": "=="}
"""The opposite of each operator; the opposite holds exactly when the operator does not."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of a feature with a number; as a node of a decision tree, it has the branches yes and no."""

    feature: str
    sign: Sign
    threshold: float

    word: ClassVar[str] = "test"  # in JSON files
    arity: ClassVar[int] = 2

    def holds(self, value: float) -> bool:
        """Whether the comparison holds for a value of the feature."""
        return HOLDS[self.sign](value, self.threshold)

    def branch(self, value: float) -> int:
        """The branch for a value of the feature: 0 for yes, 1 for no."""
        return 0 if self.holds(value) else 1

    @property
    def bounds(self) -> tuple[float]:
        """The threshold as a tuple of one bound, because all inner nodes have bounds."""
        return (self.threshold,)

    @property
    def opposite(self) -> "Comparison":
        """The comparison that holds exactly when this one does not."""
        return Comparison(self.feature, OPPOSITE[self.sign], self.threshold)


@dataclass(frozen=True, slots=True)
class Range:
    """The possible values of a feature, from ``low`` to ``high``; only integers if ``integer`` is set."""

    low: float = -math.inf
    high: float = math.inf
    integer: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether the range contains no value."""
        return self.low > self.high

    def among(self, comparison: Comparison) -> "Range":
        """The values of this range for which a comparison holds; the same range if these values do not form a range."""
        low, high, limit = self.low, self.high, comparison.threshold
        match comparison.sign:
            case "<=":
                high = min(high, math.floor(limit) if self.integer else limit)
            case "<":
                high = min(high, math.ceil(limit) - 1 if self.integer else math.nextafter(limit, -math.inf))
            case ">=":
                low = max(low, math.ceil(limit) if self.integer else limit)
            case ">":
                low = max(low, math.floor(limit) + 1 if self.integer else math.nextafter(limit, math.inf))
            case "==":
                fits = not self.integer or limit == math.floor(limit)
                low, high = (max(low, limit), min(high, limit)) if fits else (1.0, 0.0)
            case "!=":
                if low == high == limit:
                    low, high = 1.0, 0.0
        return Range(low, high, self.integer)

    def within(self, comparison: Comparison) -> "Range":
        """The same as ``among``, except that if ``!=`` excludes exactly one end of the range, that end is removed."""
        found, limit = self.among(comparison), comparison.threshold
        if comparison.sign == "!=" and found.low == limit:
            found = found.among(Comparison(comparison.feature, ">", limit))
        if comparison.sign == "!=" and found.high == limit:
            found = found.among(Comparison(comparison.feature, "<", limit))
        return found


def ranges_of(sensors: Iterable[Sensor]) -> dict[str, Range]:
    """The ranges of features, taken from the bounds of the sensors."""
    return {each.name: Range(float(each.low), float(each.high), each.integer) for each in sensors}


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature that programs can test, and its cuts: ascending thresholds between quantiles of observed values."""

    name: str
    cuts: tuple[float, ...]


def cuts_at(features: Sequence[Feature], name: str) -> tuple[float, ...]:
    """The cuts of the feature with this name; empty for an unknown feature."""
    return next((feature.cuts for feature in features if feature.name == name), ())


def cuts_of(values: Floats, count: int = 16) -> tuple[float, ...]:
    """The distinct midpoints, at most ``count`` − 1, between neighbouring quantiles of values, float64 (values,).

    If there are only a few distinct values, there is a cut between each pair of neighbours.
    """
    different = np.unique(values)
    if len(different) > count:
        different = np.unique(np.quantile(values, np.linspace(0.0, 1.0, count), method="nearest"))
    return tuple(((different[1:] + different[:-1]) / 2.0).tolist())


def features_of(samples: Iterable[tuple[str, Floats]]) -> tuple[Feature, ...]:
    """The features with more than one distinct value; each sample is a feature's name and values, float64 (values,)."""
    found = ((name, cuts_of(values)) for name, values in samples)
    return tuple(Feature(name, cuts) for name, cuts in found if cuts)


def scale_of(draw: float, octaves: float) -> float:
    """A factor from 2^−octaves to 2^octaves, computed from a number in [0, 1)."""
    return float(2.0 ** (octaves * (2.0 * draw - 1.0)))


def scaled(threshold: float, factor: float) -> float:
    """A threshold multiplied by a factor; the same threshold if the product is not finite."""
    return threshold * factor if math.isfinite(threshold * factor) else threshold


def stepped(threshold: float, cuts: Sequence[float], steps: int) -> float:
    """A threshold moved up (down if negative) by ``steps`` cuts of its feature; unchanged if there are no cuts."""
    if not cuts:
        return threshold
    place = bisect_right(cuts, threshold) - 1  # the last cut that is not above the threshold
    if steps < 0 and place >= 0 and cuts[place] < threshold:
        place += 1  # downwards, that cut is the first step
    return cuts[min(max(place + steps, 0), len(cuts) - 1)]
