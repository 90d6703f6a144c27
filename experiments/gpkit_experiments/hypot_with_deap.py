"""A user's function as an operator, in gpkit and in DEAP 1.4: thirty seeds on one task.

The task is a tilted ripple, 2 sin(hypot(x, y)) + x / 2, at 100 random points. Formulas consist of + - * / sin hypot and
constants from -1 to 1. Both sides have 300 programs and 30 generations, and score a program by its mean squared error
over arrays, as their documentation shows. DEAP gets numpy's fused ``hypot`` and a height limit of 17; gpkit gets the
formula ``sqrt(a * a + b * b)`` through ``gpkit.primitive``, and its default settings. We compare the smallest errors
after the largest number of evaluations that both sides have made. For each seed, the sides take turns in one process
that has already run both with seed 0, so imports and compilation do not count.

Criterion, fixed before the runs: over seeds 59401 to 59430, the 95% interval of the median of log(error of gpkit /
error of DEAP) contains 0 or lies below it, and so does the interval of log(CPU seconds of gpkit / CPU seconds of DEAP).

    python -m gpkit_experiments.hypot_with_deap

prints the record ``data/hypot-with-deap.json``.
"""

import json
import math
import operator
import random
import time
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Any

import numpy as np
from deap import algorithms, base, creator, gp, tools

import gpkit
from gpkit.core.statistics import median_interval

SEEDS = range(59_401, 59_431)
SIZE, GENERATIONS = 300, 30
X, Y = np.random.default_rng(594).uniform(-4.0, 4.0, (2, 100))
TARGET = 2.0 * np.sin(np.hypot(X, Y)) + X / 2.0
HYPOT = gpkit.primitive("hypot(a, b) = sqrt(a * a + b * b)")

creator.create("Error", base.Fitness, weights=(-1.0,))
creator.create("Ripple", gp.PrimitiveTree, fitness=creator.Error)


def error(values: Any) -> float:
    """The mean squared error of values at the points; infinite if it is undefined."""
    found = float(np.mean((values - TARGET) ** 2))
    return found if math.isfinite(found) else math.inf


def by_gpkit(seed: int) -> list[float]:
    """The error of each program that gpkit scores, in order."""
    errors: list[float] = []

    def score(program: gpkit.Program) -> float:
        errors.append(error(program(x=X, y=Y)))
        return -errors[-1]

    operators = [*"+-*/", "sin", HYPOT]
    table = {"population": {"size": SIZE}, "problem": {"constants": [-1, 1]}}
    ripple = gpkit.problem(score, sensors={"x": (-4, 4), "y": (-4, 4)}, operators=operators, settings=table)
    gpkit.evolve(ripple, seed=seed, generations=GENERATIONS)
    return errors


def by_deap(seed: int) -> list[float]:
    """The error of each program that DEAP scores, in order."""
    errors: list[float] = []
    random.seed(seed)
    names = gp.PrimitiveSet("ripple", 2)
    for function in (np.add, np.subtract, np.multiply, divide, np.hypot):
        names.addPrimitive(function, 2)
    names.addPrimitive(np.sin, 1)
    names.addEphemeralConstant(f"constant{seed}", constant)

    def score(individual: Any) -> tuple[float]:
        errors.append(error(gp.compile(individual, names)(X, Y)))
        return (errors[-1],)

    box = base.Toolbox()
    box.register("expression", gp.genHalfAndHalf, pset=names, min_=1, max_=2)
    box.register("individual", tools.initIterate, creator.Ripple, box.expression)
    box.register("population", tools.initRepeat, list, box.individual)
    box.register("evaluate", score)
    box.register("select", tools.selTournament, tournsize=3)
    box.register("mate", gp.cxOnePoint)
    box.register("branch", gp.genFull, min_=0, max_=2)
    box.register("mutate", gp.mutUniform, expr=box.branch, pset=names)
    for name in ("mate", "mutate"):
        box.decorate(name, gp.staticLimit(operator.attrgetter("height"), 17))
    algorithms.eaSimple(box.population(SIZE), box, 0.8, 0.2, GENERATIONS, verbose=False)
    return errors


def divide(a: Any, b: Any) -> Any:
    """The quotient a / b, or 1 where b is zero."""
    return np.where(b == 0.0, 1.0, np.divide(a, b))


def constant() -> float:
    """A random constant."""
    return random.uniform(-1.0, 1.0)  # noqa: S311


def timed(side: Callable[[int], list[float]], seed: int) -> tuple[list[float], float]:
    """The errors of a run, and its CPU seconds."""
    began = time.process_time()
    with np.errstate(all="ignore"):
        errors = side(seed)
    return errors, time.process_time() - began


def pair(seed: int) -> dict[str, Any]:
    """A run of each side: the smallest errors after equal evaluations, the CPU seconds, and the evaluations."""
    sides = [by_gpkit, by_deap] if seed % 2 else [by_deap, by_gpkit]
    runs = {side.__name__[3:]: timed(side, seed) for side in sides}
    most = min(len(errors) for errors, _ in runs.values())
    return {
        name: [min(errors[:most]), round(seconds, 3), len(errors)]
        for name, (errors, seconds) in sorted(runs.items())
    }


def ratios(runs: Sequence[dict[str, Any]], column: int) -> list[float]:
    """The median of the paired log ratio of a column, gpkit over DEAP, and its interval."""
    least = 1e-30  # of an error that is zero
    pairs = [(max(run["gpkit"][column], least), max(run["deap"][column], least)) for run in runs]
    return [*median_interval([math.log(mine / theirs) for mine, theirs in pairs])]


def main() -> None:
    """Print the record."""
    pair(0)
    runs = [pair(seed) for seed in SEEDS]
    found = {"log_error": ratios(runs, 0), "log_seconds": ratios(runs, 1)}
    seeds = [SEEDS[0], SEEDS[-1]]
    print(json.dumps({"seeds": seeds, "deap": metadata.version("deap"), "runs": runs, **found}))


if __name__ == "__main__":
    main()
