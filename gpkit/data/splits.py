"""Splits of a table's rows: by whole groups or by time, with warnings about groups that a split separates."""

from collections.abc import Collection, Iterator

import numpy as np

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.core.errors import UsageError
from gpkit.data.table import Column, Table

LEAST_GROUPS, LEAST_ROWS = 6, 5
"""A column that names groups, such as people, has at least this many values, and this many rows for most of them."""

JUMP = 3.0
"""Numbers count as names of groups if targets jump between neighbouring numbers this many times more than by chance."""


def groups_of(column: Column) -> Ints:
    """The group number of each row, from 0: int64 (rows,); a row with an empty cell is a group by itself."""
    _, groups = np.unique(column.values, return_inverse=True)
    empty = column.empty
    groups[empty] = len(groups) + np.arange(int(empty.sum()))
    return np.unique(groups, return_inverse=True)[1]


def held_groups(rng: np.random.Generator, groups: Ints, classes: Floats, share: float) -> Flags:
    """Whether each row is held out: bool (rows,). All rows of a group are on the same side.

    Groups are taken in random order. A group is held out if this brings the held-out shares of the classes, taken
    together, closer to ``share``. At least one row of every class is not held out.

    Args:
        rng: the random number generator that determines the order.
        groups: int64 (rows,), from 0.
        classes: float64 (rows,); all equal if there are no classes.
        share: the desired share of the rows.
    """
    _, kinds = np.unique(classes, return_inverse=True)
    counts = np.zeros((int(groups.max()) + 1, int(kinds.max()) + 1))
    np.add.at(counts, (groups, kinds), 1.0)
    total, held = counts.sum(axis=0), np.zeros(counts.shape[1])
    chosen = np.zeros(len(counts), dtype=np.bool_)
    for group in rng.permutation(len(counts)).tolist():
        more = held + counts[group]
        is_nearer = np.abs(more - share * total).sum() < np.abs(held - share * total).sum()
        if is_nearer and (more < total).all():
            chosen[group], held = True, more
    return chosen[groups]


def latest(table: Table, name: str, share: float) -> Flags:
    """Whether each row is among the latest rows: bool (rows,); rows with the same time are on the same side.

    Args:
        table: the rows; a row without a time is not among the latest.
        name: the column with the times of the rows, which are numbers or dates.
        share: the desired share of the rows; if it is above 0, both sides have rows.

    Raises:
        UsageError: the column has words, or only one time.
    """
    column = table.column(name)
    if column.words is not None:
        word = column.texts()[0]
        raise UsageError(
            f"{table.place_of(0)}: the column `{name}` is {word!r}; expected a number or a date that orders the rows"
        )
    times, counts = np.unique(column.values[~column.empty], return_counts=True)
    if len(times) < 2:
        raise UsageError(f"all rows of {table.source} have the same `{name}`, so none of them is the latest")
    later = (counts.sum() - counts.cumsum())[:-1] / counts.sum()
    return column.values > (times[np.argmin(np.abs(later - share))] if share else np.inf)


def separated(table: Table, hidden: Flags, targets: Floats, without: Collection[str]) -> Iterator[str]:
    """A warning about columns that name groups of rows, such as people, if groups are on both sides of a split.

    Args:
        table: the rows.
        hidden: whether each row is held out: bool (rows,).
        targets: float64 (rows,).
        without: columns to ignore because they have other uses.
    """
    names = []
    for column in (each for each in table.columns if each.name not in without and each.kind != "truth"):
        there = ~column.empty
        if column.words is None and (column.values[there] % 1.0 != 0.0).any():
            continue
        _, groups, counts = np.unique(column.values[there], return_inverse=True, return_counts=True)
        if len(counts) < LEAST_GROUPS or np.mean(counts >= LEAST_ROWS) <= 0.5:
            continue
        held = np.bincount(groups, hidden[there])
        is_group = column.words is not None or _jumps(groups, counts, targets[there])
        if is_group and ((held > 0) & (held < counts)).any():
            names.append(f"`{column.name}` ({len(counts):,} values)")
    if names:
        yield (
            f"warning: rows with the same {' or '.join(names[:3])} are on both sides of the split. The metrics hold "
            "for values that gpkit has learned from; for new ones, hold out whole groups with `group`, or the latest "
            "rows with `after`"
        )


def _jumps(groups: Ints, counts: Ints, targets: Floats) -> bool:
    """Whether whole numbers name groups: they occur in blocks or equally often, or the targets jump between them."""
    if np.count_nonzero(np.diff(groups)) < len(groups) / 2 or counts.min() == counts.max():
        return True
    means = np.bincount(groups, targets) / counts
    chance = np.mean((targets - means[groups]) ** 2) * np.mean(1.0 / counts)
    return bool(np.mean(np.diff(means) ** 2) > 2.0 * JUMP * chance)
