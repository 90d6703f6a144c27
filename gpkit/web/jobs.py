"""Jobs: work that other processes do for pages. A job reports its progress, and ends with an outcome or is stopped."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, Generic, TypeVar
from weakref import finalize

from gpkit.core.errors import CheckpointError, GpkitError
from gpkit.core.plain_files import Mark, read_on
from gpkit.core.registry import all_games, name_game
from gpkit.evolution.executors import LOOK_SECONDS
from gpkit.evolution.pools import Arguments, ProcessPool

Found = TypeVar("Found")

GRACE = 0.5
"""Seconds that a stopped job has to end by itself, so that its process can stay."""

PAUSE = 0.05
"""Seconds from one look at a job's messages to the next."""

MOST_TOLD = 4_000_000
"""Most bytes of a job's messages that are read at once."""


class StoppedError(GpkitError):
    """A job that was stopped before it ended."""


@dataclass(eq=False)
class Job(Generic[Found]):
    """A piece of work that another process does for pages.

    Attributes:
        name: by which pages know it.
        outcome: what comes of it.
        told: the file in which it reports its progress, line by line; its folder goes with the job.
        is_alive: gives whether its process lives.
        ask_to_end: asks it to end.
        kill: ends its process.
        patience: the seconds between these two when it is stopped.
        is_stopped: whether somebody has stopped it.
    """

    name: str
    outcome: "Future[Found]"
    told: Path
    is_alive: Callable[[], bool]
    ask_to_end: Callable[[], object]
    kill: Callable[[], object]
    patience: float = GRACE
    is_stopped: bool = False

    def __post_init__(self) -> None:
        finalize(self, shutil.rmtree, self.told.parent, ignore_errors=True)

    @property
    def has_failed(self) -> bool:
        """Whether it was stopped, or has ended without a result."""
        is_done = self.outcome.done() and not self.outcome.cancelled() and not self.outcome.exception()
        return self.is_stopped or not (is_done or self.goes_on())

    def goes_on(self, seconds: float = 0.0) -> bool:
        """Whether the job is still running after this many seconds, in a process that is alive."""
        return bool(wait([self.outcome], seconds).not_done) and self.is_alive()

    def result(self) -> Found:
        """The result, when it has ended.

        Raises:
            StoppedError: it was stopped.
            GpkitError: any error that it ends with, or its process has died.
        """
        while self.goes_on(LOOK_SECONDS):
            pass
        if self.is_stopped:
            raise StoppedError("it was stopped")
        with suppress(BrokenExecutor, CancelledError):
            if self.outcome.done():
                return self.outcome.result()
        raise GpkitError("The process that played the games has died. Try again to start another.")

    def watched(self) -> Iterator[Any]:
        """The messages of a call, as they come, until it has ended.

        Raises:
            StoppedError: it was stopped.
            GpkitError: any error that it ends with, or its process has died.
        """
        mark, goes_on = Mark(), True
        while goes_on:
            goes_on = self.goes_on(PAUSE)
            with suppress(CheckpointError):  # it was stopped
                lines, mark = read_on(self.told, mark, MOST_TOLD)
                yield from map(json.loads, lines.splitlines())
        self.result()

    def stop(self) -> None:
        """Ask the job to end, and end its process if that takes too long."""
        self.is_stopped = True
        self.ask_to_end()
        if self.goes_on(self.patience):
            self.kill()
            wait([self.outcome], self.patience)


class Desk(Generic[Found]):
    """The place where jobs of one kind begin, one after the other.

    Attributes:
        lock: held while a job is begun or stopped.
        job: the latest one.
    """

    def __init__(self) -> None:
        self.lock = RLock()
        self.job: Job[Found] | None = None

    def going_on(self) -> str:
        """The name of the running job; empty if none runs."""
        return self.job.name if self.job is not None and self.job.goes_on() else ""

    def stop(self, name: str | None = None) -> None:
        """Stop the running job, if there is one; with a name, only the job of that name."""
        with self.lock:
            if self.job is not None and name in (None, self.job.name) and self.job.goes_on():
                self.job.stop()


_TOLD: ContextVar[Path] = ContextVar("told")
"""The file of messages of the call that a worker is making; the call ends when the file is gone."""


class Worker(Desk[Any]):
    """One process that plays games, started when it is first needed; what is asked of it is done in turn."""

    def __init__(self) -> None:
        super().__init__()
        self._pool = ProcessPool(1)
        self._executor: Executor | None = None

    def count(
        self, function: Callable[Arguments, Found], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Found:
        """The result of a function that plays games, when they have been played.

        Raises:
            UsageError: as of the function.
            SourceError: likewise.
            GpkitError: the process has died; the next request starts another one.
        """
        return self.start("", partial(function, *args, **kwargs)).result()

    def start(self, name: str, call: Callable[[], Found], *told: object) -> Job[Found]:
        """Begin a call as a job, whose first messages are ``told``."""
        path = Path(tempfile.mkdtemp()) / "told"
        path.write_text("".join(map(_line, told)), encoding="utf-8")
        brought = [entry.origin for entry in all_games() if entry.origin]
        with self.lock:
            if self._executor is None or not self._serves(self._executor):
                self._executor = self._pool.open()
            outcome = self._executor.submit(_called, brought, path, call)
            alive, ask_to_end = partial(self._serves, self._executor), partial(path.unlink, missing_ok=True)
            self.job = job = Job(name, outcome, path, alive, ask_to_end, self.end)
            return job

    def _serves(self, executor: Executor) -> bool:
        """Whether this process still serves the worker; if it has died, perhaps while writing, the worker drops it."""
        with self.lock:
            try:
                if executor is self._executor:
                    self._pool.look(executor)
            except BrokenExecutor:
                self.end()
            return executor is self._executor

    def end(self) -> None:
        """End the process in the middle of whatever it does."""
        with self.lock:
            if self._executor is not None:
                self._pool.close(self._executor)
                self._executor = None


def tell(what: object) -> None:
    """Add a line to the messages of the call that a worker is making.

    Raises:
        FileNotFoundError: it was stopped.
    """
    with _TOLD.get().open("r+", encoding="utf-8") as file:
        file.seek(0, os.SEEK_END)
        file.write(_line(what))


def _line(what: object) -> str:
    return f"{json.dumps(what)}\n"


def _called(brought: list[str], told: Path, call: Callable[[], Found]) -> Found:
    """The result of a call in a worker, which has to be told of the games that were brought from outside."""
    _TOLD.set(told)
    for each in brought:
        with suppress(GpkitError):  # of another game, perhaps
            name_game(each)
    return call()
