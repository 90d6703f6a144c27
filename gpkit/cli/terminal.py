"""Conversations with a person at a terminal, and games that the terminal shows step by step."""

import sys
from collections.abc import Iterable, Iterator
from functools import partial

import click

from gpkit.api.kinds import Given
from gpkit.api.progress import watching
from gpkit.cli import output
from gpkit.cli.output import Styled, say
from gpkit.core.files import write_atomic
from gpkit.core.layout import Sheet
from gpkit.core.streams import Headed, Style
from gpkit.core.wording import shown
from gpkit.playing.conversation import Line, Prompt, walk
from gpkit.playing.decisions import StepTable
from gpkit.playing.trace import CachedSteps, Step
from gpkit.show.traced import Traced, formula_text


def typed_lines() -> Iterator[str]:
    """The lines of standard input, read one at a time, at most 10,000 bytes each; bytes that are not UTF-8 are
    replaced."""
    while line := sys.stdin.buffer.readline(10_000):
        yield line.decode(errors="replace")


def converse(parts: Iterable[Line], style: Style) -> None:
    """Show a conversation as it goes: text on standard output, prompts on standard error if a person types."""
    for part in parts:
        match part:
            case StepTable():
                say(Styled(style.dress(table_text(part))))
            case str():
                say(Styled(style.dress(part)))
            case Prompt(text) if sys.stdin.isatty():
                click.echo(shown(text), nl=False, err=True)


def table_text(table: StepTable) -> str:
    """The table as lines of text, with a mark before the chosen row and the note below."""
    rows = [
        (">" if k == table.chosen else "", *(number_text(cell) for cell in row))
        for k, row in enumerate(table.rows)
    ]
    lines, _ = output.laid_out(Sheet(("", *table.columns), rows, table.columns[1:], repeated=2))
    return "\n".join([*lines, table.note] if table.note else lines)


def number_text(cell: str | float) -> str:
    """A number with at most four digits, or six if it is large: 7, 0.25, 0.3333, 12345, 1e+300."""
    return cell if isinstance(cell, str) else f"{cell:.{4 if abs(cell) < 1_000 else 6}g}"


def show_game(traced: Traced, given: Given) -> int:
    """Show a followed game step by step, in the way chosen by the options of ``gpkit trace``; return the exit code."""
    style = Style(sys.stdout, plain=given["plain"])
    if given["as_json"]:
        output.json_line(traced.record)
        for step in traced.steps():
            output.json_line(traced.record_of(step))
    elif given["page"] is not None:
        _write_page(traced, given["page"])
    elif not given["walking"]:
        for step in traced.steps():
            say(Styled(style.dress(step_text(step, formula=traced.formula))))
        if traced.score_text:
            say(Styled(style.dress(traced.score_text)))
        if traced.mistakes_text:
            say(Styled(style.dress(traced.mistakes_text)))
    if traced.condition is not None and not traced.holds:
        output.note(f"{traced.condition.text} holds in no step")
    if given["walking"]:
        _walk(traced, style)
    return traced.exit_code


def step_text(step: Step, *, formula: bool) -> Headed:
    """A step as text: the event, the candidates, the formula if it was requested, and the board."""
    table = step.table()
    parts = (
        f"step {step.number}: {step.words()}",
        None if table is None else table_text(table),
        formula_text(step) if formula else None,
        step.board(),
    )
    return Headed("\n\n".join(filter(None, parts)))


def _write_page(traced: Traced, path: str) -> None:
    """Write the page that shows a game."""
    steps = []
    with watching() as show:
        for step in traced.steps():
            steps.append(step)
            show(f"step {step.number}")
    write_atomic(path, traced.page_of(steps))
    output.note(f"wrote {path}: {len(steps)} steps")


def _walk(traced: Traced, style: Style) -> None:
    """Let the person step through a game, from the step where its condition holds or from the beginning."""
    first = 0
    if traced.condition is not None and traced.holds:
        *_, last = traced.steps()
        first = last.number
    show, steps = partial(step_text, formula=traced.formula), CachedSteps(traced.trace.steps)
    converse(
        walk(steps, traced.trace.vocabulary, typed_lines(), first=first, show=show, formula=formula_text),
        style,
    )
