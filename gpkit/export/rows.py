"""Programs for data in other languages: the rows that they predict, and what becomes of the cells that they read."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpkit.core.rng import stream
from gpkit.data.facts import Facts, Label, chosen_of, facts_of, label_name
from gpkit.data.features import IS, IS_EMPTY, feature_columns
from gpkit.data.table import table_of
from gpkit.export.conformance import CLOSE, evaluate_vector, needs_library
from gpkit.export.registry import Subject

MARKS = ("target", "task", "classes", "fills", "words")
"""Lines of a header, one of which says that a program is for data."""

PREFIX = "env."
"""May stand before the name of a column in a program."""

STRANGE = "a word that no column has"

MOST_ROWS = 300
"""The most rows of a check."""

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
        fill: the number where the cell is empty; None if there is none.
    """

    name: str
    column: str
    word: str | None = None
    is_gap: bool = False
    fill: float | None = None


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
    def summary(self) -> str:
        """A sentence on what is predicted."""
        what = f"The {self.subject.header.get('target', 'value')} of a row"
        return f"{what}: {' or '.join(self.labels)}." if self.labels else f"{what}."

    def predicted(self, row: Row) -> Label:
        """The prediction for a row by the interpreter."""
        names, program = [cell.name for cell in self.cells], self.subject.program
        columns = {name: [cell] for name, cell in row.items()}
        read = feature_columns([n.removeprefix(PREFIX) for n in names], table_of(columns), self.facts.fills)
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

    def trials(self, count: int) -> list[tuple[dict[str, float | str | None], Label]]:
        """Rows with words, numbers and gaps, at most ``MOST_ROWS``, and the prediction for each by the interpreter."""
        rng, found = stream(self.subject.seed, "export rows"), []
        words: dict[str, list[str]] = {}
        for cell in self.cells:
            if cell.word is not None:
                words.setdefault(cell.column, [STRANGE]).append(cell.word)
        needed = {each.column for each in self.cells if each.word is None and not each.is_gap}
        needed -= set(self.facts.fills)
        for _ in range(min(count, MOST_ROWS)):
            row: dict[str, float | str | None] = {}
            for column in dict.fromkeys(cell.column for cell in self.cells):
                value = float(rng.uniform(-10.0, 10.0))
                row[column] = (
                    words[column][int(rng.integers(len(words[column])))] if column in words else value
                )
                if rng.random() < 0.2 and (self.leaves or column not in needed):
                    row[column] = None
            found.append((row, self.predicted(row)))
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
        UsageError: a line of its header is not as ``gpkit fit`` writes it.
    """
    trees = subject.program.trees
    marked = any(key in subject.header for key in MARKS)
    if subject.primitives is not None or not marked or any(tree.draws for tree in trees):
        return None
    facts = facts_of(subject.header, subject.name)
    names = dict.fromkeys(name for tree in trees for name in tree.reads)
    leaves = tuple(leaf for tree in trees for leaf in getattr(tree, "leaves", ()))
    cells = tuple(_cell(name, facts, "data" in subject.header) for name in names)
    return RowForm(subject, facts, cells, leaves)


def _cell(name: str, facts: Facts, is_fitted: bool) -> Cell:
    """The cell behind a name; programs that a fit found list all words that they read."""
    short = name.removeprefix(PREFIX)
    if short in facts.fills:
        return Cell(name, short, fill=facts.fills[short])
    for column, words in facts.words.items():
        if short.startswith(f"{column}{IS}") and short[len(column) + len(IS) :] in words:
            return Cell(name, column, word=short[len(column) + len(IS) :])
    if short.endswith(IS_EMPTY):
        return Cell(name, short.removesuffix(IS_EMPTY), is_gap=True)
    column, is_word, word = short.partition(IS)
    return Cell(name, column, word=word) if is_word and not is_fitted else Cell(name, short)
