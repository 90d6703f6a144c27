"""Accuracy of programs that put rows into their classes: of those that are named, and of the champions of runs."""

import csv
import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.app.players import Named
from gpkit.core.diagnostics import SourceError, shortened
from gpkit.core.errors import UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.core.statistics import Interval, mean_interval
from gpkit.core.tabular import Tabular
from gpkit.data.table import table_of
from gpkit.evolution.resolved import RowsRun
from gpkit.evolution.rows import Rows, hits
from gpkit.evolution.rows import read_rows as read_rows

HELD_OUT, LEARNED, COMMONEST = (
    "held-out rows",
    "rows learned from",
    "held-out rows, always the commonest class",
)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Accuracy on some rows: which ones, and the share of them that came into their class, the row being the unit."""

    rows: str
    interval: Interval

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {
            "rows": self.rows,
            "metric": "accuracy",
            "mean": self.interval.mean,
            "ci95": [self.interval.low, self.interval.high],
            "count": self.interval.units,
        }


def rows_file(data: Any, beside: Path) -> str:
    """The CSV file of a table: the one that is named, or one that is written now.

    Args:
        data: the path of a file; or the columns by name, as a mapping or a data frame has them.
        beside: the folder beside which the file is written, with its name and the suffix ``.csv``.

    Raises:
        UsageError: it is neither, or the file cannot be written.
    """
    if isinstance(data, str | os.PathLike):
        return os.fspath(data)
    names = data.columns if hasattr(data, "columns") else data
    if not (isinstance(data, Mapping) or hasattr(data, "columns")):
        raise UsageError(
            f"data={shortened(repr(data))}: expected the path of a CSV file, or the columns of a table by name"
        )
    table = table_of({str(name): data[name] for name in names}, "data")
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(table.names)
    writer.writerows(zip(*(table.column(name).texts() for name in table.names), strict=True))
    if not beside.name:
        raise UsageError(
            f"the folder {beside} has no name, by which the table beside it is called; name another"
        )
    path = beside.with_name(f"{beside.name}.csv")
    check_place(path)
    write_atomic(path, written.getvalue())
    return str(path)


def accuracies(program: Any, run: RowsRun) -> tuple[Accuracy, ...]:
    """The accuracies of a program: on held-out rows, on the others, and beside it that of the commonest class."""
    learned, hidden = run.parts
    right = {LEARNED: hits(program, learned)}
    if len(hidden.targets):
        names, counts = np.unique(learned.targets, return_counts=True)
        hidden_right = hits(program, hidden)
        right = {HELD_OUT: hidden_right, **right, COMMONEST: hidden.targets == names[np.argmax(counts)]}
    return tuple(Accuracy(rows, _share(each)) for rows, each in right.items())


def _share(right: Any) -> Interval:
    return mean_interval(np.asarray(right, dtype=np.float64), support=(0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Classified(Tabular):
    """Result of classifying rows.

    Attributes:
        program: the name of the program.
        leaves: how many its tree has.
        accuracy: the share of the rows that came into their class, with the row as the unit.
        confusion: how many rows of each class came to each leaf, by class and leaf.
    """

    program: str
    leaves: int
    accuracy: Interval
    confusion: dict[str, dict[str, int]]

    def to_json(self) -> dict[str, object]:
        """The entry of ``results``."""
        return {
            "program": self.program,
            "leaves": self.leaves,
            "rows": self.accuracy.units,
            "accuracy": self.accuracy.mean,
            "interval": [self.accuracy.low, self.accuracy.high],
            "confusion": self.confusion,
        }


def classified(named: Named, rows: Rows, target: str) -> Classified:
    """Accuracy of a program that puts rows into their classes.

    Raises:
        UsageError: it is not a program that classifies, or a column is missing or holds no numbers.
        SourceError: it cannot be run.
    """
    if named.source is None or named.language.classify is None:
        raise UsageError(f"{named.spec} cannot classify rows: --data is for programs with one decision tree")
    source, program = named.source, named.source.program
    if len(program.trees) != 1:
        raise UsageError(
            f"{named.spec} has {len(program.trees)} sections; rows are classified by a single tree"
        )
    for finding in named.language.check(source, None):
        if finding.severity == "error":
            raise SourceError(finding, source.text, source.filename)
    wanted = rows.texts(target)
    (tree,) = program.trees
    columns = np.array([rows.numbers(name) for name in tree.reads]).reshape(len(tree.reads), len(wanted))
    names, chosen = named.language.classify(program, tree.reads, columns)
    leaves = [names[number] for number in chosen.tolist()]
    right = [_is_class(leaf, text) for leaf, text in zip(leaves, wanted, strict=True)]
    confusion: dict[str, dict[str, int]] = {}
    for text, leaf in sorted((text, str(leaf)) for text, leaf in zip(wanted, leaves, strict=True)):
        row = confusion.setdefault(text, {})
        row[leaf] = row.get(leaf, 0) + 1
    return Classified(named.spec, len(tree.leaves), _share(right), confusion)


def _is_class(leaf: str | float, text: str) -> bool:
    """Whether a leaf names the class of a cell: the same text, or an equal number."""
    if isinstance(leaf, str):
        return leaf == text
    try:
        return float(text) == leaf
    except ValueError:
        return False
