"""``gpkit select``: a short rule list out of many rules, chosen by its exact win rate."""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from gpkit.cli import output
from gpkit.cli.interrupts import noticed
from gpkit.cli.options import Command, WholeNumber, json_option, seed_option
from gpkit.cli.output import announce_kernels, progress
from gpkit.core.diagnostics import check_known
from gpkit.core.errors import EXIT_INTERRUPTED, EXIT_OK, UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.core.wording import counted
from gpkit.games.dots_and_boxes.exact import best_response_text
from gpkit.games.dots_and_boxes.game import check_classes
from gpkit.games.dots_and_boxes.learner.config import GAME
from gpkit.games.dots_and_boxes.learner.selection import Ascent, read_pool, select
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.printer import print_program
from gpkit.playing.evaluation import Ground, Training

board_option = click.option(
    "--board", default="3x3", show_default=True, help="Columns and rows of boxes, at most 3x3."
)

list_file_option = click.option(
    "-o", "--output", "path", metavar="FILE", help="File for the list. Default: standard output."
)


def rules_option(default: int) -> Callable[[Command], Command]:
    """The option for the most rules in a list."""
    return click.option(
        "--rules",
        "most",
        type=WholeNumber(1, 1000),
        default=default,
        show_default=True,
        help="The most rules in the list.",
    )


OPPONENTS = ("safe", "safe+min", "chain", "chain+ex12")
"""Those against whom lists are measured if nobody else is named: against chain alone lists learn its habits."""


@click.command(name="select")
@click.argument("programs", nargs=-1, required=True, metavar="PROGRAM...")
@rules_option(21)
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
    """Choose a short list from the rules of one or more PROGRAMs, and put it in order.

    Rules are added, removed, replaced and moved at random, and a change is kept unless the mean of the exact
    win rates against the opponents falls. `gpkit learn dots_and_boxes small` makes rules that are worth
    choosing from. With --refine --rules 1000 a learned population gets a better order and keeps only
    the rules that it needs. If interrupted, it writes the list so far.
    """
    for name in opponents:
        check_known("opponent", name, POLICIES)
    if path is not None:
        check_place(path)
    rules = Rules.from_options({"board": board})
    check_classes(rules)
    pool = read_pool(programs)
    against = opponents or OPPONENTS
    announce_kernels("dots_and_boxes")
    output.note(f"choosing from {counted(len(pool.rules), 'rule')} in {counted(steps, 'step')}, seed {seed}")
    with progress() as show, noticed() as interrupted:
        found = select(
            pool,
            against,
            rules,
            Ascent(most, steps, seed, refine),
            watch=lambda step, rate: show(f"{counted(step, 'step')}: {rate:.4f}"),
            stop=interrupted,
        )
    verb = "refined" if refine else "chosen"
    rates = list(zip(against, found.rates, strict=True))
    training = Training((Ground(tuple(against), {"board": board}),))
    return finish_list(verb, "step", found.steps, found.rules, rates, rates, training)


Rates = Sequence[tuple[str, float]]
"""Win rates by opponent, in their order."""


def rates_text(rates: Rates) -> str:
    """Win rates in words."""
    return ", ".join(f"{name} {rate:.4f}" for name, rate in rates)


def finish_list(
    verb: str, unit: str, done: int, rules: RuleList, rates: Rates, exact: Rates, training: Training
) -> int:
    """Write and print a list as the options of the running command say; gives the exit code.

    Args:
        verb: what was done to the rules of its programs.
        unit: of the work, the option for which has an s.
        done: units of work.
        rules: the list.
        rates: those that are printed.
        exact: those of them that its header has.
        training: by what it was made.

    Raises:
        UsageError: it has no rules.
    """
    context = click.get_current_context()
    given, tried = context.params, counted(done, unit)
    if not rules.rules:
        raise UsageError(f"after {tried} no rule does better than none: try more --{unit}s")
    is_interrupted = done < given[f"{unit}s"]
    if is_interrupted:
        output.note(f"interrupted after {tried}: this is the list so far")
    board, seed, path = given["board"], given["seed"], given["path"]
    names = " ".join(Path(program).name for program in given["programs"])
    header = {
        "game": GAME,
        "title": f"{verb} from {names} in {tried}, seed {seed}",
        "board": board,
        "trained": str(training),
        "rates": rates_text(exact),
        "best-response": best_response_text(rules, Rules.from_options({"board": board})),
    }
    text = print_program(rules, header)
    if path is not None:
        write_atomic(Path(path), text)
    if given["as_json"]:
        numbers = {f"{unit}s": done, "rules": len(rules.rules), "rates": dict(rates), "program": text}
        output.json_object(f"gpkit/{context.command.name}/1", board=board, seed=seed, **numbers)
    elif path is None:
        output.say(text.rstrip("\n"))
    else:
        output.note(f"wrote {path}: {counted(len(rules.rules), 'rule')}, {rates_text(rates)}")
    return EXIT_INTERRUPTED if is_interrupted else EXIT_OK
