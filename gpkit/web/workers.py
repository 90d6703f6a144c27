"""Worker processes of the server: one each for games that are counted, leagues, and watched matches."""

import secrets
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from gpkit.analysis.results import League
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.registry import all_games, name_game
from gpkit.evolution.executors import LOOK_SECONDS
from gpkit.evolution.pools import Arguments, ProcessPool
from gpkit.web.growing import Bout, Growth, rungs_of
from gpkit.web.meetings import Meeting, check, keep_league, meet

Found = TypeVar("Found")

GRACE = 0.5
"""Seconds in which a part of a match may come to its end when the match is over, so that the process can stay."""


class Worker:
    """One process that plays games, started when it is first needed; what is asked of it is done in turn."""

    def __init__(self) -> None:
        self._pool, self._lock = ProcessPool(1), RLock()
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
        return self.result(self._submit(partial(function, *args, **kwargs)))

    def end(self) -> None:
        """End the process in the middle of whatever it does."""
        with self._lock:
            if self._executor is not None:
                self._pool.close(self._executor)
                self._executor = None

    def _submit(self, call: Callable[[], Found]) -> "Future[Found]":
        with self._lock:
            self._look(self._executor)
            if self._executor is None:
                self._executor = self._pool.open()
            brought = [entry.origin for entry in all_games() if entry.origin]
            return self._executor.submit(_called, brought, call)

    def _look(self, executor: Executor | None) -> None:
        """End a process that has died, perhaps while writing, unless another one has replaced it."""
        try:
            if executor is not None:
                self._pool.look(executor)
        except BrokenExecutor:
            with self._lock:
                if executor is self._executor:
                    self.end()

    def goes_on(self, begun: "Future[Any]", seconds: float = 0.0) -> bool:
        """Whether a call is still running after this many seconds; a call whose process has died is not running."""
        executor = self._executor
        if wait([begun], seconds).not_done:
            self._look(executor)
        return not begun.done()

    def _ended(self, begun: "Future[Any]") -> None:
        """Wait until a call has ended, and watch the process.

        Raises:
            BrokenExecutor: the process has died or was ended.
        """
        executor = self._executor
        while self.goes_on(begun, LOOK_SECONDS):
            if executor is None or executor is not self._executor:
                raise BrokenExecutor

    def result(self, begun: "Future[Found]") -> Found:
        """The result of a call.

        Raises:
            GpkitError: any error that the call raises, or its process has died.
        """
        executor = self._executor
        try:
            self._ended(begun)
            return begun.result()
        except (BrokenExecutor, CancelledError):
            self._look(executor)
            raise GpkitError(
                "The process that played the games has died. Try again to start another."
            ) from None


def _called(brought: list[str], call: Callable[[], Found]) -> Found:
    """The result of a call in a worker, which has to be told of the games that were brought from outside."""
    for each in brought:
        with suppress(GpkitError):  # of another game, perhaps
            name_game(each)
    return call()


SOON = 0.8
"""Seconds for which the page of a league waits before it says how far it is."""

MOST_LEAGUES = 8
"""Finished leagues that are held; older ones are played again where their page is opened."""


