"""Ladders of programs, printed: what they reach where they were trained, and where they were not."""

from collections.abc import Sequence

import click

from gpkit.app.ladder import ladder_of
from gpkit.app.players import Named, game_for
from gpkit.cli import output
from gpkit.cli.matches import is_given, refuse, tell_exact, tell_repeats
from gpkit.cli.output import announce_kernels, progress
from gpkit.core.registry import game_of
from gpkit.gamekit.game import Game
from gpkit.playing.evaluation import LADDER_SEED, HeldOutTable
from gpkit.playing.results import ExactResult, Strength

SCHEMA = "gpkit/ladder/1"

LEAVE_OUT = ("games",)
"""The column that a narrow terminal goes without."""


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


def tell_held_out(table: HeldOutTable, against: str = "against") -> None:
    """Print the rows of a table, if there are any, and whether few of their games differ.

    Args:
        table: to be printed.
        against: the heading of the opponents.
    """
    if table.rows:
        heads = (against, *table.heads[1:])
        leave_out = [name for name in LEAVE_OUT if name in heads]
        output.table(heads, table.lines, right=heads[3:], texts=("rules",), leave_out=leave_out)
        game: Game = game_of(table.game)
        tell_repeats(table.rows, game)


def tell_strengths(strengths: Sequence[Strength], table: HeldOutTable) -> None:
    """Print what the champion of a run reaches.

    Args:
        strengths: its results against the opponents of the run.
        table: these results and the quick trials.
    """
    exact = [result for result in strengths if isinstance(result, ExactResult)]
    if exact:
        tell_exact(exact)
    tell_held_out(table.beyond(len(exact)), "champion against")


def _table(named: Named, game_name: str | None, seed: int, games: int | None) -> HeldOutTable:
    game = game_for([named], game_name)
    with progress() as show:
        return ladder_of(named, game, seed, games, show, announce_kernels)
