"""``gpkit compare``: whether one program is stronger than another, on the same deals."""

import time
from collections.abc import Sequence
from typing import Any

import click

from gpkit.app.players import Named, game_for, read_named, read_opponents, seat
from gpkit.app.watching import counting
from gpkit.cli import output
from gpkit.cli.matches import (
    SAMPLING,
    exact_option,
    games_option,
    opponent_option,
    players_option,
    refuse,
    rules_option,
    tell_repeats,
    tell_table,
    warm_up,
)
from gpkit.cli.options import dialect_option, game_option, json_option, language_option, seed_option
from gpkit.cli.progress import Progress, announce_kernels
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.gamekit.game import Game
from gpkit.playing.match import Match, Result, play_matches
from gpkit.playing.results import Comparison, check_exact, compare, expect_match, pool, pool_exact

MEANS = ("opponent", "metric", "first", "second", "difference")
COLUMNS = (*MEANS, "95 % interval", "first is", "games each")
EXACT_COLUMNS = (*MEANS, "first is")

LEAVE_OUT = ("games each", "metric", "first is", "second", "first")
"""Columns that a narrow terminal goes without, the least important first; the verdict is told below the table, too."""


@click.command(name="compare")
@click.argument("first")
@click.argument("second")
@game_option
@opponent_option
@games_option
@exact_option
@players_option
@rules_option
@seed_option
@dialect_option
@language_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    first: str,
    second: str,
    game: str | None,
    opponents: tuple[str, ...],
    games: int,
    exact: bool,
    rules: dict[str, str],
    seed: int,
    dialect: dict[str, str],
    language: str | None,
    as_json: bool,
) -> int:
    """Compare the programs FIRST and SECOND: both play every opponent on the same deals, in the same seats.

    The difference is paired by deal, which needs far fewer games than two separate runs. The verdict follows
    from the 95 % interval of the difference over all opponents. Exit code 1 if FIRST is worse; 0 if it is
    better or the two cannot be distinguished. With --exact the difference is computed exactly.
    """
    started = time.perf_counter()
    if exact:
        refuse(context, *SAMPLING)
    named = read_named([first, second], language, dialect, game=game)
    if len(named) != 2:
        raise UsageError("compare needs two different programs")
    against = read_opponents(opponents, named, language, game=game)
    played = game_for([*named, *against], game)
    chosen = played.make_rules(rules)
    firsts = [seat(each, played) for each in named]
    seated = [seat(each, played) for each in against or map(Named, played.rivals(chosen))]
    matches = [Match(player, (opponent,)) for player in firsts for opponent in seated]
    results = _computed(played, matches, chosen) if exact else _sampled(played, matches, chosen, seed, games)
    half, together = len(results) // 2, pool_exact if exact else pool
    mine, others = results[:half], results[half:]
    comparisons = [compare(*pair) for pair in zip(mine, others, strict=True)]
    overall = comparisons[0] if half == 1 else compare(together(mine), together(others))
    if as_json:
        output.json_object(
            "gpkit/compare/1",
            seed=seed,
            seconds=time.perf_counter() - started,
            rules=rules,
            results=[comparison.to_json() for comparison in comparisons],
            overall=overall.to_json(),
        )
    else:
        rows = comparisons if overall in comparisons else [*comparisons, overall]
        columns = EXACT_COLUMNS if exact else COLUMNS
        cells = [_cells(row) for row in rows]
        output.table(columns, cells, right=("first", "second", "difference"), leave_out=LEAVE_OUT)
        output.tell(_sentence(overall))
        pairs = [each for row in rows for each in (row.first, row.second)]
        tell_repeats([each for each in pairs if isinstance(each, Result)], played)
    return EXIT_FINDINGS if overall.verdict == "worse" else EXIT_OK


def _sampled(game: Game, matches: Sequence[Match], rules: Any, seed: int, games: int) -> list[Any]:
    """The results of all matches, from games."""
    tell_table(game, rules, seed)
    warm_up(game, matches, rules)
    with Progress() as progress:
        watch = counting(progress.update, games * len(matches))
        return play_matches(game, matches, rules=rules, seed=seed, games=games, watch=watch)


def _computed(game: Game, matches: Sequence[Match], rules: Any) -> list[Any]:
    """The results of all matches, computed; what cannot be computed is refused before anything is."""
    for match in matches:
        check_exact(game, match, rules)
    announce_kernels(game.name)
    return [expect_match(game, match, rules) for match in matches]


def _cells(row: Comparison) -> tuple[str, ...]:
    """The cells of one line of the table."""
    means = (row.first.interval.mean, row.second.interval.mean)
    cells = (row.first.opponent, row.first.metric.name, *(f"{mean:.4f}" for mean in means))
    if row.is_exact:
        return (*cells, f"{row.difference.mean:+.4f}", row.verdict)
    return (
        *cells,
        f"{row.difference.mean:+.4f}",
        f"{row.difference.low:+.4f} to {row.difference.high:+.4f}" if row.difference.ends else "none",
        row.verdict,
        f"{row.first.games:,}",
    )


def _sentence(overall: Comparison) -> str:
    first, second = overall.first.program, overall.second.program
    if overall.is_exact:
        if overall.verdict == "equally good":
            return f"{first} and {second} are equally good"
        better, difference = f"{first} is {overall.verdict} than {second}", abs(overall.difference.mean)
        return f"{better}, by {difference:.4g}, computed exactly"
    if overall.verdict == "not distinguished":
        units = overall.difference.units
        return f"{first} and {second} cannot be distinguished on {units:,} deal{'s' if units != 1 else ''}"
    return f"{first} is {overall.verdict} than {second}, by {abs(overall.difference.mean):.4f}"
