"""Options that several commands share, as decorators."""

import click

from gpkit.core.registry import GAMES, LANGUAGES

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON with a `schema` key.")

seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The same seed gives the same result.",
)

workers_option = click.option(
    "--workers",
    default="1",
    show_default=True,
    metavar="N | tcp://HOST:PORT",
    help="Processes, or a dask scheduler; the result is the same.",
)

language_option = click.option(
    "--lang",
    "language",
    metavar="LANGUAGE",
    help=f"The language, where the suffix does not say it: {', '.join(e.name for e in LANGUAGES)}.",
)

dialect_option = click.option(
    "--dialect",
    metavar="SWITCH=VALUE",
    multiple=True,
    help="Read programs as if their header said so, such as target=uniform or dialect=literal; may be given again.",
)

game_option = click.option("--game", metavar="GAME", help=f"The game: {', '.join(e.name for e in GAMES)}.")
