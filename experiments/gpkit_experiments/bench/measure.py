"""Measures with their spread and target, the interleaved timing that they come from, and the computer."""

import gc
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import Any, Literal

from gpkit.core.wording import VERSION

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

    def to_json(self) -> dict[str, Any]:
        """The fields, with ``target`` and ``verdict`` only where there is a target."""
        fields = asdict(self)
        if self.target is None:
            del fields["target"]
            return fields
        return {**fields, "verdict": self.verdict}


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


Launch = Callable[[Sequence[str], bool], tuple[float, float]]
"""Runs ``gpkit`` with arguments in a fresh process, with an empty folder of compiled kernels if it is to be cold, and
returns the wall seconds and the CPU seconds of the whole process."""


def rate(
    name: str, what: str, timings: Sequence[Timing], target: Target | None = None, *, unit: str = "games/s"
) -> Measure:
    """The units of work per second."""
    return measured(name, what, unit, [1.0 / timing.each for timing in timings], target)


def times(
    name: str, what: str, slow: Sequence[Timing], fast: Sequence[Timing], target: Target | None = None
) -> Measure:
    """The ratio of the first time for a unit to the second, round by round."""
    return measured(name, what, "times", ratios(slow, fast), target)


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


PACKAGES = ("numpy", "numba", "llvmlite", "deap")


def describe_computer() -> dict[str, str | int]:
    """Processor, cores, system and versions, in words; no paths and no names."""
    versions = {name: _version(name) for name in PACKAGES}
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version for name, version in versions.items() if version},
        "gpkit": VERSION,
    }


def _version(package: str) -> str:

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
