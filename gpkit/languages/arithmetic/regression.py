"""A problem without a game: find the formula behind data points; many formulas are evaluated over many rows at once."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import OPERATORS, Alphabet
from gpkit.core.rng import stream
from gpkit.evolution.individual import Evaluation
from gpkit.evolution.problem import Executor, Problem, with_lost
from gpkit.genomes.packed_trees import PackedTrees, pack, place_of, words_of
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.languages.arithmetic.compiler import OPCODES, compile_tree
from gpkit.languages.arithmetic.kernel.walk import (
    CONSTANT,
    FIRST_INPUT,
    IFLE,
    SQUARE,
    number_nodes,
    run_nodes,
    split_sums,
)
from gpkit.vm.machine import evaluate


def evaluate_trees(
    trees: Sequence[Tree], inputs: Sequence[str], columns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The values of formulas for many rows of inputs, as ``compile_tree`` and the machine give them one by one.

    Args:
        trees: formulas without ``math.random()``, at least one.
        inputs: the sensors in the order of the columns.
        columns: float64 (inputs, rows).

    Returns:
        float64 (trees, rows).

    Raises:
        KeyError: a formula reads a sensor that is not among the inputs, or ``math.random()``.
    """
    return evaluate_terms(trees, inputs, columns, 1)[0]


