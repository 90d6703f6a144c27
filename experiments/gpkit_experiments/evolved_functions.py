"""The gain from functions that evolve: thirty pairs of runs, with and without them, on two of Koza's tasks.

J. R. Koza, "Genetic Programming II", 1994: the two boxes (section 4, ten rows of six numbers) and the 11-multiplexer
(from "Genetic Programming", 1992). Both sides have the same population, generations, operators and size limit, which
counts the nodes of functions; one side has two functions of three operands.

Before the runs, we decided to report, whatever the result: over seeds 59501 to 59530, the mean of the paired difference
of scores with and without functions, and its 95% interval, for each task.

    python -m gpkit_experiments.evolved_functions

prints the record ``data/evolved-functions.json``.
"""

import json
from collections.abc import Callable

import numpy as np

import gpkit
from gpkit.core.statistics import paired_difference

SEEDS = range(59_501, 59_531)
SIDES = {"with": 2, "without": 0}

BOXES = dict(zip("abcdef", np.random.default_rng(595).integers(1, 11, (6, 10)).astype(float), strict=True))
VOLUMES = BOXES["a"] * BOXES["b"] * BOXES["c"] - BOXES["d"] * BOXES["e"] * BOXES["f"]

BITS = (np.arange(2048) >> np.arange(11)[:, None] & 1).astype(float)
ROWS = {f"x{number}": bits for number, bits in enumerate(BITS)}
CHOSEN = BITS[3 + (BITS[0] + 2 * BITS[1] + 4 * BITS[2]).astype(int), np.arange(2048)] > 0.5


def boxes(program: gpkit.Program) -> float:
    """The negative sum of the errors in the difference of two volumes."""
    return -float(np.abs(program(**BOXES) - VOLUMES).sum())


def multiplexer(program: gpkit.Program) -> float:
    """The share of rows whose bit a formula gets right; a positive value means 1."""
    return float(np.mean((program(**ROWS) > 0.0) == CHOSEN))


TASKS: dict[Callable[[gpkit.Program], float], tuple[str, str]] = {
    boxes: (" ".join(BOXES), "+ - * /"),
    multiplexer: (" ".join(ROWS), "min max neg ifle"),
}
"""The sensors and the operators of each task."""


def best(score: Callable[[gpkit.Program], float], functions: int, seed: int) -> float:
    """The score of the champion of a run."""
    sensors, operators = TASKS[score]
    settings = {
        "population": {"size": 200},
        "limits": {"size": 120},
        "representation": {"functions": functions, "operands": 3},
    }
    problem = gpkit.problem(score, sensors=sensors, operators=operators, settings=settings)
    return float(gpkit.evolve(problem, seed=seed, generations=25)[1].score or 0.0)


def main() -> None:
    """Print the record."""
    found = {}
    for task in TASKS:
        runs = {side: [best(task, count, seed) for seed in SEEDS] for side, count in SIDES.items()}
        gain = paired_difference(runs["with"], runs["without"])
        found[task.__name__] = {**runs, "difference": [gain.mean, gain.low, gain.high]}
    print(json.dumps({"seeds": [SEEDS[0], SEEDS[-1]], **found}))


if __name__ == "__main__":
    main()
