"""Values in rows: as a data frame where pandas is installed, and as a table in a notebook."""

import html
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from gpkit.core.errors import GpkitError, UsageError

T = TypeVar("T")

MOST_SHOWN = 60
"""Rows that a notebook shows."""


class Sheet(NamedTuple):
    """A table that the shell prints.

    Attributes:
        columns: the headings.
        rows: one text for each column.
        right: the columns that are set flush right (numbers).
        texts: the columns whose cells may take several lines.
        leave_out: the columns that a narrow terminal goes without, the least important first.
        repeated: of a table without such columns, how many first ones stand in every part that it is cut into.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Collection[str] = ()
    texts: Collection[str] = ()
    leave_out: Sequence[str] = ()
    repeated: int = 0


class Note(str):
    """A sentence that is not part of the result; the shell prints it on standard error."""

    __slots__ = ()


class Lines(str):
    """Lines that the shell prints without wrapping, however wide they are: a finding, or a picture in letters."""

    __slots__ = ()


class Exact(str):
    """Text of a program or a table that the shell prints byte for byte."""

    __slots__ = ()


class Tabular:
    """Values in rows: ``to_frame`` gives a data frame of pandas, and a notebook shows a table.

    Attributes:
        schema: the name of its JSON schema, if it differs from the name of the command.
        is_timed: whether its JSON has the seed, the rules and the seconds that the command took.
        form: how the command line shows it by default: as ``text``, or as ``json``.
        failures: the errors of those parts of the work that failed; Python code gets the first one as an exception.
    """

    __slots__ = ()

    schema = ""
    is_timed = False
    form = "text"
    failures: Sequence[GpkitError] = ()

    @property
    def exit_code(self) -> int:
        """The exit code of the command that gives this answer."""
        return 0

    def told(self) -> Iterable[str | Sheet | GpkitError]:
        """The answer as a terminal shows it: sentences, tables and failures, in the order in which they are printed."""
        yield str(self)

    def to_json(self) -> Mapping[str, object]:
        """The attributes as JSON values."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]  # unless a class says more

    def document(self) -> Mapping[str, object]:
        """The answer as ``--json`` prints it."""
        return self.to_json()

    def to_rows(self) -> Sequence[Mapping[str, object]]:
        """The rows: by column the values, which are those of ``--json``."""
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
        """The rows as a table of HTML, in which every text is escaped."""
        return html_table(self.to_rows())


class Table(tuple[T, ...], Tabular):
    """Values one after another, each of which is a row or has some: a tuple with ``to_frame``."""

    __slots__ = ()

    def to_rows(self) -> Sequence[Mapping[str, object]]:
        """The rows of all values."""
        rows: list[Mapping[str, object]] = []
        for each in self:
            rows += each.to_rows() if isinstance(each, Tabular) else [each]  # type: ignore[list-item]
        return rows

    def __str__(self) -> str:
        """The values, one in a line."""
        return "\n".join(map(str, self))


def aligned(cells: Sequence[Sequence[str]], left: Collection[int] = (0, -1)) -> str:
    """Rows of cells as lines of text: some columns aligned to the left, the others to the right.

    Args:
        cells: of each row.
        left: the places of columns, negative ones from the end: the first and the last.

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
    """A table of HTML, at most ``MOST_SHOWN`` rows of it; every text is escaped, and nothing is fetched.

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
    """A whole document of HTML in a frame of a notebook, so many pixels high, from which it reaches nothing else."""
    source = html.escape(document, quote=True)
    return f'<iframe sandbox="allow-scripts" style="width:100%;height:{height}px;border:0" srcdoc="{source}"></iframe>'


def _cell(value: object) -> str:
    """A value in a cell; what is not known is left empty."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_cell, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{html.escape(str(key))} {_cell(each)}" for key, each in value.items())
    return html.escape(str(value))
