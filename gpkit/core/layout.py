"""Text layout: tables and sentences in lines that fit a terminal, without broken words.

If a table is too wide, its headings and text columns are wrapped onto several lines. If it is still too wide, its least
important columns are left out. If that is not enough, each row becomes a block of lines, or the table is split into
parts, one below the other.

A result that consists of rows converts to a data frame if pandas is installed, and shows as a table in a notebook.
"""

import html
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from textwrap import wrap
from typing import Any, NamedTuple, TypeVar

from gpkit.core.errors import GpkitError, UsageError

T = TypeVar("T")

MOST_SHOWN = 60
"""The maximum number of rows that a notebook shows."""


class Sheet(NamedTuple):
    """A table that the shell prints.

    Attributes:
        columns: the headings.
        rows: the rows, each with one string for each column.
        right: the right-aligned columns (numbers).
        texts: the columns whose cells may be wrapped onto several lines.
        leave_out: the columns that a narrow terminal leaves out, least important first.
        repeated: the number of columns, from the first, that every part repeats if the table is split into parts; 0
            means that the table is never split.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Collection[str] = ()
    texts: Collection[str] = ()
    leave_out: Sequence[str] = ()
    repeated: int = 0


class Note(str):
    """A sentence that is not part of the result, which the shell prints to standard error."""

    __slots__ = ()


class Lines(str):
    """Lines that the shell prints without wrapping, however wide they are: a finding, or a picture of characters."""

    __slots__ = ()


class Exact(str):
    """The text of a program or a table, which the shell prints byte for byte."""

    __slots__ = ()


class Tabular:
    """A result that consists of rows: ``to_frame`` returns it as a pandas data frame; a notebook shows it as a table.

    Attributes:
        schema: the name of the JSON schema of the answer, if it differs from the name of the command.
        is_timed: whether the JSON output includes the seed, the rules and the run time of the command in seconds.
        form: the default output format on the command line: ``text`` or ``json``.
        failures: the errors in parts of the work that failed; in Python, the first of them is raised as an exception.
    """

    __slots__ = ()

    schema = ""
    is_timed = False
    form = "text"
    failures: Sequence[GpkitError] = ()

    @property
    def exit_code(self) -> int:
        """The exit code of the command that returns this answer."""
        return 0

    def told(self) -> Iterable[str | Sheet | GpkitError]:
        """The answer for a terminal: sentences, tables and failures, in the order in which they are printed."""
        yield str(self)

    def to_json(self) -> Mapping[str, object]:
        """The attributes as JSON values."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]  # unless a class says more

    def document(self) -> Mapping[str, object]:
        """The answer in the form that ``--json`` prints."""
        return self.to_json()

    def to_rows(self) -> Sequence[Mapping[str, object]]:
        """The rows, each with its values by column, as in the output of ``--json``."""
        return [self.to_json()]

    def to_frame(self) -> Any:
        """The rows as a ``pandas.DataFrame``.

        Raises:
            UsageError: pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ModuleNotFoundError:
            raise UsageError(
                "to_frame needs pandas: pip install pandas; to_rows gives the same without it"
            ) from None
        return pandas.DataFrame(self.to_rows())

    def _repr_html_(self) -> str:
        """The rows as an HTML table with all text escaped."""
        return html_table(self.to_rows())


class Table(tuple[T, ...], Tabular):
    """A tuple with the method ``to_frame``; each of its values is a row or consists of rows."""

    __slots__ = ()

    def to_rows(self) -> Sequence[Mapping[str, object]]:
        """The rows of all values."""
        rows: list[Mapping[str, object]] = []
        for each in self:
            rows += each.to_rows() if isinstance(each, Tabular) else [each]  # type: ignore[list-item]
        return rows

    def __str__(self) -> str:
        """The values, one per line."""
        return "\n".join(map(str, self))


def aligned(cells: Sequence[Sequence[str]], left: Collection[int] = (0, -1)) -> str:
    """Rows of cells as lines of text; the columns in ``left`` are left-aligned, and all others are right-aligned.

    Args:
        cells: the cells of each row.
        left: the indices of the left-aligned columns; negative indices count from the end.

    >>> print(aligned([("", "size", "program"), ("1", "3", "x * x")]), end="")
       size  program
    1     3  x * x
    """
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place in left or place - len(row) in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    return "\n".join(lines) + "\n"


def html_table(rows: Sequence[Mapping[str, object]], caption: str = "") -> str:
    """An HTML table with at most ``MOST_SHOWN`` rows; all text is escaped, and no external resources are loaded.

    >>> html_table([{"name": "<b>", "mean": 0.5}])
    '<table><thead><tr><th>name</th><th>mean</th></tr></thead><tbody><tr><td>&lt;b&gt;</td><td>0.5</td></tr></tbody></table>'
    """
    columns = list(dict.fromkeys(name for row in rows for name in row))
    body = [[_cell(row.get(name)) for name in columns] for row in rows[:MOST_SHOWN]]
    if len(rows) > MOST_SHOWN:
        caption = f"{caption} The first {MOST_SHOWN} of {len(rows):,} rows; to_rows gives them all.".strip()
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body)
    told = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{told}<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def framed(document: str, height: int = 640) -> str:
    """A complete HTML document in a notebook frame of this height in pixels; it cannot access anything else."""
    source = html.escape(document, quote=True)
    return f'<iframe sandbox="allow-scripts" style="width:100%;height:{height}px;border:0" srcdoc="{source}"></iframe>'


def _cell(value: object) -> str:
    """The text of a cell for a value; empty if the value is unknown."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return (
        ", ".join(map(_cell, value))
        if isinstance(value, list | tuple)
        else ", ".join(f"{html.escape(str(key))} {_cell(each)}" for key, each in value.items())
        if isinstance(value, Mapping)
        else html.escape(str(value))
    )


