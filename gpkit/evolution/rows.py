"""Evolution without a game: rows of a table, which of them are held out, and the problem of classifying the others."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.forms import form
from gpkit.core.registry import ROWS_LANGUAGE, language_entry
from gpkit.core.rng import stream
from gpkit.core.settings import Range, parse_settings
from gpkit.data.facts import resolved_task
from gpkit.data.table import Table
from gpkit.evolution.config import evolved, tables_from_data
from gpkit.evolution.individual import Evaluation
from gpkit.evolution.problem import Executor, Problem, Representation, with_lost
from gpkit.evolution.tables import BloatSettings, SelectionSettings, Tables

DATA = "data"
"""The key of the table that only such a configuration has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """The table, what is predicted from which columns, and which rows are held out.

    Attributes:
        file: a CSV or Parquet file; empty for a table in memory.
        target: the column that is predicted.
        inputs: the columns to predict it from; none are all others.
        words: columns of words, even if their cells look like numbers.
        held_out: the share of the rows, of each class, that evolution does not see.
        sha256: of the table; empty until it is read.
    """

    file: str = ""
    target: str = ""
    inputs: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
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
    return parse_settings(text, ROWS_PRESETS, filename, read=tables_from_data, default=ROWS)


def with_rows(
    config: RowsConfig, file: str | None = None, target: str | None = None, words: Sequence[str] = ()
) -> RowsConfig:
    """The configuration with other rows, where these are given.

    Raises:
        UsageError: the same rows have been read before, for another target or with other columns of words.
    """
    data = config.data
    if (file is not None and file != data.file) or file == STANDARD_INPUT:
        data = replace(data, file=file, sha256="")
    meant = replace(data, target=target or data.target, words=tuple(words) or data.words)
    if data.sha256 and meant != data:
        raise UsageError(
            f"the run predicts `{data.target}` of {data.file}, and goes on so: leave target and words out, or begin "
            "another run"
        )
    return replace(config, data=meant)


Columns = NDArray[np.float64]
"""Float64 (inputs, rows)."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledRows:
    """Rows with their classes.

    Attributes:
        inputs: the names of the columns.
        targets: the class of each row.
        dates: the inputs that are days since 1970-01-01.
    """

    inputs: tuple[str, ...]
    columns: Columns
    targets: NDArray[np.str_]
    dates: tuple[str, ...] = ()

    def part(self, chosen: NDArray[np.bool_]) -> "LabelledRows":
        """The rows that are chosen: bool (rows,)."""
        return LabelledRows(self.inputs, self.columns[:, chosen], self.targets[chosen], self.dates)


def labelled(table: Table, data: DataSettings) -> LabelledRows:
    """The rows of a table with their classes.

    Raises:
        UsageError: an input is the target, or there twice; the table lacks a column, has no two classes or a quantity
            instead, or a cell that is empty or no number.
    """
    target = table.column(data.target)
    inputs = data.inputs or tuple(name for name in table.names if name != data.target)
    if data.target in inputs or len({*inputs}) < len(inputs):
        raise UsageError(
            f"the inputs {', '.join(inputs)} name a column twice, or the target `{data.target}`: name others once"
        )
    for column in (*map(table.column, inputs), target):
        wrong = column.empty | (column.words is not None and column is not target)
        if wrong.any():
            row = int(np.argmax(wrong))
            needed = "class" if column is target else "number"
            shown = "empty" if column.empty[row] else repr(shortened(column.texts()[row]))
            raise UsageError(
                f"{table.place_of(row)}: the column `{column.name}` is {shown}, where a {needed} is needed; "
                "gpkit fit --as tree takes words and empty cells"
            )
    if resolved_task("auto", target) == "regression":
        is_span = target.kind == "span"
        way = "make a column of classes" if is_span else f"say so: --words {shlex.quote(target.name)}"
        raise UsageError(
            f"the column `{target.name}` of {table.source} holds {len(np.unique(target.values)):,} different numbers, "
            f"from {target.values.min():g} to {target.values.max():g}, where classes are needed; gpkit fit --as tree "
            f"predicts numbers; if each is a class, {way}"
        )
    targets = target.texts().astype(np.str_)
    if len(np.unique(targets)) < 2:
        raise UsageError(f"all rows of {table.source} are of one class; there is nothing to learn")
    columns = np.array([table.column(name).values for name in inputs]).reshape(len(inputs), len(targets))
    dates = tuple(name for name in inputs if table.column(name).kind == "days")
    return LabelledRows(inputs, columns, targets, dates)


def hidden_rows(groups: NDArray[Any], share: float, seed: int) -> NDArray[np.bool_]:
    """Whether each row is held out: bool (rows,).

    Args:
        groups: of the rows (rows,); each loses the share, rounded, and keeps a row at least.
        share: from 0 to 1.
        seed: of the run.
    """
    rng = stream(seed, "held out")
    hidden = np.zeros(len(groups), dtype=np.bool_)
    for group in np.unique(groups):
        members = rng.permutation(np.flatnonzero(groups == group))
        hidden[members[: min(round(share * len(members)), len(members) - 1)]] = True
    return hidden


def parted(table: LabelledRows, held_out: float, seed: int) -> tuple[LabelledRows, LabelledRows]:
    """The rows to learn from, and those held out, a share of each class."""
    hidden = hidden_rows(table.targets, held_out, seed)
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
        return with_lost(executor.run(partial(score_all, self), genomes, seconds))


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
