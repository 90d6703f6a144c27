"""Generations of ``gpkit evolve`` of this checkout against those of another one, interleaved, in CPU time.

    git worktree add /tmp/before 947b535
    python -m gpkit_experiments.generation_speed /tmp/before

A run of each checkout with the same seed, stored in a folder as that of the command, goes on by one generation in turn,
as the speed of a shared machine changes within seconds; what is counted is the CPU time of its process. Generation 0,
which reads kernels from their cache, and the end are not counted. All runs of a pair have to end with the same SHA-256
of their populations. The record is ``experiments/data/generation-speed.json``.
"""

import json
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from gpkit.core.files import write_atomic
from gpkit.core.statistics import student_quantile

FILE = Path(__file__).resolve().parents[1] / "data" / "generation-speed.json"
COMMAND = "python -m gpkit_experiments.generation_speed /tmp/before"
BEFORE = "947b535"

SEEDS = range(33_711, 33_714)
"""Named before any of these runs was made."""

PRESET, GENERATIONS = "sevens", 10

RUN = """
import json, sys, tempfile, time
from dataclasses import replace
from pathlib import Path
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.run import Hooks
preset, generations, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
try:
    from gpkit.evolution.presets import shipped_presets
    from gpkit.evolution.resolved import resolve
    from gpkit.evolution.run import evolve
    config, run = shipped_presets()[preset], resolve
except ImportError:
    from gpkit.evolution.evolve import evolve
    from gpkit.evolution.presets import PRESETS
    config, run = PRESETS[preset], lambda config: config
stop = replace(config.stop, generations=generations)
config = replace(config, seed=seed, stop=stop, refinement=replace(config.refinement, finish=False))
began = None
def wait(*_):
    global began
    spent = None if began is None else time.process_time() - began
    print(json.dumps(spent), flush=True)
    sys.stdin.readline()
    began = time.process_time()
with tempfile.TemporaryDirectory() as folder:
    found = evolve(run(config), SerialExecutor(), folder=Path(folder) / "run", hooks=Hooks(generation=wait))
print(json.dumps(found.digest))
"""


def started(checkout: Path, seed: int) -> subprocess.Popen[str]:
    """A run by a checkout, which waits for a line after each generation."""
    command = [sys.executable, "-c", RUN, PRESET, str(GENERATIONS), str(seed)]
    environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONSAFEPATH": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, cwd=checkout, stdin=pipe, stdout=pipe, text=True)


def answer(run: subprocess.Popen[str], *, ask: bool = True) -> Any:
    """The next value of a run, after a line that it waits for."""
    assert run.stdin is not None
    assert run.stdout is not None
    if ask:
        run.stdin.write("\n")
        run.stdin.flush()
    return json.loads(run.stdout.readline())


def pairs(before: Path, now: Path, seed: int) -> list[tuple[float, float]]:
    """The CPU seconds of each generation of both checkouts."""
    runs = [started(before, seed), started(now, seed)]
    for run in runs:
        answer(run, ask=False)  # generation 0
    found = []
    for generation in range(GENERATIONS):
        order = (0, 1) if generation % 2 == 0 else (1, 0)
        seconds = {number: answer(runs[number]) for number in order}
        found.append((seconds[0], seconds[1]))
    one, other = (answer(run) for run in runs)
    assert one == other, f"seed {seed} gives other populations"
    return found


def interval(ratios: list[float]) -> tuple[float, float, float]:
    """The geometric mean of ratios with its 95 % interval by t."""
    logs = [math.log(each) for each in ratios]
    mean, error = statistics.fmean(logs), statistics.stdev(logs) / math.sqrt(len(logs))
    width = student_quantile(0.975, len(logs) - 1) * error
    return math.exp(mean), math.exp(mean - width), math.exp(mean + width)


def main() -> None:
    """Measure all pairs, and keep the record."""
    before, now = Path(sys.argv[1]), Path(__file__).resolve().parents[2]
    found = []
    for seed in SEEDS:
        found += [(seed, *each) for each in pairs(before, now, seed)]
        print(seed, interval([one / other for _, one, other in found]), flush=True)
    mean, low, high = interval([one / other for _, one, other in found])
    record = {
        "command": COMMAND,
        "before": BEFORE,
        "preset": PRESET,
        "generations": GENERATIONS,
        "unit": "CPU seconds of a generation: seed, before, now",
        "pairs": [[seed, round(one, 4), round(other, 4)] for seed, one, other in found],
        "ratio": round(mean, 4),
        "ci95": [round(low, 4), round(high, 4)],
        "same_populations": True,
    }
    write_atomic(FILE, json.dumps(record, indent=1) + "\n")
    print(f"{mean:.3f} ({low:.3f} to {high:.3f}) times as fast")


if __name__ == "__main__":
    main()
