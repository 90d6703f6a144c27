"""One environment at a time: the machine in a compiled loop, DEAP's compiled lambda, and formulas compiled by hand."""

from collections.abc import Callable
from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.genomes.tree import Tree
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit_experiments.bench import with_deap
from gpkit_experiments.bench.formulas import NODES, SENSORS, drawn, hand_compiled
from gpkit_experiments.bench.kernel import each_row
from gpkit_experiments.bench.measure import (
    Outcome,
    Session,
    Target,
    Timing,
    Work,
    interleaved,
    measured,
    ratios,
)

PASSES = 10
"""Number of passes of a compiled loop over the rows in one round; DEAP makes one."""

VERSUS_DEAP = Target("at least", required=10.0, aim=15.0)
VERSUS_HAND = Target("at most", aim=5.0)

Side = Callable[[], NDArray[np.float64]]
"""Goes over the rows once and gives the value of each: float64 (rows,)."""


def measure(session: Session) -> Outcome:
    """Time formulas of ten operators on rows of four inputs."""
    rounds, others, count = (3, 2, 2_000) if session.quick else (9, 9, 20_000)
    rows = draw_rows(count)
    ours: list[Timing] = []
    deap: list[Timing] = []
    by_hand: list[Timing] = []
    ours_beside: list[Timing] = []
    formulas = [*hand_compiled(), *((drawn(number), None) for number in range(3, 3 + others))]
    for number, (tree, kernel) in enumerate(formulas, start=1):
        session.watch(f"machine: formula {number} of {len(formulas)}")
        sides = [on_machine(tree, rows), in_deap(tree, rows)]
        works = [_work(sides[0], PASSES, count), _work(sides[1], 1, count)]
        if kernel is not None:
            sides.append(compiled_by_hand(kernel, rows))
            works.append(_work(sides[2], PASSES, count))
        for other in sides[1:]:
            assert np.array_equal(sides[0](), other(), equal_nan=True), "all sides compute the same values"
        timings = interleaved(works, rounds, session.clock)
        ours += timings[0]
        deap += timings[1]
        if kernel is not None:
            ours_beside += timings[0]
            by_hand += timings[2]
    return Outcome(
        f"{len(formulas)} formulas of {NODES} nodes, {count:,} rows of {len(SENSORS)} inputs, one row after another",
        (
            measured(
                "deap_over_machine", "DEAP's lambda / the machine", "times", ratios(deap, ours), VERSUS_DEAP
            ),
            measured(
                "machine_over_hand",
                "the machine / the formula compiled by hand with numba",
                "times",
                ratios(ours_beside, by_hand),
                VERSUS_HAND,
            ),
            measured("machine", "the machine, a formula on a row", "ns", _nanoseconds(ours)),
            measured("deap", "DEAP's lambda, a formula on a row", "ns", _nanoseconds(deap)),
            measured("hand", "compiled by hand, a formula on a row", "ns", _nanoseconds(by_hand)),
        ),
    )


def draw_rows(count: int) -> NDArray[np.float64]:
    """Environments: float64 (count, inputs), uniform from −5 to 5."""
    return stream(0, "bench rows").uniform(-5.0, 5.0, (count, len(SENSORS)))


def on_machine(tree: Tree, rows: NDArray[np.float64]) -> Side:
    """The machine, which would run any program that it is given."""
    program = compile_tree(tree, SENSORS)
    memory, values = program.memory.copy(), np.empty(len(rows))

    def side() -> NDArray[np.float64]:
        each_row.machine(program.code, memory, program.result, rows, values)
        return values

    return side


def compiled_by_hand(kernel: Callable[..., None], rows: NDArray[np.float64]) -> Side:
    """A kernel that is one formula."""
    memory, values = np.zeros(len(SENSORS) + 1), np.empty(len(rows))

    def side() -> NDArray[np.float64]:
        kernel(memory, rows, values)
        return values

    return side


def in_deap(tree: Tree, rows: NDArray[np.float64]) -> Side:
    """DEAP's lambda, in the quickest loop that Python has."""
    function = with_deap.compiled(tree, SENSORS, with_deap.ON_NUMBERS)
    listed = [tuple(row) for row in rows.tolist()]
    return lambda: np.array(list(starmap(function, listed)))


def _work(side: Side, passes: int, count: int) -> Work:
    def work(_: int) -> float:
        for _ in range(passes):
            side()
        return float(passes * count)

    return work


def _nanoseconds(timings: list[Timing]) -> list[float]:
    return [timing.each * 1e9 for timing in timings]
