"""``gpkit bench``: benchmarks of gpkit against other tools and against its own plain-Python code."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Annotated

from gpkit.api.kinds import Kind
from gpkit.api.progress import watching
from gpkit.cli import output
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK
from gpkit.core.registry import find
from gpkit_experiments.bench.measure import Measure, Session, describe_computer
from gpkit_experiments.bench.registry import BENCHMARKS, ONLY_BY_NAME

CLOCK = "CPU time of the process, of workers elapsed time; what is compared is measured in turn in one run"

COLUMNS = ("what", "median", "least to greatest", "unit", "target", "verdict")
TEXTS = ("what", "unit", "target")
"""The columns that may take several lines."""


def bench(
    names: Annotated[Sequence[str], Kind("[NAME...]", completes="benchmark", many=True)] = (),
    *,
    quick: bool = False,
    json: bool = False,
) -> int:
    """Run the benchmarks NAME, or all of them but `fastsrb`. They come with the source checkout alone.

    Times are CPU times, those of workers elapsed, taken in turn (A B A B ...) in one run; each number is the median of
    several, with the least and the greatest, a share with the ends of its 95% interval. `fastsrb` stores its equations
    one by one, and goes on where it was broken off. Exit code 1 if something misses its target; with --quick never.

    The JSON object has `schema`, `command`, `quick`, `clock`, `machine` (the processor and the versions of what
    matters) and `benchmarks`: for each `name`, `title`, `task` and `measures`. A measure has `name`, `what`, `unit`,
    `median`, `low`, `high`, `count` (of measurements), and where something was promised `target` (`sense`,
    `required`, `aim`) and `verdict`.

    Args:
        names: of benchmarks. Default: all but `fastsrb`.
        quick: small numbers, in a few seconds: for a look, not for a verdict.
        json: print JSON with a `schema` key.
    """
    everything = [entry for entry in BENCHMARKS if entry.name not in ONLY_BY_NAME]
    entries = [find(BENCHMARKS, name, "benchmark") for name in names] or everything
    with watching() as show:
        session = Session(quick, time.process_time, launch, show, time.perf_counter)
        found = [(entry, entry.load()(session)) for entry in entries]
    machine = describe_computer()
    if json:
        benchmarks = [
            {
                "name": entry.name,
                "title": entry.title,
                "task": outcome.task,
                "measures": [measure.to_json() for measure in outcome.measures],
            }
            for entry, outcome in found
        ]
        words = ["gpkit", "bench", *names, *(["--quick"] if quick else []), "--json"]
        output.json_object(
            "gpkit/bench/1",
            command=" ".join(words),
            quick=quick,
            clock=CLOCK,
            machine=machine,
            benchmarks=benchmarks,
        )
    else:
        output.tell(", ".join(f"{name} {value}" for name, value in machine.items()))
        output.tell(CLOCK)
        for entry, outcome in found:
            output.tell(f"\n{entry.name}: {entry.title}\n{outcome.task}")
            output.table(
                COLUMNS, [_row(measure) for measure in outcome.measures], right=("median",), texts=TEXTS
            )
    slow = any(m.verdict == "below requirement" for _, outcome in found for m in outcome.measures)
    return EXIT_FINDINGS if slow and not quick else EXIT_OK


def _row(measure: Measure) -> tuple[str, ...]:
    spread = f"{_number(measure.low)} to {_number(measure.high)}" if measure.count > 1 else ""
    target = "" if measure.target is None else str(measure.target)
    return measure.what, _number(measure.median), spread, measure.unit, target, measure.verdict or ""


def _number(value: float) -> str:
    """Three figures, or all before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def launch(arguments: Sequence[str], cold: bool) -> tuple[float, float]:
    """Run gpkit in a fresh process: (wall seconds, CPU seconds), from nothing compiled if ``cold``."""
    with tempfile.TemporaryDirectory(prefix="gpkit-bench-") as folder:
        environment = os.environ | ({"GPKIT_CACHE_DIR": folder} if cold else {})
        before, start = os.times(), time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "gpkit", *arguments], env=environment, capture_output=True, check=True
        )
        wall, after = time.perf_counter() - start, os.times()
    user, system = after.children_user - before.children_user, after.children_system - before.children_system
    return wall, user + system
