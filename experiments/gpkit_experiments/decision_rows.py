"""Decision trees that evolve on rows, and stratified folds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.core.primitives import Sensor
from gpkit.core.rng import stream
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Evaluation, Executor, Individual, Problem
from gpkit.evolution.schemes import Generational, Tournament
from gpkit.evolution.search import Parameters, Search
from gpkit.genomes.comparisons import features_of
from gpkit.genomes.decision import DecisionDomain, DecisionProgram
from gpkit.genomes.tree import LONE_SECTION
from gpkit.languages.decision.compiler import classify
from gpkit.languages.decision.forms.evolution import DecisionRepresentation, DecisionSettings
from gpkit_experiments.papers.courses import populations_of

FOLDS = 10

SIZE, GENERATIONS = 100, 30
SHARES = (
    ("branch", 0.2),
    ("crossover", 0.3),
    ("hoist", 0.05),
    ("prune", 0.05),
    ("scale", 0.05),
    ("step", 0.15),
    ("feature", 0.1),
    ("leaf", 0.1),
)


@dataclass(frozen=True, slots=True, eq=False)
class Classification(Problem[DecisionProgram]):
    """The problem of assigning rows to classes; a tree's score is the share of rows that reach a leaf of their class.

    Attributes:
        inputs: the names of the columns.
        columns: float64 (inputs, rows).
        targets: the class of each row.
    """

    inputs: tuple[str, ...]
    columns: Floats
    targets: NDArray[np.str_]

    def part(self, rows: slice) -> "Classification":
        """The same problem for some of the rows."""
        return Classification(self.inputs, np.ascontiguousarray(self.columns[:, rows]), self.targets[rows])

    def hits(self, tree: DecisionProgram) -> Flags:
        """Whether a tree assigns each row to its class: bool (rows,)."""
        leaves, chosen = classify(tree, self.inputs, self.columns)
        found: Flags = np.array(leaves, dtype=str)[chosen] == self.targets
        return found

    def evaluate(
        self, genomes: Sequence[DecisionProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the trees; they do not depend on the seed or the generation."""
        return [Evaluation(float(self.hits(tree).mean())) for tree in genomes]

    def search(self, leaves: int, shares: Sequence[tuple[str, float]], seed: int) -> Search[DecisionProgram]:
        """The search for a tree with at most this many leaves, with these operators and their shares."""
        settings = DecisionSettings(low_depth=2, high_depth=4, max_leaves=leaves, max_depth=leaves)
        domain = DecisionDomain(
            features_of(zip(self.inputs, self.columns, strict=True)), tuple(np.unique(self.targets).tolist())
        )
        sensors = (
            Sensor(name, "a column", float(column.min()), float(column.max()), integer=False)
            for name, column in zip(self.inputs, self.columns, strict=True)
        )
        space = DecisionRepresentation(domain, (LONE_SECTION,), settings, tuple(sensors))
        parameters = Parameters(SIZE, Generational(tuple(shares), Tournament(4), elites=2))
        return Search(self, space, parameters, seed)


def best_tree(search: Search[DecisionProgram], generations: int) -> Individual[DecisionProgram]:
    """The best tree of the last generation, and the smallest one if several are equally good."""
    *_, last = populations_of(search, generations, SerialExecutor())
    return max(last, key=lambda each: (each.score, -each.size))


def evolved(
    inputs: tuple[str, ...], columns: Floats, targets: tuple[str, ...], leaves: int, seed: int
) -> DecisionProgram:
    """The best tree of the last generation with at most this many leaves, without branches that no row reaches."""
    search = Classification(inputs, columns, np.array(targets)).search(leaves, SHARES, seed)
    return search.representation.simplify(best_tree(search, GENERATIONS).genome)


def folds_of(targets: NDArray[np.str_], seed: int, repeat: int) -> Ints:
    """The fold of every row, with each class spread evenly over the folds: int64 (rows,)."""
    rng = stream(seed, "folds", repeat)
    found = np.zeros(len(targets), dtype=np.int64)
    start = 0
    for name in np.unique(targets):
        rows = np.flatnonzero(targets == name)
        found[rng.permutation(rows)] = (start + np.arange(len(rows))) % FOLDS
        start += len(rows)
    return found
