"""``gpkit draw``: programs as pictures."""

from pathlib import Path

import click

from gpkit.cli import output
from gpkit.cli.files import STANDARD_INPUT, read_text, write_atomic
from gpkit.cli.options import language_option
from gpkit.cli.sources import language_for, primitives_for
from gpkit.draw.marks import analysed
from gpkit.draw.picture import Picture, diff_picture, program_picture
from gpkit.draw.render import FORMATS, format_of, render
from gpkit.languages.arithmetic.parser import Source


@click.command(name="draw")
@click.argument("program", metavar="PROGRAM")
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    help=f"Write this file; its suffix says the form: {', '.join(FORMATS)}. Default: text on standard output.",
)
@click.option("--diff", "other", metavar="OTHER", help="Draw what changed from OTHER to PROGRAM.")
@language_option
def command(program: str, target: str | None, other: str | None, language: str | None) -> None:
    """Draw a program: operators, sensors and constants told apart, idle and constant branches in grey."""
    form = format_of(target) if target is not None else "txt"
    picture = _picture(_source(program, language), _source(other, language) if other else None)
    drawn = render(picture, form)
    if target is None:
        output.say(drawn.decode().removesuffix("\n"))
    else:
        write_atomic(target, drawn)
        output.note(f"wrote {target}")


def _source(path: str, language: str | None) -> Source:
    source: Source = language_for(path, language).parse(read_text(path), path)
    return source


def _picture(source: Source, other: Source | None) -> Picture:
    name = "standard input" if source.filename == STANDARD_INPUT else Path(source.filename).name
    if other is not None:
        title = f"{Path(other.filename).name} → {name}"
        return diff_picture(other.program, source.program, title=title, listing=source.text)
    primitives = primitives_for(None, source.header)
    meanings = {s.name: s.meaning for s in primitives.sensors} if primitives else {}
    marks = [analysed(tree) for tree in source.program.trees]
    return program_picture(source.program, marks, title=name, listing=source.text, meanings=meanings)
