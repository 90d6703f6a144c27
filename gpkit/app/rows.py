"""Rows of tables for runs on them: the file they lie in, and how many a champion puts into their classes."""

import csv
import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.core.statistics import Interval, mean_interval
from gpkit.data.table import table_of
from gpkit.evolution.resolved import RowsRun
from gpkit.evolution.rows import hits

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
    return tuple(Accuracy(rows, mean_interval(each, support=(0.0, 1.0))) for rows, each in right.items())
