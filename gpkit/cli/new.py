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
@click.argument("language", metavar="LANGUAGE")
@game_option
@click.option("-o", "--out", metavar="FILE", help="Write it there, unless the file exists.")
def command(language: str, game: str | None, out: str | None) -> None:
    """Print a small program in LANGUAGE with comments that say what a program can use."""
    known = find(LANGUAGES, _language(language), "language").load()
    primitives = primitives_for(game or _first_game(known.name), {})
    assert primitives is not None, "the game is named"
    if primitives.language != known.name:
        raise UsageError(
            f"programs of {primitives.game} are not in {known.name} but in {primitives.language}: "
            f"gpkit new {primitives.language} --game {primitives.game}"
        )
    text = known.template(primitives)
    if out is None:
        click.echo(text, nl=False)
        return
    if Path(out).exists():
        raise UsageError(f"{out} exists already; name another file")
    write_atomic(out, text)
    output.note(f"wrote {out}")


def _language(name: str) -> str:
    """The name.

    Raises:
        UsageError: it is that of a game, not of a language.
    """
    if any(entry.name == name for entry in GAMES):
        written = find(GAMES, name, "game").load().primitives.language
        raise UsageError(
            f"{name} is a game; its programs are in {written}: gpkit new {written} --game {name}"
        )
    return name


def _first_game(language: str) -> str:
    """The first game whose programs are in a language."""
    return next(entry.name for entry in GAMES if entry.load().primitives.language == language)
