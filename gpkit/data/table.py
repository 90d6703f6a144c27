"""Tables: columns of numbers and of words, of files or made of arrays."""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.data.dates import TIMES, date_texts, days_of, days_of_times, is_date, iso_text
from gpkit.data.numbers import is_number

EMPTY = frozenset({"", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "None"})
"""Cells that say nothing."""

Kind = Literal["", "truth", "days", "span"]
"""Kind of the cells of a column, where words or numbers do not say it."""

TRUTHS = frozenset({"False", "True"})
"""Truth values as texts."""

NO_WORD = -1
"""The code of an empty cell in a column of words."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Column of a table.

    Attributes:
        name: from the first line of the file.
        values: of numbers float64 (rows,), NaN where a cell is empty; of words int32 (rows,), their places in
            ``words``, ``NO_WORD`` where a cell is empty.
        words: the different words, sorted; None for numbers.
        kind: ``truth`` of words that are truth values, ``True`` and ``False``; ``days`` of numbers that were dates or
            times, since 1970-01-01; ``span`` of numbers that were spans of time, in days.
    """

    name: str
    values: NDArray[Any]
    words: tuple[str, ...] | None = None
    kind: Kind = ""

    @property
    def empty(self) -> NDArray[np.bool_]:
        """Whether each cell is empty: bool (rows,)."""
        found: NDArray[np.bool_] = np.isnan(self.values) if self.words is None else self.values == NO_WORD
        return found

    def texts(self) -> NDArray[np.object_]:
        """The cells as texts, dates as ISO has them, numbers without needless zeros, empty ones ``""``.

        They are objects (rows,).
        """
        words: Sequence[str] = [*self.words, ""] if self.words is not None else ()
        places = self.values
        if self.words is None:
            found, places = np.unique(self.values, return_inverse=True)
            dates = date_texts(found.tolist()) if self.kind == "days" else None
            words = dates if dates is not None else [number_text(value) for value in found.tolist()]
        texts: NDArray[np.object_] = np.array(words, dtype=object)[places]
        return texts

    def label_of(self, text: str) -> bool | int | float | str:
        """The value that the text of a cell stands for: a truth value, a number, if whole an int, or the text."""
        if self.kind == "truth":
            return text == "True"
        if self.words is not None or is_date(text):
            return text
        value = float(text)
        return int(value) if value.is_integer() else value

    def is_word(self, word: str) -> NDArray[np.bool_]:
        """Whether each cell is a word, or a number or date that is written so: bool (rows,)."""
        meant = math.nan  # which no cell is equal to
        if self.kind == "days" and is_date(word):
            meant = float(days_of([word])[0])
        elif self.words is None:
            meant = float(word) if is_number(word) else math.nan
        elif word in self.words:
            meant = self.words.index(word)
        found: NDArray[np.bool_] = self.values == meant
        return found

    def part(self, chosen: NDArray[Any]) -> "Column":
        """The rows that are chosen: bool (rows,), or their places."""
        return Column(self.name, self.values[chosen], self.words, self.kind)


def number_text(value: float) -> str:
    """A number as a cell holds it: whole ones without a point, NaN as nothing."""
    if np.isnan(value):
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table of data.

    Attributes:
        source: the path of the table's file, or a word for where the table comes from.
        columns: the columns from left to right, all of the same length.
        lines: the line of the file on which each row ends, int32 (rows,); None if there is no text file.
        rows: the number of each row, from 1 on, in the original table, (rows,); None means all rows in order.
        kept: the original cells of the columns to keep: texts by column name, objects (rows,).
    """

    source: str
    columns: tuple[Column, ...]
    lines: NDArray[np.int32] | None = None
    rows: NDArray[np.int64] | None = None
    kept: Mapping[str, NDArray[np.object_]] = field(default_factory=dict)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.columns[0].values) if self.columns else 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, from left to right."""
        return tuple(column.name for column in self.columns)

    def __contains__(self, name: str) -> bool:
        """Whether there is a column of a name."""
        return name in self.names

    def column(self, name: str) -> Column:
        """The column of a name.

        Raises:
            UsageError: there is none.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise UsageError(f"{self.source} has no column `{name}`; {suggestion(name, self.names)}")

    def part(self, chosen: NDArray[Any]) -> "Table":
        """The rows that are chosen: bool (rows,), or their places."""
        lines = None if self.lines is None else self.lines[chosen]
        rows = np.arange(1, len(self) + 1) if self.rows is None else self.rows
        kept = {name: cells[chosen] for name, cells in self.kept.items()}
        columns = tuple(column.part(chosen) for column in self.columns)
        return Table(self.source, columns, lines, rows[chosen], kept)

    def place_of(self, row: int) -> str:
        """The place of a row in words, with the file and the line."""
        if self.lines is None:
            return f"{self.source}, row {row + 1 if self.rows is None else int(self.rows[row])}"
        return f"{self.source}, line {int(self.lines[row])}"

    def head_of(self, name: str) -> str:
        """The place of a column's name in words, with the file and the line."""
        line = "" if self.lines is None else ", line 1"
        return f"{self.source}{line}, column {self.names.index(name) + 1}"

    @property
    def sha256(self) -> str:
        """The SHA-256 of names and cells, 64 hexadecimal digits."""
        found = hashlib.sha256()
        for column in self.columns:
            words = "\x1f".join(column.words) if column.words is not None else ""
            found.update(f"{column.name}\x1e{words}\x1d".encode())
            found.update(np.ascontiguousarray(column.values).tobytes())
        return found.hexdigest()


