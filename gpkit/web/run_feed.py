"""A run that is watched: what its log says anew, as rows of few numbers, in the metric's direction and unit."""

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpkit.core.codec import codec, write_known
from gpkit.core.errors import GpkitError
from gpkit.core.plain_files import Mark, is_there, read_on
from gpkit.core.work_folder import RUN, is_abandoned, is_held
from gpkit.evolution.individual import GENERATION
from gpkit.evolution.run_folder import EVENTS, Milestone, events_in, read_run
from gpkit.evolution.subjects import resolve
from gpkit.evolution.summary import Summary

MOST_READ = 4_000_000
"""Bytes of a log that are read at once."""

MOST_ROWS = 600
"""Rows of what was there before that are told; of more, every second, third, ..."""

LATEST = 65_536
"""Bytes at the end of a log in which a state is looked for."""

GOING_ON, KILLED, AT_REST = "going on", "killed", "at rest"

Row = list[Any]
"""Of a generation: g, its number, best, median, best size, mean size, different programs, games
played. Of a champion: c, its generation, its score in validation.
"""


class RunFeed:
    """A run as it is watched by one who remembers how far: every call of ``more`` gives what is new."""

    def __init__(self, folder: Path) -> None:
        """Begin to watch the run in a folder.

        Raises:
            CheckpointError: it holds no run.
            UsageError: its configuration is one of another version.
        """
        _, config = read_run(folder)
        self.folder, self._mark = folder, Mark()
        self._direction = resolve(config).metric.direction

    def more(self) -> tuple[list[Row], bool]:
        """The rows that came since the last call, and whether they begin anew, as after a resume.

        Raises:
            CheckpointError: the log cannot be read.
        """
        if not is_there(self.folder / EVENTS):
            return [], False
        rows: list[Row] = []
        began = self._mark.file
        while True:
            lines, mark = read_on(self.folder / EVENTS, self._mark, MOST_READ)
            if mark.file != self._mark.file:
                rows = []
            done, self._mark = mark == self._mark, mark
            rows += self._rows(lines)
            if done:
                return thinned(rows), self._mark.file != began

    def _rows(self, lines: bytes) -> Iterator[Row]:
        for event in events_in(lines):
            with suppress(ValueError, GpkitError):  # of another version
                if (row := self._row(event)) is not None:
                    yield row

    def _row(self, event: Mapping[str, Any]) -> Row | None:
        kind = event.get("event")
        if kind == "generation":
            found = codec(Summary).read(event)
            strengths = [write_known(self._direction * each) for each in (found.best, found.median)]
            different = round(found.diversity * found.individuals) if math.isfinite(found.diversity) else None
            return [
                "g",
                found.generation,
                *strengths,
                found.best_size,
                write_known(found.size),
                different,
                found.trials,
            ]
        if kind == "champion":
            champion = codec(Milestone).read(event)
            return ["c", champion.generation, write_known(self._direction * champion.score)]
        return None


def state_of(folder: Path) -> str:
    """Whether somebody works in a folder now, or ended without saying so: ``GOING_ON``, ``KILLED``, ``AT_REST``."""
    if is_abandoned(folder):
        return KILLED
    return GOING_ON if is_held(folder) else AT_REST


@dataclass(frozen=True, slots=True)
class Standing:
    """Standing of a run, as the end of its log says.

    Attributes:
        state: ``running``, ``paused``, ``finished``, ``failed``, or ``waiting`` for the first generation.
        reached: its last generation; None before the first one.
        goal: the generation after which it ends; None if that is not known.
        resumed: the generation from which it went on for the last time; None if it never did, as far as is known.
        seconds: how long it took from there to the last generation.
    """

    state: str
    reached: int | None = None
    goal: int | None = None
    resumed: int | None = None
    seconds: int = 0

    @property
    def left(self) -> str:
        """The time until its end, at the speed so far; empty where that is not known."""
        if self.reached is None or self.goal is None or self.reached <= (begun := self.resumed or 0):
            return ""
        seconds = round(self.seconds / (self.reached - begun) * (self.goal - self.reached))
        if not seconds:
            return ""
        return f"{seconds} seconds" if seconds < 120 else f"{round(seconds / 60)} minutes"


def standing_of(folder: Path) -> Standing:
    """The standing of a run, whose log is not read as a whole."""
    state = {GOING_ON: "running", KILLED: "failed", AT_REST: "paused"}[state_of(folder)]
    try:
        goal = read_run(folder)[1].stop.generations
        status = (folder / EVENTS).stat()
        lines, _ = read_on(folder / EVENTS, Mark(status.st_ino, max(0, status.st_size - LATEST)), LATEST)
        seconds = round(status.st_mtime - (folder / RUN).stat().st_mtime)  # which is written when it begins
    except (GpkitError, OSError):
        return Standing("waiting" if state == "paused" else state)
    first, reached, resumed, ended = None, None, None, False
    for event in events_in(lines):
        with suppress(ValueError):
            reached = GENERATION.read(event.get("generation"))
            first = reached if first is None else first
            resumed = reached if event.get("event") == "resume" else resumed
            ended = event.get("event") == "end"
    if state == "paused" and (ended or reached is None):
        state = "finished" if ended else "waiting"
    if first and resumed is None:  # a log so long that its beginning was not read
        resumed = reached
    return Standing(
        state, reached, goal if goal is None or goal >= (reached or 0) else None, resumed, seconds
    )


def thinned(rows: list[Row]) -> list[Row]:
    """Few enough rows: all champions, and of the generations every so many, the last included."""
    generations = [row for row in rows if row[0] == "g"]
    step = -(-len(generations) // MOST_ROWS)
    if step <= 1:
        return rows
    kept = {row[1] for row in generations[::-step]}
    return [row for row in rows if row[0] != "g" or row[1] in kept]
