"""Runs of evolution on rows: the table of a configuration, and how well champions classify rows held out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpkit.app.ancestors import descent_row
from gpkit.app.findings import language_of_run, plain_milestone, program_of
from gpkit.app.rows import read_rows
from gpkit.core.errors import UsageError
from gpkit.core.statistics import Interval, mean_interval
from gpkit.evolution.ancestry import Ancestry, read_ancestry
from gpkit.evolution.classification import hits
from gpkit.evolution.history import History
from gpkit.evolution.rows_config import RowsConfig
from gpkit.evolution.rows_run import Table, parted

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


@dataclass(frozen=True, slots=True)
class RowsFindings:
    """A run on rows and what they say of it.

    Attributes:
        history: the run.
        ancestry: of the champion.
        strengths: the accuracies of the champion.
        course: the accuracy of every champion when it was found, on held-out rows; without any, on the others.
    """

    history: History
    ancestry: Ancestry
    strengths: tuple[Accuracy, ...]
    course: tuple[Accuracy, ...]

    @property
    def config(self) -> RowsConfig:
        """The configuration of the run."""
        config = self.history.config
        assert isinstance(config, RowsConfig), "findings are for such runs"
        return config

    @property
    def program(self) -> Any:
        """The champion."""
        return program_of(self.history.champion, self.history)

    def to_json(self) -> dict[str, Any]:
        """The run in numbers, as JSON values."""
        history = self.history
        return {
            "folder": str(history.folder),
            "data": self.config.data.file,
            "target": self.config.data.target,
            "seed": self.config.seed,
            "reason": history.reason or None,
            "generations": [generation.to_json() for generation in history.generations],
            "champion": plain_milestone(history.champion),
            "held_out": [result.to_json() for result in self.strengths],
            "champions": [
                {**plain_milestone(milestone), "held_out": result.to_json()}
                for milestone, result in zip(history.milestones, self.course, strict=True)
            ],
            "ancestors": self.ancestry.count,
            "lineage": [
                descent_row(descent, language_of_run(history)) for descent in self.ancestry.descents()
            ],
        }


MOST_NUMBERS = 10
"""Classes that may be numbers whatever they are."""


def check_classes(targets: Sequence[str], column: str, file: str) -> None:
    """Refuse a column of a quantity, of which every number would be a class of its own.

    That is one of fractions, more than ten or for fewer than three rows each; or of more than ten numbers for fewer
    than ten rows each.

    Raises:
        UsageError: it is one.
    """
    try:
        numbers = np.array(targets, dtype=np.float64)
    except ValueError:
        return
    different = len(set(targets))
    many = different > MOST_NUMBERS
    if (numbers % 1.0 != 0.0).any():
        is_quantity = many or 3 * different > len(targets)
    else:
        is_quantity = many and 10 * different > len(targets)
    if is_quantity:
        middle = f"{np.median(numbers):g}"
        raise UsageError(
            f"the column `{column}` of {file} is a quantity: {different:,} different numbers in {len(targets):,} rows, "
            f"from {numbers.min():g} to {numbers.max():g}. Expected a few classes, as trees name a class for each row "
            f"and fit no numbers. Make classes of it, such as `low` up to {middle} and `high` above, in another "
            "column; if its numbers are names, write them so that they are none, such as `n17`"
        )


def with_table(config: RowsConfig) -> tuple[RowsConfig, Table]:
    """The rows that a configuration names, and the configuration with their SHA-256.

    Raises:
        UsageError: the file is not a table of rows, lacks a column, has a cell that is not a number, a
        quantity instead of
            classes, or other rows than those that a run was begun with.
    """
    data = config.data
    rows = read_rows(data.file)
    if not data.target:
        raise UsageError(f"say which column of {data.file} is the class: --target {rows.names[-1]}")
    if data.sha256 not in ("", rows.sha256):
        raise UsageError(f"the rows of {data.file} have changed since the run started")
    targets = np.array(rows.texts(data.target))
    if len(set(targets.tolist())) < 2:
        raise UsageError(f"all rows of {data.file} are of one class; there is nothing to learn")
    inputs = data.inputs or tuple(name for name in rows.names if name != data.target)
    columns = np.array([rows.numbers(name) for name in inputs]).reshape(len(inputs), len(targets))
    if not data.sha256:
        check_classes(targets.tolist(), data.target, data.file)
    return replace(config, data=replace(data, sha256=rows.sha256)), Table(inputs, columns, targets)


def accuracies(program: Any, config: RowsConfig, table: Table) -> tuple[Accuracy, ...]:
    """The accuracies of a program: on held-out rows, on the others, and beside it that of the commonest class."""
    learned, hidden = parted(table, config.data.held_out, config.seed)
    found = [Accuracy(LEARNED, _accuracy(program, learned))]
    if len(hidden.targets):
        names, counts = np.unique(learned.targets, return_counts=True)
        common = names[np.argmax(counts)]
        found.insert(0, Accuracy(HELD_OUT, _accuracy(program, hidden)))
        found.append(Accuracy(COMMONEST, _share(hidden.targets == common)))
    return tuple(found)


def _accuracy(program: Any, table: Table) -> Interval:
    return _share(hits(program, table.inputs, table.columns, table.targets))


def _share(right: Any) -> Interval:
    return mean_interval(right.astype(np.float64), support=(0.0, 1.0))


def find_out_rows(history: History) -> RowsFindings:
    """Measure the champions of a run on rows, and follow the ancestry of the last one.

    Raises:
        UsageError: the rows are not there any more, or other ones.
        CheckpointError: the genealogy is missing or damaged.
    """
    config, table = with_table(history.config)
    course: Sequence[Accuracy] = [
        accuracies(program_of(milestone, history), config, table)[0] for milestone in history.milestones
    ]
    strengths = accuracies(program_of(history.champion, history), config, table)
    return RowsFindings(history, read_ancestry(history), strengths, tuple(course))
