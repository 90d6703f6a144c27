"""Options that several commands share, as decorators."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click

from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.registry import GAMES, name_game

Command = TypeVar("Command", bound=Callable[..., Any])


class WholeNumber(click.IntRange):
    """A whole number within bounds, also as people write large ones: 20_000, 20,000 and 1e6."""

    name = "n"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, or an error that says what is one."""
        text = str(value).replace(",", "")
        try:
            number = float(text) if "e" in text.lower() else int(text)
        except ValueError:
            number = math.nan
        if number % 1 != 0:
            self.fail(f"{value!r} is not a whole number; expected one such as 20000", param, ctx)
        whole, low, high = int(number), self.min, self.max
        if (low is not None and whole < low) or (high is not None and whole > high):
            expected = f"{low:.0f} to {high:.0f}" if high is not None else f"at least {low:.0f}"
            self.fail(f"{shortened(str(value))} is not in the range: expected {expected}", param, ctx)
        return whole


class Word(click.Choice[str]):
    """One of some words; for another the nearest is named."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word, or an error with the nearest one."""
        if value not in self.choices:
            self.fail(f"there is no {value!r}; {suggestion(value, self.choices)}", param, ctx)
        return value


deal_option = partial(click.option, "--deal", type=WholeNumber(0, 10_000_000), default=0, show_default=True)

task_option = partial(click.option, "--task", type=Word(["regression", "classification"]))

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON with a `schema` key.")

seed_option = click.option(
    "--seed",
    type=WholeNumber(min=0),
    default=0,
    show_default=True,
    help="The same seed gives the same result.",
)

words_option = click.option(
    "--words",
    metavar="COLUMN",
    multiple=True,
    help="Of a table: read the cells of a column as words; may be repeated.",
)

workers_option = click.option(
    "--workers",
    default="1",
    show_default=True,
    metavar="N | tcp://HOST:PORT",
    help="Worker processes, at most four per core, on Windows at most 61; or a dask scheduler. The result is the same.",
)


def _add_sensors(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Give the game of --game the sensors of a file, which is imported now."""
    if value is None:
        return
    from gpkit.user_games.extra_sensors import add_sensors

    game = context.params.get("game")
    if game is None:
        raise click.UsageError("--sensors needs --game, the game that gets them", context)
    add_sensors(value, game)


sensors_option = click.option(
    "--sensors",
    metavar="FILE.py",
    callback=_add_sensors,
    expose_value=False,
    help="A file with sensors of your own (@sensor) for the game of --game, which then runs "
    "in plain Python, slowly.",
)

_game_option = click.option(
    "--game",
    is_eager=True,
    metavar="GAME | FILE.py",
    type=name_game,
    help=f"The game: {', '.join(e.name for e in GAMES)}, a file with a game of your own, or an OpenSpiel game such "
    "as openspiel:hex. It also selects among shipped programs of the same name, such as champion; for a file, "
    "write ./champion.",
)


def game_option(command: Command) -> Command:
    """The options --game and --sensors."""
    return _game_option(sensors_option(command))


brought_games_option = click.option(
    "--game",
    "games",
    multiple=True,
    metavar="FILE.py",
    type=name_game,
    help=f"A game of your own, or an OpenSpiel game such as openspiel:hex, besides {', '.join(e.name for e in GAMES)}; "
    "may be given again.",
)
"""The option --game of what serves all games: those beside the package's, whose files are imported now."""
