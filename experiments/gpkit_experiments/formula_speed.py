"""Speed of whole evolutions: formulas by this checkout, an earlier one, DEAP and pyoperon, and trees on rows, in turn.

    python -m gpkit_experiments.formula_speed BEFORE > experiments/data/formula-speed.json
    python -m gpkit_experiments.formula_speed BEFORE rows > experiments/data/rows-speed.json

BEFORE is a checkout of commit cb53fde5. Each evolution runs in a process of its own and is timed there in CPU seconds,
compiled code loaded, with what was imported set aside from garbage collection. pyoperon 0.6.2 computes in single
precision and starts from formulas of other sizes; it need only be installed for this. With ``rows`` the command
``gpkit evolve --data`` is timed, by both checkouts on the same table, and how much of it is storing and printing.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.core.rng import stream
from gpkit_experiments.bench.computer import describe_computer

SEEDS, ROWS_SEEDS = tuple(range(41_020, 41_027)), tuple(range(41_030, 41_037))
"""Of formulas and of rows, named before any of them was run."""

ROWS, COLUMNS, GENERATIONS = 600, 8, 30
"""Of the table of ``rows``, whose three classes follow from four of its columns, and of runs on it."""

_BEGIN = """
import gc, json, sys, time
from gpkit_experiments.bench import pagie
setting, seed = pagie.Setting(), int(sys.argv[1])
data = pagie.data(setting.rows)
"""
_END = """
gc.collect(); gc.freeze()
start = time.process_time()
error = evolve()
print(json.dumps({"seconds": time.process_time() - start, "error": error, "nodes": data.nodes}))
"""

SIDES = {
    "gpkit": "pagie.evolve(pagie.data(setting.rows), pagie.Setting(size=10, generations=1), 0)\n"
    "evolve = lambda: pagie.evolve(data, setting, seed)",
    "deap": "from gpkit_experiments.bench import with_deap\n"
    "evolve = lambda: with_deap.evolve(data, setting, seed)",
    "pyoperon": """
from pyoperon.sklearn import SymbolicRegressor
columns, targets = data.problem.columns.T.copy(), data.problem.targets
def evolve():
    model = SymbolicRegressor(allowed_symbols="add,sub,mul,div,variable", population_size=setting.size,
        generations=setting.generations, max_evaluations=10**9, optimizer_iterations=0, n_threads=1,
        tournament_size=setting.tournament, max_depth=setting.levels, max_length=500, random_state=seed)
    model.fit(columns, targets)
    return float(((model.predict(columns) - targets) ** 2).mean() ** 0.5)
""",
}


_ROWS = """
import gc, hashlib, json, sqlite3, sys, tempfile, time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from gpkit.cli.main import main
from gpkit.evolution.run import Diary  # where both checkouts have it
spent, inside = 0.0, False
def timed(method):
    def outer(*arguments):
        global spent, inside
        if inside:
            return method(*arguments)
        inside, start = True, time.process_time()
        try:
            return method(*arguments)
        finally:
            inside, spent = False, spent + time.process_time() - start
    return outer
for name in ("write", "store", "write_end"):
    if hasattr(Diary, name):
        setattr(Diary, name, timed(getattr(Diary, name)))
def evolve(seed, generations, folder):
    given = ["evolve", "--data", sys.argv[2], "--target", "kind", "--seed", str(seed)]
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main([*given, "--generations", str(generations), "--out", str(folder)]) == 0
with tempfile.TemporaryDirectory() as place:
    evolve(0, 2, Path(place) / "warm")
    gc.collect(); gc.freeze()
    spent, start = 0.0, time.process_time()
    evolve(int(sys.argv[1]), int(sys.argv[3]), Path(place) / "run")
    seconds = time.process_time() - start
    state = json.loads((Path(place) / "run/state.json").read_text())["sha256"]
    genealogy = sqlite3.connect(Path(place) / "run/run.db")
    born = genealogy.execute("SELECT number, operator, size, program FROM individuals ORDER BY number")
    ranks = genealogy.execute("SELECT * FROM fitness ORDER BY generation, island, rank")
    content = repr((born.fetchall(), ranks.fetchall()))
