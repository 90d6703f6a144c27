"""The usual settings of ``gpkit.problem`` for formulas, which end at a constant on Pagie-1, compared with others.

    python -m gpkit_experiments.problem_defaults          measure what is missing, then print the table
    python -m gpkit_experiments.problem_defaults table    print the table of what is there

The problems are Pagie-1 (minus the mean squared error on its grid of 676 points) and the seven tasks of
``researcher_tasks``, with the settings of their pages. A cell is a problem, a seed and a side: ``usual`` leaves the
settings as they are, ``other`` replaces those that a page does not set. A task whose page sets its own scheme keeps all
settings, so both sides are the same. The Santa Fe ant is a plan, which has other settings, and is left out.

Criterion, fixed together with the seeds before any of their runs: with the other settings, none of the five champions
on Pagie-1 is a constant; and on no task does the 95% interval of the median difference, paired by seed, lie below 0.
Without parsimony, or with a smaller tournament, constants also won on other seeds.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import gpkit
from gpkit.core.settings import over
from gpkit.core.statistics import median_interval
from gpkit_experiments import researcher_tasks
from gpkit_experiments.cells import Cell, Cells

COMMAND = "python -m gpkit_experiments.problem_defaults"
RECORD = Path(__file__).parents[1] / "data" / "problem-defaults.jsonl"
SEEDS = tuple(range(57_601, 57_607))
"""Pagie-1 has the first five."""

SIDES = ("usual", "other")
PAGIE = "pagie-1"

OTHER: Mapping[str, Any] = {
    "representation": {"low_depth": 2, "high_depth": 5, "subtree_depth": 4},
    "operators": dict.fromkeys(("constants", "point"), 0.15)
    | {"subtree": 0.1, "crossover": 0.3, "wrap": 0.2, "hoist": 0.07, "shrink": 0.03},
    "scheme": {"name": "plus", "order": "pareto"},
    "selection": {"name": "tournament", "size": 3},
}
"""Score and size decide which programs stay; formulas begin larger, and grow by an operator above a branch."""


def pagie(problem: Any, seed: int) -> Cell:
    """The score of the champion on Pagie-1, and its nodes."""
    x, y = (axis.ravel() for axis in np.meshgrid(*[np.arange(-5.0, 5.1, 0.4)] * 2))
    targets = 1 / (1 + x**-4.0) + 1 / (1 + y**-4.0)

    def closeness(program: Any) -> float:
        return -float(np.mean((program(x=x, y=y) - targets) ** 2))

    best, run = gpkit.evolve(problem(closeness, sensors={"x": (-5, 5), "y": (-5, 5)}), seed=seed)
    return {"result": run.score, "nodes": best.size}


def cell(task: str, seed: int, side: str) -> Cell:
    """The result of a problem with the settings of a side."""
    real, replaced = gpkit.problem, OTHER if side == "other" else {}

    def problem(*score: Any, settings: Mapping[str, Any] = {}, **given: Any) -> Any:
        return real(
            *score,
            settings=over(settings, {} if "scheme" in settings or "language" in given else replaced),
            **given,
        )

    if task == PAGIE:
        return pagie(problem, seed)
    module = sys.modules["gpkit.api.problems"]
    vars(module)["problem"] = problem
    try:
        found = researcher_tasks.one(task, "gpkit", seed)
    finally:
        vars(module)["problem"] = real
    return {"result": found["result"]}


def table(rows: Cells) -> str:
    """Medians by problem and side, and the median of the differences with its interval."""
    lines = []
    for task in (PAGIE, *researcher_tasks.TASKS):
        found = {side: {k[1]: c for k, c in rows.found.items() if k[::2] == (task, side)} for side in SIDES}
        both = sorted(found["usual"].keys() & found["other"].keys())
        if not both:
            continue
        pairs = np.array([[found[side][seed]["result"] for side in SIDES] for seed in both])
        change = median_interval((pairs[:, 1] - pairs[:, 0]).tolist())
        middle = np.median(pairs, axis=0)
        nodes = "".join(f"  {side}: {[found[side][s].get('nodes') for s in both]}" for side in SIDES)
        told = f"{change[0]:+.4g} [{change[1]:+.4g}, {change[2]:+.4g}]"
        lines.append(f"{task:12}{middle[0]:10.4g}{middle[1]:10.4g}  {told}{nodes if task == PAGIE else ''}")
    return "\n".join(lines)


def main(words: Sequence[str]) -> None:
    """Measure, and print the table."""
    rows = Cells(RECORD, {"schema": "gpkit/problem-defaults/1", "command": COMMAND, "seeds": SEEDS})
    if words[:1] != ["table"]:
        tasks = [(task, seed) for task in researcher_tasks.TASKS if task != "ant" for seed in SEEDS]
        keys = [(*key, side) for key in [(PAGIE, seed) for seed in SEEDS[:5]] + tasks for side in SIDES]
        rows.fill(keys, lambda key: cell(*key), print)
    print(table(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
