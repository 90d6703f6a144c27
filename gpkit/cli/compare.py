"""``gpkit compare``: whether one program is stronger than another, on the same deals."""

import time

import click

from gpkit.cli import output
from gpkit.cli.matches import (
    GamesPlayed,
    dialect_of,
    game_for,
    games_option,
    opponent_option,
    options_of,
    players_option,
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
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.play.comparison import Comparison, compare, pool
from gpkit.play.match import Match, play_matches

COLUMNS = ("opponent", "metric", "first", "second", "difference", "95 % interval", "first is", "games each")


@click.command(name="compare")
@click.argument("first")
@click.argument("second")
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
    first: str,
    second: str,
    game: str | None,
    opponents: tuple[str, ...],
    games: int,
    players: str | None,
    rules: tuple[str, ...],
    seed: int,
    dialect: tuple[str, ...],
    language: str | None,
    as_json: bool,
) -> int:
    """Compare the programs FIRST and SECOND: both meet every opponent on the same deals, in the same seats.

    The difference is paired by deal, which needs far fewer games than two separate runs. The verdict is that of the
    95 % interval of the difference, over all opponents alike. Exit code 1 if FIRST is worse; 0 if it is better or the
    two are not distinguished.
    """
    started = time.perf_counter()
    named = read_named([first, second], language, dialect_of(dialect))
    if len(named) != 2:
        raise UsageError("compare takes two different programs")
    against = read_opponents(opponents, named, language)
    played = game_for([*named, *against], game)
    options = options_of(players, rules)
    chosen = played.make_rules(options)
    agents = [seat(each, played) for each in named]
    seated = seat_opponents(against, played, chosen)
    matches = [Match(agent, (opponent,)) for agent in agents for opponent in seated]
    tell_table(played, chosen, seed)
    warm_up(played, matches, chosen)
    with Progress() as progress:
        watch = GamesPlayed(progress, games * len(matches))
        results = play_matches(played, matches, rules=chosen, seed=seed, games=games, watch=watch)
    firsts, seconds = results[: len(seated)], results[len(seated) :]
    comparisons = [compare(*pair) for pair in zip(firsts, seconds, strict=True)]
    overall = comparisons[0] if len(comparisons) == 1 else compare(pool(firsts), pool(seconds))
    if as_json:
        output.json_object(
            "gpkit/compare/1",
            seed=seed,
            seconds=time.perf_counter() - started,
            rules=options,
            results=[comparison.to_json() for comparison in comparisons],
            overall=overall.to_json(),
        )
    else:
        rows = comparisons if overall in comparisons else [*comparisons, overall]
        output.table(COLUMNS, [_cells(row) for row in rows], right=("first", "second", "difference"))
        output.say(_sentence(overall))
    return EXIT_FINDINGS if overall.verdict == "worse" else EXIT_OK


def _cells(row: Comparison) -> tuple[str, ...]:
    """The cells of one line of the table."""
    return (
        row.first.opponent,
        row.first.metric.name,
        f"{row.first.interval.mean:.4f}",
        f"{row.second.interval.mean:.4f}",
        f"{row.difference.mean:+.4f}",
        f"{row.difference.low:+.4f} to {row.difference.high:+.4f}",
        row.verdict,
        f"{row.first.games:,}",
    )


def _sentence(overall: Comparison) -> str:
    first, second = overall.first.program, overall.second.program
    if overall.verdict == "not distinguished":
        return f"{first} and {second} are not distinguished on {overall.difference.units:,} deals"
    return f"{first} is {overall.verdict} than {second}, by {abs(overall.difference.mean):.4f}"
