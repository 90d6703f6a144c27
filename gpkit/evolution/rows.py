"""Evolution without a game: rows of a table, which of them are held out, and the problem of classifying the others."""

import csv
import hashlib
import io
import json
import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.forms import form
from gpkit.core.registry import ROWS_LANGUAGE, language_entry
from gpkit.core.rng import stream
from gpkit.core.settings import Range, from_data, from_value, parse_settings
from gpkit.evolution.config import (
    REPRESENTATION,
    BloatSettings,
    SelectionSettings,
    Tables,
    check_tables,
    evolved,
)
from gpkit.evolution.individual import WORST, Evaluation
from gpkit.evolution.problem import Executor, Lost, Problem, Representation

DATA = "data"
"""The key of the table that only such a configuration has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """The rows, and which of them are held out.

    Attributes:
        file: a CSV file whose first line names its columns.
        target: the column that holds the class of each row.
        inputs: the columns that trees test; none are all others.
        held_out: the share of the rows of each class that evolution does not see.
        sha256: of the rows; empty until they are read.
    """

    file: str = ""
    target: str = ""
    inputs: tuple[str, ...] = ()
    held_out: Annotated[float, Range(0.0, 0.9)] = 0.25
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsConfig(Tables):
    """Everything that decides the course of a run on rows; the tables are those of ``Tables``.

    Attributes:
        data: the table, and what is predicted.
    """

    data: DataSettings = DataSettings()
    representation: Any = field(
        default_factory=lambda: evolved(ROWS_LANGUAGE).Settings(max_leaves=8, max_depth=8)
    )
    operators: Mapping[str, Annotated[float, Range(0.0)]] = field(
        default_factory=lambda: {
            "branch": 0.2,
            "crossover": 0.3,
            "hoist": 0.05,
            "prune": 0.05,
            "scale": 0.05,
            "step": 0.15,
            "feature": 0.1,
            "leaf": 0.1,
        }
    )
    selection: SelectionSettings = field(default_factory=lambda: SelectionSettings(size=4))
    bloat: BloatSettings = field(default_factory=lambda: BloatSettings(penalty=0.0002, free=0))


ROWS = RowsConfig()
"""Trees of at most eight leaves, in seconds for some hundred rows."""
ROWS_PRESETS: Mapping[str, RowsConfig] = {"rows": ROWS}


def parse_rows_config(text: str, filename: str = "<text>") -> RowsConfig:
    """The configuration of a TOML text.

    Raises:
        UsageError: not TOML, an unknown key, a wrong type, a value out of range, or values that contradict each other.
    """
    return parse_settings(text, ROWS_PRESETS, filename, read=rows_config_from_data, default=ROWS)


def rows_config_from_data(data: Mapping[str, Any], default: RowsConfig = ROWS) -> RowsConfig:
    """The configuration of nested mappings, with the values of ``default`` for missing keys.

    Raises:
        UsageError: as for ``parse_rows_config``.
    """
    others = {key: value for key, value in data.items() if key != REPRESENTATION}
    config = from_data(RowsConfig, others, default)
    known = config.representation
    config = replace(
        config, representation=from_value(type(known), data.get(REPRESENTATION, {}), known, REPRESENTATION)
    )
    check_tables(config)
    return config


def with_rows(config: RowsConfig, file: str | None, target: str | None) -> RowsConfig:
    """The configuration with other rows, where these are given.

    Raises:
        UsageError: it then names no file.
    """
    data = config.data
    if file is not None and file != data.file:
        data = replace(data, file=file, sha256="")
    if target is not None:
        data = replace(data, target=target)
    if not data.file:
        raise UsageError("name the rows: --data FILE --target COLUMN, or [data] file and target")
    return replace(config, data=data)


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
            raise UsageError(f"{path}, line {line}: {len(each)} cells for {len(names)} columns")
    return Rows(path, names, tuple(cells), tuple(lines[1:]))


Columns = NDArray[np.float64]
"""Float64 (inputs, rows)."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledRows:
    """Rows with their classes.

    Attributes:
        inputs: the names of the columns.
        targets: the class of each row.
    """

    inputs: tuple[str, ...]
    columns: Columns
    targets: NDArray[np.str_]

    def part(self, chosen: NDArray[np.bool_]) -> "LabelledRows":
        """The rows that are chosen: bool (rows,)."""
        return LabelledRows(self.inputs, self.columns[:, chosen], self.targets[chosen])


