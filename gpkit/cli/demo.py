"""``gpkit demo``: everything that gpkit is for, in about two minutes."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

import click

from gpkit.app.demo_agents import AGENTS
from gpkit.app.demo_parts import PROGRAMS, REPORT, Made, Part, Place, Shown, play_programs, write_report
from gpkit.app.demo_trees import TREES
from gpkit.app.files import new_folder
from gpkit.app.showcase import SHOWCASES, showcase_parts
from gpkit.app.watching import Tell
from gpkit.cli import output
from gpkit.cli.options import WholeNumber, json_option
from gpkit.cli.progress import Progress, announce_compilation
from gpkit.cli.tables import Table, plain_lines
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, GpkitError

FOLDER = "gpkit-demo"

MOST_WORKERS = 4

PARTS = (
    Part(PROGRAMS, "Programs that come along", (), play_programs),
    *(part for showcase in SHOWCASES for part in showcase_parts(showcase)),
    AGENTS,
    TREES,
    Part(REPORT, "One page", tuple(showcase.part("strength") for showcase in SHOWCASES), write_report),
)
"""In the order in which they are made."""


@contextmanager
def _progress() -> Iterator[Tell]:
    with Progress() as line:
        yield line.update


def _table(made: Made) -> Table:
    """The table of a part for lines of text; fractions have four digits after the point."""
    right = [name for name, cell in zip(made.columns, made.rows[0], strict=True) if not isinstance(cell, str)]
    rows = [[_cell(cell) for cell in row] for row in made.rows]
    return Table(made.columns, rows, right, leave_out=("metric",))


def _cell(cell: str | int | float) -> str:
    if isinstance(cell, str):
        return cell
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:.4f}"


TERMINAL = Shown(_progress, announce_compilation, time.monotonic, lambda made: plain_lines(_table(made)))
"""The demo as a terminal shows it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a part: what it made, if anything, why it is missing, and the seconds that it took."""

    part: Part
    made: Made | None
    problem: str
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether nothing is missing."""
        return not self.problem


@click.command(name="demo")
@click.option(
    "--out",
    metavar="DIR",
    help=f"A new or empty folder. Default: {FOLDER}, or with a number after it if that is there already.",
)
@click.option("--seed", type=WholeNumber(min=0), default=1, show_default=True, help="Of all chance.")
@click.option("--generations", type=WholeNumber(min=0), help="Of evolution: fewer are quicker, and weaker.")
@click.option(
    "--workers",
    metavar="N",
    help=f"Processes that evolve; the result is the same. Default: one for each core, at most {MOST_WORKERS}.",
)
@click.option("--all", "everything", is_flag=True, help="Print the tables of all results, too.")
@json_option
def command(
    out: str | None,
    seed: int,
    generations: int | None,
    workers: str | None,
    everything: bool,
    as_json: bool,
) -> int:
    """Show everything in about two minutes: programs run, evolved, drawn, exported to Lua and proved equal, on a page.

    Exit code 1 if any part is missing; the others are made all the same.
    """
    began = time.monotonic()
    folder = new_folder(Path(out) if out else _unused(FOLDER))
    output.note(f"gpkit demo in {folder}, seed {seed}")
    place = Place(folder, seed, generations, workers or str(_cores()), TERMINAL, tuple(sys.argv[1:]))
    outcomes = make(place, PARTS)
    missing = [outcome for outcome in outcomes if not outcome.ok]
    seconds = time.monotonic() - began
    if as_json:
        output.json_object(
            "gpkit/demo/1",
            folder=str(folder),
            seed=seed,
            seconds=seconds,
            missing=[outcome.part.name for outcome in missing],
            parts=[_record(outcome) for outcome in outcomes],
        )
    else:
        _tell(folder, outcomes, seconds, everything=everything)
    for outcome in missing:
        output.note(f"missing: {outcome.part.name}: {outcome.problem}")
    return EXIT_FINDINGS if missing else EXIT_OK


def _unused(name: str) -> Path:
    """The folder of that name, or with the first number after it that makes it one that is not there."""
    path, number = Path(name), 1
    while path.exists():
        number += 1
        path = Path(f"{name}-{number}")
    return path


def make(place: Place, parts: Sequence[Part]) -> list[Outcome]:
    """Make the parts, one after another; one that fails leaves out those that need it and no others."""
    outcomes: list[Outcome] = []
    for number, part in enumerate(parts, start=1):
        output.note(f"[{number}/{len(parts)}] {part.title}")
        outcome = _make(place, part, outcomes)
        outcomes.append(outcome)
    return outcomes


def _make(place: Place, part: Part, before: list[Outcome]) -> Outcome:
    began = time.monotonic()
    made = {outcome.part.name: outcome.made for outcome in before if outcome.made is not None}
    lacking = [
        outcome.part.name for outcome in before if outcome.part.name in part.needs and not outcome.made
    ]
    if lacking:
        return Outcome(part, None, f"{lacking[0]} is missing", 0.0)
    try:
        result = part.make(place, made)
    except GpkitError as error:
        return Outcome(part, None, str(error), time.monotonic() - began)
    return Outcome(part, result, result.problem, time.monotonic() - began)


def _record(outcome: Outcome) -> dict[str, object]:
    made = outcome.made
    return {
        "name": outcome.part.name,
        "ok": outcome.ok,
        "problem": outcome.problem or None,
        "seconds": outcome.seconds,
        "summary": made.summary if made else None,
        "files": made.files if made else (),
        "data": made.data if made else None,
    }


def _tell(folder: Path, outcomes: list[Outcome], seconds: float, *, everything: bool) -> None:
    """Print the files made, those missing, and where to go on; then, if it is asked for, all tables."""
    made = [outcome.made for outcome in outcomes if outcome.made is not None]
    shown = [pair for one in (*made[-1:], *made[:-1]) for pair in one.shown]  # the page is made last
    width = max((len(name) for name, _ in shown), default=0)
    output.say(f"Made in {folder} in {seconds:.0f} s:\n")
    for name, words in shown:
        output.say(f"  {name.ljust(width)}  {words}")
    for outcome in outcomes:
        if not outcome.ok:
            output.say(f"  MISSING: {outcome.part.name}")
    if then := [command for one in made for command in one.then]:
        output.say("\nGo on with:\n")
        for command in (*then, f"gpkit serve {quote(str(folder))}"):
            output.say(f"  {command}")
    if everything:
        for one in made:
            if one.columns:
                each = _table(one)
                output.say("")
                output.table(each.columns, each.rows, right=each.right, leave_out=each.leave_out)


def _cores() -> int:
    """The cores that this process may use, as far as they help."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, min(cores, MOST_WORKERS))
