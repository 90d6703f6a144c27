"""Decision trees: what mutation of their parameters is worth, and whether greedy splits are better than evolution."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.evolution.engine import Parameters, Search, initial, next_generation
from gpkit.evolution.rows import Classification, LabelledRows, hits
from gpkit.evolution.schemes import Generational
from gpkit.evolution.selection import Tournament
from gpkit.genomes.decision import DecisionProgram
from gpkit.languages.decision.forms.evolution import Settings, representation_of_rows
from gpkit_experiments.papers.paper import Row, above
from gpkit_experiments.papers.sevens.cart import cart
from gpkit_experiments.papers.sevens.study import Study
from gpkit_experiments.papers.units import mean_interval, paired_difference

INPUTS = ("w", "x", "y", "z")
CLASSES = ("no", "yes")
DEEP = 3
"""Questions of the tree behind a data set before each of its leaves."""
NOISE = 0.1
"""Share of rows with the wrong class."""
LEARNED, HELD_OUT = 200, 2000
"""Rows from which trees are made, and others on which they are judged."""

LEAVES = 2**DEEP
"""Most leaves of a tree, as many as the one behind the data has."""

SIZE = 100

STRUCTURE = (("branch", 0.3), ("crossover", 0.3))
PARAMETERS = (("scale", 0.05), ("step", 0.2), ("feature", 0.05), ("leaf", 0.1))
REPLACED = (("branch", 0.6), ("crossover", 0.4))
"""Shares of operators: of both kinds, and of replacement alone."""


@dataclass(frozen=True, slots=True)
class Data:
    """Rows of a table: float64 (inputs, rows), and the class of each."""

    columns: NDArray[np.float64]
    targets: NDArray[np.str_]

    def part(self, rows: slice) -> "Data":
        """Some of the rows."""
        return Data(np.ascontiguousarray(self.columns[:, rows]), self.targets[rows])


def data_set(seed: int) -> Data:
    """Rows at random, with the classes of a random tree and some errors."""
    rng = stream(seed, "data set")
    columns = rng.random((len(INPUTS), LEARNED + HELD_OUT))
    count = columns.shape[1]
    cells = np.zeros(count, dtype=np.int64)
    lows, highs = (np.full((1, len(INPUTS)), end) for end in (0.0, 1.0))
    for _ in range(DEEP):
        chosen = rng.integers(0, len(INPUTS), len(lows))
        cut = rng.uniform(0.25, 0.75, len(lows))
        middle = np.arange(len(lows)), chosen
        thresholds = lows[middle] + cut * (highs[middle] - lows[middle])
        is_high = columns[chosen[cells], np.arange(count)] >= thresholds[cells]
        lows, highs = lows.repeat(2, axis=0), highs.repeat(2, axis=0)
        highs[::2][middle], lows[1::2][middle] = thresholds, thresholds
        cells = 2 * cells + is_high
    # the two leaves of a last question differ
    kinds = np.stack([first := rng.integers(0, 2, LEAVES // 2), 1 - first], axis=1).ravel()
    wrong = rng.random(count) < NOISE
    return Data(columns, np.array(CLASSES)[kinds[cells] ^ wrong])


def evolved(study: Study, data: Data, operators: Sequence[tuple[str, float]], seed: int) -> DecisionProgram:
    """The best tree of the last generation, the smallest of equals."""
    settings = Settings(low_depth=2, high_depth=4, max_leaves=LEAVES, max_depth=LEAVES)
    space = representation_of_rows(INPUTS, data.columns, CLASSES, settings)
    problem = Classification(LabelledRows(INPUTS, data.columns, data.targets))
    parameters = Parameters(SIZE, Generational(tuple(operators), Tournament(4), elites=2))
    loop = Search(problem, space, parameters, seed)
    population = initial(loop, study.executor)
    for generation in range(1, study.effort.tree_generations + 1):
        population = next_generation(loop, population, generation, study.executor)
    return max(population, key=lambda each: (each.score, -each.size)).genome


def decision_rows(study: Study) -> list[Row]:
    """Rows of the share of new rows that trees put into their class, by the way in which trees are made."""
    shares: dict[str, list[float]] = {"parameters, too": [], "replacement alone": [], "greedy splits": []}
    seeds = study.run_seeds(study.effort.data_sets)
    for number, seed in enumerate(seeds, start=1):
        study.watch(f"decision trees, data set {number} of {len(seeds)}")
        whole = data_set(seed)
        seen, unseen = whole.part(slice(LEARNED)), whole.part(slice(LEARNED, None))
        trees = (
            evolved(study, seen, (*STRUCTURE, *PARAMETERS), seed),
            evolved(study, seen, REPLACED, seed),
            cart(INPUTS, seen.columns, seen.targets.tolist(), LEAVES),
        )
        for results, tree in zip(shares.values(), trees, strict=True):
            results.append(float(hits(tree, LabelledRows(INPUTS, unseen.columns, unseen.targets)).mean()))
    both, structure, greedy = shares.values()
    heading = f"Decision trees of at most {LEAVES} leaves, share of new rows put into their class"
    support = (0.0, 1.0)
    apart = (-1.0, 1.0)
    tables = [
        Row(heading, f"by {name}", mean_interval(results, support=support), "data sets")
        for name, results in shares.items()
    ]
    worth = paired_difference(both, structure, support=apart)
    better = paired_difference(greedy, both, support=apart)
    return [
        *tables,
        Row(
            heading, "parameters, too, less alone", worth, "data sets", "more efficient learning", above(0.0)
        ),
        Row(heading, "greedy less evolved", better, "data sets", "likely better algorithms", above(0.0)),
    ]