def evaluate_terms(
    trees: Sequence[Tree], inputs: Sequence[str], columns: NDArray[np.float64], most: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The values of what formulas add and subtract; other arguments and errors are those of ``evaluate_trees``.

    Args:
        most: terms of a formula; what is left when there are so many stays whole.

    Returns:
        float64 (terms, rows), those of each formula from left to right, and int64 (trees,), where they end.
    """
    packed = _packed(trees, inputs)
    nodes, lengths = packed.nodes, packed.ends - packed.starts
    formulas = (nodes.words, nodes.values.view(np.int64), packed.starts, packed.ends)
    count = int(lengths.sum())
    code, results = np.empty((2 * count, 4), dtype=np.int64), np.empty(len(trees), dtype=np.int64)
    table = np.full(1 << (4 * count).bit_length(), -1, dtype=np.int64)
    scratch = (np.empty(1 + int(lengths.max()), dtype=np.int64), table)
    code = code[: number_nodes(formulas, _meanings(packed, inputs), len(inputs), scratch, code, results)]
    terms, ends = np.empty(len(trees) * most, dtype=np.int64), np.empty(len(trees), dtype=np.int64)
    split_sums(code, results, len(inputs), most, np.empty(most, dtype=np.int64), terms, ends)
    terms = terms[: ends[-1]]
    rows, slots = columns.shape[1], len(inputs) + len(code)
    together = min(max(CACHED // slots, LEAST_BLOCK), MOST_BLOCK)
    memory = np.empty((slots, -(-rows // -(-rows // together))))
    values = np.empty((len(terms), rows))
    run_nodes(code, code.view(np.float64), terms, columns, memory, values)
    return values, ends


CACHED, LEAST_BLOCK, MOST_BLOCK = 1 << 16, 50, 500
"""Values of all slots that stay in the processor's second cache, and the least and the most rows of a block.

Slots that are a power of two apart would push each other out of the cache.
"""


def _packed(trees: Sequence[Tree], inputs: Sequence[str]) -> PackedTrees:
    """Formulas in the words that the first of them is packed in, or if they have others of all operators and inputs."""
    place = place_of(trees[0])
    if place is not None:
        with suppress(KeyError):
            return pack(trees, place[0].table)
    return pack(trees, words_of(Alphabet("inputs", tuple(inputs), OPERATORS)))


def _meanings(packed: PackedTrees, inputs: Sequence[str]) -> NDArray[np.int64]:
    """Meanings of the words of formulas: int64 (words,), as ``number_nodes`` takes them.

    Raises:
        KeyError: one of them reads a sensor that is not among the inputs.
    """
    known = {**OPCODES, "ifle": IFLE, "square": SQUARE} | {
        name: FIRST_INPUT + number for number, name in enumerate(inputs)
    }
    symbols, words = packed.nodes.table.symbols, packed.nodes.words
    for word, symbol in enumerate(symbols):
        if symbol not in known and any(
            (words[start:end] == word).any() for start, end in zip(packed.starts, packed.ends, strict=True)
        ):
            raise KeyError(symbol)
    return np.array([*(known.get(symbol, CONSTANT) for symbol in symbols), CONSTANT], dtype=np.int64)


SECONDS_PER_VALUE = 2e-9
"""The expected time of one node on one row, for making batches."""

VALUES_AT_ONCE = 1 << 19
"""Number of values computed together: formulas times rows, few enough for the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Regression(Problem[TreeProgram]):
    """Fit the section ``value`` of programs to data; the score is the negative root of the mean squared error.

    Attributes:
        inputs: the names of the columns.
        columns: float64 (inputs, rows).
        targets: float64 (rows,).
        blocks: the rows are dealt into so many parts, whose errors are the cases.
    """

    inputs: tuple[str, ...]
    columns: NDArray[np.float64]
    targets: NDArray[np.float64]
    blocks: int = 1

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes; the seed and the generation change nothing."""
        trees = [genome.trees[0] for genome in genomes]
        seconds = [len(tree) * len(self.targets) * SECONDS_PER_VALUE + 5e-5 for tree in trees]
        return with_lost(executor.run(partial(fit_all, self), trees, seconds))


def fit_all(problem: Regression, trees: Sequence[Tree]) -> list[Evaluation]:
    """The evaluation of each formula, whatever the others are: by all rows, its cases by the blocks of them."""
    together = max(1, VALUES_AT_ONCE // len(problem.targets))
    evaluations = []
    with np.errstate(all="ignore"):
        for start in range(0, len(trees), together):
            errors = _values(problem, trees[start : start + together])
            errors -= problem.targets
            errors *= errors
            evaluations += _evaluations(errors, problem.blocks)
    return evaluations


def _values(problem: Regression, trees: Sequence[Tree]) -> NDArray[np.float64]:
    """The values of formulas: float64 (trees, rows); an occurrence of ``math.random()`` is a column of its own.

    Raises:
        KeyError: a formula reads a sensor that is not among the inputs.
    """
    with suppress(KeyError):
        return evaluate_trees(trees, problem.inputs, problem.columns)
    return np.array([_noisy_values(problem, tree) for tree in trees])


def _noisy_values(problem: Regression, tree: Tree) -> NDArray[np.float64]:
    program = compile_tree(tree, problem.inputs)
    occurrences = len(program.inputs) - len(problem.inputs)
    randoms = stream(0, "regression", len(tree)).random((occurrences, len(problem.targets)))
    return evaluate(program, np.vstack([problem.columns, randoms]))


def _evaluations(squares: NDArray[np.float64], blocks: int) -> list[Evaluation]:
    """The evaluations from squared errors, float64 (trees, rows)."""
    scores = _scores(squares)
    if blocks == 1:
        return [Evaluation(score) for score in scores]
    cases = zip(*(_scores(squares[:, block::blocks]) for block in range(blocks)), strict=True)
    return [Evaluation(score, case) for score, case in zip(scores, cases, strict=True)]


def _scores(squares: NDArray[np.float64]) -> list[float]:
    """The negative root of the mean of each row."""
    scores: list[float] = (-np.sqrt(squares.mean(axis=1))).tolist()
    return scores


def sampled(
    function: Any, inputs: tuple[str, ...], low: float, high: float, rows: int, *, seed: int, blocks: int = 1
) -> Regression:
    """The problem of a known function, called with one array for each input, sampled uniformly between two bounds."""
    columns = stream(seed, "rows").uniform(low, high, (len(inputs), rows))
    return Regression(inputs, columns, np.asarray(function(*columns), dtype=np.float64), blocks)
