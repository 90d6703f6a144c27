"""Evolution that is watched: how far it is, how fast, and how long it will take."""

import math
from collections.abc import Callable
from typing import Any

from gpkit.app.evaluation import seconds_after
from gpkit.core.wording import Tell
from gpkit.evolution.search import State
from gpkit.evolution.setup import Run, Stop
from gpkit.evolution.summary import Summary

Clock = Callable[[], float]


GRACE = 0.5
"""Seconds after a time limit for which a generation may still end by itself, before it is given up."""


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
