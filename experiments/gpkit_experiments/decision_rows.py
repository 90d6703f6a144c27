"""Accuracy of decision trees on rows: evolved ones against CART of scikit-learn, with as many leaves at most.

    python -m gpkit_experiments.decision_rows > experiments/data/decision-rows.json

Ten times ten stratified folds; both learn from the same nine and are judged by the tenth. scikit-learn, which has the
data sets and CART, need only be installed for this. The intervals are those of C. Nadeau and Y. Bengio, "Inference for
the Generalization Error", 2003, as folds share their rows.
"""

import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import Sensor
from gpkit.core.rng import stream
from gpkit.core.statistics import student_quantile
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.individual import Evaluation, Individual
from gpkit.evolution.problem import Executor, Problem
from gpkit.evolution.schemes import Generational, Tournament
from gpkit.evolution.search import Parameters, Search
from gpkit.genomes.comparisons import features_of
from gpkit.genomes.decision import DecisionProgram
from gpkit.genomes.decision_operators import Domain
from gpkit.genomes.tree import LONE_SECTION
from gpkit.languages.decision.forms.evolution import DecisionRepresentation, Settings
from gpkit.languages.decision.rows import classify
from gpkit_experiments.papers.courses import populations_of

COMMAND = "python -m gpkit_experiments.decision_rows > experiments/data/decision-rows.json"
SEED = 35_001
"""Named before any fold of it was drawn; settings were chosen on seed 1."""

