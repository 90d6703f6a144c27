"""Reproduction of a source: rows of what it says, what was measured here, and whether the two agree."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Generic, Literal, Self, TypeVar

from gpkit.core.statistics import LEVEL, Interval, student_quantile
from gpkit.evolution.problem import Executor
from gpkit_experiments.papers.units import Kept, finite, infinite

Budget = Literal["quick", "full"]
"""Budget of a reproduction: minutes to see that it works, or the effort of the committed results."""

Verdict = Literal["holds", "fails", "open"]
"""Verdict of an interval on a claim; ``open`` is that more data are needed to tell."""

POWER = 0.8
"""The share of samples that tell a difference which a table calls told."""

Effort = TypeVar("Effort")
"""The class of a paper's budgets."""

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
        orders = self._orders(measured)
        if any(high.high < low.low for low, high in orders):
            return "fails"
        return "holds" if all(low.high < high.low for low, high in orders) else "open"

    def tells(self, measured: Interval) -> float:
        """Power: the smallest distance from a bound at which four of five such samples would not leave it open.

        An interval says its standard error; a bound that was sampled adds its own. It is 0 where both are exact.
        """
        return max((_told(_reach(low), _reach(high)) for low, high in self._orders(measured)), default=0.0)

    def decides(self, measured: Interval) -> float:
        """The number of units of which four of five samples decide, if the mean is the truth.

        Intervals shrink with the root of the number, and as Student's quantile does. The bound that decides is the one
        that the mean is beyond, or nearest to; where the mean is on it no number is enough.

        >>> above(0.5).decides(Interval(0.6, 0.4, 0.8, 10))
        64
        >>> Claim(exact(0.5), exact(0.9)).decides(Interval(0.45, 0.25, 0.65, 10))
        248
        >>> above(0.6).decides(Interval(0.6, 0.4, 0.8, 10))
        inf
        """
        margin = min((high.mean - low.mean for low, high in self._orders(measured)), default=0.0)
        told = self.tells(measured)
        if not margin or math.isinf(told):
            return math.inf
        scale = measured.units * (told / margin / _quantile(measured.units)) ** 2
        units = max(2, math.ceil(scale * NormalDist().inv_cdf((1.0 + LEVEL) / 2) ** 2))
        while units < scale * _quantile(units) ** 2:
            units += 1
        return units

    def _orders(self, measured: Interval) -> list[tuple[Interval, Interval]]:
        """The pairs of intervals of which the claim says that the first is below the second."""
        pairs = [(self.above, measured), (measured, self.below)]
        return [(low, high) for low, high in pairs if low is not None and high is not None]


def _reach(interval: Interval) -> float:
    """The longer arm of an interval; the shorter one may have met the end of what there can be."""
    return max(interval.mean - interval.low, interval.high - interval.mean)


def _quantile(units: int) -> float:
    """Student's quantile of intervals of so many units."""
    return student_quantile((1.0 + LEVEL) / 2, max(units - 1, 1))


def _told(one: float, other: float) -> float:
    """The distance of two means whose intervals reach so far, at which they are disjoint in four of five samples."""
    normal = NormalDist()
    return one + other + math.hypot(one, other) * normal.inv_cdf(POWER) / normal.inv_cdf((1.0 + LEVEL) / 2)


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
        measured: its mean with the 95% interval; an exact count has an interval without width.
        unit: what the units of the interval are: what was drawn independently.
        published: what the source says of it; empty where it says nothing.
        claim: what of that is put to the test; None where the number is for information.
        exact: the measured value is computed without chance, the same for every budget and seed.
        values: how an interval that does not keep its values is made again: ``exact``, ``summary only: `` with what
            it takes to measure it again, or as the record says.
    """

    table: str
    quantity: str
    measured: Interval
    unit: str
    published: str = ""
    claim: Claim | None = None
    exact: bool = False
    values: Mapping[str, Any] | str = ""

    def verdict(self, budget: Budget) -> Verdict | None:
        """Verdict on the claim; None without one, and at a quick budget for all that is not exact."""
        if self.claim is None or (budget == "quick" and not self.exact):
            return None
        return self.claim.judge(self.measured)

    def to_json(self, budget: Budget) -> dict[str, Any]:
        """The row as JSON values; None stands for a bound or a verdict that is not there."""
        claim, kept = self.claim, self.measured.said if isinstance(self.measured, Kept) else self.values
        values = kept or ("exact" if self.exact else "")
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
            **({"values": values} if values else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The row as it was written down; of what it is compared with the ends are known, the middle is the mean."""
        bounds = data["claim"]
        claim = None if bounds is None else Claim(*(_interval(bounds[side]) for side in ("above", "below")))
        low, high = infinite(data["ci95"])
        measured = Interval(data["measured"], low, high, data["units"])
        unit, said, values = data["unit"], data["published"], data.get("values", "")
        return cls(data["table"], data["quantity"], measured, unit, said, claim, values=values)


def _bounds(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else finite((interval.low, interval.high))


def _interval(bounds: Sequence[float | None] | None) -> Interval | None:
    if bounds is None:
        return None
    low, high = infinite(bounds)
    return Interval((low + high) / 2 if math.isfinite(low + high) else 0.0, low, high, 0)


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


@dataclass(frozen=True, slots=True)
class Study(Generic[Effort]):
    """One reproduction under way.

    Attributes:
        effort: how much is spent.
        seed: of all chance.
        executor: where the work is done; it cannot change the result.
        watch: is told what is being done.
        budget: the one that the effort is of.
    """

    effort: Effort
    seed: int
    executor: Executor
    watch: Watch
    budget: Budget = "full"


Studied = TypeVar("Studied", bound=Study[Any])


@dataclass(frozen=True, slots=True)
class Paper(Generic[Effort, Studied]):
    """A source whose tables can be measured again.

    Attributes:
        efforts: by budget how much is spent.
        study: makes the study of an effort.
        measure: measures everything that the source claims.
    """

    efforts: Mapping[Budget, Effort]
    study: Callable[[Effort, int, Executor, Watch, Budget], Studied]
    measure: Callable[[Studied], Findings]

    def run(self, budget: Budget, seed: int, executor: Executor, watch: Watch = ignore) -> Findings:
        """The findings of a budget and a seed of all chance."""
        return self.measure(self.study(self.efforts[budget], seed, executor, watch, budget))
