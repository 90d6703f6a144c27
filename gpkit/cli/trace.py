"""``gpkit trace``: one game step by step."""

import sys

import click

from gpkit.app.frames import formula_text
from gpkit.app.game_setup import seat_all
from gpkit.app.traces import Traced, traced_game, transcript_traced
from gpkit.app.transcripts import SUFFIX
from gpkit.cli import output
from gpkit.cli.matches import players_option, rules_option
from gpkit.cli.options import (
    deal_option,
    dialect_option,
    game_option,
    json_option,
    language_option,
    seat_option,
    seed_option,
)
from gpkit.cli.output import progress
from gpkit.cli.terminal import Headed, Style, ascii_option, converse, table_text, typed_lines
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.core.files import STANDARD_INPUT, check_place, check_target, write_atomic
from gpkit.playing.conditions import Condition
from gpkit.playing.trace import Step, Tape
from gpkit.playing.walk import walk


@click.command(name="trace")
@click.argument("program", metavar="PROGRAM")
@game_option
@click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="OPPONENT",
    help="Player in all other seats; repeat it for one player per seat: a name, a program file, or "
    "name:argument such as pimc:100. Default: the game's first default opponent.",
)
@players_option
@rules_option
@seat_option(help="Seat of PROGRAM, from 0; the opponents sit after it.")
@seed_option
@deal_option(help="Number of the deal, among those that the seed gives `gpkit run`.")
@click.option("--until", "condition", metavar="EXPR", help="Stop at the first step where EXPR holds.")
@click.option(
    "--formula",
    is_flag=True,
    help="Show the program at every step: all nodes' values for the candidate that won, the line executed, or the rule "
    "that acted.",
)
@click.option("--step", "walking", is_flag=True, help="Step forwards and backwards; ? shows the commands.")
@click.option(
    "--html", "page", metavar="FILE", help="Write a page with the board as a picture, to step through."
)
@json_option
@ascii_option
@dialect_option
@language_option
def command(
    program: str,
    game: str | None,
    opponents: tuple[str, ...],
    rules: dict[str, str],
    seat: int,
    seed: int,
    deal: int,
    condition: str | None,
    formula: bool,
    walking: bool,
    page: str | None,
    as_json: bool,
    plain: bool,
    dialect: dict[str, str],
    language: str | None,
) -> int:
    """Follow one game of PROGRAM: every decision with its candidates or rules, their values, and the board.

    The compiled engine plays the same game on this deal. PROGRAM can also be the transcript (.json) of a game
    that a person played in the browser. EXPR compares values of a step and may use and, or, not, as in
    `mine and rank == 7 and turn > 3`; `v` in --step lists them. Exit code 1 if --until is given and EXPR
    never holds.
    """
    if sum((walking, page is not None, as_json)) > 1:
        raise UsageError("--step, --html and --json are three ways to show a game; choose one")
    if page is not None:
        check_target(page, (program, *opponents), ".html")
        check_place(page)
    if walking and STANDARD_INPUT in (program, *opponents):
        raise UsageError("--step reads its commands from standard input, so the programs must be files")
    if program.endswith(SUFFIX):
        if opponents or rules or dialect:
            raise UsageError(f"{program} already says who plays by which rules")
        traced = transcript_traced(program, condition)
    else:
        seating = seat_all(program, opponents, game=game, options=rules, language=language, dialect=dialect)
        traced = traced_game(seating, seat=seat, seed=seed, deal=deal, condition=condition, formula=formula)
    awaited = traced.condition
    output.note(traced.heading)
    style = Style.of(sys.stdout, plain=plain)
    if walking:
        return _walk(traced, style)
    if as_json:
        last = _tell_json(traced)
    elif page is not None:
        last = _write_page(traced, page)
    else:
        last = _tell_text(traced, style)
    return EXIT_OK if awaited is None or awaited.holds(last.values) else _holds_nowhere(awaited)


def _holds_nowhere(condition: Condition) -> int:
    output.note(f"{condition.text} holds in no step")
    return EXIT_FINDINGS


def _walk(traced: Traced, style: Style) -> int:
    tape = Tape(traced.trace.steps)
    first, code = 0, EXIT_OK
    if traced.condition is not None:
        found = tape.find(traced.condition, 0)
        first, code = (0, _holds_nowhere(traced.condition)) if found is None else (found.number, EXIT_OK)
    parts = walk(
        tape,
        traced.trace.vocabulary,
        typed_lines(),
        first=first,
        show=lambda step: step_text(step, formula=traced.formula),
        formula=formula_text,
    )
    converse(parts, style)
    return code


def _tell_text(traced: Traced, style: Style) -> Step:
    """Print the steps and the score of the player; gives the last step, as the other two ways to show them do."""
    for step in traced.steps():
        output.say(style.dress(step_text(step, formula=traced.formula)))
    score = step.values.get("score")
    if score is not None:
        metric = traced.seating.game.metric(traced.seating.rules).name
        output.say(style.dress(f"{metric} of {traced.name}: {score:g}"))
    return step


def step_text(step: Step, *, formula: bool) -> Headed:
    """A step: what happened, what there was to choose from, the formula if it is wanted, and the board."""
    parts = [f"step {step.number}: {step.view.words()}"]
    table = step.view.table()
    if table is not None:
        parts.append(table_text(table))
    if formula and (text := formula_text(step)):
        parts.append(text)
    return Headed("\n\n".join([*parts, step.view.board()]))


def _tell_json(traced: Traced) -> Step:
    """Print a line about the game, and one for each step."""
    output.json_line(traced.record)
    for step in traced.steps():
        output.json_line(traced.record_of(step))
    return step


def _write_page(traced: Traced, path: str) -> Step:
    """Write the page of the game."""
    steps = []
    with progress() as show:
        for step in traced.steps():
            steps.append(step)
            show(f"step {step.number}")
    write_atomic(path, traced.page_of(steps))
    output.note(f"wrote {path}: {len(steps)} steps")
    return step
