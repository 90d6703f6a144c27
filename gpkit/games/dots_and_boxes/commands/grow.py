"""``gpkit grow``: a stronger rule list out of a weaker one, by the least of its win rates."""

from collections.abc import Sequence

import click

from gpkit.cli import output
from gpkit.cli.interrupts import noticed
from gpkit.cli.options import WholeNumber, json_option, seed_option
from gpkit.cli.output import announce_kernels, progress
from gpkit.core.errors import UsageError
from gpkit.core.files import check_place
from gpkit.core.wording import counted
from gpkit.games.dots_and_boxes.commands.select import (
    Rates,
    board_option,
    finish_list,
    list_file_option,
    rates_text,
    rules_option,
)
from gpkit.games.dots_and_boxes.game import check_classes
from gpkit.games.dots_and_boxes.learner.growth import Growth, Listed, grow
from gpkit.games.dots_and_boxes.learner.mixture import Mixture, TargetRate, read_target_rate
from gpkit.games.dots_and_boxes.learner.selection import read_pool
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.genomes.graph import RuleList
from gpkit.playing.evaluation import Ground, Training

OPPONENTS = ("chain=0.93", "greedy=0.97", "optimal=0.2")
"""Those against whom lists grow if nobody else is named, with floors that are about equally hard to be above."""


@click.command(name="grow")
@click.argument("programs", nargs=-1, required=True, metavar="PROGRAM...")
@rules_option(300)
@click.option(
    "--nodes",
    type=WholeNumber(1, 25),
    default=25,
    show_default=True,
    help="The most boxes and chains in a new rule.",
)
@click.option(
    "--rounds", type=WholeNumber(1, 100_000), default=100, show_default=True, help="Changes to try."
)
@click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="NAME[=RATE][@BOARD]",
    help="An opponent, the win rate to beat, and the board if it differs; may be repeated. Default: "
    f"{', '.join(OPPONENTS)}.",
)
@board_option
@click.option(
    "--games",
    type=WholeNumber(2, 1_000_000),
    default=2000,
    show_default=True,
    help="Games on each of the other boards, the same for all lists.",
)
@seed_option
@list_file_option
@json_option
def command(
    programs: tuple[str, ...],
    most: int,
    nodes: int,
    rounds: int,
    opponents: tuple[str, ...],
    board: str,
    games: int,
    seed: int,
    path: str | None,
    as_json: bool,
) -> int:
    """Grow a stronger rule list from the rules of one or more PROGRAMs.

    The list starts with the rules in their order, as many as --rules allows. Where it loses most, rules are
    cut out of positions and mutated, and the best of them are added or replace others. The objective is the
    smallest exact win rate, each less the RATE of its opponent; on larger BOARDs, win rates are measured over
    --games. If interrupted, it writes the list so far.
    """
    if path is not None:
        check_place(path)
    rules = Rules.from_options({"board": board})
    check_classes(rules)
    target_rates = [read_target_rate(text) for text in opponents or OPPONENTS]
    if all(target_rate.board is not None for target_rate in target_rates):
        raise UsageError(f"growing needs an exact win rate: name an opponent on {board}, too")
    pool = read_pool(programs)
    announce_kernels("dots_and_boxes")
    output.note(f"growing from {counted(len(pool.rules), 'rule')} in {counted(rounds, 'round')}, seed {seed}")
    with progress() as show, noticed() as interrupted:
        found, done = grow(
            pool,
            Mixture(target_rates, rules, games, seed),
            rules,
            Growth(most, nodes, rounds, seed),
            watch=lambda number, now: show(
                f"{counted(number, 'round')}: {counted(len(now.rules), 'rule')}, "
                + rates_text(_rates(now, target_rates))
            ),
            stop=interrupted,
        )
    rates = _rates(found, target_rates)
    exact = [pair for pair, each in zip(rates, target_rates, strict=True) if each.board is None]
    training = _training(target_rates, board)
    return finish_list("grown", "round", done, RuleList(found.rules), rates, exact, training)


def _rates(found: Listed, target_rates: Sequence[TargetRate]) -> Rates:
    return [(str(each), rate) for each, rate in zip(target_rates, found.rates, strict=True)]


def _training(target_rates: Sequence[TargetRate], board: str) -> Training:
    """All that a list was grown by, by board."""
    by_board: dict[str, list[str]] = {}
    for target_rate in target_rates:
        place = board if target_rate.board is None else target_rate.board.to_options()["board"]
        by_board.setdefault(place, []).append(target_rate.opponent)
    return Training(tuple(Ground(tuple(names), {"board": place}) for place, names in by_board.items()))
