"""Comparisons of features with thresholds: what they mean, where they can cut, and how their thresholds are varied."""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

Sign = Literal["<", "<=", ">", ">=", "==", "!="]
SIGNS: tuple[Sign, ...] = ("<", "<=", ">", ">=", "==", "!=")

DRAWN: tuple[Sign, ...] = ("<=", ">")
"""The signs of random tests."""

HOLDS: Mapping[Sign, Callable[[float, float], bool]] = {
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: not a <= b,
    ">=": lambda a, b: b <= a,
    "<": lambda a, b: not b <= a,
    "==": lambda a, b: a <= b <= a,
    "!=": lambda a, b: not a <= b <= a,
}
"""Meanings of the signs; built on one comparison, so that each has an exact opposite, for NaN too."""

OPPOSITE: Mapping[Sign, Sign] = {"<=": ">", ">": "<=", ">=": "<", "<": ">=", "==": "!=", "!=": "=="}
"""The sign that holds where another does not."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A feature, compared with a number; as a node of a decision tree it has the branches yes and no."""

    feature: str
    sign: Sign
    threshold: float

    word: ClassVar[str] = "test"  # in files of JSON
    arity: ClassVar[int] = 2

    def holds(self, value: float) -> bool:
        """Whether it holds for a value of the feature."""
        return HOLDS[self.sign](value, self.threshold)

    def branch(self, value: float) -> int:
        """The branch for a value of the feature: 0 for yes, 1 for no."""
        return 0 if self.holds(value) else 1

    @property
    def bounds(self) -> tuple[float]:
        """The threshold, as the only bound; switches and chances have bounds, too."""
        return (self.threshold,)

    @property
    def opposite(self) -> "Comparison":
        """The comparison that holds where this one does not."""
        return Comparison(self.feature, OPPOSITE[self.sign], self.threshold)


@dataclass(frozen=True, slots=True)
class Range:
    """Values that a feature can have: from ``low`` to ``high``, whole numbers only if ``integer``."""

    low: float = -math.inf
    high: float = math.inf
    integer: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether no value is left."""
        return self.low > self.high

    def among(self, comparison: Comparison) -> "Range":
        """The values for which a comparison can hold; all of them where that is no range."""
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
        """The same, less an end of the range that is the one value for which ``!=`` does not hold."""
        found, limit = self.among(comparison), comparison.threshold
        if comparison.sign == "!=" and found.low == limit:
            found = found.among(Comparison(comparison.feature, ">", limit))
        if comparison.sign == "!=" and found.high == limit:
            found = found.among(Comparison(comparison.feature, "<", limit))
        return found


@dataclass(frozen=True, slots=True)
class Feature:
    """Feature that programs test, and its cuts: rising thresholds between quantiles of what was observed."""

    name: str
    cuts: tuple[float, ...]


def cuts_at(features: Sequence[Feature], name: str) -> tuple[float, ...]:
    """The cuts of a feature by its name; none of one that is not known."""
    return next((feature.cuts for feature in features if feature.name == name), ())


def cuts_of(values: NDArray[np.float64], count: int = 16) -> tuple[float, ...]:
    """The middles between neighbouring quantiles of values, float64 (values,): at most ``count`` − 1, all different.

    Few different values have a cut between each two neighbours.
    """
    different = np.unique(values)
    if len(different) > count:
        different = np.unique(np.quantile(values, np.linspace(0.0, 1.0, count), method="nearest"))
    return tuple(((different[1:] + different[:-1]) / 2.0).tolist())


def features_of(samples: Iterable[tuple[str, NDArray[np.float64]]]) -> tuple[Feature, ...]:
    """The features of which different values were observed: float64 (values,) of each, by its name."""
    found = ((name, cuts_of(values)) for name, values in samples)
    return tuple(Feature(name, cuts) for name, cuts in found if cuts)


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
