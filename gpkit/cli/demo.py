"""``gpkit demo``: gpkit's own commands, one after another, as a person would type them."""

import io
import os
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Protocol, runtime_checkable

from gpkit.api.kinds import Kind
from gpkit.cli import output
from gpkit.cli.main import EXIT_BROKEN_PIPE, EXIT_KEYBOARD, carry_out
from gpkit.core.errors import EXIT_FINDINGS, EXIT_INTERRUPTED, EXIT_OK
from gpkit.core.files import new_folder
from gpkit.core.registry import DEFAULT_GAME, GAMES, form_of_game, game_entry, shipped_programs

FOLDER = "gpkit-demo"

Outcome = dict[str, Any]
"""The outcome of a step: its command, exit code, seconds, seconds spent on compiling, and the text that it printed."""

MOST_WORKERS = 4

STOPS = (EXIT_INTERRUPTED, EXIT_KEYBOARD, EXIT_BROKEN_PIPE)
"""Exit codes of a command after which no other one is begun."""

WORTH_TELLING = 0.5
"""Seconds of compilation from which on they are told."""


@dataclass(frozen=True, slots=True)
class DemoRun:
    """Part of the demo about one game.

    Attributes:
        game: its name.
        program: a shipped program that is followed.
        trace: what of a game of it is shown; ``{}`` stands for the folder.
        find: the command that finds a player, without its folder.
        champion: where in that folder the player is.
        compared: programs that are run; empty for all that are shipped.
    """

    game: str
    program: str
    find: str
    champion: str
    trace: str = "--html {}/game.html"
    compared: tuple[str, ...] = ()


@runtime_checkable
class Demonstrating(Protocol):
    """Part of the demo about one game: ``forms.demo`` beside the game."""

    FULL: DemoRun


def short_course() -> DemoRun:
    """The course of the default game."""
    course: DemoRun = game_entry(DEFAULT_GAME).part("forms.demo").SHORT
    return course


def full_courses() -> tuple[DemoRun, ...]:
    """The courses of the games of the package that have one."""
    shown = (form_of_game(Demonstrating, "demo", entry.name) for entry in GAMES)
    return tuple(each.FULL for each in shown if each is not None)


@dataclass(frozen=True, slots=True)
class Step:
    """A command of the demo: what it is for, in a sentence, and its arguments."""

    words: str
    arguments: tuple[str, ...]


COMMANDS = (
    (
        "How strong is a program? It plays whole games against the default opponents.",
        "run {compared} --game {game} --games 3000",
    ),
    ("What does {program} see, and why does it choose as it does?", "trace {program} --game {game} {trace}"),
    ("Evolve another player.", "{find} --out {here}/player"),
    ("Draw what was found.", "draw {champion} -o {here}/champion.svg"),
    (
        "Export it to Lua, and check that it plays the same in every Lua found.",
        "export {champion} --to lua -o {here}/champion.lua --check",
    ),
    ("Write a report on it, to open in a browser.", "report {here}/player -o {here}/report.html"),
)
"""The demo: what each command is for, and the command."""


def steps(course: DemoRun, folder: Path, workers: int) -> list[Step]:
    """The commands of a course.

    Args:
        course: what is shown.
        folder: where its files go.
        workers: processes that evolve.
    """
    here = shlex.quote(str(folder))
    words = {
        "game": course.game,
        "program": course.program,
        "compared": " ".join(course.compared or shipped_programs(course.game)),
        "trace": course.trace.format(here),
        "find": course.find
        + (f" --workers {workers}" if workers > 1 and course.find.startswith("evolve") else ""),
        "champion": f"{here}/player/{course.champion}",
        "here": here,
    }
    return [Step(what.format(**words), tuple(shlex.split(line.format(**words)))) for what, line in COMMANDS]


