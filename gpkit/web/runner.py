"""The run that the server began, as a job: one at a time, in a process that ends with the server."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Thread

from gpkit.core.errors import UsageError
from gpkit.core.plain_files import is_reserved, make_folder
from gpkit.core.work_folder import ask_to_pause, is_held
from gpkit.reports.findings import work_of
from gpkit.web.jobs import Desk, Job

RUNS = "runs"
"""Folder below that of the site, in which new runs are made."""

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")

PATIENCE = 20.0
"""Seconds that a run has to write its checkpoint when it is paused."""

PLACE = Path(__file__).parents[2]
"""The folder of this package, so that a child process finds it even if it is not installed."""

START = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); "
    "runpy.run_module('gpkit', run_name='__main__', alter_sys=True)"
)
"""Python code that runs the command line without importing anything from the current folder."""


class Runner(Desk[int]):
    """The run, or the learner's work, that the server has begun."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._root, self._seen = root, False

    def began(self, name: str) -> bool:
        """Whether this server began the run, the last of those that it began."""
        return self.job is not None and name == self.job.name

    def is_starting(self, name: str, held: bool) -> bool:
        """Whether this server's process for a run has not yet held its folder, as it does now or not."""
        self._seen = self._seen or (held and self.began(name))
        return name == self.going_on() and not self._seen

    def complaint(self, name: str) -> str:
        """The last words of a run of this server that ended with an error; else empty."""
        job = self.job
        if job is None or name != job.name or job.goes_on() or (code := job.outcome.result()) in (0, 4):
            return ""
        if code < 0:
            return "The run was killed."
        lines = job.told.read_bytes()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it ended with an error"

    def start(self, name: str, arguments: Sequence[str]) -> str:
        """Begin a new run, and give its name below the folder.

        Raises:
            UsageError: it is not a name, or one that is taken, or a run is going on.
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
        """Go on with a run, or a learner, that was found below the folder; with a run to a generation, if one is given.

        Raises:
            UsageError: a run is going on.
        """
        folder = self._root / name
        work = work_of(folder)
        command = "evolve" if work is None else work.COMMAND
        further = [] if goal is None else ["--generations", str(goal)]
        self._begin(name, [command, "--resume", "--out", str(folder), *further])

    def pause(self, name: str) -> None:
        """Have a run that was found below the folder write its checkpoint and end.

        One of another process is asked to, and does so after its generation.

        Raises:
            UsageError: nobody works on it.
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
