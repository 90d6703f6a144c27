"""``gpkit new``: a program, a configuration, a game or a problem to start from."""

from pathlib import Path

import click

from gpkit.app.new_text import starting_text
from gpkit.cli import output
from gpkit.cli.options import game_option
from gpkit.core.errors import UsageError
from gpkit.core.files import write_atomic


@click.command(name="new")
@click.argument("language", metavar="LANGUAGE | config | fit | game | problem")
@game_option
@click.option(
    "--preset",
    metavar="NAME",
    help="For a configuration: the preset to start from; of a fit, formulas or trees.",
)
@click.option("-o", "--out", metavar="FILE", help="Output file, which must not exist yet.")
def command(language: str, game: str | None, preset: str | None, out: str | None) -> None:
    """Print a small program in LANGUAGE with comments on what a program can use.

    Or a whole game in a file (`game`), for --game. Or a problem of your own in a file (`problem`), for `gpkit evolve`,
    with all settings in comments. Or a configuration with every key, its meaning, its default and its range: for `gpkit
    evolve` (`config`), with --game dots_and_boxes for `gpkit learn`, and for `gpkit fit` (`fit`).
    """
    text = starting_text(language, game, preset)
    if out is None:
        click.echo(text, nl=False)
        return
    if Path(out).exists():
        raise UsageError(f"{out} exists already; name another file")
    write_atomic(out, text)
    output.note(f"wrote {out}")
