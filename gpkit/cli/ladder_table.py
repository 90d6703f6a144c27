"""Ladders of programs, printed: what they reach where they were trained, and where they were not."""

from collections.abc import Sequence

import click

from gpkit.app.evaluation import ladder_of
from gpkit.app.players import Named, game_for
from gpkit.cli import output
from gpkit.cli.matches import is_given, refuse, tell_held_out
from gpkit.cli.output import announce_kernels, progress
from gpkit.playing.evaluation import LADDER_SEED, HeldOutTable

SCHEMA = "gpkit/ladder/1"


def tell_ladders(
    context: click.Context, named: Sequence[Named], game: str | None, seed: int, games: int, *, as_json: bool
) -> None:
    """Measure each program on the trials of its game, and print the tables.

    Raises:
        UsageError: something was said that the trials say themselves, or a trial cannot be played.
    """
    said = ("opponents", "exact", "players", "rules", "data", "target")
    refuse(context, said, "--ladder sets opponents, rules and deals itself; leave out --{}")
    first = seed if is_given(context, "seed") else LADDER_SEED
    most = games if is_given(context, "games") else None
    tables = [_table(each, game, first, most) for each in named]
    if as_json:
        output.json_object(SCHEMA, seed=first, tables=[table.to_json() for table in tables])
        return
    for place, table in enumerate(tables):
        if place:
            output.say("")
        output.tell(f"{table.program}, trained on: {table.trained}")
        tell_held_out(table)


def _table(named: Named, game_name: str | None, seed: int, games: int | None) -> HeldOutTable:
    game = game_for([named], game_name)
    with progress() as show:
        return ladder_of(named, game, seed, games, show, announce_kernels)
