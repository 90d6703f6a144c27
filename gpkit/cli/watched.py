"""Runs of evolution that a command watches: progress while they go on, a pause on request, and an end in time."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from gpkit.app.live import Live
from gpkit.cli.interrupts import seconds_spent
from gpkit.cli.output import Progress, note
from gpkit.core.work_folder import is_run, take_pause
from gpkit.evolution.executors import WorkersGoneError
from gpkit.evolution.loop import evolve
from gpkit.evolution.run_folder import RunResult
from gpkit.evolution.search import PATIENCE, Hooks, State, ignore
from gpkit.evolution.setup import Run
from gpkit.evolution.summary import Summary


class Watching(NamedTuple):
    """Limits and messages of a run in a terminal.

    Attributes:
        limit: the seconds that the run may take; None means no limit.
        workers: as for ``executor_for``.
        resume: whether to go on with the run in its folder.
        again: the command that resumes the run; printed after an interrupt.
        rehearsal: called before anything that gpkit may have to compile.
        start: called when the run begins.
        closing: the part of the limit, in seconds, that the command needs after the run.
    """

    limit: float | None
    workers: str
    resume: bool
    again: str
    rehearsal: Callable[[], None]
    start: Callable[[], None] = ignore
    closing: float = 0.0


def watched_run(run: Run[Any], folder: Path, how: Watching) -> tuple[RunResult[Any] | None, float | None]:
    """The result of a run, None where it was interrupted and can go on; and the seconds of its limit that are left.

    Raises:
        UsageError: the time is over before the first generation.
        GpkitError: as of ``evolve``.
        KeyboardInterrupt: it was interrupted before it had a folder; likewise WorkersGoneError.
    """
    progress, place = Progress(), folder.absolute()
    live = Live(run, progress.update, time.monotonic, how.limit, spent=seconds_spent(), closing=how.closing)

    def generation(summary: Summary, state: State[Any]) -> None:
        live.generation(summary, state)
        if take_pause(place):
            raise KeyboardInterrupt("asked to pause")

    take_pause(folder)  # of an earlier time
    hooks = Hooks(
        rehearsal=how.rehearsal,
        ended=partial(note, f"the run in {folder} is finished already; nothing to do"),
        start=how.start,
        generation=generation,
        ending=live.ending,
        patience=PATIENCE,
    )
    try:
        with progress:
            result = evolve(
                run,
                how.workers,
                folder=folder,
                resume=how.resume,
                stop=live.out_of_time(),
                hooks=hooks,
                arguments=click.get_current_context().obj,
                limit=None if how.limit is None else (how.limit, live.left() or 0.0),
            )
    except (KeyboardInterrupt, WorkersGoneError) as stop:
        if not is_run(folder):
            raise
        note(f"{str(stop) or 'interrupted'}; continue with: {how.again}")
        return None, None
    return result, None if how.limit is None else (live.left() or 0.0) + how.closing
