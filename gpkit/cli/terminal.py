"""A person at a terminal: signs that it can show, colours, a conversation of lines, and games that are followed."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TextIO

import click

from gpkit.api.kinds import Given
from gpkit.cli import output
from gpkit.cli.output import Styled, say, width_of
from gpkit.core.characters import shown
from gpkit.core.files import write_atomic
from gpkit.core.layout import in_lines
from gpkit.draw.frames import formula_text
from gpkit.draw.traced import Traced
from gpkit.playing.conversation import Line, Prompt
from gpkit.playing.trace import Step, StepTable, Tape
from gpkit.playing.walk import walk

SIGNS = "♥♦♣♠─│├└×÷√²⌊⌋≤∞−…→"
"""The signs beyond ASCII that gpkit's own texts use."""

_PLAIN = str.maketrans(
    {
        "♥": "h",
        "♦": "d",
        "♣": "c",
        "♠": "s",
        "─": "-",
        "│": "|",
        "├": "|",
        "└": "`",
        "×": "*",
        "÷": "/",
        "√": "sqrt ",
        "²": "^2",
        "⌊": "floor ",
        "⌋": "",
        "≤": "<=",
        "∞": "inf",
        "−": "-",
        "…": "...",
        "→": "->",
    }
)

_RED = click.style("", fg="red", reset=False)
_NOT_RED = click.style("", fg="reset", reset=False)

LONGEST_LINE = 10_000
"""Bytes of a line that is typed."""


class Headed(str):
    """Text whose first line is a heading: in bold, where there is colour."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Style:
    """Dress of texts for one stream: in ASCII only, or with red suits, in lines of at most ``width`` signs."""

    plain: bool
    coloured: bool
    width: int | None = None

    @classmethod
    def of(cls, stream: TextIO, *, plain: bool) -> "Style":
        """Style that this stream can show; ``plain`` asks for ASCII where it could show more."""
        coloured = stream.isatty() and not os.environ.get("NO_COLOR")
        return cls(plain or not _can_show(stream, SIGNS), coloured, width_of(stream))

    def dress(self, text: str) -> Styled:
        """The text as this stream shows it; orders to a terminal are written out."""
        clean = in_lines(shown(text), self.width)
        if self.plain:
            return Styled(clean.translate(_PLAIN).encode("ascii", "replace").decode())
        if not self.coloured:
            return Styled(clean)
        red = re.sub("[♥♦]", lambda sign: _RED + sign[0] + _NOT_RED, clean)
        if not isinstance(text, Headed):
            return Styled(red)
        heading, end, rest = red.partition("\n")
        return Styled(click.style(heading, bold=True) + end + rest)


def _can_show(stream: TextIO, symbols: str) -> bool:
    try:
        symbols.encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def typed_lines() -> Iterator[str]:
    """The lines of standard input, each read when it is asked for; what is not UTF-8 is replaced."""
    while line := sys.stdin.buffer.readline(LONGEST_LINE):
        yield line.decode(errors="replace")


def converse(parts: Iterable[Line], style: Style) -> None:
    """Show a conversation as it goes: texts on standard output, prompts on standard error if somebody types."""
    for part in parts:
        match part:
            case StepTable():
                say(style.dress(table_text(part)))
            case str():
                say(style.dress(part))
            case Prompt(text) if sys.stdin.isatty():
                click.echo(shown(text), nl=False, err=True)


def table_text(table: StepTable) -> str:
    """The table in lines of text, with a mark before the row that was chosen, and its note."""
    rows = [
        (">" if k == table.chosen else "", *(number_text(cell) for cell in row))
        for k, row in enumerate(table.rows)
    ]
    text = output.table_text(("", *table.columns), rows, right=table.columns[1:], repeated=2)
    return f"{text}\n{table.note}" if table.note else text


def number_text(cell: str | float) -> str:
    """A number as short as it can be told from others: 7, 0.25, 1e+300."""
    return cell if isinstance(cell, str) else f"{cell:.6g}"


def show_game(traced: Traced, given: Given) -> int:
    """Show a game that is followed as ``gpkit trace`` was asked to, each step when it comes; gives the exit code."""
    style = Style.of(sys.stdout, plain=given["plain"])
    if given["as_json"]:
        output.json_line(traced.record)
        for step in traced.steps():
            output.json_line(traced.record_of(step))
    elif given["page"] is not None:
        _write_page(traced, given["page"])
    elif not given["walking"]:
        for step in traced.steps():
            say(style.dress(step_text(step, formula=traced.formula)))
        if traced.score_text:
            say(style.dress(traced.score_text))
    if traced.condition is not None and not traced.holds:
        output.note(f"{traced.condition.text} holds in no step")
    if given["walking"]:
        _walk(traced, style)
    return traced.exit_code


def step_text(step: Step, *, formula: bool) -> Headed:
    """A step: what happened, what there was to choose from, the formula if it is wanted, and the board."""
    parts = [f"step {step.number}: {step.view.words()}"]
    table = step.view.table()
    if table is not None:
        parts.append(table_text(table))
    if formula and (text := formula_text(step)):
        parts.append(text)
    return Headed("\n\n".join([*parts, step.view.board()]))


def _write_page(traced: Traced, path: str) -> None:
    """Write the page of a game."""
    steps = []
    with output.progress() as show:
        for step in traced.steps():
            steps.append(step)
            show(f"step {step.number}")
    write_atomic(path, traced.page_of(steps))
    output.note(f"wrote {path}: {len(steps)} steps")


def _walk(traced: Traced, style: Style) -> None:
    """Walk through a game from where its condition holds, or else from its beginning."""
    first = 0
    if traced.condition is not None and traced.holds:
        *_, last = traced.steps()
        first = last.number
    show = partial(step_text, formula=traced.formula)
    tape, names = Tape(traced.trace.steps), traced.trace.vocabulary
    converse(walk(tape, names, typed_lines(), first=first, show=show, formula=formula_text), style)