def joined(tables: Sequence[Table]) -> Table:
    """The table of all rows of tables with the same columns, at least one; where some have words, others are empty."""
    if len(tables) == 1:
        return tables[0]
    lines = [table.lines for table in tables if table.lines is not None]
    columns = [
        _joined_column([table.columns[place] for table in tables]) for place in range(len(tables[0].columns))
    ]
    kept = {name: np.concatenate([table.kept[name] for table in tables]) for name in tables[0].kept}
    return Table(tables[0].source, tuple(columns), np.concatenate(lines) if lines else None, kept=kept)


def _joined_column(parts: Sequence[Column]) -> Column:
    name = parts[0].name
    if all(part.words is None for part in parts):
        known = {part.kind for part in parts if part.kind}
        return Column(
            name, np.concatenate([part.values for part in parts]), kind=known.pop() if known else ""
        )
    words = sorted({word for part in parts for word in part.words or ()})
    places = {word: place for place, word in enumerate(words)}
    codes = []
    for part in parts:
        own = np.array([*(places[word] for word in part.words or ()), NO_WORD], dtype=np.int32)
        codes.append(
            own[part.values] if part.words is not None else np.full(len(part.values), NO_WORD, np.int32)
        )
    kinds = {part.kind for part in parts}
    return Column(name, np.concatenate(codes), tuple(words), kinds.pop() if len(kinds) == 1 else "")


def merged(table: Table, weight: str) -> Table:
    """The table sorted, in which rows that are equal are one with the sum of their weights.

    So weights and repetition are the same, and the order of rows means nothing.

    Args:
        table: the rows.
        weight: the column of weights.
    """
    others = [column for column in table.columns if column.name != weight]
    rows = table.part(np.lexsort([column.values for column in others]))
    differ = np.zeros(len(table), dtype=np.bool_)
    differ[0] = True
    for column in (rows.column(each.name) for each in others):
        here, before = column.values[1:], column.values[:-1]
        differ[1:] |= (here != before) & ~((here != here) & (before != before))
    firsts = np.flatnonzero(differ)
    sums = np.add.reduceat(rows.column(weight).values, firsts)
    merged_rows = rows.part(firsts)
    columns = tuple(Column(weight, sums) if each.name == weight else each for each in merged_rows.columns)
    return replace(merged_rows, columns=columns)


def sorted_words(name: str, codes: NDArray[np.int32], words: Sequence[str], kind: Kind = "") -> Column:
    """The column of words of which ``codes`` are the places, int32 (rows,), with the words sorted."""
    order = sorted(range(len(words)), key=words.__getitem__)
    places = np.full(len(words) + 1, NO_WORD, dtype=np.int32)
    for place, code in enumerate(order):
        places[code] = place
    return Column(name, places[codes], tuple(words[code] for code in order), kind)


def table_of(
    columns: Mapping[str, Any],
    source: str = "the table",
    words: Iterable[str] = (),
    known: Iterable[str] = (),
    keep: Iterable[str] = (),
) -> Table:
    """A table from arrays by name; texts, objects, truth values and pandas categories become words, all others numbers.

    Dates and times without a time zone, including ISO texts, become days since 1970-01-01; time spans become days.

    Args:
        columns: arrays, series or lists of the same length; None, NaN and the missing values of pandas are empty.
        source: a word for the table in messages.
        words: columns whose cells are words, even if they are numbers.
        known: columns that a program reads as words; they may be missing.
        keep: columns whose original cells are kept.

    Raises:
        UsageError: a column has another length or shape than the first, an infinite number, or cells that are neither
            numbers, texts nor dates without a zone.
    """
    meant = words_among(source, [str(name) for name in columns], words, known, keep)
    made = [_column_of(str(name), values, source, str(name) in meant) for name, values in columns.items()]
    lengths = {len(column.values) for column in made}
    if len(lengths) > 1:
        raise UsageError(
            f"the columns of {source} have different lengths: {', '.join(map(str, sorted(lengths)))}"
        )
    if not made or lengths == {0}:
        raise UsageError(f"{source} has no rows")
    return Table(source, tuple(made), kept={name: written_texts(columns[name]) for name in keep})


