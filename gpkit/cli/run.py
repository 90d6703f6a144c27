"""``gpkit run``: how strong programs are, in whole games of the compiled engine."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import click

from gpkit.app.players import Pairing, computed, pair_up, played, read_named, read_opponents
from gpkit.cli import output
from gpkit.cli.matches import (
    SAMPLING,
    exact_option,
    games_option,
    ladder_option,
    opponent_option,
    players_option,
    refuse,
    rules_option,
    tell_exact,
    tell_repeats,
    tell_table,
    warm_up,
)
from gpkit.cli.options import dialect_option, game_option, json_option, language_option, seed_option
from gpkit.cli.output import announce_kernels, progress
from gpkit.core.errors import UsageError
from gpkit.core.wording import Tell, counting
from gpkit.playing.match import Result

COLUMNS = ("program", "opponent", "metric", "mean", "95 % interval", "games", "stalled", "invalid", "games/s")

LEAVE_OUT = ("games/s", "games", "metric", "stalled", "invalid")
"""Columns that a narrow terminal goes without, the least important first; no mean stands without its interval."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A result and how fast it was played, in games per second of wall time."""

    result: Result
    games_per_second: float

    def to_json(self) -> dict[str, object]:
        """The entry of ``results``."""
        return {**self.result.to_json(), "games_per_second": self.games_per_second}

    def cells(self) -> tuple[str, ...]:
        """The line of the table."""
        result, interval = self.result, self.result.interval
        return (
            result.program,
            result.opponent,
            result.metric.name,
            f"{interval.mean:.4f}",
            interval.text,
            f"{result.games:,}",
            f"{result.stalled / result.games:.1%}",
            f"{result.invalid:,}",
            f"{self.games_per_second:,.0f}",
        )


@click.command(name="run")
@click.argument("programs", nargs=-1, metavar="PROGRAM...")
@click.option(
    "--player",
    "named_players",
    multiple=True,
    metavar="NAME",
    help="A player of the game, treated like a PROGRAM; may be repeated.",
)
@game_option
@opponent_option
@games_option
@exact_option
@ladder_option
@players_option
@rules_option
@seed_option
@dialect_option
@language_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    programs: tuple[str, ...],
    named_players: tuple[str, ...],
    game: str | None,
    opponents: tuple[str, ...],
    games: int,
    exact: bool,
    ladder: bool,
    rules: dict[str, str],
    seed: int,
    dialect: dict[str, str],
    language: str | None,
    as_json: bool,
) -> None:
    """Play whole games and show how strong each PROGRAM is: a file, a folder of files, -, a player such as simple, or
    the name of a shipped program such as champion.

    Every program plays every opponent on the same deals, each deal in every seat. The interval is the 95 %
    interval of the mean, with the deal as the unit.

    A game is stalled if it was stopped because it took too long, and invalid if a program ran out of steps
    without a move, as in a loop without a shot, and so lost.
    """
    started = time.perf_counter()
    if exact:
        refuse(context, *SAMPLING)
    if not programs + named_players:
        raise UsageError("name a program file, or a player such as simple: `gpkit list opponents` shows them")
    named = read_named((*programs, *named_players), language, dialect, game=game)
    if ladder:
        from gpkit.cli.ladder_table import tell_ladders  # which needs evolution's presets

        tell_ladders(context, named, game, seed, games, as_json=as_json)
        return
    against = read_opponents(opponents, named, language, game=game)
    scheduled = [pairing for each in named for pairing in pair_up(each, against, game, rules)]
    with progress() as show:
        exactly = computed(scheduled, announce_kernels, show) if exact else []
    sampled = [] if exact else _sampled(scheduled, seed, games)
    if as_json:
        seconds = time.perf_counter() - started
        records = [result.to_json() for result in exactly] + [result.to_json() for result in sampled]
        output.json_object("gpkit/run/1", seed=seed, seconds=seconds, rules=rules, results=records)
    elif exact:
        tell_exact(exactly)
    else:
        output.table(COLUMNS, [result.cells() for result in sampled], right=COLUMNS[3:], leave_out=LEAVE_OUT)
        if any(each.result.invalid for each in sampled):
            output.tell(
                "Invalid: a program ran out of steps without a move, so it lost the game; `gpkit check` finds some of "
                "the loops that do this, and `gpkit trace` shows where it was."
            )
        for known in {each.game.name: each.game for each in scheduled}.values():
            tell_repeats([each.result for each in sampled if each.result.game == known.name], known)


def _sampled(scheduled: Sequence[Pairing], seed: int, games: int) -> Sequence[Timed]:
    """Play all matches."""
    for first in {each.game.name: each for each in scheduled}.values():
        tell_table(first.game, first.rules, seed)
        warm_up(first.game, [first.match], first.rules)
    with progress() as show:
        return [_play(each, seed, games, show) for each in scheduled]


def _play(each: Pairing, seed: int, games: int, show: Tell) -> Timed:
    """Play one match and take its time."""
    opponent = each.match.opponents[0].name
    watch = counting(show, games, f"{each.match.program.name} against {opponent}: ")
    began = time.perf_counter()
    (result,) = played([each], seed, games, watch)
    return Timed(result, result.games / (time.perf_counter() - began))
