"""Decision trees over many rows of features at once: the leaf of every row."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.genomes.comparisons import OPPOSITE, Sign
from gpkit.genomes.decision import Chance, DecisionProgram, DecisionTree, Inner, Leaf, Switch


def classify(program: DecisionProgram, inputs: Sequence[str], columns: NDArray[np.float64]) -> list[Leaf]:
    """The leaf that the only tree of a program reaches in every row of ``columns``, float64 (inputs, rows).

    Raises:
        KeyError: the tree tests a feature that is not among the inputs.
    """
    (tree,) = program.trees
    return [tree.symbols[place] for place in leaf_places(tree, inputs, columns).tolist()]


def leaf_places(tree: DecisionTree, inputs: Sequence[str], columns: NDArray[np.float64]) -> NDArray[np.int64]:
    """The position of the leaf that a tree comes to in every row; chances draw the same numbers for the same rows.

    Args:
        tree: the decision tree.
        inputs: names of the columns.
        columns: float64 (inputs, rows).

    Returns:
        int64 (rows,).

    Raises:
        KeyError: the tree tests a feature that is not among the inputs.
    """
    rows = columns.shape[1]
    features = {name: columns[number] for number, name in enumerate(inputs)}
    numbers = stream(0, "rows").random((tree.draws, rows)) if tree.draws else np.empty((0, rows))
    found = np.zeros(rows, dtype=np.int64)
    pending = [(0, np.arange(rows))]
    while pending:
        position, here = pending.pop()
        node = tree.symbols[position]
        if isinstance(node, Leaf):
            found[here] = position
            continue
        values = numbers[tree.chances[position]] if isinstance(node, Chance) else features[node.feature]
        branches = _branches(node, values[here])
        for number, child in enumerate(tree.children(position)):
            chosen = here[branches == number]
            if len(chosen):
                pending.append((child, chosen))
    return found


def _branches(node: Inner, values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The branch that each value takes: int64 (values,)."""
    if isinstance(node, Switch):
        return sum((bound <= values).astype(np.int64) for bound in node.bounds) + np.zeros(
            len(values), np.int64
        )
    if isinstance(node, Chance):
        return (node.probability <= values).astype(np.int64)
    return (~_holds(node.sign, values, node.threshold)).astype(np.int64)


def _holds(sign: Sign, values: NDArray[np.float64], threshold: float) -> NDArray[np.bool_]:
    """Whether a comparison holds, for NaN, too, of which those that are built on others are exact opposites."""
    match sign:
        case "<=":
            return values <= threshold
        case ">=":
            return threshold <= values
        case "==":
            return np.equal(values, threshold)
        case _:
            return ~_holds(OPPOSITE[sign], values, threshold)
