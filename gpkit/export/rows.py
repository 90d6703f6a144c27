"""Supports exports of programs that predict rows, with the layout of a row and sample rows for tests."""

import json
import math
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np

from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.plain_files import check_named
from gpkit.core.rng import stream
from gpkit.data.features import (
    IS,
    IS_EMPTY,
    PREFIX,
    Facts,
    Label,
    check_sections,
    chosen_of,
    facts_of,
    feature_columns,
    label_name,
)
from gpkit.data.table import EMPTY, is_number, read_chunks, table_of
from gpkit.export.conformance import CLOSE, differences, evaluate_vector, make_vectors, needs_library
from gpkit.export.subject import Subject

MARKS = ("target", "task", "classes", "fills", "words", "dates")
"""The header lines that occur only in programs for tables."""

STRANGE = "a word that no column has"

MOST_ROWS = 300

Row = Mapping[str, float | str | None]
"""The cells of a row by column; None stands for an empty cell."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number that a program reads from a cell of a row.

    Attributes:
        name: the name of the number in the program.
        column: the column of the cell.
        word: if not None, the number is 1 if the cell contains this word, else 0.
        is_gap: whether the number is 1 for an empty cell, else 0.
        fill: the number for an empty cell (in trees, NaN); None if there is none.
        is_date: whether the number counts the days since 1970-01-01.
    """

    name: str
    column: str
    word: str | None = None
    is_gap: bool = False
    fill: float | None = None
    is_date: bool = False

    @property
    def is_number(self) -> bool:
        """True if the program reads the number in the cell itself."""
        return self.word is None and not self.is_gap

    def read(self, patterns: Mapping[str, str], quoted: Callable[[str], str], fill: str, cell: str) -> str:
        """The expression for the number in a target language.

        Args:
            patterns: the patterns of the expressions that read a ``word``, a ``gap``, a ``date`` and a ``number``; they
                contain ``{cell}``, ``{column}``, ``{word}`` and ``{fill}``.
            quoted: turns a string into a string literal.
            fill: the number for an empty cell, as text.
            cell: the expression that reads the cell.
        """
        if self.word in EMPTY:
            return "0.0"  # cells with this word count as empty, so no cell has it
        kind = (
            "gap"
            if self.is_gap
            else "word"
            if self.word is not None
            else "date"
            if self.is_date
            else "number"
        )
        return patterns[kind].format(
            cell=cell, column=quoted(self.column), word=quoted(self.word or ""), fill=fill
        )


