"""Accuracy of readable classifiers on ten data sets: gpkit's trees and formulas, CART, and optimal trees.

    python -m gpkit_experiments.classification           measure what is missing, then print the table
    python -m gpkit_experiments.classification table     print the table of what is there

Four data sets come with scikit-learn, and six are randomly generated. For the former, a cell is one of 3 x 10
stratified folds, and the intervals take into account that folds share rows (C. Nadeau and Y. Bengio, 2003). For the
latter, each cell draws 500 rows for training and 5,000 for testing. All trees have at most 4 or 6 leaves; gradient
boosting is the ceiling. A comparison reports the smallest difference that it detects with probability .8; over all data
sets, this should be .01.

The optimal trees come from pystreed (dynamic programming) and have a depth of at most 4: the best trees on the training
rows, with about 150 conditions at quantiles of the columns. A search that takes ten seconds ends with the best tree so
far.
Tools: ``experiments/requirements.txt``.
"""

import json
import math
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Flags, Floats
from gpkit.core.rng import stream
from gpkit.core.statistics import student_quantile
from gpkit_experiments.cells import Cell, Cells, Key, cell_of_process
from gpkit_experiments.decision_rows import FOLDS, folds_of

Labels = NDArray[np.str_]

COMMAND = "python -m gpkit_experiments.classification"
RECORD = Path(__file__).parents[1] / "data" / "classification.jsonl"

SEED = 34_801
"""The seed, fixed before any of its folds was drawn."""

LEAVES = (4, 6)
LEARNED, JUDGED = 500, 5_000
"""The numbers of training and test rows of a generated data set."""

PLACES = 30
"""The number of cells of a data set: three times ten folds, or the same number of draws."""

SHIPPED = ("iris", "wine", "breast_cancer", "digits")
"""The data sets that come with scikit-learn and are split into folds."""

DRAWN: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "moons": ("make_moons", {"noise": 0.25}),
    "circles": ("make_circles", {"noise": 0.15, "factor": 0.5}),
    "quantiles": ("make_gaussian_quantiles", {"n_features": 4, "n_classes": 3}),
    "hastie": ("make_hastie_10_2", {}),
    "clusters": ("make_classification", {"n_features": 10, "n_informative": 4, "flip_y": 0.05}),
    "blobs": ("make_blobs", {"centers": 6, "cluster_std": 2.0}),
}
"""The generated data sets: the function of scikit-learn, and its arguments."""

NAMES = (*SHIPPED, *DRAWN)

CONDITIONS = 150
"""The approximate number of conditions that optimal trees choose from."""

LIMIT = 10
"""The seconds after which the search for an optimal tree ends with the best tree so far."""

DETECTED = 0.01
"""The difference in accuracy that has to be detected with probability .8."""

POWER = 0.8416212335729143
"""The normal quantile of probability .8."""


