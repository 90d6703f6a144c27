"""Compiled code that finds the leaf that each row reaches, and the test that separates rows best."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gpkit.core.arrays import Floats, Ints
from gpkit.core.compiled import inlined, kernel

AT_MOST, ABOVE, AT_LEAST, BELOW, EQUAL, UNEQUAL, BOUNDS, LEAF = range(8)
"""The kinds of nodes: six comparisons, inner nodes with a branch for each interval between bounds, and leaves."""

SIGNS: Mapping[str, int] = {
    "<=": AT_MOST,
    ">": ABOVE,
    ">=": AT_LEAST,
    "<": BELOW,
    "==": EQUAL,
    "!=": UNEQUAL,
}
"""The kinds of tests by their operators; opposite operators give opposite answers, even for NaN."""


@kernel
def descend(tree, columns, found):  # type: ignore[no-untyped-def]
    """Find the leaf that each row reaches.

    Args:
        tree: (tests, bounds, sizes). ``tests``, int64 (nodes, 4), holds for each node in prefix order its kind, the
            column that it tests, and where its bounds begin and end. ``bounds`` is float64 (bounds,); a comparison has
            one bound. ``sizes``, int64 (nodes,), holds the sizes of the subtrees.
        columns: float64 (columns, rows).
        found: int64 (rows,), written: the position of the leaf.
    """
    for row in range(found.shape[0]):
        found[row] = _leaf(tree, columns, row)


@inlined
def _leaf(tree, columns, row):  # type: ignore[no-untyped-def]
    """The position of the leaf that a row reaches."""
    tests, bounds, sizes = tree
    position = 0
    while True:
        test = tests[position]
        kind = test[0]
        if kind == LEAF:
            return position
        value = columns[test[1], row]
        bound = bounds[test[2]]
        branch = 0
        if kind == AT_MOST:
            branch = 0 if value <= bound else 1
        elif kind == ABOVE:
            branch = 1 if value <= bound else 0
        elif kind == AT_LEAST:
            branch = 0 if bound <= value else 1
        elif kind == BELOW:
            branch = 1 if bound <= value else 0
        elif kind == EQUAL:
            branch = 0 if value == bound else 1
        elif kind == UNEQUAL:
            branch = 1 if value == bound else 0
        else:  # rising bounds
            for k in range(test[2], test[3]):
                branch += 1 if bounds[k] <= value else 0
        position += 1
        for _ in range(branch):
            position += sizes[position]


SPREAD, RIGHT, CHANGED = range(3)
"""The measures of a cut: spread within the leaves, rows of the most frequent class, or losses that the cut avoids."""


class Marked(NamedTuple):
    """Rows with marks, which cuts divide between two branches.

    Attributes:
        order: int64 (features, rows): for each feature, the rows sorted by their values, NaN last.
        columns: float64 (features, rows).
        weights: float64 (rows,).
        marks: float64 (rows, marks): the numbers to sum up. For ``CHANGED``, each row has one mark: its loss if the
            test says yes, minus its loss if the test says no.
    """

    order: Ints
    columns: Floats
    weights: Floats
    marks: Floats


class Cut(NamedTuple):
    """A test between two neighbouring values of a feature.

    Attributes:
        feature: the index of the feature; −1 if the rows are equal in all features.
        low, high: the two values; they go to different branches.
        is_turned: whether the branches are swapped.
        gain: the gain of the cut.
        without: the measure of a single leaf with all rows.
    """

    feature: int
    low: float
    high: float
    is_turned: bool
    gain: float
    without: float


@inlined
def kept(kind, sums, mass):  # type: ignore[no-untyped-def]
    """The measure of a leaf, from the sums of the marks of its rows, float64 (marks,); −inf if it has no rows.

    ``SPREAD`` measures squares or Gini impurity. ``RIGHT`` measures the rows of the most frequent class; the spread
    breaks ties.
    """
    squares, most = 0.0, -np.inf
    for k in range(sums.shape[0]):
        squares += sums[k] * sums[k]
        most = max(most, sums[k])
    spread = squares / mass if mass > 0.0 else -np.inf
    return spread if kind == SPREAD else most + 1e-6 * spread


@kernel
def best_cut(rows, inside, features, kind, total, mass, sums):  # type: ignore[no-untyped-def]
    """The cut with the greatest gain; the first one wins ties.

    Args:
        rows: ``Marked``.
        inside: bool (rows,): the rows to split.
        features: int64 (features,): the indexes of the features to try, in this order.
        kind: ``SPREAD``, ``RIGHT`` or ``CHANGED``.
        total: float64 (marks,): the sums of marks inside.
        mass: the sum of weights inside.
        sums: float64 (2, marks), scratch: the sums before and after a cut.

    Returns:
        The fields of ``Cut``.
    """
    order, columns, weights, marks = rows
    without = kept(kind, total, mass) if kind != CHANGED else 0.0
    best, low, high, is_turned, most = -1, 0.0, 0.0, False, -np.inf
    for feature in features:
        whole = 0.0
        if kind == CHANGED:
            for row in order[feature]:
                whole += marks[row, 0] if inside[row] else 0.0
        sums[0, :] = 0.0
        below, last = 0.0, np.nan
        for row in order[feature]:
            if not inside[row]:
                continue
            value = columns[feature, row]
            if last < value:
                turned = False
                if kind == CHANGED:
                    turned = sums[0, 0] - whole > -sums[0, 0]
                    gain = max(-sums[0, 0], sums[0, 0] - whole)
                else:
                    for k in range(total.shape[0]):
                        sums[1, k] = total[k] - sums[0, k]
                    gain = kept(kind, sums[0], below) + kept(kind, sums[1], mass - below) - without
                if best < 0 or gain > most:
                    best, low, high, is_turned, most = feature, last, value, turned, gain
            last = value
            below += weights[row]
            for k in range(total.shape[0]):
                sums[0, k] += marks[row, k]
    return best, low, high, is_turned, most, without