@dataclass(frozen=True)
class RowForm:
    """The form of the rows that a program for data predicts.

    Attributes:
        subject: the program.
        facts: the facts about the data in the program's header.
        cells: the numbers that the program reads.
        leaves: the leaves of its trees; none for formulas.
    """

    subject: Subject
    facts: Facts
    cells: tuple[Cell, ...]
    leaves: tuple[float | str, ...]

    @cached_property
    def labels(self) -> dict[str, Label]:
        """The classes by name."""
        return {label_name(label): label for label in self.facts.labels}

    @cached_property
    def named(self) -> dict[float | str, Label]:
        """The class that each leaf names; a leaf that names no class stands for itself."""
        labels = self.labels
        return {leaf: labels.get(label_name(leaf), leaf) for leaf in self.leaves}

    @cached_property
    def columns(self) -> dict[str, tuple[Cell, ...]]:
        """The columns that the program reads, with the numbers that it reads from each."""
        found: dict[str, tuple[Cell, ...]] = {}
        for cell in self.cells:
            found[cell.column] = (*found.get(cell.column, ()), cell)
        return found

    @cached_property
    def texts(self) -> dict[str, tuple[str, ...]]:
        """The known words of each text column; a column is not a text column if the program reads numbers from it."""
        found: dict[str, tuple[str, ...]] = {}
        for column, cells in self.columns.items():
            words = tuple(cell.word for cell in cells if cell.word is not None)
            known = self.facts.words.get(column)
            if not any(cell.is_number for cell in cells) and not (
                known is None and all(map(is_number, words))
            ):
                found[column] = words if known is None else tuple(known)
        return found

    @property
    def dates(self) -> tuple[str, ...]:
        """The columns that the program reads as days since 1970-01-01."""
        return tuple(cell.column for cell in self.cells if cell.is_date)

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns that must not have empty cells."""
        return tuple(cell.column for cell in self.cells if cell.is_number and cell.fill is None)

    @property
    def outcomes(self) -> tuple[Label, ...]:
        """The possible predictions: the classes or the words in the leaves; empty for programs that predict numbers."""
        return self.facts.labels or tuple(sorted({leaf for leaf in self.leaves if isinstance(leaf, str)}))

    @property
    def summary(self) -> str:
        """A sentence about the prediction."""
        what = f"The {self.subject.header.get('target', 'value')} of a row"
        return f"{what}: {' or '.join(self.labels)}." if self.labels else f"{what}."

    def predicted(self, row: Row) -> Label:
        """The interpreter's prediction for a row."""
        names, program = [cell.name for cell in self.cells], self.subject.program
        env: dict[str, float] = {}
        if names:
            table = table_of({name: [cell] for name, cell in row.items()})
            read = feature_columns([n.removeprefix(PREFIX) for n in names], table, self.facts.fills)
            env = dict(zip(names, read[:, 0].tolist(), strict=True))
        found: list[float | str] = [
            evaluate_vector(tree, tree.reads, [env[name] for name in tree.reads], ())
            for tree in program.trees
        ]
        return (
            self.facts.labels[int(chosen_of(np.array(found)[:, None])[0])]
            if self.facts.labels and not self.leaves
            else self.named.get(found[0], found[0])
        )

    def checked(self, count: int) -> list[tuple[dict[str, float | str | None], Label]]:
        """The rows to check: ``trials``, and rows of the table that the program was fitted to, if it still exists.

        Raises:
            UsageError: an exported file would look for a column that the table does not have.
        """
        path, trials = self.subject.header.get("data", ""), self.trials(count)
        if path == STANDARD_INPUT:
            return trials
        try:
            table = next(read_chunks(check_named(path), known=self.facts.words))
            feature_columns([cell.name.removeprefix(PREFIX) for cell in self.cells], table)
        except GpkitError:  # the path now holds nothing, or another table
            return trials
        if strange := next((column for column in self.columns if column not in table), None):
            raise UsageError(
                f"{self.subject.name}: an exported file would look for a column `{strange}`, but {path} has no "
                "such column, because spaces are missing from the program's `words` line; fit the program again"
            )
        columns = map(table.column, self.columns)
        texts = [[*each.texts()] if each.words is not None else each.values.tolist() for each in columns]
        rows = [
            {
                name: None if cell == "" or cell != cell else cell
                for name, cell in zip(self.columns, row, strict=True)
            }
            for row in islice(zip(*texts, strict=True), MOST_ROWS)
        ]
        whole = (row for row in rows if all(row[column] is not None for column in self.needed))
        return [*((row, self.predicted(row)) for row in whole), *trials]

    def trials(self, count: int) -> list[tuple[dict[str, float | str | None], Label]]:
        """At most ``MOST_ROWS`` random rows with words, numbers and gaps, and the interpreter's prediction for each."""
        rng, found = stream(self.subject.seed, "export rows"), []
        needed, texts, choices = self.needed, self.texts, self._choices()
        for _ in range(min(count, MOST_ROWS)):
            row: dict[str, float | str | None] = {}
            for column, words in choices.items():
                row[column] = float(rng.uniform(-10.0, 10.0))
                if words and (column in texts or rng.random() < 0.7):
                    row[column] = words[int(rng.integers(len(words)))]
                if rng.random() < 0.2 and column not in needed:
                    row[column] = None
            found.append((row, self.predicted(row)))
        return found

    def _choices(self) -> dict[str, list[str] | list[float]]:
        """Special cells by column: known, unknown and empty words; for a column of numbers, numbers in the program."""
        texts, found = self.texts, dict[str, list[str] | list[float]]()
        for column, cells in self.columns.items():
            words = [cell.word for cell in cells if cell.word is not None]
            if column in texts:
                known = [*dict.fromkeys((*texts[column], *words))]
                found[column] = [STRANGE, " NA ", *known, *(f"\t{word}\u00a0" for word in known)]
            else:
                found[column] = [
                    float(word) for word in words if is_number(word) and math.isfinite(float(word))
                ]
        return found

    def differing(self, trials: Sequence[tuple[Row, Label]], answers: Sequence[str]) -> list[str]:
        """Descriptions of the rows that got a wrong answer; the answers are in JSON."""
        is_close = needs_library(self.subject.program)
        found = [] if len(answers) == len(trials) else [f"{len(answers)} answers for {len(trials)} rows"]
        for (row, wanted), text in zip(trials, answers, strict=False):
            answer = json.loads(text)
            if not (
                answer == wanted
                or (answer != answer and wanted != wanted)
                or (
                    is_close
                    and isinstance(wanted, float)
                    and isinstance(answer, int | float)
                    and math.isclose(answer, wanted, rel_tol=CLOSE)
                )
            ):
                found.append(f"predict({dict(row)}) is {text} instead of {wanted!r}")
        return found


