"""The tasks of ``docs/researchers/`` in gpkit and in DEAP: lines, CPU seconds and results.

    python -m gpkit_experiments.researcher_tasks            measure, keep the record, and print the table
    python -m gpkit_experiments.researcher_tasks quartic    measure this task again
    python -m gpkit_experiments.researcher_tasks table      print the table of the record

gpkit's scripts are on the pages. DEAP's scripts are in ``deap_tasks``; they are complete, and written in the style of
its documentation. Both sides have the same population and generations; the record also has the number of evaluations of
each side. For each seed, the sides run in turn, each in a process that has already run the script with seed 0, so
imports and compilation do not count. The script counts the lines that are not empty after ``ruff format --line-length
88``. DEAP has no maps and no best responses.

To work well, DEAP gets these settings: for the multiplexer, lexicase selection, and a choice by one bit as the only
operator; for the ant, a loop until food is ahead, just as gpkit's plans have loops; and for every task, a limit of
height or size. The record is ``experiments/data/researcher-tasks.json``.
"""

import contextlib
import functools
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.core.files import write_atomic
from gpkit.core.statistics import median_interval, share_interval
from gpkit_experiments.bench.measure import describe_computer

COMMAND = "python -m gpkit_experiments.researcher_tasks"
HERE = Path(__file__).resolve().parent
PAGES = HERE.parents[1] / "docs" / "researchers"
FILE = HERE.parent / "data" / "researcher-tasks.json"

SEEDS = range(33_901, 33_911)
"""The seeds, fixed before any of these runs was made."""

SIDES = ("gpkit", "deap")

BLOCK = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
"""A file on a page."""

Values = Mapping[str, Any]
"""The values of a script's variables after it has run."""


def best_score(values: Values) -> float:
    """The score of the champion."""
    return float(values["score"] if "score" in values else values["run"].score)


def area(values: Values) -> float:
    """The fraction that a front dominates of the rectangle of errors below 1 and sizes below 41."""
    if "front" in values:
        points = [member.fitness.values for member in values["front"]]
    else:
        points = [member.objectives for member in values["run"].front.members]
    found, least = 0.0, 1.0
    for closeness, smallness in sorted(points, key=lambda each: (-each[1], -each[0])):
        error, size = -closeness, -smallness
        if error < least and size < 41:
            found += (least - error) * (41 - size)
            least = error
    return found / 40


@dataclass(frozen=True, slots=True)
class Task:
    """A task that both sides solve.

    Attributes:
        title: the title in the table.
        result: returns the result of a run; higher is better.
        unit: the unit of the result.
        solved: the smallest result that counts as a solution; None if the task has no end.
        more: additional files whose lines count.
    """

    title: str
    result: Callable[[Values], float]
    unit: str
    solved: float | None = None
    more: Sequence[str] = ()


TASKS: Mapping[str, Task] = {
    "quartic": Task("your own operator", best_score, "minus the greatest error", -1e-9),
    "stopped": Task("stop and resume", best_score, "minus the mean squared error"),
    "sine_front": Task("a front", area, "dominated part"),
    "asked": Task("scores from elsewhere", best_score, "minus the sum of errors", -1e-9, ("judge.py",)),
    "pendulum": Task("begin with a formula", best_score, "minus the greatest error"),
    "ant": Task("the Santa Fe ant", best_score, "food", 89.0),
    "multiplexer": Task("the 11-multiplexer", best_score, "share of rows", 1.0),
}
"""The tasks, by the names of their scripts."""


def script(task: str, side: str) -> str:
    """The text of a script."""
    if side == "deap":
        return (HERE / "deap_tasks" / f"{task}.txt").read_text(encoding="utf-8")
    return page_files()[f"{task}.py"]


