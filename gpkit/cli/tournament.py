"""``gpkit tournament``: a round robin with its cross table, ratings and a check for cycles."""

import time

import click

from gpkit.analysis.ratings import Order, Ratings
from gpkit.app.contests import entrants, held_league
from gpkit.app.players import read_named
from gpkit.cli import output
from gpkit.cli.matches import (
    MAX_SERIES,
    games_option,
    players_option,
    programs_argument,
    rules_option,
    tell_repeats,
    tell_table,
    warm_up,
)
from gpkit.cli.options import (
    WholeNumber,
    dialect_option,
    game_option,
    json_option,
    language_option,
    seed_option,
)
from gpkit.cli.output import progress
from gpkit.core.statistics import Interval
from gpkit.playing.match import Match
from gpkit.playing.tournament import Tournament


@click.command(name="tournament")
@programs_argument
@game_option
@games_option
@click.option(
    "--series",
    type=WholeNumber(1, MAX_SERIES),
    help="Play a league: a series of this many games for each pair, in which players that learn keep their memory.",
)
@players_option
@rules_option
@seed_option
@dialect_option
@language_option
@json_option
def command(
    programs: tuple[str, ...],
    game: str | None,
    games: int,
    series: int | None,
    rules: dict[str, str],
    seed: int,
    dialect: dict[str, str],
    language: str | None,
    as_json: bool,
) -> None:
    """Play every PROGRAM against every other: files, folders of files, or players of the game such as simple.

    A cell of the cross table is the row program's score with copies of the column program in all other seats;
    all cells are played on the same deals, each deal in every seat. Ratings are on the Elo scale (400 points
    are odds of ten to one) where wins or ranks count, otherwise advantages in points. Intervals are at 95 %,
    with the deal as the unit, or in a league the series. Where a game has a solo form and a duel, as
    Battleship has, they play the duel.
    """
    started = time.perf_counter()
    named = read_named(programs, language, dialect, game=game)
    entered = entrants(named, game, rules)
    tell_table(entered.game, entered.rules, seed)
    warm_up(entered.game, [Match(entered.players[0], entered.players[1:2])], entered.rules)
    with progress() as show:
        league = held_league(entered, seed, games, series, show)
    if as_json:
        output.json_object(
            "gpkit/tournament/1",
            seed=seed,
            seconds=time.perf_counter() - started,
            **league.to_json(),
        )
    else:
        _print_cross_table(league.table)
        _print_analysis(league.ratings, league.order)
        tell_repeats(league.table.results, entered.game)


def _print_cross_table(table: Tournament) -> None:
    numbers = [str(number) for number in range(1, len(table.programs) + 1)]
    rows = []
    for number, name, cells in zip(numbers, table.programs, table.cells, strict=True):
        found = [None if cell is None else cell.interval for cell in cells]
        rows.append([number, name, *("" if i is None else f"{i.mean:.4f}{_width(i)}" for i in found)])
    against = [f"against {number}" for number in numbers]
    output.table(["", f"{table.metric.name} of", *against], rows, right=["", *against], repeated=2)
    stalled = sum(result.stalled for result in table.results)
    invalid = sum(result.invalid for result in table.results)
    games = sum(result.games for result in table.results)
    output.tell(f"{games:,} games, {stalled:,} of them stalled, {invalid:,} invalid\n")


def _width(interval: Interval) -> str:
    """The half of an interval that has ends."""
    return f" ±{interval.half_width:.4f}" if interval.ends else ""


def _print_analysis(ratings: Ratings, order: Order) -> None:
    digits = 0 if ratings.model == "plackett-luce" else 3
    rows = [
        (
            rating.program,
            f"{rating.interval.mean:+.{digits}f}",
            f"{rating.interval.low:+.{digits}f} to {rating.interval.high:+.{digits}f}",
            f"{rating.score:.4f}",
        )
        for rating in ratings.ratings
    ]
    output.table(
        ("program", ratings.unit, "95 % interval", "mean"),
        rows,
        right=(ratings.unit, "95 % interval", "mean"),
        leave_out=("mean",),
    )
    output.tell(f"ratings predict every cell to within {ratings.misfit:.4f}")
    output.tell(order.verdict)
