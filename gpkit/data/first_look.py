"""A first look at each column of a wide table by itself, to find columns that may explain the targets.

A column may explain the targets in two ways: by its rank correlation with them (Spearman, 1904), or by the share of
their variance that a single split of a regression tree explains. The first way finds monotone relations; the second
also finds steps.
"""

import numpy as np

from gpkit.core.arrays import Floats, Ints

# Tables with more columns get a first look; in smaller ones, all columns have the same chances.
WIDE = 100

# The number of rows at equal distances that the look takes from a larger table.
LOOKED_AT = 2_000


def likeliest_columns(columns: Floats, marks: Floats) -> Ints:
    """The columns, ordered by the better of their two ranks: int64 (columns,).

    Args:
        columns: float64 (columns, rows), finite.
        marks: float64 (marks, rows): the targets, or a row of ones and zeros for each class; the mark with the best
            result counts.
    """
    step = -(-columns.shape[1] // LOOKED_AT)
    columns, marks = columns[:, ::step], marks[:, ::step]
    marks = marks - marks.mean(axis=1, keepdims=True)
    ranked = [_ranks(*np.unique(mark, return_inverse=True, return_counts=True)[1:]) for mark in marks]
    gains = np.zeros((2, len(marks), len(columns)))
    for number, column in enumerate(columns):
        _, place, counts = np.unique(column, return_inverse=True, return_counts=True)
        ranks, below = _ranks(place, counts), np.cumsum(counts)[:-1]
        room = below * (len(place) - below)
        for which, (mark, other) in enumerate(zip(marks, ranked, strict=True)):
            sums = np.cumsum(np.bincount(place, mark))[:-1]
            gains[0, which, number] = abs(float((ranks * other).sum()))
            gains[1, which, number] = (sums * sums / room).max(initial=0.0)
    places = np.argsort(np.argsort(-gains.reshape(-1, len(columns)), axis=1, kind="stable"), axis=1)
    return np.lexsort(np.sort(places, axis=0)[::-1])


def _ranks(place: Ints, counts: Ints) -> Floats:
    """Ranks, centred and scaled to a vector of length 1; tied values get their average rank: float64 (rows,).

    Args:
        place: int64 (rows,), the position of each row's value among the sorted distinct values.
        counts: int64 (values,), the number of rows with each value.
    """
    ranks: Floats = (np.cumsum(counts) - 0.5 * counts - 0.5 * len(place))[place]
    return ranks / max(float(np.sqrt((ranks * ranks).sum())), 1.0)


def further_chances(order: Ints) -> tuple[int, ...]:
    """Extra chances to draw columns, at most one per column on average; the k-th column gets 1/k as many as the first.

    >>> further_chances(np.array([3, 0, 1, 2]))
    (3,)
    >>> [further_chances(np.arange(5000)).count(place) for place in (0, 1, 9, 548, 549)]
    [549, 274, 54, 1, 0]

    Args:
        order: int64 (columns,), as ``likeliest_columns`` returns it.
    """
    ranks = np.arange(1.0, len(order) + 1.0)
    return tuple(np.repeat(order, (len(order) / (ranks * (1.0 / ranks).sum())).astype(np.int64)).tolist())
