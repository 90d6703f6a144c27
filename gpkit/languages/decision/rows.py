"""Decision trees over many rows of features at once: the leaf of every row."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.genomes.comparisons import Sign
from gpkit.genomes.decision import Chance, DecisionProgram, DecisionTree, Leaf, Switch
from gpkit.languages.decision.kernel import descend

SIGNS: Mapping[Sign, int] = {
    "<=": descend.AT_MOST,
    ">": descend.ABOVE,
    ">=": descend.AT_LEAST,
    "<": descend.BELOW,
    "==": descend.EQUAL,
    "!=": descend.UNEQUAL,
}
"""Kinds of tests by their signs; those that are built on others are exact opposites, for NaN, too."""


def classify(
    program: DecisionProgram, inputs: Sequence[str], columns: NDArray[np.float64]
) -> tuple[tuple[Leaf, ...], NDArray[np.int64]]:
    """The leaves of the only tree of a program, and which of them each row of ``columns`` comes to, int64 (rows,).

    Args:
        program: with one tree.
        inputs: names of the columns.
        columns: float64 (inputs, rows).

    Raises:
        KeyError: the tree tests a feature that is not among the inputs.
    """
    (tree,) = program.trees
    nodes, found = _descended(tree, inputs, columns)
    return tree.leaves, nodes[found, 1]


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
    return _descended(tree, inputs, columns)[1]


def _descended(
    tree: DecisionTree, inputs: Sequence[str], columns: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The nodes of a tree as ``descend`` takes them, a leaf with its number for a column, and what that writes."""
    features = {name: number for number, name in enumerate(inputs)}
    draws = tree.draws if any(isinstance(node, Chance) for node in tree.symbols) else 0
    if draws:
        columns = np.vstack([columns, stream(0, "rows").random((draws, columns.shape[1]))])
    nodes: list[tuple[int, int, int, int, int]] = []
    bounds: list[float] = []
    leaves = 0
    for position, (node, size) in enumerate(zip(tree.symbols, tree.sizes, strict=True)):
        first = len(bounds)
        if isinstance(node, Leaf):
            nodes.append((descend.LEAF, leaves, 0, 0, 1))
            leaves += 1
            continue
        if isinstance(node, Chance):
            kind, column = descend.BOUNDS, len(inputs) + tree.chances[position]
            bounds.append(node.probability)
        elif isinstance(node, Switch):
            kind, column = descend.BOUNDS, features[node.feature]
            bounds += node.bounds
        else:
            kind, column = SIGNS[node.sign], features[node.feature]
            bounds.append(node.threshold)
        nodes.append((kind, column, first, len(bounds), size))
    flat, found = np.array(nodes, dtype=np.int64), np.empty(columns.shape[1], dtype=np.int64)
    descend.descend(flat, np.array(bounds, dtype=np.float64), np.ascontiguousarray(columns), found)
    return flat, found