DATA = ("wine", "breast_cancer")
REPEATS, FOLDS = 10, 10
LEAVES = (4, 6, 12)
"""Most leaves of either tree; each is a comparison of its own."""

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

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Classification(Problem[DecisionProgram]):
    """Put rows into their classes; the score of a tree is the share of the rows that come to a leaf of their class.

    Attributes:
        inputs: the names of the columns.
        columns: float64 (inputs, rows).
        targets: the class of each row.
    """

    inputs: tuple[str, ...]
    columns: Floats
    targets: NDArray[np.str_]

    def part(self, rows: slice) -> "Classification":
        """The problem of some of the rows."""
        return Classification(self.inputs, np.ascontiguousarray(self.columns[:, rows]), self.targets[rows])

    def hits(self, tree: DecisionProgram) -> NDArray[np.bool_]:
        """Whether a tree puts each row into its class: bool (rows,)."""
        leaves, chosen = classify(tree, self.inputs, self.columns)
        found: NDArray[np.bool_] = np.array(leaves, dtype=str)[chosen] == self.targets
        return found

    def evaluate(
        self, genomes: Sequence[DecisionProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the trees; the seed and the generation change nothing."""
        return [Evaluation(float(self.hits(tree).mean())) for tree in genomes]

    def search(self, leaves: int, shares: Sequence[tuple[str, float]], seed: int) -> Search[DecisionProgram]:
        """The search for a tree of at most so many leaves, by operators with their shares."""
        settings = Settings(low_depth=2, high_depth=4, max_leaves=leaves, max_depth=leaves)
        domain = Domain(
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
    """The best tree of the last generation, of the smallest among equals."""
    *_, last = populations_of(search, generations, SerialExecutor())
    return max(last, key=lambda each: (each.score, -each.size))


def evolved(
    inputs: tuple[str, ...], columns: Floats, targets: tuple[str, ...], leaves: int, seed: int
) -> DecisionProgram:
    """The best tree of the last generation with at most so many leaves, without branches that no row comes to."""
    search = Classification(inputs, columns, np.array(targets)).search(leaves, SHARES, seed)
    return search.representation.simplify(best_tree(search, GENERATIONS).genome)


def folds_of(targets: NDArray[np.str_], seed: int, repeat: int) -> NDArray[np.int64]:
    """The fold of every row, each class dealt to all of them alike: int64 (rows,)."""
    rng = stream(seed, "folds", repeat)
    found = np.zeros(len(targets), dtype=np.int64)
    start = 0
    for name in np.unique(targets):
        rows = np.flatnonzero(targets == name)
        found[rng.permutation(rows)] = (start + np.arange(len(rows))) % FOLDS
        start += len(rows)
    return found


def corrected(values: Floats, highest: float = 1.0) -> dict[str, float]:
    """The mean of values by fold and its interval, whose variance counts that folds share rows, up to the highest."""
    count = len(values)
    spread = math.sqrt((1.0 / count + 1.0 / (FOLDS - 1)) * float(values.var(ddof=1)))
    half, mean = student_quantile(0.975, count - 1) * spread, float(values.mean())
    return {"mean": round(mean, 4), "low": round(mean - half, 4), "high": round(min(mean + half, highest), 4)}


def compare(
    inputs: tuple[str, ...], columns: Floats, targets: NDArray[np.str_], most: int, seed: int
) -> dict[str, Any]:
    """Both ways of learning on all folds of a data set, each with at most so many leaves."""
    from sklearn.tree import DecisionTreeClassifier

    found: dict[str, list[dict[str, float]]] = {"evolved": [], "cart": []}
    for place in range(REPEATS * FOLDS):
        train = folds_of(targets, seed, place // FOLDS) != place % FOLDS
        seen, classes = columns[:, train], targets[train]
        began = time.process_time()
        tree = evolved(inputs, seen, tuple(classes.tolist()), most, seed + place)
        middle = time.process_time()
        cart = DecisionTreeClassifier(max_leaf_nodes=most, random_state=place).fit(seen.T, classes)
        end = time.process_time()
        right = {
            "evolved": Classification(inputs, columns, targets).hits(tree),
            "cart": cart.predict(columns.T) == targets,
        }
        leaves = {"evolved": len(tree.trees[0].leaves), "cart": int(cart.get_n_leaves())}
        seconds = {"evolved": middle - began, "cart": end - middle}
        for kind, results in found.items():
            results.append(
                {
                    "test": float(right[kind][~train].mean()),
                    "train": float(right[kind][train].mean()),
                    "leaves": leaves[kind],
                    "seconds": seconds[kind],
                }
            )
    return compared(found)


def compared(found: dict[str, list[dict[str, float]]]) -> dict[str, Any]:
    """The results of both over all folds, and their difference."""

    def values(kind: str, key: str) -> Floats:
        return np.array([result[key] for result in found[kind]])

    return {
        **{
            kind: {
                **corrected(values(kind, "test")),
                "on_training_rows": round(float(values(kind, "train").mean()), 4),
                "leaves": round(float(values(kind, "leaves").mean()), 2),
                "seconds_per_tree": float(f"{values(kind, 'seconds').mean():.2g}"),
            }
            for kind in found
        },
        "evolved_minus_cart": corrected(values("evolved", "test") - values("cart", "test")),
    }


def main(seed: int = SEED) -> None:
    """Print all comparisons as JSON."""
    import sklearn
    from sklearn import datasets

    sets = {}
    for name in DATA:
        bunch = getattr(datasets, f"load_{name}")()
        targets = np.array([str(bunch.target_names[k]) for k in bunch.target])
        columns = np.ascontiguousarray(bunch.data.T, dtype=np.float64)
        inputs = tuple(map(str, bunch.feature_names))
        sets[name] = {
            "rows": len(targets),
            "features": len(inputs),
            "classes": len(np.unique(targets)),
            "by_leaves": {str(most): compare(inputs, columns, targets, most, seed) for most in LEAVES},
        }
    found = {
        "schema": "gpkit/decision-rows/1",
        "command": COMMAND,
        "seed": seed,
        "scikit-learn": sklearn.__version__,
        "note": f"{REPEATS} times {FOLDS} stratified folds; 95 % intervals after Nadeau and Bengio, 2003.",
        "evolution": {"size": SIZE, "generations": GENERATIONS, "operators": dict(SHARES)},
        "data": sets,
    }
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