def read_table(config: RowsConfig) -> tuple[RowsConfig, LabelledRows]:
    """The rows that a configuration names, and the configuration with their SHA-256.

    Raises:
        UsageError: the file is not a table of rows, lacks a column, has a cell that is not a number, a quantity
            instead of classes, or other rows than those that a run was begun with.
    """
    data = config.data
    rows = read_rows(data.file)
    if not data.target:
        raise UsageError(f"name the class column of {data.file}: --target {shlex.quote(rows.names[-1])}")
    if data.sha256 not in ("", rows.sha256):
        raise UsageError(f"the rows of {data.file} have changed since the run started")
    targets = np.array(rows.texts(data.target))
    if len(set(targets.tolist())) < 2:
        raise UsageError(f"all rows of {data.file} are of one class; there is nothing to learn")
    inputs = data.inputs or tuple(name for name in rows.names if name != data.target)
    columns = np.array([rows.numbers(name) for name in inputs]).reshape(len(inputs), len(targets))
    if not data.sha256:
        check_classes(targets.tolist(), data.target, data.file)
    return replace(config, data=replace(data, sha256=rows.sha256)), LabelledRows(inputs, columns, targets)


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
            f"the column `{column}` of {file} is numeric: {different:,} different numbers in {len(targets):,} "
            f"rows, from {numbers.min():g} to {numbers.max():g}. Expected a few classes, as trees predict a class for "
            f"each row, not a number. Turn it into classes, such as `low` up to {middle} and `high` above, in another "
            "column; if its numbers are labels, write them as words, such as `n17`"
        )


def parted(table: LabelledRows, held_out: float, seed: int) -> tuple[LabelledRows, LabelledRows]:
    """The rows to learn from, and those held out: of each class that share, rounded, and one row at least is kept."""
    rng = stream(seed, "held out")
    hidden = np.zeros(len(table.targets), dtype=np.bool_)
    for name in np.unique(table.targets):
        rows = rng.permutation(np.flatnonzero(table.targets == name))
        hidden[rows[: min(round(held_out * len(rows)), len(rows) - 1)]] = True
    return table.part(~hidden), table.part(hidden)


@runtime_checkable
class RowsEvolving(Protocol):
    """Representations of programs that put rows into classes: further function of ``forms.evolution``."""

    def representation_of_rows(
        self, inputs: Sequence[str], columns: Columns, classes: Sequence[str], settings: Any, size: int | None
    ) -> Representation[Any]:
        """Trees that test inputs, whose values are ``columns``, float64 (inputs, rows), and name classes."""

    def right_by_class(
        self, programs: Any, inputs: Any, columns: Columns, targets: NDArray[np.int64], classes: Sequence[str]
    ) -> NDArray[np.int64]:
        """Number of rows that come to their class, int64 (programs, classes), by the class, int64 (rows,)."""


SECONDS_PER_NODE = 5e-6
"""The expected time of one node of a program, for making batches."""


@dataclass(frozen=True, slots=True, eq=False)
class Classification(Problem[Any]):
    """Classify rows; the score is the share of the rows that a program puts into their class.

    Programs are of a language that classifies rows.

    Attributes:
        rows: with their classes.
        by_class: whether the share of each class is a case of its own.
    """

    rows: LabelledRows
    by_class: bool = False

    def evaluate(
        self, genomes: Sequence[Any], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes; the seed and the generation change nothing."""
        seconds = [len(genome) * SECONDS_PER_NODE for genome in genomes]
        results = executor.run(partial(score_all, self), genomes, seconds)
        return [Evaluation(WORST, note=r.reason) if isinstance(r, Lost) else r for r in results]


def score_all(problem: Classification, genomes: Sequence[Any]) -> list[Evaluation]:
    """The evaluation of each program, whatever the others are."""
    rows = problem.rows
    classes, targets = np.unique(rows.targets, return_inverse=True)
    counted = form(RowsEvolving, "evolution", genomes[0].language, "evolve {}").right_by_class(
        genomes, rows.inputs, rows.columns, targets, classes.tolist()
    )
    scores = (counted.sum(axis=1) / len(targets)).tolist()
    if not problem.by_class:
        return [Evaluation(score) for score in scores]
    cases = (counted / np.bincount(targets)).tolist()
    return [Evaluation(score, tuple(case)) for score, case in zip(scores, cases, strict=True)]


def hits(program: Any, rows: LabelledRows) -> NDArray[np.bool_]:
    """Whether a program puts each row into its class: bool (rows,)."""
    classify = language_entry(program.language).load().classify
    leaves, chosen = classify(program, rows.inputs, rows.columns)
    found: NDArray[np.bool_] = np.array(leaves, dtype=str)[chosen] == rows.targets
    return found