class LeagueDesk(Worker):
    """Leagues, played one at a time; finished ones are noted below a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._place = tempfile.TemporaryDirectory()
        self._played = Path(self._place.name) / "played"
        self._wanted: tuple[Meeting, str] | None = None
        self._found: dict[Meeting, Future[League]] = {}

    def begin(self, meeting: Meeting, address: str) -> None:
        """Begin the league of a meeting, unless it has already begun.

        Raises:
            UsageError: another league is in progress, or as for ``check``.
            SourceError: as for ``check``.
        """
        check(meeting)
        with self._lock:
            if meeting not in self._found:
                if self._wanted is not None and self.goes_on(self._found[self._wanted[0]]):
                    raise UsageError("Another league is being played. Stop it, or wait until it ends.")
                self._played.unlink(missing_ok=True)
                found = self._submit(partial(_kept, self._folder, meeting, address, self._played))
                self._wanted, self._found[meeting] = (meeting, address), found
                self._found = dict([*self._found.items()][-MOST_LEAGUES:])

    def look(self, meeting: Meeting) -> "Future[League] | None":
        """The league of a meeting, after waiting for it for a moment; None if it has not begun.

        Raises:
            UsageError: as for ``check``.
            SourceError: as for ``check``.
        """
        check(meeting)
        found = self._found.get(meeting)
        if found is not None:
            self.goes_on(found, SOON)
        return found

    def progress(self) -> tuple[str, int, int] | None:
        """The address of the league that goes on, and how many games of how many it has played; None if none does."""
        with self._lock:
            if self._wanted is None or not self.goes_on(self._found[self._wanted[0]]):
                return None
            meeting, address = self._wanted
        try:
            played = int(self._played.read_text(encoding="ascii") or "0")
        except (OSError, ValueError):  # it is being written
            played = 0
        size = len(meeting.players)
        return address, played, max(played, size * (size - 1) * meeting.games)

    def end(self) -> None:
        """End what goes on, and forget it."""
        with self._lock:
            super().end()
            self._found = {
                each: found
                for each, found in self._found.items()
                if found.done() and not (found.cancelled() or found.exception())
            }
            self._wanted = None


def _kept(folder: Path, meeting: Meeting, address: str, played: Path) -> League:
    """The league of a meeting, noted below a folder before its page can show it."""
    league = meet(meeting, played)
    with suppress(GpkitError, OSError):  # the league is there all the same
        keep_league(folder, meeting, address, league)
    return league


class StoppedError(GpkitError):
    """A match that was stopped while a part of it was played."""


class Matches(Worker):
    """The match that a page watches: one at a time, played no longer than somebody watches; a new one ends it."""

    def __init__(self) -> None:
        super().__init__()
        self._busy: Future[Any] | None = None
        self._begun: Bout | None = None
        self._name = ""

    def begin(self, bout: Bout) -> str:
        """The name of a new match, which is played when somebody watches it; the match before is over."""
        self.stop(self._name)
        with self._lock:
            self._begun, self._name = bout, secrets.token_hex(8)
            return self._name

    def watched(self, name: str) -> Iterator[list[dict[str, Any]]] | None:
        """The match of a name, for the first who asks for it; None for all others.

        It gives the rows that changed: at first all, then those of each part, which raise ``StoppedError`` where the
        match was stopped, and GpkitError where a program cannot play or the process has died.
        """
        with self._lock:
            bout, self._begun = (self._begun, None) if self.is_on(name) else (None, self._begun)
        return None if bout is None else self._grow(name, bout)

    def _grow(self, name: str, bout: Bout) -> Iterator[list[dict[str, Any]]]:
        growth = Growth(bout, self.asked(name, rungs_of, bout))
        yield growth.rows()
        while (step := growth.next()) is not None:
            rung, call = step
            growth.take(rung, self.asked(name, call))
            yield [growth.row(rung)]

    def is_on(self, name: str) -> bool:
        """Whether the match of a name is the one that goes on."""
        return name == self._name

    def stop(self, name: str) -> None:
        """End the match of a name if it goes on, and the process if it is in the middle of a part that takes long."""
        with self._lock:
            if self.is_on(name):
                self._name, self._begun = "", None
                if self._busy is not None and wait([self._busy], GRACE).not_done:
                    self.end()

    def asked(
        self,
        name: str,
        function: Callable[Arguments, Found],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Found:
        """The answer of the process for the match of a name.

        Raises:
            StoppedError: the match is over.
            GpkitError: what the function raises, or the process has died.
        """
        with self._lock:
            if not self.is_on(name):
                raise StoppedError("the match was stopped")
            asked: Future[Found] = self._submit(partial(function, *args, **kwargs))
            self._busy = asked
        with suppress(BrokenExecutor):
            self._ended(asked)
        if not self.is_on(name):
            raise StoppedError("the match was stopped")
        return self.result(asked)
