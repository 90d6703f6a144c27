"""Printing: results to standard output (JSON objects, tables), everything else to standard error, progress there, too.

Names and texts can come from anybody, so nothing that a terminal could take for an order is printed as it is. On a
terminal, sentences and tables fit its width without breaking words; elsewhere lines are as long as they are.
"""

import json
import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import IO, Any

import click

from gpkit.core.characters import shown, shown_in_json
from gpkit.core.errors import GpkitError, cut
from gpkit.core.json_values import plain
from gpkit.core.layout import fitted, in_lines
from gpkit.core.streams import can_show, unheard, width_of
from gpkit.core.tabular import Sheet

_KEPT: list[IO[str]] = []
"""Standard output, while it is reserved for results."""


@contextmanager
def kept_for_results() -> Iterator[None]:
    """Reserve standard output for results; everything that other people's code prints goes to standard error."""
    _KEPT.append(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _KEPT.pop()


class Styled(str):
    """Text that is printed as it is: colours were put into it after orders to the terminal were taken out."""

    __slots__ = ()

    def __add__(self, other: str) -> "Styled":
        """This text and another one, of which orders are taken out, too."""
        return Styled(str(self) + (other if isinstance(other, Styled) else shown(other)))


def colour(text: str, name: str, stream: IO[str]) -> Styled:
    """The text in that colour if the stream is a terminal and ``NO_COLOR`` is not set, else as it is."""
    clean = shown(text)
    is_coloured = stream.isatty() and not os.environ.get("NO_COLOR")
    return Styled(click.style(clean, fg=name, bold=True) if is_coloured else clean)


def say(text: str) -> None:
    """Lines of result on standard output, as they are: programs, pictures in letters, positions."""
    click.echo(text if isinstance(text, Styled) else shown(text))


def verbatim(text: str) -> None:
    """Write a text to standard output: unchanged as UTF-8 to a pipe or a file, and in its own encoding to a
    terminal."""
    click.echo(shown(text) if sys.stdout.isatty() else text.encode(), nl=False)


def tell(text: str) -> None:
    """A sentence of result on standard output; on a terminal in lines that fit."""
    say(in_lines(text, width_of(sys.stdout)))


def note(text: str) -> None:
    """A sentence on standard error: what happens, what was chosen or written; on a terminal in lines that fit."""
    with unheard():
        click.echo(in_lines(shown(text), width_of(sys.stderr)), err=True)


def failure(error: GpkitError) -> None:
    """Print an error on standard error; findings in source text bring their own heading."""
    text = str(error)
    if text.startswith("error["):
        with unheard():
            click.echo(shown(text), err=True)  # with carets below their places
    else:
        note(f"error: {cut(text)}")


def json_object(schema: str, **fields: Any) -> None:
    """One JSON object on standard output; ``schema`` names its form and version, such as ``gpkit/list/1``."""
    json_line({"schema": schema, **fields}, indent=2)


def json_line(record: Mapping[str, Any], indent: int | None = None) -> None:
    """One record of a stream of JSON lines on standard output, written at once."""
    stream = _KEPT[-1] if _KEPT else sys.stdout
    is_utf8 = "utf" in (getattr(stream, "encoding", "") or "utf-8").lower()
    click.echo(shown_in_json(json.dumps(plain(record), indent=indent, ensure_ascii=not is_utf8)), file=stream)


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Collection[str] = (),
    texts: Collection[str] = (),
    leave_out: Sequence[str] = (),
    repeated: int = 0,
) -> None:
    """A table on standard output: fitted to a terminal, aligned text as wide as it is elsewhere.

    Args:
        columns: the headings.
        rows: one text for each column.
        right: the columns that are set flush right (numbers).
        texts: the columns that may take several lines.
        leave_out: the columns that a narrow terminal goes without, the least important first; a note says which.
        repeated: of a table without such columns, how many first ones stand in every part that it has to be cut into.
    """
    lines, gone = laid_out(Sheet(columns, rows, right, texts, leave_out, repeated))
    say("\n".join(lines))
    if gone:
        plural = "column" if len(gone) == 1 else "columns"
        note(f"{plural} left out, as the terminal is too narrow: {', '.join(gone)}; --json has all")


def laid_out(sheet: Sheet) -> tuple[list[str], tuple[str, ...]]:
    """The lines of a table on standard output, every text on one of them, and the columns that had to go."""
    heads, *rows = [
        [shown(cell.replace("\n", "\\n").replace("\t", "\\t")) for cell in row]
        for row in (sheet.columns, *sheet.rows)
    ]
    return fitted(
        sheet._replace(columns=heads, rows=rows),
        width_of(sys.stdout),
        rule="─" if can_show(sys.stdout, "─") else "-",
    )
