"""Evolving formulas for data: gpkit's engine in one process, against DEAP on numpy arrays."""

from collections.abc import Callable

import numpy as np

from gpkit.core.rng import stream
from gpkit.languages.arithmetic.forms.fitting import evaluate_terms
from gpkit_experiments.bench import pagie, with_deap
from gpkit_experiments.bench.measure import (
    Measure,
    Outcome,
    Session,
    Target,
    Timing,
    Work,
    interleaved,
    measured,
    times,
)

FULL = pagie.Setting()
QUICK = pagie.Setting(size=100, generations=4, rows=200)
CHECKED = 50
"""Formulas on which both sides are compared before they are timed."""

VERSUS_DEAP = Target("at least", required=3.0, aim=6.0)

Evolve = Callable[[pagie.Counted, pagie.Setting, int], float]


def measure(session: Session) -> Outcome:
    """Time whole evolutions, each of a seed of its own."""
    setting, rounds = (QUICK, 2) if session.quick else (FULL, 7)
    check_equal(setting)
    pagie.evolve(pagie.data(setting.rows), pagie.Setting(size=10, generations=1), 0)  # compiles
    session.watch(f"evolution: {rounds} times {setting.size} formulas for {setting.generations} generations")
    ours, deap = pagie.data(setting.rows), pagie.data(setting.rows)
    works = [_work(pagie.evolve, ours, setting), _work(with_deap.evolve, deap, setting)]
    timings = interleaved(works, rounds, session.clock)
    totals = [b.seconds / a.seconds for a, b in zip(*timings, strict=True)]
    return Outcome(
        f"Pagie-1 on {setting.rows:,} rows, {setting.size} formulas over {setting.generations} generations, "
        f"one process, {rounds} seeds",
        (
            times(
                "deap_over_gpkit",
                "DEAP with numpy / gpkit, per node evaluated",
                timings[1],
                timings[0],
                VERSUS_DEAP,
            ),
            measured("deap_over_gpkit_total", "DEAP with numpy / gpkit, whole evolutions", "times", totals),
            *_side("gpkit", "gpkit", timings[0], ours),
            *_side("deap", "DEAP", timings[1], deap),
        ),
    )


def _side(name: str, title: str, timings: list[Timing], counted: pagie.Counted) -> list[Measure]:
    """The numbers of one side by itself."""
    rows = len(counted.targets)
    each = [timing.each * 1e9 / rows for timing in timings]
    mean_size = [counted.nodes / counted.formulas]
    return [
        measured(f"{name}_seconds", f"{title}, a whole evolution", "s", [t.seconds for t in timings]),
        measured(f"{name}_node_row", f"{title}, everything, for a node on a row", "ns", each),
        measured(
            f"{name}_nodes", f"{title}, nodes evaluated in an evolution", "nodes", [t.units for t in timings]
        ),
        measured(f"{name}_size", f"{title}, mean size of an evaluated formula", "nodes", mean_size),
    ]


def _work(evolve: Evolve, counted: pagie.Counted, setting: pagie.Setting) -> Work:
    def work(number: int) -> float:
        before = counted.nodes
        evolve(counted, setting, number)
        return float(counted.nodes - before)

    return work


def check_equal(setting: pagie.Setting) -> None:
    """Both sides compute the same values for formulas of the first generation."""
    problem, space = pagie.data(setting.rows), pagie.representation(setting)
    trees = [space.create(stream(0, "create", index), index).trees[0] for index in range(CHECKED)]
    functions = {symbol: with_deap.ON_ARRAYS[symbol] for symbol in pagie.OPERATORS}
    with np.errstate(all="ignore"):
        for tree, values in zip(
            trees, evaluate_terms(trees, pagie.INPUTS, problem.columns, 1)[0], strict=True
        ):
            found = with_deap.compiled(tree, pagie.INPUTS, functions)(*problem.columns)
            assert np.array_equal(found, values, equal_nan=True), "both sides compute the same values"
