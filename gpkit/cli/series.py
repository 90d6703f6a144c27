"""``gpkit series``: games one after another between the same two players, who may learn from each other."""

import time
from pathlib import Path

import click

from gpkit.app.game_setup import meeting, seat_all
from gpkit.app.series_workers import REPEAT, Plan, plan_of, played_series
from gpkit.cli import output
from gpkit.cli.matches import MAX_SERIES, players_option, rules_option, tell_repeats, tell_table, warm_up
from gpkit.cli.options import (
    WholeNumber,
    dialect_option,
    game_option,
    json_option,
    language_option,
    seed_option,
    workers_option,
)
from gpkit.cli.output import progress
from gpkit.core.errors import EXIT_INTERRUPTED, EXIT_OK
from gpkit.evolution.pools import executor_for
from gpkit.playing.match import Match
from gpkit.playing.series import Series, SeriesTally

MAX_REPEAT = 1_000_000

COLUMNS = ("game", "games", "wins", "mean", "95 % interval")

LEAVE_OUT = ("games", "wins")
"""Columns that a narrow terminal goes without, the least important first."""

SHOWN = (1, 2, 3, 4, 5, 6, 8, 11, 15, 21, 31, 51, 101, 201, 501, 1001, 2001, 5001)
"""Games of a long series that the table shows, besides the last one."""


@click.command(name="series")
@click.argument("first")
@click.argument("second")
@game_option
@click.option(
    "--games", type=WholeNumber(1, MAX_SERIES), default=11, show_default=True, help="Games per series."
)
@click.option(
    "--repeat",
    type=WholeNumber(1, MAX_REPEAT),
    help=f"Series, each on deals of its own and played once in every seating.  [default: {REPEAT}]",
)
@click.option(
    "--memory",
    metavar="DIR",
    help="Folder for what adaptive learns, with a folder for each opponent; a series there continues up to --games.",
)
@workers_option
@players_option
@rules_option
@seed_option
@dialect_option
@language_option
@json_option
def command(
    first: str,
    second: str,
    game: str | None,
    games: int,
    repeat: int | None,
    memory: str | None,
    workers: str,
    rules: dict[str, str],
    seed: int,
    dialect: dict[str, str],
    language: str | None,
    as_json: bool,
) -> int:
    """Play series of games between FIRST and SECOND: program files, or players of the game such as simple.

    Players that learn keep their memory from game to game of a series and start every series with none; the
    95 % interval of the mean is then over series, otherwise over deals. Players change seats after every
    game. Where a game has a solo form and a duel, as Battleship has, they play the duel, unless SECOND only
    places the fleet. With --memory one series is saved game by game; after an interruption, the same command
    continues it.
    """
    started = time.perf_counter()
    seating = meeting(seat_all(first, [second], game=game, options=rules, language=language, dialect=dialect))
    tell_table(seating.game, seating.rules, seed)
    warm_up(seating.game, [Match(seating.players[0], seating.players[1:])], seating.rules)
    kept = None if memory is None else Path(memory)
    plan = plan_of(seating, seed, games, repeat, kept)
    try:
        series = _played(plan, kept, workers)
    except KeyboardInterrupt:
        if memory is None:
            raise
        output.note("interrupted; the same command continues the series")
        return EXIT_INTERRUPTED
    if as_json:
        seconds = time.perf_counter() - started
        output.json_object(
            "gpkit/series/1", seed=seed, seconds=seconds, rules=seating.options, results=[series.to_json()]
        )
    else:
        _print(series)
        tell_repeats([series], seating.game)
    return EXIT_OK


def _played(plan: Plan, memory: Path | None, workers: str) -> Series:
    """The series of a plan, or the one that is kept in a folder, with their progress shown."""
    with progress() as show, executor_for(workers) as executor:
        return played_series(plan, executor, show, memory=memory)


def _print(series: Series) -> None:
    games = series.scores.shape[1]
    shown = [number for number in range(1, games + 1) if games <= len(SHOWN) or number in (*SHOWN, games)]
    rows = [_cells(str(number), series.tally_of(number - 1)) for number in shown]
    output.table(COLUMNS, [*rows, _cells("all", series.tally())], right=COLUMNS, leave_out=LEAVE_OUT)
    output.tell(
        f"{series.metric.name} of {series.first} against {series.second}; the unit is the {series.unit}; "
        f"{series.stalled:,} games stalled, {series.invalid:,} invalid"
    )


def _cells(number: str, tally: SeriesTally) -> tuple[str, ...]:
    wins = "" if tally.wins is None else f"{tally.wins:,}"
    return number, f"{tally.games:,}", wins, f"{tally.interval.mean:.4f}", tally.interval.text
