"""Tables from files and arrays: their columns, and the numbers, dates and words in their cells."""

import csv
import hashlib
import math
import re
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from itertools import chain, islice
from typing import IO, Any, AnyStr, Literal, TextIO

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import LimitError, UsageError
from gpkit.core.files import STANDARD_INPUT, opened_text
from gpkit.core.wording import counted, install_command

NUMBER = re.compile(r"[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?")
"""A number: digits, with an optional sign, decimal point and exponent."""

_OTHER = re.compile(r"[^-+.0-9eE\s]")
"""A character that occurs in no number; strings without one that ``float`` accepts are also numbers for gpkit."""


def is_number(text: str) -> bool:
    """Whether a string is a number: ``12``, ``-.5``, ``1e-9``, but not ``1_000``, ``0x10``, ``inf`` or ``１２``."""
    return NUMBER.fullmatch(text) is not None


EXAMPLE = "2024-05-31"
"""An example of a date, for messages."""

SINCE = "days since 1970-01-01"
"""The unit of dates and times that are stored as numbers."""

_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?"

_DATE = re.compile(rf"(?!0000)[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[T ]{_TIME})?")

_SPAN = re.compile(r"P-?[0-9]+(?:\.[0-9]+(?:e[-+]?[0-9]+)?|e[-+]?[0-9]+)D")

_FIRST, _END = (int(np.datetime64(f"{year}-01-01").astype(np.int64)) for year in ("0001", "10000"))

_SECONDS = 86_400

_PER_DAY = {
    "h": 24,
    "m": 1_440,
    "s": _SECONDS,
    "ms": 86_400_000,
    "us": 86_400_000_000,
    "ns": 86_400_000_000_000,
}
"""The number of units in a day, by NumPy's name for the unit."""

_DIGITS = (0, 3, 6, 9)
"""The numbers of decimal places for seconds to try, until a string represents a time exactly."""


def is_date(text: str) -> bool:
    """Whether a string is a valid date, possibly with a time: ``2024-05-31``, ``2024-05-31 13:45:07.25``."""
    if _DATE.fullmatch(text) is None:
        return False
    try:
        np.datetime64(text[:10])
    except ValueError:
        return False
    return True


def iso_text(cell: object) -> Any:
    """The ISO string for a date or time without a zone (from Python, NumPy or pandas); any other value, unchanged."""
    text = str(cell) if isinstance(cell, np.datetime64) else ""
    if hasattr(cell, "isoformat"):
        text = cell.isoformat()
    return text if is_date(text) else cell


def days_of(texts: Iterable[str]) -> Floats:
    """The days since 1970-01-01 for dates, NaN for empty strings: float64 (texts,)."""
    known = list(texts)
    times = np.array([text[:19] or "NaT" for text in known], dtype="datetime64[s]")
    parts = np.array(
        [int(text[20:].ljust(9, "0")) if len(text) > 19 else 0 for text in known], dtype=np.int64
    )
    days, seconds = np.divmod(times.astype(np.int64), _SECONDS)
    found = _within(days + (seconds * 10**9 + parts) / _PER_DAY["ns"])
    found[np.isnat(times)] = np.nan
    return found


def _within(days: Floats) -> Floats:
    """The days, adjusted so that the end of the year 9999 is not rounded up to the year 10000."""
    return np.where((days == _END), np.nextafter(_END, 0.0), days)


def days_of_times(times: NDArray[np.datetime64]) -> Floats:
    """Times as days since 1970-01-01, the same for strings and for all units of NumPy: float64 (times,).

    Args:
        times: datetime64 (times,), with NaT for missing times.
    """
    unit = np.datetime_data(times.dtype)[0]
    if unit not in _PER_DAY:
        unit = "ns" if unit in ("ps", "fs", "as") else "D"
    days, rest = np.divmod(times.astype(f"datetime64[{unit}]").astype(np.int64), _PER_DAY.get(unit, 1))
    found = _within(days + rest / _PER_DAY.get(unit, 1))
    found[np.isnat(times)] = np.nan
    return found


def days_of_spans(texts: Iterable[str]) -> Floats:
    """Time spans in days, NaN for empty strings: float64 (texts,)."""
    return np.array([float(text[1:-1]) if text else math.nan for text in texts], dtype=np.float64)


