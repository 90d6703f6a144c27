"""``gpkit play``: a person plays a game against programs, in the terminal."""

import secrets
import sys
from pathlib import Path
from urllib.parse import urlencode

import click

from gpkit.app.game_setup import adviser_named, seat_all
from gpkit.cli import output
from gpkit.cli.matches import players_option, rules_option
from gpkit.cli.options import (
    WholeNumber,
    dialect_option,
    language_option,
    seat_option,
    sensors_option,
)
from gpkit.cli.serve import open_pages
from gpkit.cli.shell import PLAIN
from gpkit.cli.terminal import Style, converse, typed_lines
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.registry import game_entry, name_game
from gpkit.playing.session import new_conversation, sessions

SEEDS = 1_000_000


@click.command(name="play")
@click.argument("game", metavar="GAME | FILE.py", type=name_game, is_eager=True)
@sensors_option
@click.option(
    "--vs",
    "opponents",
    multiple=True,
    metavar="OPPONENT",
    help="Player in all other seats; repeat it for one player per seat: a name, a program file, "
    "or name:argument such as pimc:100. Default: the game's first default opponent.",
)
@click.option(
    "--adviser",
    metavar="OPPONENT",
    help="Who gives hints: a name or a program file. Default: the best shipped program of the game.",
)
@players_option
@rules_option
@seat_option(help="Your seat, from 0; the opponents sit after you.")
@click.option(
    "--seed",
    type=WholeNumber(min=0),
    help="The same seed gives the same games. Default: a new seed, which is printed.",
)
@click.option("--web", is_flag=True, help="Play in the browser, with `gpkit serve` on this folder.")
@click.option(PLAIN.option, "plain", is_flag=True, help=PLAIN.help)
@dialect_option
@language_option
def command(
    game: str,
    opponents: tuple[str, ...],
    adviser: str | None,
    rules: dict[str, str],
    seat: int,
    seed: int | None,
    web: bool,
    plain: bool,
    dialect: dict[str, str],
    language: str | None,
) -> None:
    """Play GAME yourself against programs. In the game, ? shows help, and q gives up.

    `gpkit list opponents --game GAME` shows who plays.
    """
    game_entry(game)
    if STANDARD_INPUT in opponents:
        raise UsageError("standard input is for your moves, so opponents must be names or files")
    if web and (dialect or language):
        raise UsageError("--dialect and --lang cannot be combined with --web: write them into the program")
    if web and adviser:
        raise UsageError("--adviser cannot be combined with --web: choose the adviser on the page")
    if web:
        fields = {"vs": ", ".join(opponents), "seat": str(seat), "seed": "" if seed is None else str(seed)}
        fields |= {f"rule.{name}": text for name, text in rules.items()}
        asked = urlencode({name: text for name, text in fields.items() if text})
        open_pages(Path(), 0, f"/play/{game}?{asked}")
        return
    seating = seat_all(None, opponents, game=game, options=rules, language=language, dialect=dialect)
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    conversation = new_conversation(seating.game, seating.options, seating.players, seat)
    if adviser is not None:
        conversation = adviser_named(conversation, adviser, dialect)
    output.note(f"seed {chosen}")
    converse(sessions(conversation, typed_lines(), chosen), Style.of(sys.stdout, plain=plain))