digest = hashlib.sha256((state + content).encode()).hexdigest()
print(json.dumps({"seconds": seconds, "storing": spent, "error": digest}))
"""


def table(path: Path) -> None:
    """Write the table of rows: normal columns, and a class that follows from four of them."""
    columns = stream(0, "rows-speed").normal(size=(COLUMNS, ROWS))
    inner = np.where(columns[3] > 0.5, "mid", "low")
    kinds = np.where(columns[0] + columns[1] * columns[2] > 0.3, "high", inner).tolist()
    rows = zip(columns.T.tolist(), kinds, strict=True)
    lines = [",".join([*(f"{value:.4f}" for value in row), kind]) for row, kind in rows]
    names = ",".join([*(f"f{number}" for number in range(COLUMNS)), "kind"])
    path.write_text("\n".join([names, *lines]) + "\n")


def timed(text: str, seed: int, checkout: Path, *more: str) -> dict[str, Any]:
    """Output of a program with the code of a checkout: CPU seconds, error or digest, and others that it knows."""
    paths = os.pathsep.join([str(checkout), str(checkout / "experiments")])
    done = subprocess.run(
        [sys.executable, "-c", text, str(seed), *more],
        env=os.environ | {"PYTHONPATH": paths},
        cwd=checkout,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def record(before: Path) -> dict[str, Any]:
    """The measurements of formulas, and the ratio of each side's seconds to those of this checkout, seed by seed."""
    texts = {name: _BEGIN + side + _END for name, side in SIDES.items()}
    here = Path(__file__).parents[2]
    return _record(
        "python -m gpkit_experiments.formula_speed BEFORE > experiments/data/formula-speed.json",
        SEEDS,
        {"gpkit": here, "before": before, "deap": here, "pyoperon": here},
        lambda name, seed, checkout: timed(texts.get(name, texts["gpkit"]), seed, checkout),
    )


def record_rows(before: Path) -> dict[str, Any]:
    """The measurements of rows, with the medians of the share of storing and printing, also of the run before."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "rows.csv"
        table(path)
        found = _record(
            "python -m gpkit_experiments.formula_speed BEFORE rows > experiments/data/rows-speed.json",
            ROWS_SEEDS,
            {"gpkit": Path(__file__).parents[2], "before": before},
            lambda _, seed, checkout: timed(_ROWS, seed, checkout, str(path), str(GENERATIONS)),
        )
    shares = {
        name: statistics.median(run["storing"] / run["seconds"] for run in runs)
        for name, runs in found["runs"].items()
    }
    pairs = zip(found["runs"]["gpkit"], found["runs"]["before"], strict=True)
    of_before = statistics.median(ours["storing"] / theirs["seconds"] for ours, theirs in pairs)
    return found | {"share_of_storing": shares, "storing_of_gpkit_by_seconds_before": of_before}


def _record(
    command: str,
    seeds: Sequence[int],
    sides: Mapping[str, Path],
    measured: Callable[[str, int, Path], dict[str, Any]],
) -> dict[str, Any]:
    for name, checkout in sides.items():
        measured(name, 0, checkout)  # compiles
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in sides}
    for seed in seeds:
        for name, checkout in sides.items():
            runs[name].append(measured(name, seed, checkout))
    ours = [run["seconds"] for run in runs["gpkit"]]
    ratios = {
        name: sorted(run["seconds"] / own for run, own in zip(runs[name], ours, strict=True))
        for name in sides
        if name != "gpkit"
    }
    return {
        "command": command,
        "before": "cb53fde5",
        "seeds": seeds,
        "machine": describe_computer(),
        "same_errors": [run["error"] for run in runs["gpkit"]] == [run["error"] for run in runs["before"]],
        "runs": runs,
        "times_gpkit": {
            name: {"median": statistics.median(each), "least": each[0], "greatest": each[-1]}
            for name, each in ratios.items()
        },
    }


if __name__ == "__main__":
    measure = record_rows if sys.argv[2:] == ["rows"] else record
    print(json.dumps(measure(Path(sys.argv[1]).resolve()), indent=1))
