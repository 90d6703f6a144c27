"""Decision trees: what mutation of their parameters is worth, and whether greedy splits are better than evolution.

The splits are those of L. Breiman and others, "Classification and Regression Trees", 1984: of all leaves and all their
splits at a threshold the one that lowers the Gini impurity most is made next.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpkit.core.arrays import Floats, Ints
from gpkit.core.rng import stream
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import DecisionProgram, DecisionTree, inner, leaf
from gpkit.genomes.tree import LONE_SECTION
from gpkit_experiments.decision_rows import Classification, best_tree
from gpkit_experiments.papers.paper import Row, above
from gpkit_experiments.papers.sevens.study import Study
from gpkit_experiments.papers.units import mean_interval, paired_difference

Rows = Ints


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

STRUCTURE = (("branch", 0.3), ("crossover", 0.3))
PARAMETERS = (("scale", 0.05), ("step", 0.2), ("feature", 0.05), ("leaf", 0.1))
REPLACED = (("branch", 0.6), ("crossover", 0.4))
"""Shares of operators: of both kinds, and of replacement alone."""


def data_set(seed: int) -> Classification:
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
    return Classification(INPUTS, columns, np.array(CLASSES)[kinds[cells] ^ wrong])


def decision_rows(study: Study) -> list[Row]:
    """Rows of the share of new rows that trees put into their class, by the way in which trees are made."""
    shares: dict[str, list[float]] = {"parameters, too": [], "replacement alone": [], "greedy splits": []}
    seeds = study.run_seeds(study.effort.data_sets)
    for number, seed in enumerate(seeds, start=1):
        study.watch(f"decision trees, data set {number} of {len(seeds)}")
        whole = data_set(seed)
        seen, unseen = whole.part(slice(LEARNED)), whole.part(slice(LEARNED, None))
        trees = (
            *(
                best_tree(seen.search(LEAVES, operators, seed), study.effort.tree_generations).genome
                for operators in ((*STRUCTURE, *PARAMETERS), REPLACED)
            ),
            cart(INPUTS, seen.columns, seen.targets.tolist(), LEAVES),
        )
        for results, tree in zip(shares.values(), trees, strict=True):
            results.append(float(unseen.hits(tree).mean()))
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
