"""A small problem without a game, for tests of everything around it; worker processes can import it."""

import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import Alphabet, operators
from gpkit.core.rng import stream
from gpkit.evolution.config import BloatSettings
from gpkit.evolution.loop import _bred_alone, _bred_together
from gpkit.evolution.problem import (
    WORST,
    Evaluation,
    Executor,
    Genome,
    Individual,
    Lost,
    Population,
    Problem,
    with_lost,
)
from gpkit.evolution.schemes import Generational, Tournament
from gpkit.evolution.search import Parameters, Search
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.languages.arithmetic.forms.evolution import FormulaSettings, TreeRepresentation
from gpkit.languages.arithmetic.forms.fitting import evaluate_terms

POLYNOMIAL = Alphabet("polynomial", ("x", "y"), operators("+", "-", "*"))


def target(x: Any, y: Any) -> Any:
    return x * x + x * y + 2.0


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
        trees = [genome.trees[0] for genome in genomes]
        return with_lost(executor.run(partial(fit_all, self), trees, [1e-4] * len(trees)))


def fit_all(problem: Regression, trees: Sequence[Tree]) -> list[Evaluation]:
    """The evaluation of each formula: by all rows, its cases by the blocks of them."""
    with np.errstate(all="ignore"):
        values, _ = evaluate_terms(trees, problem.inputs, problem.columns, 1)
        squares = (values - problem.targets) ** 2
    scores, blocks = errors_of(squares), problem.blocks
    if blocks == 1:
        return [Evaluation(score) for score in scores]
    cases = zip(*(errors_of(squares[:, block::blocks]) for block in range(blocks)), strict=True)
    return [Evaluation(score, case) for score, case in zip(scores, cases, strict=True)]


def errors_of(squares: NDArray[np.float64]) -> list[float]:
    """The negative root of the mean of each row."""
    found: list[float] = (-np.sqrt(squares.mean(axis=1))).tolist()
    return found


def sampled(
    function: Any, inputs: tuple[str, ...], low: float, high: float, rows: int, *, seed: int, blocks: int = 1
) -> Regression:
    """The problem of a known function, called with one array for each input, sampled uniformly between two bounds."""
    columns = stream(seed, "rows").uniform(low, high, (len(inputs), rows))
    return Regression(inputs, columns, np.asarray(function(*columns), dtype=np.float64), blocks)


DATA = sampled(target, ("x", "y"), -1.0, 1.0, 40, seed=3, blocks=4)

SPACE = TreeRepresentation(POLYNOMIAL, ("value",), FormulaSettings(max_depth=8, keeps="values"), max_size=40)

PARAMETERS = Parameters(
    30,
    Generational(
        (("crossover", 0.5), ("subtree", 0.3), ("constants", 0.1), ("point", 0.1)), Tournament(3), elites=1
    ),
    BloatSettings(penalty=0.0004, free=20),
    attempts=3,
)


@dataclass(frozen=True, slots=True, eq=False)
class Moody:
    """The same data with an error of its own in every generation, so that survivors are evaluated again.

    A program for which ``deadly`` is a symbol of its formula kills its worker.
    """

    data: Regression = DATA
    deadly: str = ""
    hall: tuple[TreeProgram, ...] = ()
    seconds: float = 0.001
    changes: bool = field(default=True, init=False)

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        trees = [genome.trees[0] for genome in genomes]
        mood = 0.01 * ((seed + 7 * generation + 3 * len(self.hall)) % 10)
        found = executor.run(partial(fit_moodily, self, mood), trees, [self.seconds] * len(trees))
        return [Evaluation(WORST, note=one.reason) if isinstance(one, Lost) else one for one in found]

    def validate(
        self, genomes: Sequence[TreeProgram], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        return self.data.evaluate(genomes, seed, occasion, executor)

    def facing(self, hall: Sequence[TreeProgram]) -> Self:
        return type(self)(self.data, self.deadly, tuple(hall), self.seconds)


def fit_moodily(problem: Moody, mood: float, trees: Sequence[Tree]) -> list[Evaluation]:
    if any(problem.deadly in tree.symbols for tree in trees):
        os.kill(os.getpid(), signal.SIGKILL)
    found = fit_all(problem.data, trees)
    return [
        Evaluation(one.score - mood * len(tree) / 10, one.cases)
        for one, tree in zip(found, trees, strict=True)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Weighed(Moody):
    """The data without moods, with two of its blocks as objectives; behaviour is size and depth."""

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        found = Moody.validate(self, genomes, seed, generation, executor)
        return [self._weighed(one, genome) for one, genome in zip(found, genomes, strict=True)]

    def validate(
        self, genomes: Sequence[TreeProgram], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        found = Moody.validate(self, genomes, seed, occasion, executor)
        return [self._weighed(one, genome) for one, genome in zip(found, genomes, strict=True)]

    def _weighed(self, evaluation: Evaluation, genome: TreeProgram) -> Evaluation:
        tree = genome.trees[0]
        objectives = evaluation.cases[:2]
        return evaluation._replace(objectives=objectives, behaviour=(len(tree), tree.depth))


def offspring(
    search: Search[Genome], population: Population[Genome], generation: int, *, first: int = 0
) -> list[Individual[Genome]]:
    """The children of a population in the order of their indices, not yet evaluated."""
    bred = _bred_together(search, population, generation, first)
    return _bred_alone(search, population, generation, first) if bred is None else bred
