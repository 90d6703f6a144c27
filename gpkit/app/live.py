"""Evolution that is watched: how far it is, how fast, and how long it will take."""

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from gpkit.app.evaluation import seconds_after
from gpkit.core.errors import UsageError
from gpkit.core.timeouts import TimeUp, limited
from gpkit.core.wording import Tell
from gpkit.core.work_folder import is_run
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.pools import executor_for
from gpkit.evolution.run import Hooks, ended
from gpkit.evolution.run_folder import RunResult, reached_generation
from gpkit.evolution.search import State
from gpkit.evolution.setup import Stop
from gpkit.evolution.subject import Run
from gpkit.evolution.summary import Summary

Clock = Callable[[], float]


GRACE = 0.5
"""Seconds after a time limit for which a generation may still end by itself, before it is given up."""


INTERRUPTED = "Ctrl+C"
"""The reason that a run reports if it was interrupted."""


def ended_in_time(
    to_evolve: Callable[..., RunResult[Any]],
    run: Run[Any],
    folder: Path | None,
    limit: tuple[float, float] | None,
    *,
    workers: str,
    resume: bool,
    hooks: Hooks,
    keeps: bool = False,
) -> RunResult[Any]:
    """The result of a run, or the result so far if the time limit or an interrupt ends it.

    Args:
        to_evolve: ``evolve`` for this run, with a rule that stops it after the limit.
        run: the run.
        folder: where to store the run; None means that nothing is stored.
        limit: the seconds that the person gave, and the seconds after which to abandon the run; None means no limit.
        workers: as for ``executor_for``.
        resume: whether to go on with the run in the folder.
        hooks: the callbacks.
        keeps: whether an interrupt, like the time limit, ends the run but keeps the result so far.

    Raises:
        UsageError: the time is over before the first generation.
        KeyboardInterrupt: an interrupt came, and ``keeps`` is False or there is no result yet.
        GpkitError: as for ``evolve``.
    """
    last: list[State[Any]] = []

    def generation(summary: Summary, state: State[Any]) -> None:
        last[:] = [state]
        hooks.generation(summary, state)

    heard = replace(hooks, generation=generation)
    try:
        with _same_folder(), limited(limit and limit[1]), executor_for(workers) as executor:
            return to_evolve(executor, folder=folder, resume=resume, hooks=heard)
    except TimeUp:
        reason = f"{limit[0] if limit else 0:g} seconds"
        if not last and (folder is None or not is_run(folder) or reached_generation(folder) is None):
            raise UsageError(f"timed out: the first generation takes longer than {reason}") from None
    except KeyboardInterrupt:
        reason = INTERRUPTED
        if not (keeps and last):
            raise
    if folder is None:
        return ended(run, last[0], reason)
    return to_evolve(SerialExecutor(), folder=folder, resume=True, refine=False, stop=lambda _: reason)


@contextmanager
def _same_folder() -> Iterator[None]:
    """Restore the current folder in the main thread, whatever a person's code does; the folder may be gone."""
    place = Path()
    with suppress(OSError):
        place = Path.cwd()
    try:
        yield
    finally:
        if current_thread() is main_thread():
            with suppress(OSError):
                os.chdir(place)


class Live:
    """Sentences about a run of evolution while it goes on, with its speed and the time that is left."""

    def __init__(
        self,
        run: Run[Any],
        tell: Tell,
        clock: Clock,
        time_limit: float | None = None,
        *,
        spent: float = 0.0,
        closing: float = 0.0,
    ) -> None:
        self._tell, self._clock, self._spent, self._closing = tell, clock, spent, closing
        self._run, self._metric = run, run.metric
        self._generations = run.config.stop.generations
        self._time_limit = time_limit
        self._began = clock()
        self._first_generation: int | None = None
        self._trials = 0

    def out_of_time(self) -> Stop:
        """The rule that stops after the limit, if there is one."""
        limit = self._time_limit

        def rule(_state: State[Any]) -> str | None:
            return (
                f"{limit:g} seconds" if limit is not None and self._used() >= limit - self._closing else None
            )

        return rule

    def left(self) -> float | None:
        """The seconds until gpkit abandons the run, not counting the time reserved for its end; None means no limit."""
        end = None if self._time_limit is None else self._time_limit - self._closing
        return None if end is None else max(0.0, end + GRACE - self._used())

    def generation(self, summary: Summary, state: State[Any]) -> None:
        """Show a new generation."""
        if self._first_generation is None:
            self._first_generation = summary.generation
        self._trials += summary.trials
        speed = f", {self._trials / max(self._elapsed(), 1e-9):,.0f} games/s" if self._trials else ""
        of = f" of {self._generations}" if self._generations is not None else ""
        lost = f", {summary.lost} lost" if summary.lost else ""
        best, median, score = map(self._metric.shown, (summary.best, summary.median, state.champion.score))
        self._tell(
            f"generation {summary.generation}{of}: best {best:.4f}, median {median:.4f}, "
            f"champion {score:.4f} {self._metric.name} (size {state.champion.individual.size}), "
            f"mean size {summary.size:.1f}, {summary.diversity:.0%} distinct{lost}"
            f"{speed}{self._left(summary.generation)}"
        )

    def ending(self) -> None:
        """Show that the generations are over and that the run now refines and validates its champion."""
        after = min(self._after(), math.inf if self._time_limit is None else self._time_limit - self._used())
        self._tell(f"refining and validating the champion, {max(after, 0.0):.0f} s left")

    def _after(self) -> float:
        """An estimate of the seconds from the last generation to the end."""
        return seconds_after(self._run, self._elapsed() / max(self._trials, 1)) if self._trials else 0.0

    def _left(self, generation: int) -> str:
        """The time that is left, as far as the rules tell."""
        seconds = []
        done = generation - (self._first_generation or 0)
        if self._generations is not None and done > 0:
            seconds.append(self._elapsed() / done * (self._generations - generation) + self._after())
        if self._time_limit is not None:
            seconds.append(self._time_limit - self._used())
        return f", {max(0.0, min(seconds)):.0f} s left" if seconds else ""

    def _used(self) -> float:
        """The seconds of the time limit that are over: those before the run, too."""
        return self._spent + self._elapsed()

    def _elapsed(self) -> float:
        return self._clock() - self._began
