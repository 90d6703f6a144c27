"""Printing: results go to standard output (JSON objects, tables); progress and everything else go to standard error.

Names and other text can come from anybody, so gpkit prints no control sequences from them. On a terminal, sentences and
tables fit its width without breaking words; elsewhere lines keep their length.
"""

import json
import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import IO

import click

from gpkit.core.codec import plain
from gpkit.core.errors import GpkitError, cut
from gpkit.core.layout import Sheet, fitted, in_lines
from gpkit.core.streams import can_show, unheard, width_of
from gpkit.core.wording import shown, shown_in_json

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
    """Text to print unchanged: control sequences were removed before colours were added."""

    __slots__ = ()

    def __add__(self, other: str) -> "Styled":
        """This text followed by another one, without the control sequences of the other."""
        return Styled(str(self) + (other if isinstance(other, Styled) else shown(other)))


def colour(text: str, name: str, stream: IO[str]) -> Styled:
    """The text in this colour if the stream is a terminal and ``NO_COLOR`` is not set; otherwise without a colour."""
    clean = shown(text)
    is_coloured = stream.isatty() and not os.environ.get("NO_COLOR")
    return Styled(click.style(clean, fg=name, bold=True) if is_coloured else clean)


def say(text: str) -> None:
    """Print result lines on standard output without breaking them: programs, text pictures, positions."""
    click.echo(text if isinstance(text, Styled) else shown(text))


def verbatim(text: str) -> None:
    """Write text to standard output: unchanged as UTF-8 to a pipe or a file, or in its own encoding to a terminal."""
    click.echo(shown(text) if sys.stdout.isatty() else text.encode(), nl=False)


def tell(text: str) -> None:
    """Print a sentence of the result on standard output; on a terminal, in lines that fit."""
    say(in_lines(text, width_of(sys.stdout)))


def note(text: str) -> None:
    """Print a sentence on standard error, such as a note on a written file; on a terminal, in lines that fit."""
    with unheard():
        click.echo(in_lines(shown(text), width_of(sys.stderr)), err=True)


def failure(error: GpkitError) -> None:
    """Print an error on standard error; findings in source text have their own heading."""
    text = str(error)
    if text.startswith("error["):
        with unheard():
            click.echo(shown(text), err=True)  # with carets below their places
    else:
        note(f"error: {cut(text)}")


def json_object(schema: str, **fields: object) -> None:
    """Print one JSON object on standard output; ``schema`` names its form and version, such as ``gpkit/list/1``."""
    json_line({"schema": schema, **fields}, indent=2)


def json_line(record: Mapping[str, object], indent: int | None = None) -> None:
    """Print one record of a stream of JSON lines on standard output, and flush it."""
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
    """Print a table on standard output; the table fits the width of a terminal, and elsewhere it is as wide as its
    text.

    Args:
        columns: the headings.
        rows: the rows, each with one string for each column.
        right: the columns to align to the right (numbers).
        texts: the columns that may take several lines.
        leave_out: the columns that a narrow terminal leaves out, the least important first; a note names them.
        repeated: for a table without such columns, the number of leading columns that each part repeats if the table
            must be split.
    """
    lines, gone = laid_out(Sheet(columns, rows, right, texts, leave_out, repeated))
    say("\n".join(lines))
    if gone:
        plural = "column" if len(gone) == 1 else "columns"
        note(f"{plural} left out, as the terminal is too narrow: {', '.join(gone)}; --json has all")


def laid_out(sheet: Sheet) -> tuple[list[str], tuple[str, ...]]:
    """The lines of a table on standard output, with every cell on one line, and the columns that were left out."""
    heads, *rows = [
        [shown(cell.replace("\n", "\\n").replace("\t", "\\t")) for cell in row]
        for row in (sheet.columns, *sheet.rows)
    ]
    return fitted(
        sheet._replace(columns=heads, rows=rows),
        width_of(sys.stdout),
        rule="─" if can_show(sys.stdout, "─") else "-",
    )