def rows_of(name: str, place: int) -> tuple[Floats, Labels, Flags]:
    """The samples (rows, columns), their labels, and the training rows of a cell."""
    from sklearn import datasets

    if name in SHIPPED:
        x, numbers = getattr(datasets, f"load_{name}")(return_X_y=True)
        labels = np.array([f"c{number}" for number in numbers])
        return x, labels, folds_of(labels, SEED, place // FOLDS) != place % FOLDS
    function, told = DRAWN[name]
    number = int(stream(SEED, f"classification {name}", place).integers(2**31))
    told = dict(told)
    if name in ("clusters", "blobs"):  # the problem is one, its rows are drawn anew
        return _split_of_one(function, told, place)
    count = LEARNED + JUDGED
    x, numbers = getattr(datasets, function)(n_samples=count, random_state=number, **told)
    labels = np.array([f"c{int(value > 0) if name == 'hastie' else int(value)}" for value in numbers])
    return _shuffled(x, labels, place)


def _split_of_one(function: str, told: dict[str, Any], place: int) -> tuple[Floats, Labels, Flags]:
    """The rows of a cell, for a problem that is the same in all cells."""
    from sklearn import datasets

    x, numbers = getattr(datasets, function)(n_samples=100_000, random_state=SEED, **told)
    chosen = stream(SEED, "classification rows", place).choice(len(x), LEARNED + JUDGED, replace=False)
    return _shuffled(x[chosen], np.array([f"c{number}" for number in numbers[chosen]]), place)


def _shuffled(x: Floats, labels: Labels, place: int) -> tuple[Floats, Labels, Flags]:
    learned = np.zeros(len(x), dtype=np.bool_)
    learned[stream(SEED, "classification learned", place).permutation(len(x))[:LEARNED]] = True
    return x, labels, learned


# Systems: each gives a function from samples to labels.


def with_tree(x: Floats, y: Labels, leaves: int, seed: int) -> Callable[[Floats], Any]:
    """gpkit's decision tree with at most this many leaves: the most accurate one on the training rows."""
    from gpkit.sklearn.estimators import TreeClassifier

    return TreeClassifier(2 * leaves - 1, choose="first", random_state=seed).fit(x, y).predict


def with_formulas(x: Floats, y: Labels, _leaves: int, seed: int) -> Callable[[Floats], Any]:
    """gpkit's formulas for the odds of the classes."""
    from gpkit.sklearn.estimators import FormulaClassifier

    model = FormulaClassifier(population=200, generations=30, random_state=seed)
    return model.fit(x, y).predict


def with_cart(x: Floats, y: Labels, leaves: int, seed: int) -> Callable[[Floats], Any]:
    """CART's tree with at most this many leaves."""
    from sklearn.tree import DecisionTreeClassifier

    found: Callable[[Floats], Any] = (
        DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=seed).fit(x, y).predict
    )
    return found


