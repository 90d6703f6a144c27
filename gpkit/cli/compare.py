"""``gpkit compare``: whether one program is stronger than another, on the same deals or the rows of a table."""

import time
from functools import cache, partial

import click

from gpkit.app.contests import check_plays, compared, pair_off
from gpkit.app.players import computed, played, read_named, read_opponents
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
from gpkit.cli.options import (
    dialect_option,
    game_option,
    json_option,
    language_option,
    seed_option,
    task_option,
    words_option,
)
from gpkit.cli.output import announce_kernels, progress
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.statistics import Interval
from gpkit.core.wording import counting
from gpkit.playing.match import Result
from gpkit.playing.results import Comparison

MEANS = ("opponent", "metric", "first", "second", "difference")
COLUMNS = (*MEANS, "95 % interval", "first is", "games each")
EXACT_COLUMNS = (*MEANS, "first is")

LEAVE_OUT = ("games each", "metric", "first is", "second", "first")
"""Columns that a narrow terminal goes without, the least important first; the verdict is told below the table, too."""

PLAYING = ("game", "sensors", "opponents", "games", "exact", "players", "rules", "seed", "dialect")
"""Options that have no meaning with ``--data``."""

ROW_COLUMNS = ("metric", "first", "second", "difference", "95 % interval", "first is", "rows")


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
@click.option(
    "--data", metavar="FILE", help="Compare predictions for the rows of a CSV or Parquet file instead."
)
@click.option("--target", metavar="COLUMN", help="With --data: the column that both predict.")
@task_option(
    help="With --data: how both are read. Default: as they say, or by the target, as gpkit fit does."
)
@words_option
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
    data: str | None,
    target: str | None,
    task: str | None,
    words: tuple[str, ...],
    dialect: dict[str, str],
    language: str | None,
    as_json: bool,
) -> int:
    """Compare the programs FIRST and SECOND: both play every opponent on the same deals, in the same seats.

    The difference is paired by deal, which needs far fewer games than two separate runs. The verdict follows
    from the 95 % interval of the difference over all opponents. Exit code 1 if FIRST is worse; 0 if it is
    better or the two cannot be distinguished. With --exact the difference is computed exactly.

    With --data both predict a column of a table, and the difference is paired by row; the verdict follows from
    R², or of classes from the accuracy.
    """
    if data is not None and target is not None:
        refuse(context, PLAYING, "--data plays no games, so --{} has no meaning; leave one of the two out")
        return _on_rows(first, second, data, target, task, words, language, as_json=as_json)
    if data is not None or target is not None or task is not None or words:
        raise UsageError("rows are compared by a table and a column of it: --data FILE --target COLUMN")
    started = time.perf_counter()
    if exact:
        refuse(context, *SAMPLING)
    named = read_named([first, second], language, dialect, game=game)
    check_plays(named, "--data FILE --target COLUMN")
    if len(named) != 2:
        raise UsageError("compare needs two different programs")
    against = read_opponents(opponents, named, language, game=game)
    scheduled = pair_off(named[0], named[1], against, game, rules)
    meant, chosen = scheduled[0].game, scheduled[0].rules
    if exact:
        with progress() as show:
            found = compared(computed(scheduled, announce_kernels, show))
    else:
        tell_table(meant, chosen, seed)
        warm_up(meant, [scheduled[0].match], chosen)
        with progress() as show:
            watch = counting(show, games * len(scheduled))
            found = compared(played(scheduled, seed, games, watch))
    if as_json:
        output.json_object(
            "gpkit/compare/1",
            seed=seed,
            seconds=time.perf_counter() - started,
            rules=rules,
            results=[comparison.to_json() for comparison in found.results],
            overall=found.overall.to_json(),
        )
    else:
        columns = EXACT_COLUMNS if exact else COLUMNS
        cells = [_cells(row) for row in found.rows]
        output.table(columns, cells, right=("first", "second", "difference"), leave_out=LEAVE_OUT)
        output.tell(str(found))
        pairs = [each for row in found.rows for each in (row.first, row.second)]
        tell_repeats([each for each in pairs if isinstance(each, Result)], meant)
    return EXIT_FINDINGS if found.verdict == "worse" else EXIT_OK


def _on_rows(
    first: str,
    second: str,
    data: str,
    target: str,
    task: str | None,
    words: tuple[str, ...],
    language: str | None,
    *,
    as_json: bool,
) -> int:
    """Compare the predictions of two programs, and print the differences; returns the exit code."""
    from gpkit.app.compared_rows import compared_on
    from gpkit.app.pictures import program_or_champion  # all of which need evolution
    from gpkit.app.predictions import predictor_of
    from gpkit.data.table import read_table

    predictors = [predictor_of(program_or_champion(each, language, None)) for each in (first, second)]
    known = [each.words_for(target) for each in predictors]
    if data == STANDARD_INPUT:  # can be read only once
        known = [known[0] | known[1]] * 2
    read = cache(partial(read_table, data, words))
    found = compared_on(predictors[0], predictors[1], tuple(map(read, known)), target, task)
    for note in found.notes:
        output.note(note)
    if as_json:
        output.json_object(
            "gpkit/compare-rows/1",
            first=found.first,
            second=found.second,
            data=data,
            target=target,
            verdict=found.verdict,
            results=found.to_rows(),
            notes=list(found.notes),
        )
    else:
        cells = [
            (
                each.name,
                *(f"{mean:.4g}" for mean in (each.first.mean, each.second.mean)),
                *_difference(each.difference, "+.4g"),
                each.verdict,
                f"{each.difference.units:,}",
            )
            for each in found.differences
        ]
        output.table(
            ROW_COLUMNS,
            cells,
            right=("first", "second", "difference", "rows"),
            leave_out=("rows", "first is"),
        )
        output.tell(str(found))
    return EXIT_FINDINGS if found.verdict == "worse" else EXIT_OK


def _difference(found: Interval, form: str) -> tuple[str, str]:
    """The cells of a difference and of its interval, numbers in that format."""
    ends = f"{found.low:{form}} to {found.high:{form}}" if found.ends else "none"
    return f"{found.mean:{form}}", ends


def _cells(row: Comparison) -> tuple[str, ...]:
    """The cells of one line of the table."""
    means = (row.first.interval.mean, row.second.interval.mean)
    cells = (row.first.opponent, row.first.metric.name, *(f"{mean:.4f}" for mean in means))
    if row.is_exact:
        return (*cells, f"{row.difference.mean:+.4f}", row.verdict)
    return (
        *cells,
        *_difference(row.difference, "+.4f"),
        row.verdict,
        f"{row.first.games:,}",
    )
