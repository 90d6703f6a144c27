"""Branches that no game can take: the tests on their path contradict each other, or the bounds of the features.

An action, a wait or a used plan may change every feature, so what tests have shown holds up to there only; what a game
promises of its sensors holds everywhere.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.plan import (
    Chance,
    Comparison,
    Decide,
    Repeat,
    Sequence,
    Test,
    Wait,
    While,
    below,
    opposite,
    steps,
)
from gpkit.languages.execution.interpreter import size_of


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


Ranges = Mapping[str, Range]
"""By feature its values; a feature that is missing can have any."""


def bounds_of(primitives: PrimitiveSet | None) -> Ranges:
    """The bounds that a game promises of its sensors; none without a game."""
    sensors = primitives.sensors if primitives is not None else ()
    return {sensor.name: Range(sensor.low, sensor.high, sensor.integer) for sensor in sensors}


def narrowed(ranges: Ranges, test: Test) -> Ranges | None:
    """The values of features where a test holds; None if it cannot hold."""
    if test.join == "or":
        possible = [found for c in test.comparisons if (found := _with(ranges, c)) is not None]
        return possible[0] if len(possible) == 1 else (ranges if possible else None)
    left: Ranges | None = ranges
    for comparison in test.comparisons:
        left = None if left is None else _with(left, comparison)
    return left


def _with(ranges: Ranges, comparison: Comparison) -> Ranges | None:
    after = ranges.get(comparison.feature, Range()).among(comparison)
    return None if after.is_empty else {**ranges, comparison.feature: after}


@dataclass(frozen=True, slots=True)
class Dead:
    """A branch that is never taken, or a test that never holds.

    Attributes:
        number: of the step that has it, in the order of the text.
        branch: ``yes``, ``no``, ``body``, or ``wait`` where waiting always takes all its ticks.
    """

    number: int
    branch: str


def dead(sequence: Sequence, bounds: Ranges) -> Iterator[Dead]:
    """The branches of a plan that cannot be taken; what lies in one is not looked at again."""
    yield from _dead(sequence, 0, bounds, bounds)


def unreached(sequence: Sequence, bounds: Ranges) -> frozenset[int]:
    """The numbers of the steps in branches that cannot be taken."""
    found: set[int] = set()
    all_steps = list(steps(sequence))
    for each in dead(sequence, bounds):
        inner = below(all_steps[each.number])
        start = each.number + 1 + (size_of(inner[0]) if each.branch == "no" else 0)
        size = size_of(inner[1 if each.branch == "no" else 0]) if inner else 0
        found.update(range(start, start + size))
    return frozenset(found)


def _dead(sequence: Sequence, number: int, ranges: Ranges, bounds: Ranges) -> Iterator[Dead]:
    for step in sequence:
        match step:
            case Decide():
                inner = number + 1
                for branch, test, name in (
                    (step.yes, step.test, "yes"),
                    (step.no, opposite(step.test), "no"),
                ):
                    found = narrowed(ranges, test)
                    if found is None:
                        yield Dead(number, name)
                    else:
                        yield from _dead(branch, inner, found, bounds)
                    inner += size_of(branch)
            case Chance():
                inner = number + 1
                for branch, possible, name in (
                    (step.yes, step.probability > 0.0, "yes"),
                    (step.no, step.probability < 1.0, "no"),
                ):
                    if possible:
                        yield from _dead(branch, inner, ranges, bounds)
                    else:
                        yield Dead(number, name)
                    inner += size_of(branch)
            case While():
                found = narrowed(bounds, step.test)
                if found is None or narrowed(ranges, step.test) is None:
                    yield Dead(number, "body")
                else:
                    yield from _dead(step.body, number + 1, found, bounds)
            case Repeat():
                yield from _dead(step.body, number + 1, bounds, bounds)
            case Wait():
                if narrowed(bounds, step.test) is None and step.most:
                    yield Dead(number, "wait")
        number += 1 + sum(size_of(inner) for inner in below(step))
        ranges = bounds
