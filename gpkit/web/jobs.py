"""Jobs: work that other processes do on behalf of web pages. A job reports its progress until it ends or is stopped.

Runs that the server starts are also jobs: one at a time, in a process that ends with the server.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import RLock, Thread
from typing import Any, Generic, TypeVar
from weakref import finalize

from gpkit.core.errors import CheckpointError, GpkitError, UsageError
from gpkit.core.plain_files import Mark, is_reserved, make_folder, read_on
from gpkit.core.registry import all_games, name_game
from gpkit.core.work_folder import ask_to_pause, is_held
from gpkit.evolution.executors import LOOK_SECONDS, Arguments, ProcessPool
from gpkit.show.run_findings import work_of

Result = TypeVar("Result")

GRACE = 0.5
"""The number of seconds that a stopped job has to end on its own; after that, gpkit kills its process."""

PAUSE = 0.05
"""The number of seconds between two polls for a job's messages."""

MOST_TOLD = 4_000_000
"""The maximum number of bytes of a job's messages to read in one step."""


class StoppedError(GpkitError):
    """Raised if a job was stopped before it ended."""


@dataclass(eq=False)
class Job(Generic[Result]):
    """A piece of work that another process does on behalf of web pages.

    Attributes:
        name: the name that pages use for the job.
        outcome: the future of its result.
        told: the file with its messages, one on each line; gpkit deletes the file's folder with the job.
        is_alive: a function that returns whether the job's process is alive.
        ask_to_end: a function that asks the job to end.
        kill: a function that kills the job's process.
        patience: the number of seconds that a stopped job has to end on its own.
        is_stopped: whether the job has been stopped.
    """

    name: str
    outcome: "Future[Result]"
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
        """Whether the job was stopped, or ended without a result."""
        is_done = self.outcome.done() and not self.outcome.cancelled() and not self.outcome.exception()
        return self.is_stopped or not (is_done or self.goes_on())

    def goes_on(self, seconds: float = 0.0) -> bool:
        """Whether the job is still running after this many seconds, in a process that is alive."""
        return bool(wait([self.outcome], seconds).not_done) and self.is_alive()

    def result(self) -> Result:
        """Wait for the job to end, and return its result.

        Raises:
            StoppedError: the job was stopped.
            GpkitError: the job ended with this error, or its process died.
        """
        while self.goes_on(LOOK_SECONDS):
            pass
        if self.is_stopped:
            raise StoppedError("the job was stopped")
        with suppress(BrokenExecutor, CancelledError):
            if self.outcome.done():
                return self.outcome.result()
        raise GpkitError("The process that played the games has died. Try again to start another.")

    def watched(self) -> Iterator[Any]:
        """Yield the job's messages as they arrive, until the job has ended.

        Raises:
            StoppedError: the job was stopped.
            GpkitError: the job ended with this error, or its process died.
        """
        mark, goes_on = Mark(), True
        while goes_on:
            goes_on = self.goes_on(PAUSE)
            with suppress(CheckpointError):  # the file is gone: the job was stopped
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


class JobSlot(Generic[Result]):
    """Starts jobs of one kind, one at a time.

    Attributes:
        lock: the lock that is held while a job is started or stopped.
        job: the latest job; None before the first.
    """

    def __init__(self) -> None:
        self.lock = RLock()
        self.job: Job[Result] | None = None

    def going_on(self) -> str:
        """The name of the running job; empty if no job is running."""
        return self.job.name if self.job is not None and self.job.goes_on() else ""

    def stop(self, name: str | None = None) -> None:
        """Stop the running job, if there is one; if a name is given, only if the job has that name."""
        with self.lock:
            if self.job is not None and name in (None, self.job.name) and self.job.goes_on():
                self.job.stop()


_TOLD: ContextVar[Path] = ContextVar("told")
"""The message file of the call that this worker process runs; if the file is deleted, the call ends."""


