"""Tables and sentences as lines of text: as wide as they are, or made to fit a width without breaking a word.

A table that is too wide for a terminal first lets headings and columns of text take several lines, then goes without
the columns that matter least, and if that is not enough stands as a block of lines for each row, or in parts below
each other.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from textwrap import wrap

GAP = "  "
"""Between columns."""

LEAST_TEXT = 24
"""The least width of a column of text that takes several lines, in terminal columns."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """Headings and rows, and what of them gives way where they are too wide.

    Attributes:
        columns: the headings.
        rows: one text for each column.
        right: the columns that are set flush right (numbers).
        texts: the columns whose cells may take several lines.
        leave_out: the columns that can be missing, the least important first.
        repeated: where columns cannot be missing, the table goes on in parts below, each with so many first columns;
            0 to give every row lines of its own.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Collection[str] = ()
    texts: Collection[str] = ()
    leave_out: Sequence[str] = ()
    repeated: int = 0

    def only(self, numbers: Sequence[int]) -> "TextTable":
        """The table of some of its columns."""
        return TextTable(
            [self.columns[i] for i in numbers],
            [[row[i] for i in numbers] for row in self.rows],
            self.right,
            self.texts,
        )

    def widths(self) -> list[int]:
        """The width of every column if nothing gives way."""
        return [max(map(cell_width, column)) for column in self._by_column()]

    def least_widths(self) -> list[int]:
        """The least width of every column: of its longest word if it has text, else of its longest cell."""
        widths = []
        for name, (heading, *cells) in zip(self.columns, self._by_column(), strict=True):
            least = max((cell_width(word) for word in heading.split()), default=0)
            if name in self.texts:
                words = [cell_width(word) for cell in cells for word in cell.split()]
                full = max(map(cell_width, cells), default=0)
                least = max([least, min(full, LEAST_TEXT), *words])
            else:
                least = max([least, *map(cell_width, cells)])
            widths.append(least)
        return widths

    def _by_column(self) -> list[tuple[str, ...]]:
        return list(zip(self.columns, *self.rows, strict=True))


def cell_width(text: str) -> int:
    """The width of a text on a terminal, where some characters take two columns and others none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def in_lines(text: str, width: int | None) -> str:
    """The text with lines that are too wide broken at blanks, what follows below the place of their own text.

    >>> print(in_lines("A1 top   draw that side", 18))
    A1 top   draw that
             side
    """
    if width is None:
        return text
    return "\n".join(line if cell_width(line) <= width else _broken(line, width) for line in text.split("\n"))


def _broken(line: str, width: int) -> str:
    start = re.match(r" *\S+(?: \S+)*  +| *", line)
    assert start is not None, "the empty text matches"
    hanging = " " * (start.end() if start.end() <= width // 2 else 0)
    pieces = wrap(line, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
    return "\n".join(pieces)


def fitted(table: TextTable, width: int, *, rule: str) -> tuple[list[str], tuple[str, ...]]:
    """The lines of a table, none wider than ``width``, and the names of the columns that had to go.

    Args:
        table: to be laid out.
        width: in terminal columns.
        rule: the sign of the line under headings.
    """
    for count in range(len(table.leave_out) + 1):
        gone = table.leave_out[:count]
        kept = table.only([i for i, name in enumerate(table.columns) if name not in gone])
        if found := _widths_within(kept, width):
            return _grid(kept, found, rule), tuple(gone)
    if table.repeated and (parts := _parts(table, width, rule)):
        return parts, ()
    return _stacked(table, width), ()


def plain_lines(table: TextTable) -> list[str]:
    """The lines of a table as wide as they are: columns two spaces apart, no trailing blanks."""
    widths = table.widths()
    return [_line(line, widths, table) for line in (table.columns, *table.rows)]


def _widths_within(table: TextTable, width: int) -> list[int] | None:
    """Widths of the columns with which the table fits, the widest ones cut first; None if there are none."""
    widths, least = table.widths(), table.least_widths()
    excess = sum(widths) + len(GAP) * (len(widths) - 1) - width
    if excess > sum(widths) - sum(least):
        return None
    for _ in range(excess):
        widest = max((i for i in range(len(widths)) if widths[i] > least[i]), key=widths.__getitem__)
        widths[widest] -= 1
    return widths


def _grid(table: TextTable, widths: Sequence[int], rule: str) -> list[str]:
    """The headings, a line under them, and the rows; a row with a text of several lines has as many."""
    headings = _lines(table.columns, widths, table)
    rows = [line for row in table.rows for line in _lines(row, widths, table)]
    return [*headings, GAP.join(rule * width for width in widths), *rows]


def _lines(cells: Sequence[str], widths: Sequence[int], table: TextTable) -> list[str]:
    wrapped = [
        _wrapped(cell, width) if cell_width(cell) > width else [cell]
        for cell, width in zip(cells, widths, strict=True)
    ]
    height = max(map(len, wrapped))
    return [_line([w[k] if k < len(w) else "" for w in wrapped], widths, table) for k in range(height)]


def _line(cells: Sequence[str], widths: Sequence[int], table: TextTable) -> str:
    pieces = []
    for cell, width, name in zip(cells, widths, table.columns, strict=True):
        blanks = " " * (width - cell_width(cell))
        pieces.append(blanks + cell if name in table.right else cell + blanks)
    return GAP.join(pieces).rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    """The text in lines at its blanks; a word that is wider alone loses its start."""
    lines = wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False) or [""]
    return [
        line if cell_width(line) <= width else "…" + line[max(0, len(line) - width + 1) :] for line in lines
    ]


def _parts(table: TextTable, width: int, rule: str) -> list[str]:
    """The table in parts one below the other, an empty line between; nothing if a column is too wide for that."""
    keys = list(range(table.repeated))
    lines: list[str] = []
    others = list(range(table.repeated, len(table.columns)))
    while others:
        fits = [n for n in range(1, len(others) + 1) if _widths_within(table.only(keys + others[:n]), width)]
        if not fits:
            return []
        part = table.only(keys + others[: fits[-1]])
        lines += [""] * bool(lines) + _grid(part, _widths_within(part, width) or [], rule)
        del others[: fits[-1]]
    return lines


def _stacked(table: TextTable, width: int) -> list[str]:
    """A block of lines for every row, a line or more for each column; cells with nothing in them are missing."""
    label = max(map(cell_width, table.columns), default=0)
    lines: list[str] = []
    for row in table.rows:
        lines += [""] * bool(lines)
        for name, cell in zip(table.columns, row, strict=True):
            start = name + " " * (label - cell_width(name)) + GAP
            for text in _wrapped(cell, width - cell_width(start)) if cell else ():
                lines.append((start + text).rstrip())
                start = " " * cell_width(start)
    return lines
