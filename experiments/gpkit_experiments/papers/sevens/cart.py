"""Classification trees by greedy splits: L. Breiman and others, "Classification and Regression Trees", 1984.

Of all leaves and all their splits at a threshold the one that lowers the Gini impurity most is made next.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import DecisionProgram, DecisionTree, inner, leaf
from gpkit.genomes.tree import LONE_SECTION

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Split:
    """A split of a leaf: by how much it lowers the impurity, times rows; the column, and the threshold."""

    gain: float
    column: int
    threshold: float


def cart(inputs: Sequence[str], columns: Floats, targets: Sequence[str], leaves: int) -> DecisionProgram:
    """The tree of at most so many leaves.

    Args:
        inputs: names of the columns.
        columns: float64 (inputs, rows).
        targets: the class of each row.
        leaves: how many leaves it has at most.
    """
    names, classes = np.unique(np.array(targets), return_inverse=True)
    one_hot = np.eye(len(names))[classes]
    tree: dict[str, Rows] = {"": np.arange(len(targets))}  # by the turns from the root the rows of a leaf
    splits = {"": best_split(columns, one_hot)}
    made: dict[str, Split] = {}
    while len(tree) < leaves:
        place, split = max(splits.items(), key=lambda item: item[1].gain)
        if split.gain <= 0.0:
            break
        rows = tree.pop(place)
        made[place] = splits.pop(place)
        low = columns[split.column, rows] < split.threshold
        for turn, part in (("y", rows[low]), ("n", rows[~low])):
            tree[place + turn] = part
            splits[place + turn] = best_split(columns[:, part], one_hot[part])

    def grown(place: str) -> DecisionTree:
        if place not in made:
            return leaf(str(names[one_hot[tree[place]].sum(axis=0).argmax()]))
        test = Comparison(inputs[made[place].column], "<", made[place].threshold)
        return inner(test, grown(place + "y"), grown(place + "n"))

    return DecisionProgram((LONE_SECTION,), (grown(""),))


def best_split(columns: Floats, one_hot: Floats) -> Split:
    """The split of rows that lowers their impurity most; one without gain where there is none.

    Args:
        columns: float64 (columns, rows).
        one_hot: float64 (rows, classes): 1 for the class of each row.
    """
    best, whole = Split(0.0, 0, 0.0), impurity(one_hot.sum(axis=0)[None])[0]
    for number, column in enumerate(columns):
        order = np.argsort(column, kind="stable")
        values, counts = column[order], one_hot[order].cumsum(axis=0)
        cuts = np.flatnonzero(values[1:] > values[:-1])
        if len(cuts) == 0:
            continue
        gains = whole - impurity(counts[cuts]) - impurity(counts[-1] - counts[cuts])
        at = int(gains.argmax())
        if gains[at] > best.gain + 1e-9:
            best = Split(float(gains[at]), number, float(values[cuts[at]] + values[cuts[at] + 1]) / 2)
    return best


def impurity(counts: Floats) -> Floats:
    """Gini impurity times rows, of counts by class: float64 (sets, classes) to (sets,)."""
    sizes = counts.sum(axis=1)
    found: Floats = sizes - (counts**2).sum(axis=1) / sizes
    return found
