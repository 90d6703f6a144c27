"""Reproduction of a source: rows of what it says, what was measured here, and whether the two agree."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor

Budget = Literal["quick", "full"]
"""Budget of a reproduction: minutes to see that it works, or the effort of the committed results."""

Verdict = Literal["holds", "fails", "open"]
"""Verdict of an interval on a claim; ``open`` is that more data are needed to tell."""

Watch = Callable[[str], object]
"""Is told in words what is being done."""


def ignore(_doing: str) -> None:
    """A ``Watch`` that does not care."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim that a quantity is above one and below another, each known by its interval; None is no bound."""

    above: Interval | None = None
    below: Interval | None = None

    def judge(self, measured: Interval) -> Verdict:
        """Whether the claim is true for certain, false for certain, or neither: then intervals overlap."""
        pairs = [(self.above, measured), (measured, self.below)]
        orders = [(low, high) for low, high in pairs if low is not None and high is not None]
        if any(high.high < low.low for low, high in orders):
            return "fails"
        return "holds" if all(low.high < high.low for low, high in orders) else "open"


def above(value: float) -> Claim:
    """Claim that a quantity is above a number."""
    return Claim(above=exact(value))


def below(value: float) -> Claim:
    """Claim that a quantity is below a number."""
    return Claim(below=exact(value))


def exact(value: float, units: int = 1) -> Interval:
    """The interval without width of a number that was given or counted, not estimated."""
    return Interval(float(value), float(value), float(value), units)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a paper's tables.

    Attributes:
        table: the heading that it stands under.
        quantity: what was measured.
        measured: its mean with the 95 % interval; an exact count has an interval without width.
        unit: what the units of the interval are: what was drawn independently.
        published: what the source says of it; empty where it says nothing.
        claim: what of that is put to the test; None where the number is for information.
        exact: the measured value is computed without chance, the same for every budget and seed.
    """

    table: str
    quantity: str
    measured: Interval
    unit: str
    published: str = ""
    claim: Claim | None = None
    exact: bool = False

    def verdict(self, budget: Budget) -> Verdict | None:
        """Verdict on the claim; None without one, and at a quick budget for all that is not exact."""
        if self.claim is None or (budget == "quick" and not self.exact):
            return None
        return self.claim.judge(self.measured)

    def to_json(self, budget: Budget) -> dict[str, Any]:
        """The row as JSON values; None stands for a bound or a verdict that is not there."""
        claim = self.claim
        return {
            "table": self.table,
            "quantity": self.quantity,
            "published": self.published,
            "measured": self.measured.mean,
            "ci95": _bounds(self.measured),
            "units": self.measured.units,
            "unit": self.unit,
            "claim": None
            if claim is None
            else {"above": _bounds(claim.above), "below": _bounds(claim.below)},
            "verdict": self.verdict(budget),
        }


def _bounds(interval: Interval | None) -> list[float | None] | None:
    if interval is None:
        return None
    return [bound if math.isfinite(bound) else None for bound in (interval.low, interval.high)]


@dataclass(frozen=True, slots=True)
class Findings:
    """Findings of the reproduction of a source.

    Attributes:
        settings: everything beside the seed that decided the result, as JSON values.
        notes: how it was measured, and what the source leaves open; a sentence each.
        rows: the tables, row by row.
        files: the texts that came of it (programs, data), by their path in a folder.
    """

    settings: Mapping[str, Any]
    notes: tuple[str, ...]
    rows: tuple[Row, ...]
    files: Mapping[str, str] = field(default_factory=dict)

    def to_json(self, budget: Budget) -> dict[str, Any]:
        """The findings as JSON values, with the verdicts of a budget, without the files."""
        return {
            "settings": dict(self.settings),
            "notes": list(self.notes),
            "rows": [row.to_json(budget) for row in self.rows],
        }


class Paper(Protocol):
    """A source whose tables can be measured again."""

    name: str

    def run(self, budget: Budget, seed: int, executor: Executor, watch: Watch = ignore) -> Findings:
        """Measure everything that the source claims.

        Args:
            budget: how much is spent.
            seed: of all chance.
            executor: where the work is done; it cannot change the result.
            watch: is told what is being done.
        """
