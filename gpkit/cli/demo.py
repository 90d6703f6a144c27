"""``gpkit demo``: gpkit's own commands, one after another, as a person would type them."""

import io
import os
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, redirect_stdout, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from gpkit.api.kinds import Kind
from gpkit.cli import output
from gpkit.cli.main import EXIT_BROKEN_PIPE, EXIT_KEYBOARD, carry_out
from gpkit.core.errors import EXIT_FINDINGS, EXIT_INTERRUPTED, EXIT_OK, UsageError
from gpkit.core.files import new_folder
from gpkit.core.registry import DEFAULT_GAME, GAMES, game_of, shipped_programs
from gpkit.core.wording import counted, install_command

if TYPE_CHECKING:
    from gpkit.gamekit.forms import DemoRun

FOLDER = "gpkit-demo"

Outcome = dict[str, Any]
"""The outcome of a step: its command, exit code, total seconds, seconds of compilation, and printed text."""


WORTH_TELLING = 0.5
"""The demo mentions compilation that takes at least this many seconds."""


def courses(*, full: bool) -> "dict[str, DemoRun]":
    """The demo of each game, by the game's name; the short demo has only the default game."""
    return (
        {entry.name: entry.load().forms.demo for entry in GAMES}
        if full
        else {DEFAULT_GAME: game_of(DEFAULT_GAME).forms.short_demo}
    )


@dataclass(frozen=True, slots=True)
class Step:
    """A command of the demo: its purpose in a sentence, its arguments, and the tools that it needs besides gpkit."""

    words: str
    arguments: tuple[str, ...]
    needs: str


def _is_here(tool: str) -> bool:
    """Whether this machine has Graphviz, or Lua."""
    if tool == "Graphviz":
        from gpkit.show.render import renderers

        return bool(renderers())
    from gpkit.export.lua.hosts import hosts

    with suppress(UsageError):
        return bool(hosts())
    return False


COMMANDS = (
    (
        "How strong is a program? It plays whole games against the default opponents.",
        "run {compared} --game {game} --games 3000",
        "",
    ),
    (
        "What does {program} see, and why does it choose as it does?",
        "trace {program} --game {game} {trace}",
        "",
    ),
    ("Evolve another player.", "{find} --out {here}/player", ""),
    ("Draw what was found.", "draw {champion} -o {here}/champion.svg", "Graphviz"),
    (
        "Export it to Lua, and check that it plays the same in every Lua found.",
        "export {champion} --to lua -o {here}/champion.lua --check",
        "Lua",
    ),
    ("Write a report on it, to open in a browser.", "report {here}/player -o {here}/report.html", "Graphviz"),
)
"""The demo: for each command, its purpose, the command itself, and the tools that it needs besides gpkit."""


def steps(game: str, course: "DemoRun", folder: Path, workers: int) -> list[Step]:
    """The commands of one game's demo.

    Args:
        game: the name of the game.
        course: the content of the demo.
        folder: the folder for its files.
        workers: the number of processes for evolution.
    """
    here = shlex.quote(str(folder))
    words = {
        "game": game,
        "program": course.program,
        "compared": " ".join(course.compared or shipped_programs(game)),
        "trace": course.trace.format(here),
        "find": course.find
        + (f" --workers {workers}" if workers > 1 and course.find.startswith("evolve") else ""),
        "champion": f"{here}/player/{course.champion}",
        "here": here,
    }
    return [
        Step(what.format(**words), tuple(shlex.split(line.format(**words))), needs)
        for what, line, needs in COMMANDS
    ]


def demo(
    *,
    out: Annotated[str, Kind("DIR", completes="folder")] | None = None,
    full: bool = False,
    json: bool = False,
) -> int:
    """Show the main commands in about half a minute: run, trace, evolve, draw, export to Lua with a check, and report.

    gpkit prints every command as you would type it, and keeps its files. Pictures need Graphviz and checks need Lua;
    both come with the extra `play`, and the demo leaves out what is missing. The exit code is 1 if any step fails; the
    other steps still run.

    Args:
        out: a new or empty folder. Default: gpkit-demo, with a number appended if it exists.
        full: show every game, which takes a few minutes.
        json: print JSON with a `schema` key.
    """
    began = time.monotonic()
    numbered = (FOLDER if number == 1 else f"{FOLDER}-{number}" for number in count(1))
    folder = new_folder(Path(out or next(name for name in numbered if not Path(name).exists())))
    outcomes: list[Outcome] = []
    for step in _all_steps(folder, full=full):
        if step.needs and not _is_here(step.needs):
            line = shlex.join(("gpkit", *step.arguments))
            output.note(f"left out, because it needs {step.needs}: {line}; {install_command('play')}")
            continue
        outcomes.append(_follow(step, caught=json))
        if outcomes[-1]["code"] in (EXIT_INTERRUPTED, EXIT_KEYBOARD, EXIT_BROKEN_PIPE):
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
    """The commands of the short demo, or of the demo for each game with one worker per core."""
    affinity = getattr(os, "sched_getaffinity", lambda process: range(os.cpu_count() or 1))
    for game, course in courses(full=full).items():
        place = folder / game if full else folder
        place.mkdir(exist_ok=True)
        yield from steps(game, course, place, min(len(affinity(0)), 4) if full else 1)


def _follow(step: Step, *, caught: bool) -> Outcome:
    """Run a command in this process, so nothing is imported or compiled twice; its output may be captured."""
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
        output.note(f"compiling kernels took {compiling:.0f} of these {seconds:.0f} s{_once()}")
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
    """A remark that gpkit compiles only once; empty if compiled kernels are not kept."""
    from gpkit.core.compiled import kernel_folder

    return "" if kernel_folder().why_nothing_is_kept() else "; it happens only once"


def _close(folder: Path, outcomes: Sequence[Outcome], seconds: float, *, full: bool) -> None:
    """Print a summary and the next steps."""
    compiling = sum(each["compiling"] for each in outcomes)
    output.tell(
        f"{counted(len(outcomes), 'command')} in {seconds:.0f} s; the files are in {folder}."
        + f" Compiling kernels took {compiling:.0f} s of it{_once()}." * (compiling >= WORTH_TELLING)
    )
    for each in outcomes:
        if each["code"] != EXIT_OK:
            output.say(f"FAILED: {each['command']}")
    place, course = folder / DEFAULT_GAME if full else folder, courses(full=full)[DEFAULT_GAME]
    champion = shlex.quote(f"{place}/player/{course.champion}")
    next_ones = [f"play {DEFAULT_GAME} --vs {champion}", f"serve {shlex.quote(str(folder))}", "demo --full"]
    output.say("\n  gpkit ".join(["\nTry next:\n", *(next_ones[:2] if full else next_ones)]))
