"""Rows of a CSV file, and how well programs put them into their classes."""

import csv
import hashlib
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.app.players import Named
from gpkit.core.diagnostics import SourceError, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.statistics import Interval, mean_interval


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a table.

    Attributes:
        path: where they come from.
        names: of the columns, from left to right.
        cells: of each row, as many as there are columns.
        lines: the line of the file that each row ends on.
    """

    path: str
    names: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]

    @property
    def sha256(self) -> str:
        """The SHA-256 of names and cells, 64 hexadecimal digits."""
        return hashlib.sha256(json.dumps([self.names, self.cells]).encode()).hexdigest()

    def place(self, name: str) -> int:
        """The place of a column.

        Raises:
            UsageError: there is none of this name.
        """
        if name not in self.names:
            raise UsageError(f"{self.path} has no column `{name}`; {suggestion(name, self.names)}")
        return self.names.index(name)

    def texts(self, name: str) -> list[str]:
        """The cells of a column.

        Raises:
            UsageError: there is no such column.
        """
        place = self.place(name)
        return [row[place] for row in self.cells]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """The cells of a column as numbers: float64 (rows,).

        Raises:
            UsageError: there is no such column, or a cell of it is not a finite number.
        """
        texts = self.texts(name)
        return np.array([self._number(name, *each) for each in zip(texts, self.lines, strict=True)])

    def _number(self, name: str, text: str, line: int) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            shown = f"`{text}`" if text else "empty"
            raise UsageError(
                f"{self.path}, line {line}: the column `{name}` is {shown}, where a number is needed"
            )
        return value


@dataclass(frozen=True, slots=True)
class Classified:
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


def read_rows(path: str) -> Rows:
    """The rows of a CSV file whose first line names its columns.

    Raises:
        UsageError: it cannot be read, has no rows, names a column twice, or has a row of another length.
        LimitError: it is too large.
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    try:
        for row in reader:
            if row:
                rows.append(tuple(cell.strip() for cell in row))
                lines.append(reader.line_num)
    except csv.Error as error:
        raise UsageError(f"{path}, line {reader.line_num}: this is not CSV: {error}") from None
    if len(rows) < 2:
        raise UsageError(f"{path} has no rows: the first line names the columns, the others are rows")
    names, cells = rows[0], rows[1:]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise UsageError(f"{path} has two columns `{twice}`")
    for each, line in zip(cells, lines[1:], strict=True):
        if len(each) != len(names):
            raise UsageError(f"{path}, line {line}: {len(each)} cells, where there are {len(names)} columns")
    return Rows(path, names, tuple(cells), tuple(lines[1:]))


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
    leaves = named.language.classify(program, tree.reads, columns)
    right = [_is_class(leaf, text) for leaf, text in zip(leaves, wanted, strict=True)]
    return Classified(
        named.spec,
        len(tree.leaves),
        mean_interval(np.array(right, dtype=np.float64), support=(0.0, 1.0)),
        _confusion(wanted, leaves),
    )


def _is_class(leaf: str | float, text: str) -> bool:
    """Whether a leaf names the class of a cell: the same text, or an equal number."""
    if isinstance(leaf, str):
        return leaf == text
    try:
        return float(text) == leaf
    except ValueError:
        return False


def _confusion(wanted: Sequence[str], leaves: Sequence[Any]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for text, leaf in sorted((text, str(leaf)) for text, leaf in zip(wanted, leaves, strict=True)):
        row = found.setdefault(text, {})
        row[leaf] = row.get(leaf, 0) + 1
    return found