def with_dynamic_programming(x: Floats, y: Labels, leaves: int, seed: int) -> Callable[[Floats], Any]:
    """The optimal tree with at most this many leaves."""
    names, numbers = np.unique(y, return_inverse=True)
    model = import_module("pystreed").STreeDClassifier(
        max_depth=min(leaves - 1, 4),
        max_num_nodes=leaves - 1,
        n_thresholds=max(3, min(50, CONDITIONS // x.shape[1])),
        time_limit=LIMIT,
        random_seed=seed,
    )
    model.fit(x, numbers)
    return lambda samples: names[model.predict(samples)]


def with_boosting(x: Floats, y: Labels, _leaves: int, seed: int) -> Callable[[Floats], Any]:
    """The ceiling: a hundred trees whose votes are summed."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    found: Callable[[Floats], Any] = HistGradientBoostingClassifier(random_state=seed).fit(x, y).predict
    return found


SYSTEMS: Mapping[str, Callable[[Floats, Labels, int, int], Callable[[Floats], Any]]] = {
    **{f"tree-{leaves}": with_tree for leaves in LEAVES},
    **{f"cart-{leaves}": with_cart for leaves in LEAVES},
    **{f"optimal-{leaves}": with_dynamic_programming for leaves in LEAVES},
    "formulas": with_formulas,
    "boosting": with_boosting,
}
"""The systems by name; the names of trees end with the maximum number of leaves."""

KINDS = {"others": tuple(name for name in SYSTEMS if name != "formulas"), "formulas": ("formulas",)}
"""The systems that are measured in one cell, so that formulas can be measured again separately."""

PAIRS = (
    *((f"tree-{leaves}", f"{other}-{leaves}") for other in ("cart", "optimal") for leaves in LEAVES),
    ("formulas", "cart-6"),
    ("formulas", "optimal-6"),
)
"""The models that the script compares."""


def cell(name: str, place: int, kind: str) -> Cell:
    """The accuracy of the systems of a kind on the test rows and on the training rows, and the CPU seconds."""
    warnings.simplefilter("ignore")
    x, labels, learned = rows_of(name, place)
    found: Cell = {}
    for system in KINDS[kind]:
        fit = SYSTEMS[system]
        leaves = int(system.rpartition("-")[2]) if "-" in system else 0
        began = time.process_time()
        predict = fit(x[learned], labels[learned], leaves, SEED + place)
        spent = time.process_time() - began
        right = predict(x) == labels
        found[system] = {
            "test": float(right[~learned].mean()),
            "train": float(right[learned].mean()),
            "cpu": round(spent, 2),
        }
    return found


def measure(key: Key) -> Cell | None:
    """The cell of a key, measured in a separate process; None if the process failed."""
    found = cell_of_process("gpkit_experiments.classification", key, 1800.0)
    return None if "error" in found else found


def keys() -> list[Key]:
    """The keys of all cells, with the data sets in turn."""
    return [(name, place, kind) for kind in KINDS for place in range(PLACES) for name in NAMES]


def accuracies(cells: Cells, name: str, system: str, part: str) -> dict[int, float]:
    """The accuracy of a system on a data set, by the place of the cell."""
    return {
        key[1]: each[system][part] for key, each in cells.found.items() if key[0] == name and system in each
    }


def difference(cells: Cells, name: str, pair: tuple[str, str], part: str) -> tuple[float, float, int]:
    """The mean paired difference in accuracy, its standard error, and the number of places."""
    ours, theirs = (accuracies(cells, name, system, part) for system in pair)
    values = np.array([ours[place] - theirs[place] for place in sorted(ours.keys() & theirs.keys())])
    if len(values) < 2:
        return math.nan, math.nan, len(values)
    shared = 1.0 / (FOLDS - 1) if name in SHIPPED else 0.0
    error = math.sqrt((1.0 / len(values) + shared) * float(values.var(ddof=1)))
    return float(values.mean()), error, len(values)


def table(cells: Cells) -> str:
    """Mean accuracies, and paired differences with their 95% intervals and the smallest detected differences."""
    names = [name for name in NAMES if all(len(accuracies(cells, name, s, "test")) >= 2 for s in SYSTEMS)]
    lines = [f"{'test accuracy':14}" + "".join(f"{system:>10}" for system in SYSTEMS)]
    for name in names:
        means = [np.mean([*accuracies(cells, name, system, "test").values()]) for system in SYSTEMS]
        lines.append(f"{name:14}" + "".join(f"{mean:10.4f}" for mean in means))
    for part in ("test", "train"):
        for pair in PAIRS:
            lines.append(f"\n{part}: {pair[0]} minus {pair[1]}")
            found = [difference(cells, name, pair, part) for name in names]
            for name, (mean, error, count) in zip(names, found, strict=True):
                lines.append(f"  {name:14}" + told(mean, error, student_quantile(0.975, count - 1)))
            if found:
                mean = float(np.mean([one[0] for one in found]))
                error = math.sqrt(sum(one[1] ** 2 for one in found)) / len(found)
                enough = (1.959963984540054 + POWER) * error <= DETECTED
                lines.append(
                    f"  {'all':14}{told(mean, error, 1.959963984540054)}; power for {DETECTED}: {enough}"
                )
    return "\n".join([*lines, f"\n{len(cells.found)} of {len(keys())} cells"])


def told(mean: float, error: float, quantile: float) -> str:
    """A mean with its interval, and the smallest difference that is detected with probability .8."""
    half = quantile * error
    return f"{mean:+.4f} [{mean - half:+.4f}, {mean + half:+.4f}], detects {(quantile + POWER) * error:.4f}"


def main(words: Sequence[str]) -> None:
    """Measure, and print the table; ``cell DATA PLACE KIND`` prints one cell as JSON."""
    if words[:1] == ["cell"]:
        sys.stdout.write("\n" + json.dumps(cell(words[1], int(words[2]), words[3])) + "\n")
        return
    settings = {
        "schema": "gpkit/classification/2",
        "command": COMMAND,
        "seed": SEED,
        "data": NAMES,
        "tools": {name: metadata.version(name) for name in ("scikit-learn", "pystreed")},
    }
    cells = Cells(RECORD, settings)
    if words[:1] != ["table"]:
        cells.fill(keys(), measure, print)
    print(table(cells))


if __name__ == "__main__":
    main(sys.argv[1:])
