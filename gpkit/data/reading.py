"""Reading of tables from CSV and Parquet files, in bounded memory."""

import csv
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import IO, Any, AnyStr, Literal, TextIO

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import LimitError, UsageError
from gpkit.core.files import STANDARD_INPUT, opened_text
from gpkit.core.wording import counted, install_command
from gpkit.data.dates import TIMES
from gpkit.data.numbers import is_number, may_be_numbers
from gpkit.data.table import (
    EMPTY,
    NO_WORD,
    TRUTHS,
    Column,
    Kind,
    Table,
    joined,
    sorted_words,
    table_of,
    words_among,
    written_texts,
)

CHUNK = 20_000
"""The rows that are held as text at the same time."""

DELIMITERS = (",", ";", "\t")
"""Characters that may stand between cells; the one that the first line has most often outside quotation marks does."""

MAX_LINE = 10_000_000  # characters

_QUOTED = re.compile(r'"[^"]*("|$)')

Reading = Literal["texts", "words", "numbers", "days", "span"]
"""The kind of cells in a column of a file; ``texts`` are words that somebody has declared, even `True` and `False`."""

PARQUET = (".parquet", ".pq")

KNOWN_EXTENSIONS = ("arrow.json", "arrow.bool8")
"""Arrow extension types whose cells are texts or numbers."""


def read_table(
    path: str, words: Iterable[str] = (), known: Iterable[str] = (), keep: Iterable[str] = ()
) -> Table:
    """The table of a CSV or Parquet file; columns of texts are words, all others numbers.

    A column has dates (days since 1970-01-01) if all non-empty cells in its first rows are ISO dates. It has words if
    most of these cells are not numbers.

    Args:
        path: the file, or ``-`` for CSV on standard input. The first line of CSV names the columns; a comma, a
            semicolon or a tab separates cells.
        words: columns whose cells are words, even if they look like numbers.
        known: columns that a program reads as words; they may be missing.
        keep: columns whose cells are kept exactly as they are in the file.

    Raises:
        UsageError: the table cannot be read, has no rows, or lacks a column that ``words`` or ``keep`` names; its first
            line has an empty or a repeated name; a row has another length; or a cell is not a number in a column of
            numbers, or not a date in a column of dates.
    """
    return joined(list(read_chunks(path, words, known, keep)))


def read_chunks(
    path: str, words: Iterable[str] = (), known: Iterable[str] = (), keep: Iterable[str] = ()
) -> Iterator[Table]:
    """The table in a file, in one or more parts of at most ``CHUNK`` rows; only one part is in memory at a time.

    Args:
        path, words, known, keep: as for ``read_table``.

    Raises:
        UsageError: as for ``read_table``.
    """
    wanted = tuple(map(frozenset, (words, known, keep)))
    if path.lower().endswith(PARQUET):
        whole = _parquet(path, wanted)
        yield from (
            whole.part(np.arange(at, min(at + CHUNK, len(whole)))) for at in range(0, len(whole), CHUNK)
        )
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
    for number, line in enumerate(iter(lambda: stream.readline(MAX_LINE + 1), stream.read(0)), 1):
        if len(line) > MAX_LINE:
            raise LimitError(
                f"{path}, line {number}: the line is longer than the limit of {MAX_LINE:,} characters; expected "
                "one row of the table on each line"
            )
        yield line


def _line_of_damage(path: str, stream: TextIO) -> str:
    """The first line of a file that is not UTF-8 text, in words; empty if it cannot be read again."""
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
    delimiter = max(DELIMITERS, key=_QUOTED.sub("", first).count)
    reader = csv.reader(chain([first], stream), delimiter=delimiter, strict=True)
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
    """The names of the columns.

    Raises:
        UsageError: there are none, or a name is empty or appears twice.
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
    """The next rows with the line on which each ends; blank lines are none.

    Raises:
        UsageError: one is not as long as the first line.
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
    """The column of a chunk of cells, which stand on these lines.

    What they are read as is known of columns in ``readings``; else it shows in the first that say anything.

    Raises:
        UsageError: one is no finite number among numbers, or no date among dates.
    """
    if name not in readings and (said := [text for cell in cells if (text := cell.strip()) not in EMPTY]):
        is_words = 2 * sum(map(is_number, said)) < len(said)
        times = (kind for kind, (is_time, _, _) in TIMES.items() if all(map(is_time, said)))
        readings[name] = next(times, "words" if is_words else "numbers")
    reading = readings.get(name, "numbers")
    if reading == "days" or reading == "span":
        return _times(path, name, cells, lines, reading)
    if reading in ("texts", "words"):
        codes: dict[str, int] = {}
        texts = [cell.strip() for cell in cells]
        places = [NO_WORD if text in EMPTY else codes.setdefault(text, len(codes)) for text in texts]
        kind: Kind = "truth" if {*codes} <= TRUTHS and reading == "words" else ""
        return sorted_words(name, np.array(places, dtype=np.int32), list(codes), kind)
    try:
        values = np.array(cells if may_be_numbers("\n".join(cells)) else [""], dtype=np.float64)
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
        UsageError: pyarrow is not installed, pyarrow cannot read the file, or as for ``arrow_columns``.
    """
    try:
        from pyarrow import parquet  # an extra
    except ImportError:
        raise UsageError(f"{path}: Parquet needs pyarrow: {install_command('data')}") from None
    try:
        with opened_text(path) as stream:
            read = parquet.read_table(stream.buffer)
    except (OSError, ValueError, KeyError, NotImplementedError) as error:
        raise UsageError(f"{path} is not a Parquet file: {shortened(str(error))}") from None
    words, keep = words_among(path, read.column_names, *wanted), wanted[-1]
    kept = {
        name: written_texts(cells) for name, cells in arrow_columns(read.select(keep), path, keep).items()
    }
    return replace(table_of(arrow_columns(read, path, words), path, words), kept=kept)


def arrow_columns(read: Any, source: str, words: Collection[str] = ()) -> dict[str, NDArray[Any]]:
    """The columns of an Arrow table by name, of shape (rows,), as ``table_of`` takes them; empty cells stay empty.

    Args:
        read: a ``pyarrow.Table``.
        source: a word for the table in messages.
        words: columns whose cells are words; whole numbers there keep all their digits.

    Raises:
        UsageError: two columns have the same name, or a column has times with a time zone or an unknown extension type.
    """
    found: dict[str, NDArray[Any]] = {}
    for field, column in zip(read.schema, read.columns, strict=True):
        name, kind = field.name, field.type
        if name in found:
            raise UsageError(f"{source} has two columns named `{name}`: rename one of them")
        own = getattr(
            kind, "extension_name", (field.metadata or {}).get(b"ARROW:extension:name", b"").decode()
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