def span_texts(days: Iterable[float]) -> list[str]:
    """The strings for these time spans in days; ``""`` for NaN."""
    return ["" if math.isnan(value) else f"P{value!r}D" for value in days]


def date_texts(days: Sequence[float]) -> list[str] | None:
    """The shortest ISO strings for these days, ``""`` for NaN; None if a year is not between 1 and 9999.

    The result is also None if a time is not a whole number of nanoseconds.
    """
    found = [_text_of(value) for value in days]
    known = [text for text in found if text is not None]
    return known if len(known) == len(found) else None


def _text_of(value: float) -> str | None:
    if math.isnan(value):
        return ""
    if not _FIRST <= value < _END:
        return None
    for digits in _DIGITS:
        per_day = _SECONDS * 10**digits
        day = math.floor(value)
        carried, ticks = divmod(round((value - day) * per_day), per_day)
        day += carried
        if day + ticks / per_day == value:
            seconds, part = divmod(ticks, 10**digits)
            text = str(np.datetime64(day, "D"))
            if ticks:
                text += f"T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
            return text + (f".{part:0{digits}}".rstrip("0") if part else "")
    return None


TIMES: Mapping[
    Literal["days", "span"], tuple[Callable[[str], object], Callable[[Iterable[str]], Any], str]
] = {
    "days": (is_date, days_of, f"a date such as {EXAMPLE}"),
    "span": (_SPAN.fullmatch, days_of_spans, "a time span such as P1.5D"),
}
"""For each kind of time column: a test for strings, a function that returns their values, and an example."""


EMPTY = frozenset({"", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "None"})
"""Strings that count as empty cells."""

Kind = Literal["", "truth", "days", "span"]
"""The kind of a column's cells, if they are neither plain words nor plain numbers."""

NO_WORD = -1
"""The code of an empty cell in a column of words."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of a table.

    Attributes:
        name: the name from the first line of the file.
        values: for numbers float64 (rows,), NaN if a cell is empty; for words int32 (rows,), their positions in
            ``words``, ``NO_WORD`` if a cell is empty.
        words: the distinct words, sorted; None for numbers.
        kind: ``truth`` for the truth values ``True`` and ``False``; ``days`` for dates or times as days since
            1970-01-01; ``span`` for time spans in days.
    """

    name: str
    values: NDArray[Any]
    words: tuple[str, ...] | None = None
    kind: Kind = ""

    @property
    def empty(self) -> Flags:
        """Whether each cell is empty: bool (rows,)."""
        found: Flags = np.isnan(self.values) if self.words is None else self.values == NO_WORD
        return found

    def texts(self) -> NDArray[np.object_]:
        """The cells as strings: dates in ISO format, numbers without unnecessary zeros, and ``""`` for empty cells.

        The result is an array of objects (rows,).
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
        """The value of a cell's string: a truth value, a number (an int if it is whole), or the string itself."""
        if self.kind == "truth":
            return text == "True"
        if self.words is not None or is_date(text):
            return text
        value = float(text)
        return int(value) if value.is_integer() else value

    def is_word(self, word: str) -> Flags:
        """Whether each cell is this word, or the number or date that the word represents: bool (rows,)."""
        meant = math.nan  # which no cell is equal to
        if self.kind == "days" and is_date(word):
            meant = float(days_of([word])[0])
        elif self.words is None:
            meant = float(word) if is_number(word) else math.nan
        elif word in self.words:
            meant = self.words.index(word)
        found: Flags = self.values == meant
        return found

    def part(self, chosen: NDArray[Any]) -> "Column":
        """The column with only the chosen rows; ``chosen`` is bool (rows,), or the positions of rows."""
        return Column(self.name, self.values[chosen], self.words, self.kind)


