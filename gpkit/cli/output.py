"""Printing: results to standard output (JSON objects, tables), everything else to standard error.

Names and texts can come from anybody, so nothing that a terminal could take for an order is printed as it is. On a
terminal, sentences and tables fit its width without breaking words; elsewhere lines are as long as they are.
"""

import json
import os
import shutil
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import IO, Any

import click

from gpkit.cli import streams
from gpkit.cli.streams import unheard
from gpkit.cli.tables import TextTable, fitted, in_lines, plain_lines
from gpkit.core.characters import shown, shown_in_json
from gpkit.core.errors import GpkitError, cut
from gpkit.core.json_values import plain


def is_terminal(stream: IO[str]) -> bool:
    """True when a person sees the stream as it is written."""
    return stream.isatty()


def width_of(stream: IO[str]) -> int | None:
    """The columns of a terminal; None for a stream that is none, where lines are as long as they are."""
    if not is_terminal(stream):
        return None
    columns = 0
    if not os.environ.get("COLUMNS"):
        with suppress(OSError, ValueError):  # a stream that only says it is a terminal
            columns = os.get_terminal_size(stream.fileno()).columns
    return columns or shutil.get_terminal_size().columns


class Styled(str):
    """Text that is printed as it is: colours were put into it after orders to the terminal were taken out."""

    __slots__ = ()

    def __add__(self, other: str) -> "Styled":
        """This text and another one, of which orders are taken out, too."""
        return Styled(str(self) + (other if isinstance(other, Styled) else shown(other)))


def colour(text: str, name: str, stream: IO[str]) -> Styled:
    """The text in that colour if the stream is a terminal and ``NO_COLOR`` is not set, else as it is."""
    clean = shown(text)
    if is_terminal(stream) and not os.environ.get("NO_COLOR"):
        return Styled(click.style(clean, fg=name, bold=True))
    return Styled(clean)


def say(text: str) -> None:
    """Lines of result on standard output, as they are: programs, pictures in letters, positions."""
    click.echo(text if isinstance(text, Styled) else shown(text))


def verbatim(text: str) -> None:
    """Write the text of a program to standard output unchanged.

    This is safe, because no language accepts text with terminal codes. A pipe or a file gets UTF-8, a
    terminal its own encoding.
    """
    click.echo(text if is_terminal(sys.stdout) else text.encode(), nl=False)


def tell(text: str) -> None:
    """A sentence of result on standard output; on a terminal in lines that fit."""
    say(in_lines(text, width_of(sys.stdout)))


def note(text: str) -> None:
    """A sentence on standard error: what happens, what was chosen or written; on a terminal in lines that fit."""
    _note(in_lines(shown(text), width_of(sys.stderr)))


def _note(text: str) -> None:
    with unheard():
        click.echo(text, err=True)


def failure(error: GpkitError) -> None:
    """Print an error on standard error; findings in source text bring their own heading."""
    text = str(error)
    if text.startswith("error["):
        _note(shown(text))  # with carets below their places
    else:
        note(f"error: {cut(text)}")


def json_object(schema: str, **fields: Any) -> None:
    """One JSON object on standard output; ``schema`` names its form and version, such as ``gpkit/list/1``."""
    _echo_json(json.dumps(plain({"schema": schema, **fields}), indent=2, ensure_ascii=not streams.is_utf8()))


def json_line(record: Mapping[str, Any]) -> None:
    """One record of a stream of JSON lines on standard output, written at once."""
    _echo_json(json.dumps(plain(record), ensure_ascii=not streams.is_utf8()))


def _echo_json(text: str) -> None:
    click.echo(shown_in_json(text), file=streams.results())


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
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
    lines, gone = _laid_out(TextTable(columns, rows, right, texts, leave_out, repeated))
    say("\n".join(lines))
    if gone:
        plural = "column" if len(gone) == 1 else "columns"
        note(f"{plural} left out, as the terminal is too narrow: {', '.join(gone)}; --json has all")


def table_text(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Collection[str] = (), repeated: int = 1
) -> str:
    """The table as it would be printed, for a text that has more than a table."""
    lines, _ = _laid_out(TextTable(columns, rows, right, repeated=repeated))
    return "\n".join(lines)


def _laid_out(given: TextTable) -> tuple[list[str], tuple[str, ...]]:
    """The lines of a table on standard output, and the columns that had to go."""
    clean = replace(
        given,
        columns=[_cell(name) for name in given.columns],
        rows=[[_cell(cell) for cell in row] for row in given.rows],
    )
    width = width_of(sys.stdout)
    return (plain_lines(clean), ()) if width is None else fitted(clean, width, rule=_rule())


def _cell(text: str) -> str:
    """A text on one line."""
    return shown(text.replace("\n", "\\n").replace("\t", "\\t"))


def _rule() -> str:
    """The sign of lines under headings that standard output can show."""
    try:
        "─".encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return "-"
    return "─"
