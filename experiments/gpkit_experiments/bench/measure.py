"""Measures with their spread and target, and the interleaved timing that they come from."""

import gc
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Literal, Protocol

Clock = Callable[[], float]
"""The seconds since some moment, such as the CPU seconds that this process has used so far."""

Verdict = Literal["aim reached", "as required", "aim missed", "below requirement"]


@dataclass(frozen=True, slots=True)
class Target:
    """Target of a measure: at least or at most what is ``required``, better the ``aim``; one of them may lack."""

    sense: Literal["at least", "at most"]
    required: float | None = None
    aim: float | None = None

    def verdict(self, value: float) -> Verdict:
        """Verdict on a value by the target."""
        if self.aim is not None and self._meets(value, self.aim):
            return "aim reached"
        if self.required is None:
            return "aim missed"
        return "as required" if self._meets(value, self.required) else "below requirement"

    def _meets(self, value: float, bound: float) -> bool:
        return value >= bound if self.sense == "at least" else value <= bound

    def __str__(self) -> str:
        """Such as ``at least 10, aim 15``."""
        if self.required is None:
            return f"aim {self.sense} {self.aim:,g}"
        return f"{self.sense} {self.required:,g}" + ("" if self.aim is None else f", aim {self.aim:,g}")


@dataclass(frozen=True, slots=True)
class Measure:
    """One number that was measured several times.

    Attributes:
        name: for programs that read the result.
        what: for people: what was measured against what.
        unit: ``times`` for ratios.
        median, low, high: the middle, the least and the greatest of the measurements.
        count: how many measurements there were.
        target: what the median should be, where something was promised.
    """

    name: str
    what: str
    unit: str
    median: float
    low: float
    high: float
    count: int
    target: Target | None = None

    @property
    def verdict(self) -> Verdict | None:
        """Verdict on the median by the target, if there is one."""
        return None if self.target is None else self.target.verdict(self.median)

    def to_json(self) -> dict[str, object]:
        """The fields, with ``target`` and ``verdict`` only where there is a target."""
        fields: dict[str, object] = {
            "name": self.name,
            "what": self.what,
            "unit": self.unit,
            "median": self.median,
            "low": self.low,
            "high": self.high,
            "count": self.count,
        }
        if self.target is not None:
            fields["target"] = asdict(self.target)
            fields["verdict"] = self.verdict
        return fields


def measured(
    name: str, what: str, unit: str, values: Sequence[float], target: Target | None = None
) -> Measure:
    """The measure of these measurements, at least one."""
    return Measure(name, what, unit, median(values), min(values), max(values), len(values), target)


@dataclass(frozen=True, slots=True)
class Timing:
    """Time of one piece of work: seconds by the clock in use, and the number of units of work."""

    seconds: float
    units: float

    @property
    def each(self) -> float:
        """Seconds per unit."""
        return self.seconds / self.units


Work = Callable[[int], float]
"""Does the work of a round, given its number, and returns how many units it was."""


def interleaved(works: Sequence[Work], rounds: int, clock: Clock) -> list[list[Timing]]:
    """Time pieces of work in turn, A B A B ..., so that whatever disturbs the machine disturbs all of them.

    Garbage is collected before every piece, so that none pays for what another left, and what was there before the
    first (modules, mostly) is set aside from collection.

    Returns:
        The timings of each piece of work, one for each round.
    """
    timings: list[list[Timing]] = [[] for _ in works]
    gc.collect()
    gc.freeze()
    for number in range(rounds):
        for work, taken in zip(works, timings, strict=True):
            gc.collect()
            start = clock()
            units = work(number)
            taken.append(Timing(clock() - start, units))
    gc.unfreeze()
    return timings


def ratios(slow: Sequence[Timing], fast: Sequence[Timing]) -> list[float]:
    """Round by round, how many times as long the first takes for a unit as the second."""
    return [a.each / b.each for a, b in zip(slow, fast, strict=True)]


class Launch(Protocol):
    """Runs ``gpkit`` with arguments in a fresh process."""

    def __call__(self, arguments: Sequence[str], *, cold: bool) -> tuple[float, float]:
        """(wall seconds, CPU seconds) of the whole process; ``cold``: with an empty folder of compiled kernels."""


@dataclass(frozen=True, slots=True)
class Session:
    """Services of the command line to a benchmark.

    Attributes:
        quick: small numbers, for a look.
        clock: CPU seconds of this process.
        launch: runs gpkit in a fresh process.
        watch: is told what is being measured.
        wall: seconds that have passed since some moment, for what several processes do.
    """

    quick: bool
    clock: Clock
    launch: Launch
    watch: Callable[[str], object]
    wall: Clock


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a benchmark: the task in a sentence, and the measures."""

    task: str
    measures: tuple[Measure, ...]


Benchmark = Callable[[Session], Outcome]
"""Benchmark as named by a line of ``gpkit_experiments.bench.registry.BENCHMARKS``."""
