"""``gpkit select``: a short rule list out of many rules, chosen by its exact win rate."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from gpkit.cli import output
from gpkit.cli.interrupts import noticed
from gpkit.cli.options import WholeNumber, json_option, seed_option
from gpkit.cli.progress import Progress, announce_kernels
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import EXIT_INTERRUPTED, EXIT_OK, UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.core.wording import counted
from gpkit.games.dots_and_boxes.exact import best_response_to
from gpkit.games.dots_and_boxes.game import check_classes
from gpkit.games.dots_and_boxes.learner.config import GAME
from gpkit.games.dots_and_boxes.learner.selection import Ascent, Selected, read_pool, select
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.languages.rulegraph.printer import print_program
from gpkit.playing.suites import Ground, Training

board_option = click.option(
    "--board", default="3x3", show_default=True, help="Columns and rows of boxes, at most 3x3."
)

list_file_option = click.option(
    "-o", "--output", "path", metavar="FILE", help="File for the list. Default: standard output."
)


Rates = Sequence[tuple[str, float]]
"""Win rates by opponent."""

SCHEMA = "gpkit/select/1"
OPPONENTS = ("safe", "safe+min", "chain", "chain+ex12")
"""Those against whom lists are measured if nobody else is named: against chain alone lists learn its habits."""


@click.command(name="select")
@click.argument("programs", nargs=-1, required=True, metavar="PROGRAM...")
@click.option(
    "--rules",
    "most",
    type=WholeNumber(1, 1000),
    default=21,
    show_default=True,
    help="The most rules in the list.",
)
@click.option(
    "--steps", type=WholeNumber(1, 10_000_000), default=10_000, show_default=True, help="Changes to try."
)
@click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="OPPONENT",
    help=f"An opponent from `gpkit list opponents`; may be repeated. Default: {', '.join(OPPONENTS)}.",
)
@click.option(
    "--refine",
    is_flag=True,
    help="Start with the given rules in their order, as many as --rules allows, instead of none.",
)
@board_option
@seed_option
@list_file_option
@json_option
def command(
    programs: tuple[str, ...],
    most: int,
    steps: int,
    opponents: tuple[str, ...],
    refine: bool,
    board: str,
    seed: int,
    path: str | None,
    as_json: bool,
) -> int:
    """Choose a short list from the rules of PROGRAMs of Dots and Boxes, and put it in order.

    Rules are added, removed, replaced and moved at random, and a change is kept unless the mean of the exact
    win rates against the opponents falls. `gpkit learn dots_and_boxes small` makes rules that are worth
    choosing from. With --refine --rules 1000 a learned population gets a better order and keeps the rules
    that it needs. If interrupted, it writes the list so far.
    """
    for name in opponents:
        if name not in POLICIES:
            raise UsageError(f"there is no opponent `{name}`; {suggestion(name, POLICIES)}")
    if path is not None:
        check_place(path)
    rules = Rules.from_options({"board": board})
    check_classes(rules)
    pool = read_pool(programs)
    against = opponents or OPPONENTS
    announce_kernels("dots_and_boxes")
    output.note(f"choosing from {counted(len(pool.rules), 'rule')} in {counted(steps, 'step')}, seed {seed}")
    with Progress() as progress, noticed() as interrupted:
        found = select(
            pool,
            against,
            rules,
            Ascent(most, steps, seed, refine),
            watch=lambda step, rate: progress.update(f"{counted(step, 'step')}: {rate:.4f}"),
            stop=interrupted,
        )
    tried = counted(found.steps, "step")
    if not found.rules.rules:
        raise UsageError(f"after {tried} no rule does better than none: try more --steps")
    if found.steps < steps:
        output.note(f"interrupted after {tried}: this is the list so far")
    names = " ".join(Path(program).name for program in programs)
    title = f"{'refined' if refine else 'chosen'} from {names} in {tried}, seed {seed}"
    text = print_program(found.rules, _header(found, against, rules, title))
    fields = {"board": board, "seed": seed, "steps": found.steps, "rules": len(found.rules.rules)}
    put_list(text, path, {"schema": SCHEMA, **fields}, _rates(found, against), as_json=as_json)
    return EXIT_INTERRUPTED if found.steps < steps else EXIT_OK


def put_list(text: str, path: str | None, record: Mapping[str, Any], rates: Rates, *, as_json: bool) -> None:
    """Write a list of rules to its file, and print what was found as JSON, or the list where it has no file."""
    if path is not None:
        write_atomic(Path(path), text)
    if as_json:
        output.json_object(**record, rates=dict(rates))
    elif path is None:
        output.say(text.rstrip("\n"))
    else:
        output.note(f"wrote {path}: {counted(record['rules'], 'rule')}, {rates_text(rates)}")


def rates_text(rates: Rates) -> str:
    """Win rates behind the opponents that they are against."""
    return ", ".join(f"{name} {rate:.4f}" for name, rate in rates)


def _rates(found: Selected, opponents: Sequence[str]) -> Rates:
    return list(zip(opponents, found.rates, strict=True))


def _header(found: Selected, opponents: Sequence[str], rules: Rules, title: str) -> dict[str, str]:
    board = rules.to_options()["board"]
    return {
        "game": GAME,
        "title": title,
        "board": board,
        "trained": str(Training((Ground(tuple(opponents), {"board": board}),))),
        "rates": rates_text(_rates(found, opponents)),
        "best-response": best_response_to(found.rules, rules).text,
    }
