"""A problem without a game: find the program that names the class of every row."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.registry import language_entry
from gpkit.evolution.individual import WORST, Evaluation
from gpkit.evolution.problem import Executor, FixedProblem, Lost

SECONDS_PER_NODE = 5e-6
"""The expected time of one node of a program, for making batches."""


@dataclass(frozen=True, slots=True, eq=False)
class Classification(FixedProblem[Any]):
    """Classify rows; the score is the share of the rows that a program puts into their class.

    Programs are of a language that classifies rows.

    Attributes:
        inputs: the names of the columns.
        columns: float64 (inputs, rows).
        targets: the class of each row.
        by_class: whether the share of each class is a case of its own.
    """

    inputs: tuple[str, ...]
    columns: NDArray[np.float64]
    targets: tuple[str, ...]
    by_class: bool = False

    def evaluate(
        self, genomes: Sequence[Any], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes; the seed and the generation change nothing."""
        seconds = [len(genome) * SECONDS_PER_NODE for genome in genomes]
        results = executor.run(partial(score_all, self), genomes, seconds)
        return [Evaluation(WORST, note=r.reason) if isinstance(r, Lost) else r for r in results]


def score_all(problem: Classification, genomes: Sequence[Any]) -> list[Evaluation]:
    """The evaluation of each program, whatever the others are."""
    targets = np.array(problem.targets)
    classes = np.unique(targets) if problem.by_class else ()
    evaluations = []
    for genome in genomes:
        right = hits(genome, problem.inputs, problem.columns, targets)
        cases = tuple(float(right[targets == name].mean()) for name in classes)
        evaluations.append(
            Evaluation(float(right.mean()), cases) if cases else Evaluation(float(right.mean()))
        )
    return evaluations


def hits(
    program: Any, inputs: Sequence[str], columns: NDArray[np.float64], targets: NDArray[np.str_]
) -> NDArray[np.bool_]:
    """Whether a program puts each row into its class: bool (rows,)."""
    classify = language_entry(program.language).load().classify
    found: NDArray[np.bool_] = np.array(classify(program, inputs, columns), dtype=str) == targets
    return found
