"""``gpkit run``: how strong programs are, in whole games of the compiled engine."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from gpkit.cli import output
from gpkit.cli.matches import (
    GamesPlayed,
    Named,
    dialect_of,
    game_for,
    games_option,
    opponent_option,
    options_of,
    players_option,
    programs_argument,
    read_named,
    read_opponents,
    rules_option,
    seat,
    seat_opponents,
    tell_table,
    warm_up,
)
from gpkit.cli.options import dialect_option, game_option, json_option, language_option, seed_option
from gpkit.cli.progress import Progress
from gpkit.games.game import Game
from gpkit.play.match import Match, Result, play_matches

COLUMNS = ("program", "opponent", "metric", "mean", "95 % interval", "games", "stalled", "invalid", "games/s")


@dataclass(frozen=True, slots=True)
class Planned:
    """A match to be played."""

    game: Game
    rules: Any
    match: Match


@dataclass(frozen=True, slots=True)
class Timed:
    """A result and how fast it was played, in games per second of wall time."""

    result: Result
    games_per_second: float


@click.command(name="run")
@programs_argument
@game_option
@opponent_option
@games_option
@players_option
@rules_option
@seed_option
@dialect_option
@language_option
@json_option
def command(
    programs: tuple[str, ...],
    game: str | None,
    opponents: tuple[str, ...],
    games: int,
    players: str | None,
    rules: tuple[str, ...],
    seed: int,
    dialect: tuple[str, ...],
    language: str | None,
    as_json: bool,
) -> None:
    """Play whole games and show how strong each PROGRAM is: a file, a folder of files, - or a player such as simple.

    Every program meets every opponent on the same deals, each deal in every seat. The interval is that of the mean, at
    95 %, with the deal as the unit.
    """
    started = time.perf_counter()
    named = read_named(programs, language, dialect_of(dialect))
    against = read_opponents(opponents, named, language)
    options = options_of(players, rules)
    planned = [match for each in named for match in _plan(each, against, game, options)]
    for first in {plan.game.name: plan for plan in planned}.values():
        tell_table(first.game, first.rules, seed)
        warm_up(first.game, [first.match], first.rules)
    with Progress() as progress:
        rows = [_play(plan, seed, games, progress) for plan in planned]
    if as_json:
        results = [{**row.result.to_json(), "games_per_second": row.games_per_second} for row in rows]
        seconds = time.perf_counter() - started
        output.json_object("gpkit/run/1", seed=seed, seconds=seconds, rules=options, results=results)
    else:
        output.table(COLUMNS, [_cells(row) for row in rows], right=COLUMNS[3:])


def _plan(
    program: Named, against: Sequence[Named], game_name: str | None, options: dict[str, str]
) -> list[Planned]:
    """One program against every opponent; it is checked here, before anything is played."""
    game = game_for([program, *against], game_name)
    rules = game.make_rules(options)
    agent = seat(program, game)
    return [Planned(game, rules, Match(agent, (other,))) for other in seat_opponents(against, game, rules)]


def _play(plan: Planned, seed: int, games: int, progress: Progress) -> Timed:
    """Play one match and take its time."""
    opponent = plan.match.opponents[0].name
    watch = GamesPlayed(progress, games, f"{plan.match.program.name} against {opponent}: ")
    began = time.perf_counter()
    (result,) = play_matches(plan.game, [plan.match], rules=plan.rules, seed=seed, games=games, watch=watch)
    return Timed(result, result.games / (time.perf_counter() - began))


def _cells(row: Timed) -> tuple[str, ...]:
    """The cells of one line of the table."""
    result, interval = row.result, row.result.interval
    return (
        result.program,
        result.opponent,
        result.metric.name,
        f"{interval.mean:.4f}",
        f"{interval.low:.4f} to {interval.high:.4f}",
        f"{result.games:,}",
        f"{result.stalled / result.games:.1%}",
        f"{result.invalid:,}",
        f"{row.games_per_second:,.0f}",
    )