def number_text(value: float) -> str:
    """A number in the format of a cell: whole numbers have no decimal point, and NaN is empty."""
    if np.isnan(value):
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table of data.

    Attributes:
        source: the path of the table's file, or a word that describes where the table comes from.
        columns: the columns from left to right, all of the same length.
        lines: the line of the file on which each row ends, int32 (rows,); None if there is no text file.
        rows: the number of each row, counted from 1, in the original table, (rows,); None means all rows in order.
        kept: the original cells of the columns to keep: strings by column name, objects (rows,).
    """

    source: str
    columns: tuple[Column, ...]
    lines: NDArray[np.int32] | None = None
    rows: Ints | None = None
    kept: Mapping[str, NDArray[np.object_]] = field(default_factory=dict)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.columns[0].values) if self.columns else 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, from left to right."""
        return tuple(column.name for column in self.columns)

    def __contains__(self, name: str) -> bool:
        """Whether there is a column with this name."""
        return name in self.names

    def column(self, name: str) -> Column:
        """The column with this name.

        Raises:
            UsageError: the table has no such column.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise UsageError(f"{self.source} has no column `{name}`; {suggestion(name, self.names)}")

    def part(self, chosen: NDArray[Any]) -> "Table":
        """The chosen rows, bool (rows,) or positions; the result is the table itself if all rows are chosen."""
        if chosen.dtype == np.bool_ and chosen.all():
            return self
        lines = None if self.lines is None else self.lines[chosen]
        kept = {name: cells[chosen] for name, cells in self.kept.items()}
        columns = tuple(column.part(chosen) for column in self.columns)
        return Table(self.source, columns, lines, self.numbers[chosen], kept)

    @property
    def numbers(self) -> Ints:
        """The number of each row, counted from 1, in the original table: int64 (rows,)."""
        return np.arange(1, len(self) + 1) if self.rows is None else self.rows

    def place_of(self, row: int) -> str:
        """A phrase that describes the place of a row, with the file and the line."""
        if self.lines is None:
            return f"{self.source}, row {row + 1 if self.rows is None else int(self.rows[row])}"
        return f"{self.source}, line {int(self.lines[row])}"

    def head_of(self, name: str) -> str:
        """A phrase that describes the place of a column's name, with the file and the line."""
        line = "" if self.lines is None else ", line 1"
        return f"{self.source}{line}, column {self.names.index(name) + 1}"

    @property
    def sha256(self) -> str:
        """The SHA-256 hash of the names and cells, as 64 hexadecimal digits."""
        found = hashlib.sha256()
        for column in self.columns:
            words = "\x1f".join(column.words) if column.words is not None else ""
            found.update(f"{column.name}\x1e{words}\x1d".encode())
            found.update(np.ascontiguousarray(column.values).tobytes())
        return found.hexdigest()


def joined(tables: Sequence[Table]) -> Table:
    """One table with all the rows of several tables that have the same columns.

    If a column has words in only some of the tables, its cells in the other tables are expected to be empty.
    """
    if len(tables) == 1:
        return tables[0]
    lines = [table.lines for table in tables if table.lines is not None]
    columns = [
        _joined_column([table.columns[place] for table in tables]) for place in range(len(tables[0].columns))
    ]
    return Table(
        tables[0].source,
        tuple(columns),
        np.concatenate(lines) if lines else None,
        kept={name: np.concatenate([table.kept[name] for table in tables]) for name in tables[0].kept},
    )


def _joined_column(parts: Sequence[Column]) -> Column:
    name = parts[0].name
    if all(part.words is None for part in parts):
        known = {part.kind for part in parts if part.kind}
        return Column(
            name, np.concatenate([part.values for part in parts]), kind=known.pop() if known else ""
        )
    kinds = {part.kind for part in parts}
    texts = np.concatenate([part.texts() for part in parts]).tolist()
    return word_column(name, texts, kinds.pop() if len(kinds) == 1 else "")


