"""Programs for data in other languages: the rows that they predict, and what becomes of the cells that they read."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

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
from gpkit.export.conformance import CLOSE, evaluate_vector, needs_library
from gpkit.export.registry import Subject

MARKS = ("target", "task", "classes", "fills", "words", "dates")
"""Lines of a header, one of which says that a program is for data."""

STRANGE = "a word that no column has"

MOST_ROWS = 300

Row = Mapping[str, float | str | None]
"""Cells by the names of columns; None is an empty one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Number that a program reads of a row.

    Attributes:
        name: by which it reads the number.
        column: whose cell it is.
        word: the number is 1 where the cell is this word, else 0; None: no word is meant.
        is_gap: whether it is 1 where the cell is empty, else 0.
        fill: the number where the cell is empty, in trees NaN; None if there is none.
        is_date: whether the number is the days since 1970-01-01.
    """

    name: str
    column: str
    word: str | None = None
    is_gap: bool = False
    fill: float | None = None
    is_date: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it is the number in the cell itself."""
        return self.word is None and not self.is_gap

    @property
    def is_never(self) -> bool:
        """Whether no cell is the word, as one that says it is empty."""
        return self.word in EMPTY


@dataclass(frozen=True, slots=True)
class RowForm:
    """Form of the rows that a program for data predicts.

    Attributes:
        subject: the program.
        facts: what it says of the data.
        cells: the numbers that it reads.
        leaves: what its trees predict; of formulas none.
    """

    subject: Subject
    facts: Facts
    cells: tuple[Cell, ...]
    leaves: tuple[float | str, ...]

    @property
    def labels(self) -> dict[str, Label]:
        """The classes by their names."""
        return {label_name(label): label for label in self.facts.labels}

    @property
    def named(self) -> dict[float | str, Label]:
        """The class that each leaf names, or the leaf itself."""
        labels = self.labels
        return {leaf: labels.get(label_name(leaf), leaf) for leaf in self.leaves}

    @property
    def columns(self) -> dict[str, tuple[Cell, ...]]:
        """The columns that the program reads, with what it reads of each."""
        found: dict[str, tuple[Cell, ...]] = {}
        for cell in self.cells:
            found[cell.column] = (*found.get(cell.column, ()), cell)
        return found

    @property
    def texts(self) -> dict[str, tuple[str, ...]]:
        """The columns of words, with those that are known; columns of which the program reads a number are none."""
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
        """The columns of which the program reads the days since 1970-01-01."""
        return tuple(cell.column for cell in self.cells if cell.is_date)

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns whose cells must not be empty."""
        return tuple(cell.column for cell in self.cells if cell.is_number and cell.fill is None)

    @property
    def outcomes(self) -> tuple[Label, ...]:
        """The classes, or the words of leaves, one of which is predicted; empty where numbers are."""
        return self.facts.labels or tuple(sorted({leaf for leaf in self.leaves if isinstance(leaf, str)}))

    @property
    def summary(self) -> str:
        """A sentence on what is predicted."""
        what = f"The {self.subject.header.get('target', 'value')} of a row"
        return f"{what}: {' or '.join(self.labels)}." if self.labels else f"{what}."

    def predicted(self, row: Row) -> Label:
        """The prediction for a row by the interpreter."""
        names, program = [cell.name for cell in self.cells], self.subject.program
        env: dict[str, float] = {}
        if names:
            table = table_of({name: [cell] for name, cell in row.items()})
            read = feature_columns([n.removeprefix(PREFIX) for n in names], table, self.facts.fills)
            env = dict(zip(names, read[:, 0].tolist(), strict=True))
        found: list[Any] = [
            evaluate_vector(tree, tree.reads, [env[name] for name in tree.reads], ())
            for tree in program.trees
        ]
        if not self.facts.labels:
            first: Label = found[0]
            return first
        if self.leaves:
            return self.named[found[0]]
        return self.facts.labels[int(chosen_of(np.array(found)[:, None])[0])]

    def checked(self, count: int) -> list[tuple[dict[str, float | str | None], Label]]:
        """The rows to check: ``trials``, and rows of the table that the program was fitted to, if that table is there.

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
        """Rows with words, numbers and gaps, at most ``MOST_ROWS``, and the prediction for each by the interpreter."""
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
        """Cells with words by column, also a strange and an empty one; in columns of numbers the words' numbers."""
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
        """The rows whose prediction, an answer in JSON, is another one, in words."""
        is_close = needs_library(self.subject.program)
        found = [] if len(answers) == len(trials) else [f"{len(answers)} answers for {len(trials)} rows"]
        for (row, wanted), text in zip(trials, answers, strict=False):
            answer = json.loads(text)
            same = answer == wanted or (answer != answer and wanted != wanted)
            if isinstance(wanted, float) and isinstance(answer, int | float) and is_close:
                same = same or math.isclose(answer, wanted, rel_tol=CLOSE)
            if not same:
                found.append(f"predict({dict(row)}) is {text} instead of {wanted!r}")
        return found


def row_form(subject: Subject) -> RowForm | None:
    """The form of the rows of a program for data; None for a program of a game, and one that says nothing of data.

    Raises:
        UsageError: a line of its header is not as ``gpkit fit`` writes it, or it has not one section for each class.
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
    """The cell behind a name; programs that a fit found list all words that they read."""
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
