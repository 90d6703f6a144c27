"""Layout of text: tables and sentences in lines that fit a terminal, with no word broken.

If a table is too wide, its headings and columns of text take several lines. If it still is, it loses the columns that
matter least. If that is not enough, each row becomes a block of lines, or the table is cut into parts below each other.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from textwrap import wrap

from gpkit.core.tabular import Sheet

GAP = "  "
"""Between columns."""

LEAST_TEXT = 24
"""The least width of a column of text that takes several lines, in terminal columns."""


def only(sheet: Sheet, numbers: Sequence[int]) -> Sheet:
    """The table of some of its columns."""
    columns, *rows = ([row[i] for i in numbers] for row in (sheet.columns, *sheet.rows))
    return sheet._replace(columns=columns, rows=rows)


def full_widths(sheet: Sheet) -> list[int]:
    """The width of every column if nothing gives way."""
    return [max(map(columns_of, column)) for column in zip(sheet.columns, *sheet.rows, strict=True)]


def printable(text: str) -> str:
    """The text with a blank for each character that is not a sign but an order to a terminal, so that places stay.

    >>> printable("a\\tb\\x1b[31m")
    'a b [31m'
    """
    return "".join(c if c.isprintable() else " " for c in text)


def columns_of(text: str) -> int:
    """The number of columns that a text takes in a terminal: two for a wide character, none for a combining mark.

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
    """The least width of every column: of its longest word if it has text, else of its longest cell."""
    for heading, *cells in zip(sheet.columns, *sheet.rows, strict=True):
        full = max(map(columns_of, cells), default=0)
        if heading in sheet.texts:
            full = max(
                min(full, LEAST_TEXT), *(columns_of(word) for cell in cells for word in cell.split()), 0
            )
        yield max(full, *(columns_of(word) for word in heading.split()), 0)


def in_lines(text: str, width: int | None) -> str:
    """The text with lines that are too wide broken at blanks, what follows below the place of their own text.

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
    pieces = wrap(line, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
    return "\n".join(pieces)


def fitted(table: Sheet, width: int | None, *, rule: str) -> tuple[list[str], tuple[str, ...]]:
    """The lines of a table, none wider than ``width``, and the names of the columns that had to go.

    Args:
        table: to be laid out.
        width: in terminal columns; None for lines as wide as they are, without one under the headings.
        rule: the sign of the line under headings.
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
    """Widths of the columns with which the table fits, the widest ones cut first; None if there are none."""
    widths, least = full_widths(table), [*least_widths(table)]
    excess = sum(widths) + len(GAP) * (len(widths) - 1) - width
    if excess > sum(widths) - sum(least):
        return None
    for _ in range(excess):
        widest = max((i for i in range(len(widths)) if widths[i] > least[i]), key=widths.__getitem__)
        widths[widest] -= 1
    return widths


def _grid(table: Sheet, widths: Sequence[int], rule: str) -> list[str]:
    """The headings, a line under them, and the rows; a row with a text of several lines has as many."""
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
    """The text in lines at its blanks; a word that is wider alone loses its start."""
    lines = wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False) or [""]
    return [
        line if columns_of(line) <= width else "…" + line[max(0, len(line) - width + 1) :] for line in lines
    ]


def _parts(table: Sheet, width: int, rule: str) -> list[str]:
    """The table in parts one below the other, an empty line between; nothing if a column is too wide for that."""
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
    """A block of lines for every row, a line or more for each column; cells with nothing in them are missing."""
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
