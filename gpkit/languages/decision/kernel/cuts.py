"""The test that parts rows best, of all features and thresholds."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel

SPREAD, RIGHT, CHANGED = range(3)
"""Kinds of gains of a cut: what leaves keep by spread or by their most frequent class, or what rows lose no more."""


class Marked(NamedTuple):
    """Rows of which some are parted.

    Attributes:
        order: int64 (features, rows): of each feature the rows by their values, NaN last.
        columns: float64 (features, rows).
        weights: float64 (rows,).
        marks: float64 (rows, marks): what is summed up; of ``CHANGED`` one, the loss if the test says yes less that if
            it says no.
    """

    order: NDArray[np.int64]
    columns: NDArray[np.float64]
    weights: NDArray[np.float64]
    marks: NDArray[np.float64]


class Cut(NamedTuple):
    """A test between two neighbouring values of a feature.

    Attributes:
        feature: its place; -1 where no feature tells rows apart.
        low, high: the values, which come to different branches.
        is_turned: whether the branches are exchanged.
        gain: of the cut.
        without: what all rows keep in one leaf.
    """

    feature: int
    low: float
    high: float
    is_turned: bool
    gain: float
    without: float


@inlined
def kept(kind, sums, mass):  # type: ignore[no-untyped-def]
    """The part that a leaf keeps of its rows, from sums of marks, float64 (marks,); -inf without rows.

    With ``SPREAD`` it is that of squares, or of the impurity of Gini; with ``RIGHT`` the rows of the most frequent
    class, and of equal ones the spread.
    """
    squares, most = 0.0, -np.inf
    for k in range(sums.shape[0]):
        squares += sums[k] * sums[k]
        most = max(most, sums[k])
    spread = squares / mass if mass > 0.0 else -np.inf
    return spread if kind == SPREAD else most + 1e-6 * spread


@kernel
def best_cut(rows, inside, features, kind, total, mass, sums):  # type: ignore[no-untyped-def]
    """The cut with the greatest gain, the first of equals.

    Args:
        rows: ``Marked``.
        inside: bool (rows,): those that are parted.
        features: int64 (features,): places of those that are looked at, in this order.
        kind: ``SPREAD``, ``RIGHT`` or ``CHANGED``.
        total: float64 (marks,): the sums of marks inside.
        mass: the sum of weights inside.
        sums: float64 (2, marks), scratch: sums before and behind a cut.

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
