"""Runs of evolution that a command watches: progress while they go on, a pause on request, and an end in time."""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from gpkit.analysis.evaluation import seconds_after
from gpkit.cli.output import note, progress
from gpkit.cli.shell import BEGAN
from gpkit.core.timeouts import GRACE
from gpkit.core.wording import Tell
from gpkit.core.work_folder import is_run, take_pause
from gpkit.evolution.executors import WorkersGoneError
from gpkit.evolution.loop import evolve
from gpkit.evolution.run_folder import RunResult
from gpkit.evolution.search import PATIENCE, Hooks, State
from gpkit.evolution.setup import Run
from gpkit.evolution.summary import Summary


class Live:
    """Sentences about a run of evolution while it goes on, with its speed and the time that is left."""

    def __init__(
        self,
        run: Run[Any],
        tell: Tell,
        clock: Callable[[], float],
        time_limit: float = math.inf,
        *,
        spent: float = 0.0,
        closing: float = 0.0,
    ) -> None:
        self._run, self._tell, self._clock = run, tell, clock
        self._time_limit, self._closing = time_limit, closing
        self._began, self._spent = clock(), spent
        self._first_generation: int | None = None
        self._trials, self._pace = 0, 0.0

    def stop(self, _state: State[Any]) -> str | None:
        """The rule that stops after the limit, without the time reserved for the end."""
        is_over = self._used() >= self._time_limit - self._closing
        return f"{self._time_limit:g} seconds" if is_over else None

    def left(self) -> float:
        """The seconds until gpkit abandons the run, not counting the time reserved for its end."""
        return max(0.0, self._time_limit - self._closing + GRACE - self._used())

    def generation(self, summary: Summary, state: State[Any]) -> None:
        """Show a new generation."""
        if self._first_generation is None:
            self._first_generation = summary.generation
        self._trials += summary.trials
        used, last, metric = self._used(), self._run.config.stop.generations, self._run.subject.metric
        elapsed, speed = used - self._spent, ""
        if self._trials:
            self._pace = elapsed / self._trials
            speed = f", {self._trials / max(elapsed, 1e-9):,.0f} games/s"
        of = f" of {last}" if last is not None else ""
        lost = f", {summary.lost} lost" if summary.lost else ""
        left = self._left(summary.generation, used)
        best, median, score = map(metric.shown, (summary.best, summary.median, state.champion.score))
        self._tell(
            f"generation {summary.generation}{of}: best {best:.4f}, median {median:.4f}, "
            f"champion {score:.4f} {metric.name} (size {state.champion.individual.size}), "
            f"mean size {summary.size:.1f}, {summary.diversity:.0%} distinct{lost}"
            f"{speed}{left}"
        )

    def ending(self) -> None:
        """Show that the generations are over and that the run now refines and validates its champion."""
        after = min(seconds_after(self._run, self._pace), self._time_limit - self._used())
        self._tell(f"refining and validating the champion, {max(after, 0.0):.0f} s left")

    def _left(self, generation: int, used: float) -> str:
        """The time that is left, as far as the rules tell."""
        last, done = self._run.config.stop.generations, generation - (self._first_generation or 0)
        left = self._time_limit - used
        if last is not None and done > 0:
            rest = (used - self._spent) / done * (last - generation)
            left = min(left, rest + seconds_after(self._run, self._pace))
        return f", {max(0.0, left):.0f} s left" if left < math.inf else ""

    def _used(self) -> float:
        """The seconds of the time limit that are over: those before the run, too."""
        return self._spent + self._clock() - self._began


def watched_run(
    run: Run[Any],
    folder: Path,
    hooks: Hooks,
    *,
    limit: float | None,
    workers: str,
    resume: bool,
    again: str,
    closing: float = 0.0,
) -> tuple[RunResult[Any] | None, float | None]:
    """The result of a run, None where it was interrupted and can go on; and the seconds of its limit that are left.

    Args:
        run: the run.
        folder: where it is stored.
        hooks: called before anything that gpkit may have to compile, and when the run begins.
        limit: the seconds that the run may take; None means no limit.
        workers: as for ``executor_for``.
        resume: whether to go on with the run in its folder.
        again: the command that resumes the run; printed after an interrupt.
        closing: the part of the limit, in seconds, that the command needs after the run.

    Raises:
        UsageError: the time is over before the first generation.
        GpkitError: as of ``evolve``.
        KeyboardInterrupt: it was interrupted before it had a folder; likewise WorkersGoneError.
    """
    context, place, now = click.get_current_context(), folder.absolute(), time.monotonic()
    spent = now - context.meta.get(BEGAN, now)
    take_pause(folder)  # of an earlier time
    try:
        with progress() as show:
            seconds = math.inf if limit is None else limit
            live = Live(run, show, time.monotonic, seconds, spent=spent, closing=closing)

            def generation(summary: Summary, state: State[Any]) -> None:
                live.generation(summary, state)
                if take_pause(place):
                    raise KeyboardInterrupt("asked to pause")

            ended = partial(note, f"the run in {folder} is finished already; nothing to do")
            result = evolve(
                run,
                workers,
                folder=folder,
                resume=resume,
                stop=None if limit is None else live.stop,
                hooks=replace(
                    hooks, ended=ended, generation=generation, ending=live.ending, patience=PATIENCE
                ),
                arguments=context.obj,
                limit=None if limit is None else (limit, live.left()),
            )
    except (KeyboardInterrupt, WorkersGoneError) as stop:
        if not is_run(folder):
            raise
        note(f"{str(stop) or 'interrupted'}; continue with: {again}")
        return None, None
    return result, None if limit is None else live.left() + closing
