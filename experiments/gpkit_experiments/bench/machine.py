"""One environment at a time: the machine in a compiled loop, DEAP's compiled lambda, and formulas compiled by hand."""

from collections.abc import Callable
from itertools import starmap

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.compiled import inlined, kernel
from gpkit.core.primitives import Alphabet, operators
from gpkit.core.rng import stream
from gpkit.genomes.tree import Tree, random_tree, round_constants
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.text import parse
from gpkit.vm.machine import run
from gpkit_experiments.bench import with_deap
from gpkit_experiments.bench.measure import (
    Outcome,
    Session,
    Target,
    Timing,
    Work,
    interleaved,
    measured,
    times,
)

INPUTS = 4


@kernel
def on_each_row(code, memory, result, rows, values):  # type: ignore[no-untyped-def]
    """Run a program once for each row.

    Args:
        code: uint32 (length, 5), verified, of ``INPUTS`` inputs.
        memory: float64 (slots,), the program's, changed.
        result: the slot of the value.
        rows: float64 (rows, INPUTS).
        values: float64 (rows,), written.
    """
    for row in range(rows.shape[0]):
        for k in range(INPUTS):
            memory[k] = rows[row, k]
        run(code, memory, 0, code.shape[0])
        values[row] = memory[result]


@kernel
def first(memory, rows, values):  # type: ignore[no-untyped-def]
    """The first formula on each row; ``memory`` is float64 (INPUTS + 1,), the rest as of ``on_each_row``."""
    for row in range(rows.shape[0]):
        for k in range(INPUTS):
            memory[k] = rows[row, k]
        a, b, c = memory[0], memory[1], memory[2]
        memory[INPUTS] = _divide(b, _divide(_least(b + a, c - _most(a, a)), b * c - a * 0.5 + a))
        values[row] = memory[INPUTS]


@kernel
def second(memory, rows, values):  # type: ignore[no-untyped-def]
    """The second formula on each row, as ``first``."""
    for row in range(rows.shape[0]):
        for k in range(INPUTS):
            memory[k] = rows[row, k]
        a, b, c, d = memory[0], memory[1], memory[2], memory[3]
        memory[INPUTS] = _least((b - b) * b - a * _most(d, a), _most(c, _most(_divide(b, _divide(c, b)), a)))
        values[row] = memory[INPUTS]


@kernel
def third(memory, rows, values):  # type: ignore[no-untyped-def]
    """The third formula on each row, as ``first``."""
    for row in range(rows.shape[0]):
        for k in range(INPUTS):
            memory[k] = rows[row, k]
        a, b, c, d = memory[0], memory[1], memory[2], memory[3]
        memory[INPUTS] = d - _most(b, _most(_most(b, a), _most(a, c))) * (
            _least(_least(d, 0.75), d) + (c + b)
        )
        values[row] = memory[INPUTS]


@inlined
def _divide(a, b):  # type: ignore[no-untyped-def]
    return a / b if b != 0.0 else 1.0


@inlined
def _least(a, b):  # type: ignore[no-untyped-def]
    return b if b < a else a


@inlined
def _most(a, b):  # type: ignore[no-untyped-def]
    return b if b > a else a


NODES = 21
SENSORS = ("A", "B", "C", "D")
ALPHABET = Alphabet("bench", SENSORS, operators("+", "-", "*", "/", "min", "max"))

_LEVELS = 6
_GRID = 1 / 16

HAND_COMPILED: tuple[tuple[str, Callable[..., None]], ...] = (
    ("B / (min(B + A, C - max(A, A)) / (B * C - A * 0.5 + A))", first),
    ("min((B - B) * B - A * max(D, A), max(C, max(B / (C / B), A)))", second),
    ("D - max(B, max(max(B, A), max(A, C))) * (min(min(D, 0.75), D) + (C + B))", third),
)
"""Formulas, drawn once like those of ``drawn``, and the same written as compiled Python by hand."""

PASSES = 10
"""Number of passes of a compiled loop over the rows in one round; DEAP makes one."""

VERSUS_DEAP = Target("at least", required=10.0, aim=15.0)
VERSUS_HAND = Target("at most", aim=5.0)

Side = Callable[[], Floats]
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
    for number, (tree, function) in enumerate(formulas, start=1):
        session.watch(f"machine: formula {number} of {len(formulas)}")
        sides = [on_machine(tree, rows), in_deap(tree, rows)]
        works = [_work(sides[0], PASSES, count), _work(sides[1], 1, count)]
        if function is not None:
            sides.append(compiled_by_hand(function, rows))
            works.append(_work(sides[2], PASSES, count))
        for other in sides[1:]:
            assert np.array_equal(sides[0](), other(), equal_nan=True), "all sides compute the same values"
        timings = interleaved(works, rounds, session.clock)
        ours += timings[0]
        deap += timings[1]
        if function is not None:
            ours_beside += timings[0]
            by_hand += timings[2]
    return Outcome(
        f"{len(formulas)} formulas of {NODES} nodes, {count:,} rows of {len(SENSORS)} inputs, one row after another",
        (
            times("deap_over_machine", "DEAP's lambda / the machine", deap, ours, VERSUS_DEAP),
            times(
                "machine_over_hand",
                "the machine / the formula compiled by hand with numba",
                ours_beside,
                by_hand,
                VERSUS_HAND,
            ),
            measured("machine", "the machine, a formula on a row", "ns", _nanoseconds(ours)),
            measured("deap", "DEAP's lambda, a formula on a row", "ns", _nanoseconds(deap)),
            measured("hand", "compiled by hand, a formula on a row", "ns", _nanoseconds(by_hand)),
        ),
    )


def draw_rows(count: int) -> Floats:
    """Environments: float64 (count, inputs), uniform from −5 to 5."""
    return stream(0, "bench rows").uniform(-5.0, 5.0, (count, len(SENSORS)))


def on_machine(tree: Tree, rows: Floats) -> Side:
    """The machine, which would run any program that it is given."""
    program = compile_tree(tree, SENSORS)
    memory, values = program.memory.copy(), np.empty(len(rows))

    def side() -> Floats:
        on_each_row(program.code, memory, program.result, rows, values)
        return values

    return side


def compiled_by_hand(function: Callable[..., None], rows: Floats) -> Side:
    """A kernel that is one formula."""
    memory, values = np.zeros(len(SENSORS) + 1), np.empty(len(rows))

    def side() -> Floats:
        function(memory, rows, values)
        return values

    return side


def in_deap(tree: Tree, rows: Floats) -> Side:
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


def hand_compiled() -> list[tuple[Tree, Callable[..., None]]]:
    """The formulas of ``HAND_COMPILED`` as trees, each with its kernel."""
    return [(parse(text).program.trees[0], function) for text, function in HAND_COMPILED]


def drawn(number: int) -> Tree:
    """A random formula of ``NODES`` nodes, the same for the same number; constants are multiples of 1/16."""
    rng = stream(0, "bench formula", number)
    while True:
        tree = random_tree(rng, ALPHABET, _LEVELS)
        if len(tree) == NODES:
            return round_constants(tree, _GRID)
