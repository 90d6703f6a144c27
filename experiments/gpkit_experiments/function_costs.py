"""The costs of functions: formulas that call one beside the same formulas written out, and calls of Python functions.

Both floors come from the issue, and were fixed before the runs: formulas that call ``hypot`` evaluate within 5% of the
same formulas with its body written out, and a compiled Python function costs at most 20 ns a call beyond itself.

``machine`` evaluates one compiled formula; ``fit`` evaluates so many formulas together, as a generation of a fit does.
Each row has the median of the paired ratios of CPU seconds, called over written out, the smallest and the largest.
``python`` has the nanoseconds of a call from a formula without those of the same call in a loop that numba compiled.

    python -m gpkit_experiments.function_costs

prints the record ``data/function-costs.json``.
"""

import json
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from numba import njit

import gpkit
from gpkit.core.arrays import Floats
from gpkit.core.primitives import Alphabet, Operator
from gpkit.core.rng import stream
from gpkit.genomes.tree import Function, Tree, node, random_tree
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.forms.fitting import evaluate_terms
from gpkit.languages.arithmetic.text import parse
from gpkit.vm.machine import evaluate

PAIRS, SECONDS = 9, 0.1
"""The number of pairs, and the least CPU seconds of each side of a pair."""

SENSORS, ROWS, TERMS = ("x", "y", "z"), 1_000, 8
HYPOT = parse("hypot(x, 1)\nhypot(a, b): sqrt(a * a + b * b)").program.functions[0]
OPERATORS = tuple(Operator(name, count) for name, count in (("+", 2), ("*", 2), ("sin", 1), (HYPOT, 2)))
ALPHABET = Alphabet("costs", SENSORS, OPERATORS, True, -1.0, 1.0)


def drawn(count: int) -> list[Tree]:
    """Random formulas with calls, whose operands are single leaves, so that writing them out computes nothing twice."""
    rng, found = stream(59, "costs"), list[Tree]()
    while len(found) < count:
        tree = random_tree(rng, ALPHABET, 5)
        calls = [place for place, symbol in enumerate(tree.symbols) if isinstance(symbol, Function)]
        if calls and all(tree.sizes[place] == 3 for place in calls):
            found.append(tree)
    return found


def written_out(tree: Tree) -> Tree:
    """The formula with the body of ``hypot`` in place of each call."""
    symbol, below = tree.symbols[0], [written_out(tree.subtree(child)) for child in tree.children(0)]
    if isinstance(symbol, Function):
        return node("sqrt", node("+", *(node("*", each, each) for each in below)))
    return node(str(symbol), *below) if below else tree


def seconds(work: Callable[[], object]) -> float:
    """The CPU seconds of one execution."""
    began, count = time.process_time(), 0
    while (spent := time.process_time() - began) < SECONDS:
        work()
        count += 1
    return spent / count


def ratios(first: Callable[[], object], second: Callable[[], object]) -> list[float]:
    """The median of the paired ratios, the smallest and the largest."""
    first(), second()
    found = [seconds(first) / seconds(second) for _ in range(PAIRS)]
    return [round(each, 3) for each in (median(found), min(found), max(found))]


def slope(a: float, b: float) -> float:
    """A cheap function."""
    return a * b - 1.0


def nanoseconds(columns: Floats) -> float:
    """The nanoseconds of a call of a compiled Python function from a formula, beyond the function itself."""
    gpkit.primitive(slope)
    called = compile_tree(parse("slope(x, y)").program.trees[0], SENSORS)
    inner: Any = njit(slope)

    @njit
    def alone(columns, values):  # type: ignore[no-untyped-def]
        for row in range(len(values)):
            values[row] = inner(columns[0, row], columns[1, row])

    first, second = partial(evaluate, called, columns), partial(alone, columns, np.empty(columns.shape[1]))
    first(), second()
    found = [seconds(first) - seconds(second) for _ in range(PAIRS)]
    return float(round(1e9 * median(found) / columns.shape[1], 1))


def main() -> None:
    """Print the record."""
    columns = np.random.default_rng(59).normal(size=(len(SENSORS), ROWS))
    trees = drawn(400)
    out = [*map(written_out, trees)]
    first, second = compile_tree(trees[0], SENSORS), compile_tree(out[0], SENSORS)
    wide = np.tile(columns, (1, 100))
    record: dict[str, object] = {
        "machine": ratios(partial(evaluate, first, wide), partial(evaluate, second, wide))
    }
    for count in (1, 10, 100, 400):
        sides = [partial(evaluate_terms, some[:count], SENSORS, columns, TERMS) for some in (trees, out)]
        record[f"fit {count}"] = ratios(*sides)
    record["python"] = nanoseconds(wide)
    print(json.dumps(record))


if __name__ == "__main__":
    main()
