"""``gpkit tournament``: a round robin with its cross table, ratings and a check for cycles."""

import time
from collections.abc import Sequence
from typing import Any

import click

from gpkit.analysis.ratings import Order, Ratings, find_order, rate
from gpkit.app.players import game_for, read_named, seat
from gpkit.app.watching import Tell, counting
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
from gpkit.cli.progress import Progress
from gpkit.core.errors import UsageError
from gpkit.core.statistics import Interval
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.match import Match
from gpkit.playing.tournament import Tournament, play_league, play_tournament


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
    if len(named) < 2:
        raise UsageError("a tournament needs at least two programs")
    played = game_for(named, game)
    options = {**played.duel, **rules}
    chosen = played.make_rules(options)
    if played.seatings(chosen) == 1:
        raise UsageError(
            f"under these rules of {played.name} everybody plays alone: `gpkit run` shows how strong each "
            f"program is, `gpkit list rules --game {played.name}` which rules can differ"
        )
    seated = [seat(each, played) for each in named]
    tell_table(played, chosen, seed)
    warm_up(played, [Match(seated[0], (seated[1],))], chosen)
    with Progress() as progress:
        table = _played(played, seated, chosen, seed, games, series, progress.update)
        progress.update("rating")
        ratings, order = rate(table, seed=seed), find_order(table)
    if as_json:
        output.json_object(
            "gpkit/tournament/1",
            seed=seed,
            seconds=time.perf_counter() - started,
            game=table.game,
            metric=table.metric.name,
            players=table.players,
            rules=options,
            programs=table.programs,
            results=[result.to_json() for result in table.results],
            model=ratings.model,
            unit=ratings.unit,
            misfit=ratings.misfit,
            ratings=[
                {
                    "program": rating.program,
                    "rating": rating.interval.mean,
                    "ci95": [rating.interval.low, rating.interval.high],
                    "mean": rating.score,
                }
                for rating in ratings.ratings
            ],
            wins=order.wins,
            undecided=order.undecided,
            cycles=order.cycles,
            verdict=order.verdict,
        )
    else:
        _print_cross_table(table)
        _print_analysis(ratings, order)
        tell_repeats(table.results, played)


def _played(
    game: Game,
    players: Sequence[Player],
    rules: Any,
    seed: int,
    games: int,
    series: int | None,
    tell: Tell,
) -> Tournament:
    """The round robin, or with a length of ``series`` the league."""
    pairs = len(players) * (len(players) - 1) // 2
    if series is None:
        watch = counting(tell, 2 * pairs * games)
        return play_tournament(game, players, rules=rules, seed=seed, games=games, watch=watch)
    together = series * game.seatings(rules)
    repeat = -(-games // together)
    watch = counting(tell, pairs * repeat * together)
    return play_league(game, players, rules=rules, seed=seed, games=series, repeat=repeat, watch=watch)


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