class Worker(JobSlot[Any]):
    """One process that plays games; it starts with the first call, and runs one call after another."""

    def __init__(self) -> None:
        super().__init__()
        self._pool = ProcessPool(1)
        self._executor: Executor | None = None

    def count(
        self, function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Result:
        """Run a function that plays games in the process, wait until it returns, and return its result.

        Raises:
            UsageError: the function raised this error.
            SourceError: the function raised this error.
            GpkitError: the process died; the next request starts another one.
        """
        return self.start("", partial(function, *args, **kwargs)).result()

    def start(self, name: str, call: Callable[[], Result], *told: object) -> Job[Result]:
        """Start a call as a job; ``told`` contains the first messages of the job."""
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
        """Whether the worker still uses this process; it abandons a dead process, which may have died while writing."""
        with self.lock:
            try:
                if executor is self._executor:
                    self._pool.look(executor)
            except BrokenExecutor:
                self.end()
            return executor is self._executor

    def end(self) -> None:
        """End the process, whatever it is doing."""
        with self.lock:
            if self._executor is not None:
                self._pool.close(self._executor)
                self._executor = None


def tell(what: object) -> None:
    """Add a message to the job that this worker process is running.

    Raises:
        FileNotFoundError: the job was stopped.
    """
    with _TOLD.get().open("r+", encoding="utf-8") as file:
        file.seek(0, os.SEEK_END)
        file.write(_line(what))


def _line(what: object) -> str:
    return f"{json.dumps(what)}\n"


def _called(brought: list[str], told: Path, call: Callable[[], Result]) -> Result:
    """Run a call in a worker process, which first loads the games from outside gpkit."""
    _TOLD.set(told)
    for each in brought:
        with suppress(GpkitError):  # of another game, perhaps
            name_game(each)
    return call()


RUNS = "runs"
"""The folder for new runs, below the site's folder."""

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")

PATIENCE = 20.0
"""The number of seconds that a paused run has to write its checkpoint."""

PLACE = Path(__file__).parents[2]
"""The folder that contains this package, so a child process finds the package even if it is not installed."""

START = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); "
    "runpy.run_module('gpkit', run_name='__main__', alter_sys=True)"
)
"""Python code that runs the command line without importing anything from the current folder."""


class Runner(JobSlot[int]):
    """The evolution or learner run that the server started."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._root, self._seen = root, False

    def began(self, name: str) -> bool:
        """Whether this server started the run, and has started no other run since."""
        return self.job is not None and name == self.job.name

    def is_starting(self, name: str, held: bool) -> bool:
        """Whether this server's run has not locked its folder yet; ``held`` states whether the folder is locked now."""
        self._seen = self._seen or (held and self.began(name))
        return name == self.going_on() and not self._seen

    def complaint(self, name: str) -> str:
        """The last output of this server's run if the run ended with an error; otherwise empty."""
        job = self.job
        if job is None or name != job.name or job.goes_on() or (code := job.outcome.result()) in (0, 4):
            return ""
        if code < 0:
            return "The run was killed."
        lines = job.told.read_bytes()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it ended with an error"

    def start(self, name: str, arguments: Sequence[str]) -> str:
        """Start a new run, and return its name relative to the folder.

        Raises:
            UsageError: the name is invalid or taken, or another run is in progress.
        """
        if not NAME.fullmatch(name):
            raise UsageError(
                f"`{name[:40]}` is not a valid name for a run: use lower-case letters, digits, - and _, at "
                "most 40"
            )
        if is_reserved(name):
            raise UsageError(f"`{name}` is not a valid name for a run: Windows reserves it; choose another")
        folder = self._root / RUNS
        make_folder(folder)
        if (folder / name).is_symlink() or (folder / name).exists():
            raise UsageError(f"{RUNS}/{name} exists already: choose another name")
        self._begin(f"{RUNS}/{name}", ["evolve", *arguments, "--out", str(folder / name)])
        return f"{RUNS}/{name}"

    def resume(self, name: str, goal: int | None = None) -> None:
        """Resume a run or a learner under the folder; if a generation is given, a run continues up to that generation.

        Raises:
            UsageError: another run is in progress.
        """
        folder = self._root / name
        command = "evolve" if work_of(folder) is None else "learn"
        further = [] if goal is None else ["--generations", str(goal)]
        self._begin(name, [command, "--resume", "--out", str(folder), *further])

    def pause(self, name: str) -> None:
        """Pause a run under the folder; the run writes its checkpoint and ends.

        A run in another process receives a request to pause, and ends after its current generation.

        Raises:
            UsageError: the run is not in progress.
        """
        if name and name == self.going_on():
            self.stop()
        elif is_held(self._root / name):
            ask_to_pause(self._root / name)
        else:
            raise UsageError("this run is not running")

    def _begin(self, name: str, arguments: Sequence[str]) -> None:
        with self.lock:
            if going_on := self.going_on():
                raise UsageError(f"{going_on} is running, and only one can run at a time: pause it first")
            told, outcome = Path(tempfile.mkdtemp()) / "told", Future[int]()
            with told.open("wb") as stderr:
                child = subprocess.Popen(  # noqa: S603 - our own command, without a shell
                    [sys.executable, "-P", "-c", START, str(PLACE), *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=stderr,
                    cwd=self._root,
                    start_new_session=True,  # a terminal that closes ends the server, and that ends the run, once
                )
            # A child that has ended still looks alive to others until it is waited for.
            Thread(target=lambda: outcome.set_result(child.wait()), daemon=True).start()
            self.job = Job(name, outcome, told, lambda: True, child.terminate, child.kill, PATIENCE)
            self._seen = False
