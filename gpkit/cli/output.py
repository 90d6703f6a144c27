"""What commands print: results to standard output (JSON objects, tables), everything else to standard error."""

import dataclasses
import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import click

from gpkit.cli.streams import unheard
from gpkit.core.diagnostics import printable
from gpkit.core.errors import GpkitError


def is_terminal(stream: IO[str]) -> bool:
    """True when a person sees the stream as it is written."""
    return stream.isatty()


def colour(text: str, name: str, stream: IO[str]) -> str:
    """The text in that colour if the stream is a terminal and ``NO_COLOR`` is not set, else as it is."""
    if is_terminal(stream) and not os.environ.get("NO_COLOR"):
        return click.style(text, fg=name, bold=True)
    return text


def say(text: str) -> None:
    """A line of result on standard output."""
    click.echo(text)


def note(text: str) -> None:
    """A line on standard error: what happens, what was chosen, what was written."""
    with unheard():
        click.echo(text, err=True)


def counted(count: int, noun: str) -> str:
    """So many of them: ``1 game``, ``2,000 games``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def failure(error: GpkitError) -> None:
    """What went wrong, on standard error; findings in source text bring their own heading."""
    text = str(error)
    note(text if text.startswith("error[") else "\n".join(map(printable, f"error: {text}".split("\n"))))


def json_object(schema: str, **fields: Any) -> None:
    """One JSON object on standard output; ``schema`` names its form and version, such as ``gpkit/list/1``."""
    click.echo(json.dumps(plain({"schema": schema, **fields}), indent=2, ensure_ascii=False))


def json_line(record: Mapping[str, Any]) -> None:
    """One record of a stream of JSON lines on standard output, written at once."""
    click.echo(json.dumps(plain(record), ensure_ascii=False))


def plain(value: Any) -> Any:
    """The value in JSON's own types: dataclasses, arrays, paths and tuples converted, inf and NaN as null."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "tolist"):  # numpy arrays and scalars, without importing numpy
        return plain(value.tolist())
    return value


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """A table on standard output: drawn by rich on a terminal, plain aligned text elsewhere.

    Args:
        columns: the headings.
        rows: one text for each column.
        right: the columns that are set flush right (numbers).
    """
    if is_terminal(sys.stdout):
        _rich_table(columns, rows, right)
    else:
        click.echo(plain_table(columns, rows, right=right))


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> str:
    """The table as lines of text: columns two spaces apart, a heading, no trailing blanks."""
    lines = [list(columns), *(list(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if name in right else cell.ljust(width)
            for cell, width, name in zip(line, widths, columns, strict=True)
        ).rstrip()
        for line in lines
    )


def _rich_table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        drawn.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    Console().print(drawn)
