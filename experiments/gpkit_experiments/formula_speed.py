"""Speed of whole evolutions of formulas: by this checkout, an earlier one, DEAP and pyoperon, in turn.

    python -m gpkit_experiments.formula_speed BEFORE > experiments/data/formula-speed.json

BEFORE is a checkout of commit cb53fde5. Each evolution runs in a process of its own and is timed there in CPU seconds,
compiled code loaded, with what was imported set aside from garbage collection. pyoperon 0.6.2 computes in single
precision and starts from formulas of other sizes; it need only be installed for this.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from gpkit_experiments.bench.computer import describe_computer

SEEDS = tuple(range(41_020, 41_027))
"""Named before any of them was run."""

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


def timed(text: str, seed: int, checkout: Path) -> dict[str, Any]:
    """Output of a program with the code of a checkout: CPU seconds, error, and others that it knows."""
    paths = os.pathsep.join([str(checkout), str(checkout / "experiments")])
    done = subprocess.run(
        [sys.executable, "-c", text, str(seed)],
        env=os.environ | {"PYTHONPATH": paths},
        cwd=checkout,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def record(before: Path) -> dict[str, Any]:
    """The measurements, and the ratio of each side's seconds to those of this checkout, seed by seed."""
    here = Path(__file__).parents[2]
    sides = {"gpkit": here, "before": before, "deap": here, "pyoperon": here}
    texts = {name: _BEGIN + SIDES.get(name, SIDES["gpkit"]) + _END for name in sides}
    for name, checkout in sides.items():
        timed(texts[name], 0, checkout)  # compiles
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in sides}
    for seed in SEEDS:
        for name, checkout in sides.items():
            runs[name].append(timed(texts[name], seed, checkout))
    ours = [run["seconds"] for run in runs["gpkit"]]
    ratios = {
        name: sorted(run["seconds"] / own for run, own in zip(runs[name], ours, strict=True))
        for name in sides
        if name != "gpkit"
    }
    return {
        "command": "python -m gpkit_experiments.formula_speed BEFORE > experiments/data/formula-speed.json",
        "before": "cb53fde5",
        "seeds": SEEDS,
        "machine": describe_computer(),
        "same_errors": [run["error"] for run in runs["gpkit"]] == [run["error"] for run in runs["before"]],
        "runs": runs,
        "times_gpkit": {
            name: {"median": statistics.median(each), "least": each[0], "greatest": each[-1]}
            for name, each in ratios.items()
        },
    }


if __name__ == "__main__":
    print(json.dumps(record(Path(sys.argv[1]).resolve()), indent=1))