def merged(table: Table, weight: str) -> Table:
    """The table, sorted; equal rows become one row with the sum of their weights.

    This way, a weight has the same effect as repeating a row, and the order of rows does not matter.

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
    return replace(
        merged_rows,
        columns=tuple(Column(weight, sums) if each.name == weight else each for each in merged_rows.columns),
    )


def word_column(name: str, texts: Sequence[str], kind: Kind = "") -> Column:
    """A column of words with these strings as its cells; ``""`` stands for an empty cell."""
    words = sorted({*texts} - {""})
    places = {word: place for place, word in enumerate(words)}
    codes = np.array([places.get(text, NO_WORD) for text in texts], dtype=np.int32)
    return Column(name, codes, tuple(words), kind)


def table_of(
    columns: Mapping[str, object],
    source: str = "the table",
    words: Iterable[str] = (),
    known: Iterable[str] = (),
    keep: Iterable[str] = (),
) -> Table:
    """A table from named arrays; strings, objects, truth values and pandas categories become words, all else numbers.

    Dates and times without a time zone, including ISO strings, become days since 1970-01-01; time spans become days.

    Args:
        columns: arrays, series or lists of the same length; None, NaN and the missing values of pandas are empty.
        source: the name of the table in messages.
        words: columns whose cells to treat as words, even if they are numbers.
        known: columns that a program reads as words; they may be missing.
        keep: columns whose original cells to keep.

    Raises:
        UsageError: a column's length or shape differs from the first column's, or it has an infinite number, or cells
            that are not numbers, strings or dates without a time zone.
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
    """The cells of an array, a series or a list as strings, without loss: objects (rows,)."""
    texts = _column_of("", values, "", is_words=True).texts()
    return np.array(
        [c if isinstance(c, str) else t for c, t in zip(values, texts, strict=True)], dtype=object
    )


def _column_of(name: str, values: object, source: str, is_words: bool) -> Column:
    if isinstance(values, np.ma.MaskedArray):
        gone = np.ma.getmaskarray(values)
        values = values.data.astype(object)
        values[gone] = None
    is_list = isinstance(values, list | tuple) and not isinstance(next(iter(values), None), np.timedelta64)
    array = np.asarray(values, dtype=object if is_list else None)
    if is_words and array.dtype.kind == "f":  # whole numbers with gaps are floats
        array = np.asarray(values, dtype=object)
    if array.ndim != 1:
        raise UsageError(f"the column `{name}` of {source} has the shape {array.shape}; expected (rows,)")
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


def _column_of_objects(name: str, cells: Sequence[object], source: str, is_words: bool) -> Column:
    """A column from Python values: numbers if all non-empty cells are numbers, and days if all are dates."""
    plain = (cell.item() if isinstance(cell, np.number | np.bool_) else cell for cell in cells)
    said = [None if _is_missing(cell) else iso_text(cell) for cell in plain]
    if not is_words and all(cell is None or type(cell) in (int, float, Decimal) for cell in said):
        return _column_of(
            name, np.array([np.nan if c is None else c for c in said], dtype=np.float64), source, False
        )
    texts = []
    for row, cell in enumerate(said):
        if not isinstance(cell, str | bool | int | float | Decimal | None):
            raise _odd_cell(name, cell, f"{source}, row {row + 1}")
        text = "" if cell is None else number_text(cell) if type(cell) is float else str(cell).strip()
        texts.append("" if text in EMPTY else text)
    try:
        "".join((name, *texts)).encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"the column `{ascii(name)[1:-1]}` of {source} has a text with {error.object[error.start]!a}, which is "
            "not a character: replace it"
        ) from None
    is_truth = not is_words and all(isinstance(cell, bool | None) for cell in said)
    column = word_column(name, texts, "truth" if is_truth else "")
    for kind, (is_time, read, _) in TIMES.items():
        if column.words and not is_words and all(map(is_time, column.words)):
            return Column(name, np.append(read(column.words), np.nan)[column.values], kind=kind)
    return column


def _odd_cell(name: str, cell: object, place: str) -> UsageError:
    what, fix = "neither a number nor a text", "make it one of them, such as float(cell) or str(cell)"
    if getattr(cell, "tzinfo", None) is not None:
        what = "a time with a zone"
        fix = (
            "drop the zone: .dt.tz_localize(None) of a column of pandas, .replace(tzinfo=None) of a datetime"
        )
    return UsageError(f"{place}: the column `{name}` is {shortened(repr(cell))}, which is {what}; {fix}")


