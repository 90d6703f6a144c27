"""A problem without a game: find the formula behind data points."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.evolve.individual import WORST, Evaluation
from gpkit.evolve.problem import Executor, Lost
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.vm.machine import evaluate

SECONDS_PER_VALUE = 2e-9
"""The expected time of one node on one row, for making batches."""


@dataclass(frozen=True, slots=True, eq=False)
class Regression:
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
    changes: bool = field(default=False, init=False)

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes; the seed and the generation change nothing."""
        trees = [genome.trees[0] for genome in genomes]
        seconds = [len(tree) * len(self.targets) * SECONDS_PER_VALUE + 5e-5 for tree in trees]
        results = executor.run(partial(fit_all, self), trees, seconds)
        return [Evaluation(WORST, note=r.reason) if isinstance(r, Lost) else r for r in results]

    def validate(
        self, genomes: Sequence[TreeProgram], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The same as ``evaluate``: there are no other data."""
        return self.evaluate(genomes, seed, occasion, executor)

    def facing(self, hall: Sequence[TreeProgram]) -> Self:
        """The problem itself: data have no opponents."""
        return self


def fit_all(problem: Regression, trees: Sequence[Tree]) -> list[Evaluation]:
    """The evaluation of each formula."""
    with np.errstate(all="ignore"):
        return [fit(problem, tree) for tree in trees]


def fit(problem: Regression, tree: Tree) -> Evaluation:
    """The negative root mean squared error of one formula, over all rows and over every block of them."""
    program = compile_tree(tree, problem.inputs)
    columns = problem.columns
    if len(program.inputs) > len(columns):  # an occurrence of math.random() is a column of its own
        randoms = stream(0, "regression", len(tree)).random(
            (len(program.inputs) - len(columns), columns.shape[1])
        )
        columns = np.vstack([columns, randoms])
    errors = evaluate(program, columns)
    errors -= problem.targets
    errors *= errors
    if problem.blocks == 1:
        return Evaluation(_score(errors))
    return Evaluation(
        _score(errors), tuple(_score(errors[k :: problem.blocks]) for k in range(problem.blocks))
    )


def _score(squares: NDArray[np.float64]) -> float:
    """The negative root of the mean of squared errors, float64 (rows,)."""
    return -math.sqrt(np.add.reduce(squares) / len(squares))  # what mean() does, in half the time


def sampled(
    function: Any, inputs: tuple[str, ...], low: float, high: float, rows: int, *, seed: int, blocks: int = 1
) -> Regression:
    """The problem of a known function, called with one array for each input, sampled uniformly between two bounds."""
    columns = stream(seed, "rows").uniform(low, high, (len(inputs), rows))
    return Regression(inputs, columns, np.asarray(function(*columns), dtype=np.float64), blocks)
