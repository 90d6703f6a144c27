"""The run that the server began: one at a time, in a process of its own that ends with the server."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import IO

from gpkit.core.errors import UsageError
from gpkit.core.plain_files import is_reserved, make_folder
from gpkit.core.work_folder import ask_to_pause, is_held
from gpkit.reports.findings import work_of

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


class Runner:
    """A child process that evolves, or none."""

    def __init__(self, root: Path) -> None:
        self._root, self._lock = root, Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._stderr: IO[bytes] | None = None
        self._name = ""
        self._seen = False

    def is_starting(self, name: str, held: bool) -> bool:
        """Whether this server's process for a run has not yet held its folder, as it does now or not."""
        self._seen = self._seen or (held and name == self._name)
        return name == self.going_on() and not self._seen

    def going_on(self) -> str:
        """The name of the run that this server works on; empty if there is none."""
        return self._name if self._child is not None and self._child.poll() is None else ""

    def began(self, name: str) -> bool:
        """Whether this server began the run, the last of those that it began."""
        return self._child is not None and name == self._name

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
        self._begin(f"{RUNS}/{name}", [*arguments, "--out", str(folder / name)])
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
        self._begin(name, ["--resume", "--out", str(folder), *further], command=command)

    def pause(self, name: str) -> None:
        """Have a run that was found below the folder write its checkpoint and end.

        One of another process is asked to, and does so after its generation.

        Raises:
            UsageError: nobody works on it.
        """
        if name and name == self.going_on():
            self.end()
        elif is_held(self._root / name):
            ask_to_pause(self._root / name)
        else:
            raise UsageError("this run is not running")

    def end(self) -> None:
        """End the run, if there is one, with its checkpoint written."""
        with self._lock:
            if self._child is not None and self._child.poll() is None:
                self._child.terminate()
                try:
                    self._child.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    self._child.kill()
                    self._child.wait()

    def complaint(self, name: str) -> str:
        """The last words of a run of this server that ended with an error; else empty."""
        code = None if self._child is None else self._child.poll()
        if name != self._name or self._stderr is None or code in (None, 0, 4):
            return ""
        if code < 0:
            return "The run was killed."
        self._stderr.seek(0)
        lines = self._stderr.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it ended with an error"

    def _begin(self, name: str, arguments: Sequence[str], command: str = "evolve") -> None:
        with self._lock:
            if self.going_on():
                raise UsageError(f"{self._name} is running, and only one can run at a time: pause it first")
            self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the child
            self._name, self._seen = name, False
            self._child = subprocess.Popen(  # noqa: S603 - our own command, without a shell
                [sys.executable, "-P", "-c", START, str(PLACE), command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                cwd=self._root,
                start_new_session=True,  # a terminal that closes ends the server, and that ends the run, once
            )
            # A child that has ended still looks alive to others until it is waited for.
            Thread(target=self._child.wait, daemon=True).start()