def written_texts(values: Any) -> NDArray[np.object_]:
    """The cells of an array, a series or a list as texts, without loss: objects (rows,)."""
    texts = _column_of("", values, "", is_words=True).texts()
    return np.array(
        [c if isinstance(c, str) else t for c, t in zip(values, texts, strict=True)], dtype=object
    )


def _column_of(name: str, values: Any, source: str, is_words: bool) -> Column:
    if isinstance(values, np.ma.MaskedArray):
        gone = np.ma.getmaskarray(values)
        values = values.data.astype(object)
        values[gone] = None
    is_list = isinstance(values, list | tuple) and not isinstance(next(iter(values), None), np.timedelta64)
    array = np.asarray(values, dtype=object if is_list else None)
    if is_words and array.dtype.kind == "f":  # whole numbers with gaps are floats
        array = np.asarray(values, dtype=object)
    if array.ndim != 1:
        raise UsageError(
            f"the column `{name}` of {source} has the shape {array.shape}, where (rows,) is needed"
        )
    if array.dtype.kind in "iuf" and not is_words:
        numbers = array.astype(np.float64)
        if np.isinf(numbers).any():
            row = int(np.argmax(np.isinf(numbers)))
            raise UsageError(
                f"{source}, row {row + 1}: the column `{name}` is infinite, where a finite number is needed"
            )
        return Column(name, numbers)
    days = Column(name, days_of_times(array), kind="days") if array.dtype.kind == "M" else None
    if array.dtype.kind == "m":
        with suppress(
            TypeError, OverflowError
        ):  # months and years are no days, and there are too small units
            days = Column(name, array / np.timedelta64(1, "D"), kind="span")
    if days is not None:
        return _column_of_objects(name, days.texts().tolist(), source, True) if is_words else days
    if array.dtype.kind in "OUSbiuf":
        return _column_of_objects(name, array.tolist(), source, is_words)
    raise UsageError(
        f"the column `{name}` of {source} holds {array.dtype}, which are neither numbers nor texts"
    )


def _column_of_objects(name: str, cells: Sequence[Any], source: str, is_words: bool) -> Column:
    """The column of Python's values: numbers if all that say anything are, and days if all are dates."""
    plain = (cell.item() if isinstance(cell, np.number | np.bool_) else cell for cell in cells)
    said = [None if _is_missing(cell) else iso_text(cell) for cell in plain]
    if not is_words and all(cell is None or type(cell) in (int, float, Decimal) for cell in said):
        return _column_of(
            name, np.array([np.nan if c is None else c for c in said], dtype=np.float64), source, False
        )
    codes: dict[str, int] = {}
    places = np.empty(len(said), dtype=np.int32)
    for row, cell in enumerate(said):
        if not isinstance(cell, str | bool | int | float | Decimal | None):
            raise _odd_cell(name, cell, f"{source}, row {row + 1}")
        text = "" if cell is None else number_text(cell) if type(cell) is float else str(cell).strip()
        places[row] = NO_WORD if text in EMPTY else codes.setdefault(text, len(codes))
    try:
        "".join((name, *codes)).encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"the column `{ascii(name)[1:-1]}` of {source} has a text with {error.object[error.start]!a}, which is "
            "no character: replace it"
        ) from None
    for kind, (is_time, read, _) in TIMES.items():
        if codes and not is_words and all(map(is_time, codes)):
            return Column(name, np.append(read(codes), np.nan)[places], kind=kind)
    is_truth = not is_words and all(isinstance(cell, bool | None) for cell in said)
    return sorted_words(name, places, list(codes), "truth" if is_truth else "")


def _odd_cell(name: str, cell: Any, place: str) -> UsageError:
    what, fix = "neither a number nor a text", "make it one of them, such as float(cell) or str(cell)"
    if getattr(cell, "tzinfo", None) is not None:
        what = "a time with a zone"
        fix = (
            "drop the zone: .dt.tz_localize(None) of a column of pandas, .replace(tzinfo=None) of a datetime"
        )
    return UsageError(f"{place}: the column `{name}` is {shortened(repr(cell))}, which is {what}; {fix}")


def _is_missing(cell: Any) -> bool:
    """Whether a cell is None, NaN or a missing value of pandas, which differs from itself or has no truth value.

    An array in a cell is never missing.
    """
    differs = cell is None or cell != cell
    try:
        return not hasattr(differs, "__len__") and bool(differs)
    except TypeError:
        return True


def words_among(
    source: str, names: Sequence[str], words: Iterable[str], known: Iterable[str], keep: Iterable[str]
) -> frozenset[str]:
    """The names of the columns that hold words; the arguments are as for ``table_of``.

    Raises:
        UsageError: the table lacks a column that ``words`` or ``keep`` names.
    """
    for name in sorted({*words, *keep}):
        if name not in names:
            raise UsageError(f"{source} has no column `{name}`; {suggestion(name, names)}")
    return frozenset({*words, *({*known} & {*names})})
