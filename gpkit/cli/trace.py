"""``gpkit trace``: one game step by step."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import click

from gpkit.app.frames import formula_text, frame_of, replay_of
from gpkit.app.game_setup import Seating, check_seat, seat_all
from gpkit.app.transcripts import SUFFIX, read_transcript, seating_of
from gpkit.cli import output
from gpkit.cli.matches import players_option, rules_option
from gpkit.cli.options import (
    WholeNumber,
    dialect_option,
    game_option,
    json_option,
    language_option,
    seat_option,
    seed_option,
)
from gpkit.cli.progress import Progress
from gpkit.cli.terminal import Headed, Style, ascii_option, converse, table_text, typed_lines
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.core.files import STANDARD_INPUT, check_place, check_target, write_atomic
from gpkit.core.registry import language_entry
from gpkit.draw.page import Section, listing, page, paragraph
from gpkit.draw.replay import Frame
from gpkit.langkit.language import Language
from gpkit.playing.conditions import Condition, read_condition
from gpkit.playing.default_trace import trace_game
from gpkit.playing.match import deal_of
from gpkit.playing.trace import Step, Tape, Trace, until
from gpkit.playing.transcript import trace_session
from gpkit.playing.walk import walk

SCHEMA = "gpkit/trace/1"


@dataclass(frozen=True, slots=True)
class Traced:
    """A trace and what is said about it: the seating, the seed and the number of the deal, how far it is followed."""

    trace: Trace
    seating: Seating
    seed: int
    deal: int
    condition: Condition | None
    formula: bool

    @property
    def name(self) -> str:
        """Name of the player who is followed."""
        return self.trace.names[self.trace.seat]

    @property
    def heading(self) -> str:
        """The players and the deal in a sentence."""
        others = ", ".join(name for seat, name in enumerate(self.trace.names) if seat != self.trace.seat)
        against = f" against {others}" if others else ""
        return (
            f"{self.seating.game.name}: {self.name} in seat {self.trace.seat}{against}; "
            f"seed {self.seed}, deal {self.deal}"
        )

    @property
    def text(self) -> str:
        """The program as the text of a file: as it is written, or with the switches in use where it has dialects.

        Empty where no program decides.
        """
        deciding = self.seating.players[0].decider
        if deciding is None:
            return ""
        language: Language = language_entry(deciding.program.language).load()
        if not language.switches:
            return str(deciding.source.text)
        return language.print_program(deciding.program, deciding.header)

    @property
    def parts(self) -> Mapping[str, Any]:
        """The parts of the program as its language tells them; none where no program decides."""
        deciding = self.seating.players[0].decider
        if deciding is None:
            return {}
        language: Language = language_entry(deciding.program.language).load()
        return language.parts(deciding.source)

    def steps(self) -> Iterator[Step]:
        """The steps to show."""
        steps = self.trace.steps
        return steps if self.condition is None else until(steps, self.condition)


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
@click.option(
    "--deal",
    type=WholeNumber(0, 10_000_000),
    default=0,
    show_default=True,
    help="Number of the deal, among those that the seed gives `gpkit run`.",
)
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
        transcript, session = read_transcript(program)
        seating, trace = seating_of(transcript.rules, session), trace_session(session)
        seed, deal, formula = transcript.seed, transcript.deal, False
    else:
        seating = seat_all(program, opponents, game=game, options=rules, language=language, dialect=dialect)
        check_seat(seat, len(seating.players))
        deals = deal_of(seating.game, seating.rules, seed, deal)
        trace = trace_game(seating.game.name, seating.players, deals, seating.rules, seat=seat)
    awaited = None if condition is None else read_condition(condition, trace.vocabulary)
    traced = Traced(trace, seating, seed, deal, awaited, formula)
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
    seating = traced.seating
    output.json_line(
        {
            "schema": SCHEMA,
            "kind": "game",
            "game": seating.game.name,
            "program": seating.players[0].name,
            "players": traced.trace.names,
            "seat": traced.trace.seat,
            "seed": traced.seed,
            "deal": traced.deal,
            "rules": seating.options,
            "sections": traced.parts,
        }
    )
    for step in traced.steps():
        record = {"schema": SCHEMA, "kind": "step", "step": step.number, "words": step.view.words()}
        nodes = {"nodes": _nodes(step)} if traced.formula and step.winner else {}
        values = {name: value for name, value in step.values.items() if value is not None}
        output.json_line({**record, **step.view.record(), **nodes, "values": values})
    return step


def _nodes(step: Step) -> list[dict[str, object]]:
    """Every node of the winner's formula by position, with its value; of a tree the kind of node, null if passed by."""
    assert step.winner is not None
    values = step.winner.node_values()
    symbols = step.winner.tree.symbols
    return [
        {
            "node": k,
            "symbol": symbol
            if isinstance(symbol, str | float)
            else getattr(symbol, "word", type(symbol).__name__.lower()),
            "value": values.get(k),
        }
        for k, symbol in enumerate(symbols)
    ]


def _write_page(traced: Traced, path: str) -> Step:
    """Write the page of the game."""
    frames: list[Frame] = []
    with Progress() as progress:
        for step in traced.steps():
            frames.append(frame_of(step, formula=traced.formula))
            progress.update(f"step {step.number}")
    game = Section("The game", (paragraph(traced.heading), replay_of(frames)))
    text = [Section("The program", (listing(traced.text),))] if traced.text else []
    write_atomic(path, page(f"A game of {traced.name}", "", [game, *text]))
    output.note(f"wrote {path}: {len(frames)} steps")
    return step