def _is_missing(cell: object) -> bool:
    """Whether a cell is None, NaN or a missing value of pandas, which does not equal itself or has no truth value.

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
    """The names of the columns with words; for the arguments, see ``table_of``.

    Raises:
        UsageError: the table lacks a column that ``words`` or ``keep`` names.
    """
    for name in sorted({*words, *keep}):
        if name not in names:
            raise UsageError(f"{source} has no column `{name}`; {suggestion(name, names)}")
    return frozenset({*words, *({*known} & {*names})})


CHUNK = 20_000
"""The maximum number of rows to keep in memory as text."""

DELIMITERS = (",", ";", "\t")
"""Possible separators between cells; gpkit uses the most frequent one in the first line, outside quotes."""

MAX_LINE = 10_000_000  # characters

_QUOTED = re.compile(r'"[^"]*("|$)')

Reading = Literal["texts", "words", "numbers", "days", "span"]
"""The kind of cells in a column of a file; ``texts`` means cells declared as words, even `True` and `False`."""

PARQUET = (".parquet", ".pq")

KNOWN_EXTENSIONS = ("arrow.json", "arrow.bool8")
"""Arrow extension types whose cells are strings or numbers."""


def read_table(
    path: str, words: Iterable[str] = (), known: Iterable[str] = (), keep: Iterable[str] = ()
) -> Table:
    """Read the table in a CSV or Parquet file; columns of strings become words, all others numbers.

    A column has dates (days since 1970-01-01) if all non-empty cells in its first rows are ISO dates. A column has
    words if most of these cells are not numbers.

    Args:
        path: the file, or ``-`` for CSV on standard input. The first line of CSV names the columns; a comma, a
            semicolon or a tab separates cells.
        words: columns whose cells to treat as words, even if they look like numbers.
        known: columns that a program reads as words; they may be missing.
        keep: columns whose cells to keep exactly as in the file.

    Raises:
        UsageError: the table cannot be read, has no rows, or lacks a column that ``words`` or ``keep`` names; its first
            line has an empty or a repeated name; a row has a different length; or a cell is not a number in a column of
            numbers, or not a date in a column of dates.
    """
    if path.lower().endswith(PARQUET):
        whole = _parquet(path, tuple(map(frozenset, (words, known, keep))))
        # parts of numbers alone would be copies
        has_words = any(column.words is not None for column in whole.columns)
        return joined(list(_parts(whole))) if has_words else whole
    return joined(list(read_chunks(path, words, known, keep)))


def _parts(whole: Table) -> Iterator[Table]:
    return (whole.part(np.arange(at, min(at + CHUNK, len(whole)))) for at in range(0, len(whole), CHUNK))


def read_chunks(
    path: str, words: Iterable[str] = (), known: Iterable[str] = (), keep: Iterable[str] = ()
) -> Iterator[Table]:
    """Read the table in a file in parts of at most ``CHUNK`` rows, so that only one part is in memory at a time.

    Args:
        path, words, known, keep: see ``read_table``.

    Raises:
        UsageError: in the same cases as for ``read_table``.
    """
    wanted = tuple(map(frozenset, (words, known, keep)))
    if path.lower().endswith(PARQUET):
        yield from _parts(_parquet(path, wanted))
        return
    with opened_text(path) as stream:
        try:
            name = "standard input" if path == STANDARD_INPUT else path
            yield from _csv(name, _lines(name, stream), wanted)
        except UnicodeDecodeError as error:
            place = _line_of_damage(path, stream)
            raise UsageError(
                f"{path}{place} is not UTF-8 text: byte 0x{error.object[error.start]:02x}; save the table as UTF-8"
            ) from None


def _lines(path: str, stream: IO[AnyStr]) -> Iterator[AnyStr]:
    """The lines of a stream, each short enough for memory.

    Raises:
        LimitError: a line is longer than ``MAX_LINE``.
    """
    for number, line in enumerate(iter(partial(stream.readline, MAX_LINE + 1), stream.read(0)), 1):
        if len(line) > MAX_LINE:
            raise LimitError(
                f"{path}, line {number}: the line is longer than the limit of {MAX_LINE:,} characters; expected "
                "one row of the table on each line"
            )
        yield line


def _line_of_damage(path: str, stream: TextIO) -> str:
    """The first line of a file that is not UTF-8 text, as a phrase; empty if the file cannot be read again."""
    if path != STANDARD_INPUT and stream.seekable():
        stream.buffer.seek(0)
        for number, line in enumerate(_lines(path, stream.buffer), 1):
            try:
                line.decode()
            except UnicodeDecodeError:
                return f", line {number},"
    return ""


Wanted = tuple[frozenset[str], ...]
"""The arguments ``words``, ``known`` and ``keep`` of ``read_table``."""


def _csv(path: str, stream: Iterator[str], wanted: Wanted) -> Iterator[Table]:
    first = next(stream, "")
    reader = csv.reader(
        chain([first], stream), delimiter=max(DELIMITERS, key=_QUOTED.sub("", first).count), strict=True
    )
    found = 0
    try:
        names = _checked_names(path, next(reader, []))
        readings: dict[str, Reading] = dict.fromkeys(words_among(path, names, *wanted), "texts")
        while rows := _chunk(path, reader, len(names)):
            lines = np.array([line for line, _ in rows], dtype=np.int32)
            cells = list(zip(*(row for _, row in rows), strict=True))
            columns = [
                _column(path, name, each, lines, readings) for name, each in zip(names, cells, strict=True)
            ]
            found += 1
            kept = {name: np.array(cells[names.index(name)], dtype=object) for name in wanted[-1]}
            yield Table(path, tuple(columns), lines, kept=kept)
    except csv.Error as error:
        ends = str(error) == "unexpected end of data"
        what = "a quotation mark is not closed" if ends else f"this is not CSV: {error}"
        raise UsageError(f"{path}, line {reader.line_num}: {what}") from None
    if not found:
        raise UsageError(f"{path} has no rows: the first line names the columns, the others are rows")


def _checked_names(path: str, row: Sequence[str]) -> tuple[str, ...]:
    """Check the names of the columns, and return them.

    Raises:
        UsageError: there are no names, or a name is empty or appears twice.
    """
    names = tuple(name.strip() for name in row)
    if not any(names):
        raise UsageError(f"{path} is empty: the first line names the columns, the others are rows")
    places: dict[str, int] = {}
    for place, name in enumerate(names):
        if not name:
            index = "" if place else "; pandas writes its index so: write the table with index=False"
            raise UsageError(
                f"{path}, line 1: column {place + 1} has no name{index}, or name it in the first line"
            )
        if places.setdefault(name, place) != place:
            raise UsageError(
                f"{path}, line 1: columns {places[name] + 1} and {place + 1} are both named `{name}`"
            )
    return names


def _chunk(path: str, reader: Any, width: int) -> list[tuple[int, list[str]]]:
    """The next rows, each with the line on which it ends; blank lines are skipped.

    Raises:
        UsageError: a row does not have as many cells as the first line.
    """
    rows = [(reader.line_num, row) for row in islice(reader, CHUNK) if row]
    while not rows:  # a whole chunk of blank lines, or the end
        row = next(reader, None)
        if row is None:
            return []
        if row:
            rows.append((reader.line_num, row))
    for line, row in rows:
        if len(row) != width:
            raise UsageError(
                f"{path}, line {line}: {counted(len(row), 'cell')} for {counted(width, 'column')}"
            )
    return rows


def _column(
    path: str, name: str, cells: Sequence[str], lines: NDArray[np.int32], readings: dict[str, Reading]
) -> Column:
    """The column made from a chunk of cells on these lines.

    ``readings`` contains the kind of each column's cells; for a new column, the non-empty cells of this chunk determine
    the kind.

    Raises:
        UsageError: a cell is not a finite number in a column of numbers, or not a date in a column of dates.
    """
    if name not in readings and (said := [text for cell in cells if (text := cell.strip()) not in EMPTY]):
        is_words = 2 * sum(map(is_number, said)) < len(said)
        times = (kind for kind, (is_time, _, _) in TIMES.items() if all(map(is_time, said)))
        readings[name] = next(times, "words" if is_words else "numbers")
    reading = readings.get(name, "numbers")
    if reading == "days" or reading == "span":
        return _times(path, name, cells, lines, reading)
    if reading in ("texts", "words"):
        texts = ["" if (text := cell.strip()) in EMPTY else text for cell in cells]
        return word_column(
            name, texts, "truth" if {*texts} <= {"False", "True", ""} and reading == "words" else ""
        )
    try:
        values = np.array([""] if _OTHER.search("\n".join(cells)) else cells, dtype=np.float64)
    except ValueError:
        texts = ["" if (text := cell.strip()) in EMPTY else text for cell in cells]
        wrong = next((place for place, text in enumerate(texts) if text and not is_number(text)), None)
        if wrong is not None:
            raise _no_number(path, name, texts[wrong], int(lines[wrong])) from None
        values = np.array([text or "nan" for text in texts], dtype=np.float64)
    infinite = np.isinf(values)
    if infinite.any():
        place = int(np.argmax(infinite))
        raise _no_number(path, name, cells[place].strip(), int(lines[place]))
    return Column(name, values)


def _times(
    path: str, name: str, cells: Sequence[str], lines: NDArray[np.int32], kind: Literal["days", "span"]
) -> Column:
    is_time, read, example = TIMES[kind]
    texts = ["" if (text := cell.strip()) in EMPTY else text for cell in cells]
    for place, text in enumerate(texts):
        if text and not is_time(text):
            raise _refused(path, name, text, int(lines[place]), f"{example} is needed; ")
    return Column(name, read(texts), kind=kind)


def _no_number(path: str, name: str, text: str, line: int) -> UsageError:
    fix = "a decimal point is written `.`; " if "," in text and is_number(text.replace(",", ".")) else ""
    return _refused(path, name, text, line, f"a finite number is needed; {fix}")


def _refused(path: str, name: str, text: str, line: int, needed: str) -> UsageError:
    return UsageError(
        f"{path}, line {line}: the column `{name}` is {shortened(text)!r}, where {needed}"
        f"if its cells are words, say so: --words {shlex.quote(name)}"
    )


def _parquet(path: str, wanted: Wanted) -> Table:
    """The table of a Parquet file.

    Raises:
        UsageError: pyarrow is not installed or cannot read the file, or ``arrow_columns`` rejects a column.
    """
    try:
        from pyarrow import parquet  # an extra
    except ImportError:
        raise UsageError(f"{path}: Parquet needs pyarrow: {install_command('data')}") from None
    try:
        with opened_text(path) as stream:
            read = _arrow_of(parquet.ParquetFile(stream.buffer, pre_buffer=False))
    except (OSError, ValueError, KeyError, NotImplementedError) as error:
        raise UsageError(f"{path} is not a Parquet file: {shortened(str(error))}") from None
    words, keep = words_among(path, read.column_names, *wanted), wanted[-1]
    kept = {
        name: written_texts(cells) for name, cells in arrow_columns(read.select(keep), path, keep).items()
    }
    return replace(table_of(arrow_columns(read, path, words), path, words), kept=kept)


def _arrow_of(file: Any) -> Any:
    """The Arrow table of a ``pyarrow.parquet.ParquetFile``, read column by column, which takes less memory."""
    schema = file.schema_arrow
    names = schema.names
    if not names or len({*names}) < len(names) or any("." in name for name in names):
        return file.read()  # a name may stand for more than one column
    read = file.read(columns=names[:1])
    for name in names[1:]:
        read = read.append_column(schema.field(name), file.read(columns=[name]).column(0))
    return read


def arrow_columns(read: Any, source: str, words: Collection[str] = ()) -> dict[str, NDArray[Any]]:
    """The columns of an Arrow table by name, of shape (rows,), for ``table_of``; empty cells stay empty.

    Args:
        read: a ``pyarrow.Table``.
        source: the name of the table in messages.
        words: columns whose cells are words; whole numbers there keep all their digits.

    Raises:
        UsageError: two columns have the same name, or a column has times with a time zone or an unknown extension type.
    """
    found: dict[str, NDArray[Any]] = {}
    for each, column in zip(read.schema, read.columns, strict=True):
        name, kind = each.name, each.type
        if name in found:
            raise UsageError(f"{source} has two columns named `{name}`: rename one of them")
        own = getattr(
            kind, "extension_name", (each.metadata or {}).get(b"ARROW:extension:name", b"").decode()
        )
        if own and own not in KNOWN_EXTENSIONS:
            raise UsageError(
                f"the column `{name}` of {source} holds {own}, which is neither numbers nor texts; convert it to "
                "numbers or texts"
            )
        while inner := getattr(kind, "value_type", None) if hasattr(kind, "index_type") else None:
            kind, column = inner, column.cast(inner)
        if zone := getattr(kind, "tz", None):
            raise UsageError(
                f"{source}: the column `{name}` has times with the time zone {zone}; remove the zone first, in "
                "pandas with .dt.tz_localize(None)"
            )
        is_exact = name in words and str(kind).startswith(("int", "uint"))
        found[name] = (column.cast("string") if is_exact else column).to_numpy()
    return found
