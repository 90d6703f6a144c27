"""Options of the commands that let programs play, and what they say before the games begin and after them."""

from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from gpkit.cli.options import WholeNumber
from gpkit.cli.output import note, table, tell
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_of
from gpkit.gamekit.game import BEST_RESPONSE, Game
from gpkit.gamekit.options import chosen_rules
from gpkit.playing.evaluation import HeldOutTable, Row
from gpkit.playing.match import Result
from gpkit.playing.results import ExactResult, Strength
from gpkit.playing.series import Series
from gpkit.user_games.rules import OPENING

MAX_GAMES = 10_000_000

MAX_SERIES = 10_000

programs_argument = click.argument("programs", nargs=-1, required=True, metavar="PROGRAM...")

games_option = click.option(
    "--games",
    type=WholeNumber(1, MAX_GAMES),
    default=10_000,
    show_default=True,
    help="Games of each match, rounded up to whole deals: every deal is played in every seat.",
)

exact_option = click.option(
    "--exact",
    is_flag=True,
    help="Compute the expected result over all positions or deals instead of playing games, where a game is "
    "small enough: dots_and_boxes on boards of up to 3x3 boxes, mastermind, and small games of your own.",
)

ladder_option = click.option(
    "--ladder",
    is_flag=True,
    help="Measure each PROGRAM on the held-out table of its game: what it was trained on, and other opponents, "
    "rules and deals. --seed seeds the first set of deals; --games limits the games of a row.",
)

opponent_option = click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="OPPONENT",
    help="Player in all other seats: a name, a program file, or name:argument such as pimc:100. Repeat "
    "it for more matches. Default: the game's default opponents.",
)

players_option = click.option(
    "--players", is_eager=True, metavar="N", help="Number of players; short for --rules players=N."
)

rules_option = click.option(
    "--rules",
    metavar="KEY=VALUE",
    multiple=True,
    callback=lambda context, parameter, values: chosen_rules(context.params.pop("players", None), values),
    help="Set a rule of the game, one of `gpkit list rules`; may be repeated.",
)
"""The option --rules, to which that of --players belongs: all rules that are set, as texts."""

SAMPLING = ("games", "seed"), "--exact plays no games; leave out --{}"
"""Options that have no meaning with ``--exact``, and what is said of them."""


def is_given(context: click.Context, name: str) -> bool:
    """Whether an option stands on the command line."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def refuse(context: click.Context, names: Sequence[str], message: str) -> None:
    """Check that none of these options was given, which have no meaning beside another one.

    Raises:
        UsageError: one was; the message has its name for ``{}``.
    """
    for name in names:
        if is_given(context, name):
            raise UsageError(message.format("opponent" if name == "opponents" else name))


def tell_repeats(results: Sequence[Result | Row | Series], game: Game) -> None:
    """Note below a table that few of its games differ, if so, and what makes them differ.

    Args:
        results: of the lines of the table.
        game: that is played.
    """
    few = [
        each.different_games
        for each in results
        if each.different_games is not None and each.different_games < each.games
    ]
    if not few:
        return
    least, most = min(few), max(few)
    if most == 1:
        tell("all games are the same, as nothing is random")
        return
    number = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    lines = "" if len(few) == len(results) else f" in {len(few)} of {len(results)} rows"
    ways = ["--rules opening=N"] if any(each.name == OPENING for each in game.options) else []
    if game.exact is not None:
        ways.append("--exact")
    tell(f"{number} different games{lines}{'; use ' if ways else ''}{' or '.join(ways)}")


def tell_table(game: Game, rules: Any, seed: int) -> None:
    """Print on standard error what is played."""
    players = game.players(rules)
    even = f"; an even share is {1 / players:.3f}" if game.metric(rules).is_share else ""
    seats = f"{players} players" if game.seatings(rules) > 1 else "one player"
    note(f"{game.name}: {seats}, seed {seed}{even}")


def tell_exact(results: Sequence[ExactResult]) -> None:
    """Print exact results, by who moves first if that matters in every one of them, otherwise with their details.

    What the best response to a program wins is said once for each below the table.
    """
    heads, found = ("program", "opponent", "metric", "mean"), [each.expected for each in results]
    rows = [(each.program, each.opponent, each.metric.name, f"{each.expected.mean:.4f}") for each in results]
    if all(len(each.seatings) > 1 for each in found):
        turns = ("moving first", "moving second")
        known = tuple(name for name in found[0].details if name != BEST_RESPONSE) if found else ()
        by_turns = [
            row + tuple(f"{score:.4f}" for score in (*each.seatings, *(each.details[name] for name in known)))
            for row, each in zip(rows, found, strict=True)
        ]
        numbers = (*turns, *known)
        table(heads + numbers, by_turns, right=("mean", *numbers), leave_out=("metric", *turns))
    else:
        detailed = [(*row, each.details_in_words) for row, each in zip(rows, results, strict=True)]
        table((*heads, "and"), detailed, right=("mean",), texts=("and",), leave_out=("metric",))
    won = {each.program: each.expected.details.get(BEST_RESPONSE) for each in results}
    for program, scores in won.items():
        if isinstance(scores, list):
            first, second = (f"{score:.4f}" for score in scores)
            tell(f"The best response to {program} wins {first} moving first and {second} moving second.")


def tell_held_out(found: HeldOutTable, against: str = "against") -> None:
    """Print the rows of a table, if there are any, and whether few of their games differ.

    Args:
        found: the table.
        against: the heading of the opponents.
    """
    if found.rows:
        heads = (against, *found.heads[1:])
        leave_out = [name for name in heads if name == "games"]  # a narrow terminal goes without it
        table(heads, found.lines, right=heads[3:], texts=("rules",), leave_out=leave_out)
        game: Game = game_of(found.game)
        tell_repeats(found.rows, game)


def tell_strengths(strengths: Sequence[Strength], found: HeldOutTable) -> None:
    """Print what the champion of a run reaches.

    Args:
        strengths: its results against the opponents of the run.
        found: the table of these results and the quick trials.
    """
    exact = [result for result in strengths if isinstance(result, ExactResult)]
    if exact:
        tell_exact(exact)
    tell_held_out(found.beyond(len(exact)), "champion against")
