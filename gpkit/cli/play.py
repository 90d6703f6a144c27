"""``gpkit play``: a person plays a game against programs, in the terminal."""

import secrets
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Protocol

import click

from gpkit.app.files import STANDARD_INPUT
from gpkit.app.pairs import dialect_of
from gpkit.app.seating import Seating, check_seat, seat_all
from gpkit.cli import output
from gpkit.cli.matches import players_option, rules_option
from gpkit.cli.options import WholeNumber, dialect_option, language_option, seat_option
from gpkit.cli.terminal import Part, Style, ascii_option, converse, typed_lines
from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES, Entry, find

FACES = (
    Entry("sevens", "gpkit.cli.play_sevens", "session", "cards by name or number"),
    Entry("battleship", "gpkit.cli.play_battleship", "session", "squares by name"),
    Entry("dots_and_boxes", "gpkit.cli.play_dots_and_boxes", "session", "sides of boxes by name"),
    Entry("mastermind", "gpkit.cli.play_mastermind", "session", "codes and answers"),
)
"""For each game the conversation in which a person plays it."""

SEEDS = 1_000_000


class Session(Protocol):
    """A game's conversation: what is said, in the order of being said, while it reads ``lines``."""

    def __call__(self, seating: Seating, lines: Iterator[str], *, seed: int, seat: int) -> Iterator[Part]:
        """Play games on the deals of ``seed`` until the lines end or the person has enough.

        ``seating`` holds the opponents; the person sits in ``seat`` and they follow in order.
        """


@click.command(name="play")
@click.argument("game", metavar="GAME")
@click.option(
    "--vs",
    "opponents",
    multiple=True,
    metavar="OPPONENT",
    help="Who plays in all other seats, or, given again, in one each: a name, a program file, or name:argument such "
    "as pimc:100. Without it: the first of the usual ones of the game.",
)
@players_option
@rules_option
@seat_option(help="Where you sit, from 0; the opponents follow you.")
@click.option(
    "--seed",
    type=WholeNumber(min=0),
    help="The same seed gives the same games. Without it: a new one, which is printed.",
)
@ascii_option
@dialect_option
@language_option
def command(
    game: str,
    opponents: tuple[str, ...],
    players: str | None,
    rules: tuple[str, ...],
    seat: int,
    seed: int | None,
    plain: bool,
    dialect: tuple[str, ...],
    language: str | None,
) -> None:
    """Play GAME yourself against programs. In the game, ? shows what can be typed, and q gives up.

    `gpkit list opponents --game GAME` shows who plays.
    """
    find(GAMES, game, "game")
    if STANDARD_INPUT in opponents:
        raise UsageError("your own lines come from standard input, so opponents must be names or files")
    session: Session = find(FACES, game, "game to play").load()
    seating = seat_all(
        None,
        opponents,
        game=game,
        language=language,
        players=players,
        rules=rules,
        dialect=dialect_of(dialect),
    )
    check_seat(seat, len(seating.players) + 1)
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    conversation = session(seating, typed_lines(), seed=chosen, seat=seat)
    greeting = next(conversation)
    output.note(f"seed {chosen}")
    converse(chain([greeting], conversation), Style.of(sys.stdout, plain=plain))
