"""``gpkit new``: a program to start from."""

from pathlib import Path

import click

from gpkit.cli import output
from gpkit.cli.files import write_atomic
from gpkit.cli.options import game_option
from gpkit.cli.sources import primitives_for
from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES, LANGUAGES, find


@click.command(name="new")
@click.argument("language")
@game_option
@click.option("-o", "--out", metavar="FILE", help="Write it there, unless the file exists.")
def command(language: str, game: str | None, out: str | None) -> None:
    """Print a small program in LANGUAGE with comments that say what a program can use."""
    known = find(LANGUAGES, language, "language").load()
    text = known.template(primitives_for(game or GAMES[0].name, {}))
    if out is None:
        click.echo(text, nl=False)
        return
    if Path(out).exists():
        raise UsageError(f"{out} exists already; name another file")
    write_atomic(out, text)
    output.note(f"wrote {out}")