GAP = "  "
"""The gap between columns."""

LEAST_TEXT = 24
"""The minimum width of a text column that is wrapped onto several lines, in terminal columns."""


def only(sheet: Sheet, numbers: Sequence[int]) -> Sheet:
    """The table with only some of its columns."""
    columns, *rows = ([row[i] for i in numbers] for row in (sheet.columns, *sheet.rows))
    return sheet._replace(columns=columns, rows=rows)


def full_widths(sheet: Sheet) -> list[int]:
    """The width of every column without wrapping."""
    return [max(map(columns_of, column)) for column in zip(sheet.columns, *sheet.rows, strict=True)]


def printable(text: str) -> str:
    """The text with a space for each unprintable character, such as a terminal command; positions stay the same.

    >>> printable("a\\tb\\x1b[31m")
    'a b [31m'
    """
    return "".join(c if c.isprintable() else " " for c in text)


def columns_of(text: str) -> int:
    """The number of terminal columns that a string takes: two for a wide character, none for a combining mark.

    >>> columns_of("Gro\u0308\u00dfe"), columns_of("\u6570")
    (5, 2)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in printable(text)
    )


def least_widths(sheet: Sheet) -> Iterator[int]:
    """The minimum width of every column: the longest word in a text column, and the longest cell in any other."""
    for heading, *cells in zip(sheet.columns, *sheet.rows, strict=True):
        full = max(map(columns_of, cells), default=0)
        if heading in sheet.texts:
            full = max(
                min(full, LEAST_TEXT), *(columns_of(word) for cell in cells for word in cell.split()), 0
            )
        yield max(full, *(columns_of(word) for word in heading.split()), 0)


def in_lines(text: str, width: int | None) -> str:
    """The text with wide lines broken at spaces; the rest of a line is indented to the start of its last column.

    >>> print(in_lines("A1 top   draw that side", 18))
    A1 top   draw that
             side
    """
    if width is None:
        return text
    return "\n".join(line if columns_of(line) <= width else _broken(line, width) for line in text.split("\n"))


def _broken(line: str, width: int) -> str:
    start = re.match(r" *\S+(?: \S+)*  +| *", line)
    assert start is not None, "the empty text matches"
    hanging = " " * (start.end() if start.end() <= width // 2 else 0)
    return "\n".join(
        wrap(line, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
    )


def fitted(table: Sheet, width: int | None, *, rule: str) -> tuple[list[str], tuple[str, ...]]:
    """The lines of a table, none wider than ``width``, and the names of the columns that were left out.

    Args:
        table: the table to lay out.
        width: the maximum width in terminal columns; None means no limit, and no line under the headings.
        rule: the character for the line under the headings.
    """
    if width is None:
        widths = full_widths(table)
        return [_line(line, widths, table) for line in (table.columns, *table.rows)], ()
    for count in range(len(table.leave_out) + 1):
        gone = table.leave_out[:count]
        kept = only(table, [i for i, name in enumerate(table.columns) if name not in gone])
        if found := _widths_within(kept, width):
            return _grid(kept, found, rule), tuple(gone)
    if table.repeated and (parts := _parts(table, width, rule)):
        return parts, ()
    return _stacked(table, width), ()


def _widths_within(table: Sheet, width: int) -> list[int] | None:
    """Column widths that make the table fit, obtained by narrowing the widest columns first; None if it cannot fit."""
    widths, least = full_widths(table), [*least_widths(table)]
    excess = sum(widths) + len(GAP) * (len(widths) - 1) - width
    if excess > sum(widths) - sum(least):
        return None
    for _ in range(excess):
        widest = max((i for i in range(len(widths)) if widths[i] > least[i]), key=widths.__getitem__)
        widths[widest] -= 1
    return widths


def _grid(table: Sheet, widths: Sequence[int], rule: str) -> list[str]:
    """The headings, a line under the headings, and the rows; a row with long text takes several lines."""
    headings = _lines(table.columns, widths, table)
    rows = [line for row in table.rows for line in _lines(row, widths, table)]
    return [*headings, GAP.join(rule * width for width in widths), *rows]


def _lines(cells: Sequence[str], widths: Sequence[int], table: Sheet) -> list[str]:
    wrapped = [
        _wrapped(cell, width) if columns_of(cell) > width else [cell]
        for cell, width in zip(cells, widths, strict=True)
    ]
    height = max(map(len, wrapped))
    return [_line([w[k] if k < len(w) else "" for w in wrapped], widths, table) for k in range(height)]


def _line(cells: Sequence[str], widths: Sequence[int], table: Sheet) -> str:
    pieces = []
    for cell, width, name in zip(cells, widths, table.columns, strict=True):
        blanks = " " * (width - columns_of(cell))
        pieces.append(blanks + cell if name in table.right else cell + blanks)
    return GAP.join(pieces).rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    """The text in lines, broken at spaces; a word that is too wide is truncated at the start."""
    lines = wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False) or [""]
    return [
        line if columns_of(line) <= width else "…" + line[max(0, len(line) - width + 1) :] for line in lines
    ]


def _parts(table: Sheet, width: int, rule: str) -> list[str]:
    """The table in parts, one below the other, with empty lines between them; empty if a column is too wide."""
    keys = list(range(table.repeated))
    lines: list[str] = []
    others = list(range(table.repeated, len(table.columns)))
    while others:
        fits = [n for n in range(1, len(others) + 1) if _widths_within(only(table, keys + others[:n]), width)]
        if not fits:
            return []
        part = only(table, keys + others[: fits[-1]])
        lines += [""] * bool(lines) + _grid(part, _widths_within(part, width) or [], rule)
        del others[: fits[-1]]
    return lines


def _stacked(table: Sheet, width: int) -> list[str]:
    """A block of lines for every row, with at least one line for each column; empty cells are left out."""
    label = max(map(columns_of, table.columns), default=0)
    lines: list[str] = []
    for row in table.rows:
        lines += [""] * bool(lines)
        for name, cell in zip(table.columns, row, strict=True):
            start = name + " " * (label - columns_of(name)) + GAP
            for text in _wrapped(cell, width - columns_of(start)) if cell else ():
                lines.append((start + text).rstrip())
                start = " " * columns_of(start)
    return lines
