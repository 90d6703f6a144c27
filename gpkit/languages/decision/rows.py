"""Decision trees over many rows of features at once: the leaf of every row, and how many rows come to their class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
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
    positions = [position for position, size in enumerate(tree.sizes) if size == 1]
    return tree.leaves, np.searchsorted(positions, leaf_places(tree, inputs, columns))


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
    descend.descend(*_lowered([tree], inputs, columns, {}), found)
    return found


def right_by_class(
    programs: Sequence[DecisionProgram],
    inputs: Sequence[str],
    columns: NDArray[np.float64],
    targets: NDArray[np.int64],
    classes: Sequence[str],
) -> NDArray[np.int64]:
    """Number of rows of each class that come to a leaf of the class: int64 (programs, classes).

    Args:
        programs: with one tree each.
        inputs: names of the columns.
        columns: float64 (inputs, rows).
        targets: int64 (rows,), the place of each row's class among the classes.
        classes: their names.

    Raises:
        KeyError: a tree tests a feature that is not among the inputs.
    """
    numbers = {name: number for number, name in enumerate(classes)}
    right = np.zeros((len(programs), len(classes)), dtype=np.int64)
    trees = [program.trees[0] for program in programs]
    descend.count_right(*_lowered(trees, inputs, columns, numbers), targets, right)
    return right


def _lowered(
    trees: Sequence[DecisionTree],
    inputs: Sequence[str],
    columns: NDArray[np.float64],
    classes: Mapping[str, int],
) -> tuple[tuple[NDArray[Any], ...], NDArray[np.float64]]:
    """Trees and columns as the kernels take them; trees of a generation share most of their nodes."""
    symbols: list[Any] = [node for tree in trees for node in tree.symbols]
    different = {id(node): node for node in symbols}
    if any(isinstance(node, Chance) for node in different.values()):
        symbols = [  # of a chance it matters where it stands
            _Draw(node.probability, number) if isinstance(node, Chance) else node
            for tree in trees
            for node, number in zip(tree.symbols, tree.chances, strict=True)
        ]
        different = {id(node): node for node in symbols}
        draws = stream(0, "rows").random((max(tree.draws for tree in trees), columns.shape[1]))
        columns = np.vstack([columns, draws])
    features = {name: number for number, name in enumerate(inputs)}
    tests: list[tuple[int, int, int, int]] = []
    bounds: list[float] = []
    for node in different.values():
        first = len(bounds)
        if isinstance(node, Comparison):
            bounds.append(node.threshold)
            tests.append((SIGNS[node.sign], features[node.feature], first, first + 1))
        elif isinstance(node, Switch):
            bounds += node.bounds
            tests.append((descend.BOUNDS, features[node.feature], first, len(bounds)))
        elif isinstance(node, _Draw):
            bounds.append(node.probability)
            tests.append((descend.BOUNDS, len(inputs) + node.number, first, first + 1))
        else:
            tests.append((descend.LEAF, classes.get(str(node), -1), 0, 0))
    number = {key: place for place, key in enumerate(different)}
    nodes = np.array([number[id(node)] for node in symbols], dtype=np.int64)
    sizes = np.array([size for tree in trees for size in tree.sizes], dtype=np.int64)
    starts = np.array([0, *accumulate(len(tree.sizes) for tree in trees[:-1])], dtype=np.int64)
    lowered = (np.array(tests, dtype=np.int64), np.array(bounds, dtype=np.float64), nodes, sizes, starts)
    return lowered, np.ascontiguousarray(columns)


@dataclass(frozen=True, slots=True)
class _Draw:
    """A chance with the number of the random number that it draws."""

    probability: float
    number: int