def page_files() -> dict[str, str]:
    """The files on the pages, by name."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(PAGES.glob("*.md")))
    return {name: text for each in texts for name, text in BLOCK.findall(each)}


def lines(task: str, side: str) -> int:
    """The number of lines of a script that are not empty."""
    texts = [script(task, side), *(page_files()[name] for name in TASKS[task].more)]
    return sum(1 for text in texts for line in text.splitlines() if line.strip())


def with_seed(text: str, seed: int) -> str:
    """A script with its seed replaced."""
    text, count = re.subn(r"\b(seed=|seed\()1\b", rf"\g<1>{seed}", text)
    assert count, "the script has a seed"
    return text


def one(task: str, side: str, seed: int) -> dict[str, Any]:
    """One run of a script in a new folder: its CPU seconds, its number of evaluations, and its result."""
    import gpkit

    asked = 0
    real = import_module("gpkit.api.problems").problem

    def counted(score: Any = None, **settings: Any) -> Any:
        if score is None:
            return real(**settings)

        @functools.wraps(score)
        def scored(program: Any) -> Any:
            nonlocal asked
            asked += 1
            return score(program)

        return real(scored, **settings)

    if side == "deap":
        creator = import_module("deap.creator")
        for name in ("Fitness", "Individual"):
            vars(creator).pop(name, None)
    code = compile(with_seed(script(task, side), seed), task, "exec")
    values: dict[str, Any] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(None):
        for name, text in page_files().items():
            Path(name).write_text(text, encoding="utf-8")
        vars(gpkit)["problem"] = counted
        try:
            began = time.process_time()
            exec(code, values)  # noqa: S102
            seconds = time.process_time() - began
        finally:
            del vars(gpkit)["problem"]
    if "log" in values:
        asked = sum(values["log"].select("nevals")) * (2 if task == "pendulum" else 1)
    result = TASKS[task].result(values)
    return {"seconds": round(seconds, 4), "evaluations": asked or None, "result": result}


def serve(task: str, side: str) -> None:
    """Read seeds, and answer each with a run."""
    warnings.simplefilter("ignore")
    with np.errstate(all="ignore"):
        for line in sys.stdin:
            print(json.dumps(one(task, side, int(line))), flush=True)


def started(task: str, side: str) -> subprocess.Popen[str]:
    """A process that serves the runs of a side of a task."""
    command = [sys.executable, "-m", "gpkit_experiments.researcher_tasks", "serve", task, side]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=os.environ | threads, stdin=pipe, stdout=pipe, text=True)


def answer(process: subprocess.Popen[str], seed: int) -> dict[str, Any]:
    """The run with a seed, made by a process."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{seed}\n")
    process.stdin.flush()
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


def measured(task: str, seeds: Sequence[int]) -> Iterator[dict[str, list[dict[str, Any]]]]:
    """Yield the runs of both sides so far, after each seed."""
    sides = {side: started(task, side) for side in SIDES}
    for process in sides.values():
        answer(process, 0)
    runs: dict[str, list[dict[str, Any]]] = {side: [] for side in SIDES}
    for number, seed in enumerate(seeds):
        for side in SIDES if number % 2 == 0 else reversed(SIDES):
            runs[side].append(answer(sides[side], seed))
        yield runs
    for process in sides.values():
        assert process.stdin is not None
        process.stdin.close()
        process.wait()


def short(value: float) -> str:
    """A number with three digits."""
    return f"{0.0 if abs(value) < 1e-9 else value:.3g}"


def between(found: Sequence[float]) -> str:
    """A value and its interval."""
    middle, low, high = map(short, found)
    return f"{middle} [{low}, {high}]" if math.isfinite(found[1]) else middle


def summary(task: str, runs: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The cells of the table for a side of a task."""
    solved = TASKS[task].solved
    results = [run["result"] for run in runs]
    told = {
        "seconds": between(median_interval([run["seconds"] for run in runs])),
        "result": between(median_interval(results)),
        "solved": "",
    }
    if solved is not None:
        hits = sum(result >= solved for result in results)
        _, low, high = share_interval(hits, len(results))
        told["solved"] = f"{hits} of {len(results)} [{low:.2f}, {high:.2f}]"
    return told


def table(record: Mapping[str, Any]) -> str:
    """The table of a record in Markdown."""
    rows = [
        "| task | by | lines | CPU seconds | solved | result |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for name, found in record["tasks"].items():
        for side in SIDES:
            told = summary(name, found["runs"][side])
            title = f"{TASKS[name].title} ({TASKS[name].unit})" if side == "gpkit" else ""
            cells = (title, "DEAP" if side == "deap" else side, found["lines"][side], *told.values())
            seconds, result, solved = cells[3:]
            rows.append(f"| {' | '.join(map(str, (*cells[:3], seconds, solved, result)))} |")
    return "\n".join(rows)


def main(words: Sequence[str]) -> None:
    """Measure all tasks, and store the record; ``serve TASK SIDE`` answers seeds with runs."""
    if words[:1] == ["serve"]:
        serve(*words[1:])
        return
    if words[:1] != ["table"]:
        tasks: dict[str, Any] = {}
        if words and FILE.exists():
            tasks = json.loads(FILE.read_text(encoding="utf-8"))["tasks"]
        record = {
            "command": COMMAND,
            "seeds": [SEEDS[0], SEEDS[-1]],
            "deap": metadata.version("deap"),
            "machine": describe_computer(),
            "tasks": tasks,
        }
        for name in words or TASKS:
            for runs in measured(name, SEEDS):
                tasks[name] = {"lines": {side: lines(name, side) for side in SIDES}, "runs": runs}
                write_atomic(FILE, json.dumps(record, indent=1) + "\n")
            print(name, *(summary(name, runs[side]) for side in SIDES), flush=True)
    print(table(json.loads(FILE.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main(sys.argv[1:])