def demo(
    *,
    out: Annotated[str, Kind("DIR", completes="folder")] | None = None,
    full: bool = False,
    json: bool = False,
) -> int:
    """Demonstrate the main commands in about 20 seconds: run, trace, evolve, draw, export to Lua with a check, report.

    Every command is printed as you would type it, and its files are kept. Checking needs Lua, which comes with the
    extra `play`. Exit code 1 if any step fails; the others still run.

    Args:
        out: a new or empty folder. Default: gpkit-demo, with a number appended if it exists.
        full: demonstrate every game, which takes a few minutes.
        json: print JSON with a `schema` key.
    """
    began = time.monotonic()
    numbered = (FOLDER if number == 1 else f"{FOLDER}-{number}" for number in count(1))
    folder = new_folder(Path(out or next(name for name in numbered if not Path(name).exists())))
    outcomes: list[Outcome] = []
    for step in _all_steps(folder, full=full):
        outcomes.append(_follow(step, caught=json))
        if outcomes[-1]["code"] in STOPS:
            return int(outcomes[-1]["code"])
    seconds = time.monotonic() - began
    missing = [each for each in outcomes if each["code"] != EXIT_OK]
    if json:
        output.json_object(
            "gpkit/demo/2",
            folder=str(folder),
            seconds=seconds,
            missing=[each["command"] for each in missing],
            commands=outcomes,
        )
    else:
        _close(folder, outcomes, seconds, full=full)
    for each in missing:
        output.note(f"failed: {each['command']} (exit code {each['code']})")
    return EXIT_FINDINGS if missing else EXIT_OK


def _all_steps(folder: Path, *, full: bool) -> Iterator[Step]:
    """The commands of the short demo, or of one for each game with as many workers as there are cores."""
    affinity = getattr(os, "sched_getaffinity", lambda process: range(os.cpu_count() or 1))
    for course in full_courses() if full else (short_course(),):
        place = folder / course.game if full else folder
        place.mkdir(exist_ok=True)
        yield from steps(course, place, min(len(affinity(0)), MOST_WORKERS) if full else 1)


def _follow(step: Step, *, caught: bool) -> Outcome:
    """Run a command in this process, so that nothing is imported or compiled twice; what it prints may be caught."""
    line = shlex.join(("gpkit", *step.arguments))
    if not caught:
        output.tell(step.words)
        output.say(output.colour(f"$ {line}", "green", sys.stdout))
    from numba.core.event import install_timer

    spent = [0.0]
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    began = time.monotonic()
    with install_timer("numba:compile", spent.append), redirect_stdout(printed) if caught else nullcontext():
        code = carry_out(step.arguments)
    seconds, compiling = time.monotonic() - began, sum(spent)
    if compiling >= WORTH_TELLING:
        output.note(f"{compiling:.0f} of these {seconds:.0f} s went into compiling kernels{_once()}")
    if not caught:
        output.say("")
    return {
        "command": line,
        "code": code,
        "seconds": seconds,
        "compiling": compiling,
        "printed": printed.buffer.getvalue().decode(),
    }


def _once() -> str:
    """Says that compiled kernels are kept, where they are."""
    from gpkit.core.compiled import kernel_folder

    return "" if kernel_folder().why_nothing_is_kept() else ", which is done once"


def _close(folder: Path, outcomes: Sequence[Outcome], seconds: float, *, full: bool) -> None:
    """Print how it went, and where to go on."""
    compiling = sum(each["compiling"] for each in outcomes)
    message = f"{len(outcomes)} commands in {seconds:.0f} s; the files are in {folder}."
    if compiling >= WORTH_TELLING:
        message += f" Compiling kernels took {compiling:.0f} s of it{_once()}."
    output.tell(message)
    for each in outcomes:
        if each["code"] != EXIT_OK:
            output.say(f"FAILED: {each['command']}")
    course = next(each for each in full_courses() if each.game == DEFAULT_GAME) if full else short_course()
    champion = shlex.quote(f"{folder / DEFAULT_GAME if full else folder}/player/{course.champion}")
    next_ones = [f"play {DEFAULT_GAME} --vs {champion}", f"serve {shlex.quote(str(folder))}", "demo --full"]
    output.say("\n  gpkit ".join(["\nTry next:\n", *(next_ones[:2] if full else next_ones)]))
