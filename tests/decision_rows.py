"""How well decision trees classify rows: evolved ones against CART of scikit-learn, with as many leaves at most.

    python tests/decision_rows.py > tests/data/decision-rows.json

Ten times ten stratified folds; both learn from the same nine and are judged by the tenth. scikit-learn, which has the
data sets and CART, need only be installed for this. The intervals are those of C. Nadeau and Y. Bengio, "Inference for
the Generalization Error", 2003, as folds share their rows.
"""

import math
import sys
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.core.statistics import student_quantile
from gpkit.evolution.classification import Classification, hits
from gpkit.evolution.engine import Loop, Parameters, initial, next_generation
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.forms.decision import Settings, representation_of_rows
from gpkit.evolution.schemes import Generational
from gpkit.evolution.selection import Tournament
from gpkit.genomes.decision import DecisionProgram

COMMAND = "python tests/decision_rows.py > tests/data/decision-rows.json"
SEED = 35_001
"""Named before any fold of it was drawn; settings were chosen on seed 1."""

DATA = ("wine", "breast_cancer")
REPEATS, FOLDS, LEAVES = 10, 10, 6

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


def evolved(inputs: tuple[str, ...], columns: Floats, targets: tuple[str, ...], seed: int) -> DecisionProgram:
    """The best tree of the last generation, of the smallest among equals."""
    settings = Settings(low_depth=2, high_depth=4, max_leaves=LEAVES, max_depth=LEAVES)
    space = representation_of_rows(inputs, columns, sorted(set(targets)), settings)
    problem = Classification(inputs, columns, targets)
    parameters = Parameters(SIZE, Generational(SHARES, Tournament(4), elites=2))
    loop, executor = Loop(problem, space, parameters, seed), SerialExecutor()
    population = initial(loop, executor)
    for generation in range(1, GENERATIONS + 1):
        population = next_generation(loop, population, generation, executor)
    best = max(population, key=lambda each: (each.score, -len(each.genome)))
    return space.simplify(best.genome)


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


def compare(name: str, inputs: tuple[str, ...], columns: Floats, targets: NDArray[np.str_], seed: int) -> Any:
    """Both ways of learning on all folds of a data set."""
    from sklearn.tree import DecisionTreeClassifier

    scores: dict[str, list[float]] = {"evolved": [], "cart": []}
    leaves: dict[str, list[int]] = {"evolved": [], "cart": []}
    seconds = dict.fromkeys(scores, 0.0)
    for repeat in range(REPEATS):
        folds = folds_of(targets, seed, repeat)
        for fold in range(FOLDS):
            train, test = folds != fold, folds == fold
            place = repeat * FOLDS + fold
            began = time.process_time()
            tree = evolved(inputs, columns[:, train], tuple(targets[train].tolist()), seed + place)
            middle = time.process_time()
            cart = DecisionTreeClassifier(max_leaf_nodes=LEAVES, random_state=place)
            cart.fit(columns[:, train].T, targets[train])
            seconds["evolved"] += middle - began
            seconds["cart"] += time.process_time() - middle
            scores["evolved"].append(float(hits(tree, inputs, columns[:, test], targets[test]).mean()))
            scores["cart"].append(float((cart.predict(columns[:, test].T) == targets[test]).mean()))
            leaves["evolved"].append(len(tree.trees[0].leaves))
            leaves["cart"].append(int(cart.get_n_leaves()))
    difference = np.array(scores["evolved"]) - np.array(scores["cart"])
    return {
        "rows": len(targets),
        "features": len(inputs),
        **{
            kind: {
                **corrected(np.array(scores[kind])),
                "leaves": round(float(np.mean(leaves[kind])), 2),
                "seconds_per_tree": float(f"{seconds[kind] / len(leaves[kind]):.2g}"),
            }
            for kind in scores
        },
        "evolved_minus_cart": corrected(difference),
    }


def main(seed: int = SEED) -> None:
    """Print all comparisons as JSON."""
    from sklearn import datasets

    found = {}
    for name in DATA:
        bunch = getattr(datasets, f"load_{name}")()
        classes = np.array([str(bunch.target_names[k]) for k in bunch.target])
        columns = np.ascontiguousarray(bunch.data.T, dtype=np.float64)
        found[name] = compare(name, tuple(map(str, bunch.feature_names)), columns, classes, seed)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