def row_form(subject: Subject) -> RowForm | None:
    """The form of the rows that a program for data reads; None for other programs.

    Raises:
        UsageError: a header line does not have the form that ``gpkit fit`` writes, or the sections do not fit the
            classes.
    """
    trees = subject.program.trees
    marked = any(key in subject.header for key in MARKS)
    if subject.primitives is not None or not marked or any(tree.draws for tree in trees):
        return None
    facts = facts_of(subject.header, subject.name)
    check_sections(facts, len(trees), subject.name, is_tree=hasattr(trees[0], "leaves"))
    names = dict.fromkeys(name for tree in trees for name in tree.reads)
    leaves = tuple(leaf for tree in trees for leaf in getattr(tree, "leaves", ()))
    cells = (_cell(name, facts, "data" in subject.header) for name in names)
    filled = (replace(cell, fill=math.nan) if leaves and cell.fill is None else cell for cell in cells)
    return RowForm(subject, facts, tuple(filled), leaves)


def _cell(name: str, facts: Facts, is_fitted: bool) -> Cell:
    """The cell that a name refers to; programs from ``gpkit fit`` list all words that they read."""
    short = name.removeprefix(PREFIX)
    is_date = short in facts.dates
    if short in facts.fills or is_date:
        return Cell(name, short, fill=facts.fills.get(short), is_date=is_date)
    for column, words in facts.words.items():
        is_known = short.startswith(f"{column}{IS}") and short[len(column) + len(IS) :] in words
        if is_known and short != f"{column}{IS_EMPTY}":
            return Cell(name, column, word=short[len(column) + len(IS) :])
    if short.endswith(IS_EMPTY):
        return Cell(name, short.removesuffix(IS_EMPTY), is_gap=True)
    column, is_word, word = short.partition(IS)
    return Cell(name, column, word=word) if is_word and not is_fitted else Cell(name, short)


SECONDS = 600


class Trials:
    """Evaluations of every part of a program, and rows to predict if the program is for data.

    Attributes:
        vectors: the evaluations.
        form: the form of the rows; None if there are no rows.
        rows: the rows with their predictions.
    """

    def __init__(self, subject: Subject, count: int, has_rows: bool = True) -> None:
        self.form = row_form(subject) if has_rows else None
        self.rows: Sequence[tuple[Row, Label]] = () if self.form is None else self.form.checked(count)
        self.vectors = make_vectors(subject, count, "check")

    @property
    def count(self) -> int:
        """The number of evaluations and rows."""
        return len(self.vectors) + len(self.rows)

    def differing(self, values: Sequence[str], answers: Sequence[str], is_close: bool = False) -> list[str]:
        """Descriptions of values and JSON predictions that differ from the expected ones."""
        found = (
            [*differences(self.vectors, values, is_close)]
            if len(values) == len(self.vectors)  # else which value belongs to which evaluation is not known
            else [f"{len(values)} values instead of {len(self.vectors)}"]
        )
        return found if self.form is None else [*found, *self.form.differing(self.rows, answers)]


def run(command: Sequence[str], text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command with a string as its standard input."""
    return subprocess.run(  # noqa: S603 - a compiler or an interpreter of this machine, and what gpkit wrote
        command, input=text, capture_output=True, text=True, timeout=SECONDS, check=False
    )
