"""Decision trees over many rows of features at once: the leaf of every row."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.genomes.comparisons import Comparison, Sign
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
    return tree.leaves, np.searchsorted(tree.ends, leaf_places(tree, inputs, columns))


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
    found = np.empty(columns.shape[1], dtype=np.int64)
    descend.descend(*_lowered(tree, inputs, columns), found)
    return found


def _lowered(
    tree: DecisionTree, inputs: Sequence[str], columns: NDArray[np.float64]
) -> tuple[tuple[NDArray[Any], ...], NDArray[np.float64]]:
    """A tree and columns as the kernel takes them; each chance reads an extra column of random numbers."""
    if tree.draws:
        columns = np.vstack([columns, stream(0, "rows").random((tree.draws, columns.shape[1]))])
    features = {name: number for number, name in enumerate(inputs)}
    tests: list[tuple[int, int, int, int]] = []
    bounds: list[float] = []
    for node, draw in zip(tree.symbols, tree.chances, strict=True):
        first = len(bounds)
        if isinstance(node, Comparison):
            bounds.append(node.threshold)
            tests.append((SIGNS[node.sign], features[node.feature], first, first + 1))
        elif isinstance(node, Switch):
            bounds += node.bounds
            tests.append((descend.BOUNDS, features[node.feature], first, len(bounds)))
        elif isinstance(node, Chance):
            bounds.append(node.probability)
            tests.append((descend.BOUNDS, len(inputs) + draw, first, first + 1))
        else:
            tests.append((descend.LEAF, 0, 0, 0))
    sizes = np.array(tree.sizes, dtype=np.int64)
    lowered = (np.array(tests, dtype=np.int64), np.array(bounds, dtype=np.float64), sizes)
    return lowered, np.ascontiguousarray(columns)
