"""Decision trees: what mutation of their parameters is worth, and whether greedy splits are better than evolution."""

import numpy as np

from gpkit.core.rng import stream
from gpkit_experiments.decision_rows import Classification, best_tree
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
