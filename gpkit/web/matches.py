"""The match that a page watches: one at a time, played in a process of its own, no longer than somebody watches."""

import secrets
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from gpkit.app.growing import Bout, Growth, compute, play_part, rungs_of
from gpkit.core.errors import GpkitError
from gpkit.evolution.pools import ProcessPool

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")

GRACE = 0.5
"""Seconds in which a part of a match may come to its end when the match is over, so that the process can stay."""


class StoppedError(GpkitError):
    """A match that was stopped while a part of it was played."""


class Matches:
    """One process that plays for one page at a time; a new match ends the one before."""

    def __init__(self) -> None:
        self._pool, self._lock = ProcessPool(1), Lock()
        self._executor: Executor | None = None
        self._busy: Future[Any] | None = None
        self._begun: tuple[str, Bout] | None = None
        self._name = ""

    def begin(self, bout: Bout) -> str:
        """The name of a new match, which is played when somebody watches it; the match before is over."""
        name = secrets.token_hex(8)
        self.end()
        with self._lock:
            self._begun, self._name = (name, bout), name
        return name

    def watched(self, name: str) -> "Watched | None":
        """The match of a name, for the first who asks for it; None for all others."""
        with self._lock:
            if self._begun is None or self._begun[0] != name:
                return None
            bout, self._begun = self._begun[1], None
        return Watched(self, name, bout)

    def is_on(self, name: str) -> bool:
        """Whether the match of a name is the one that goes on."""
        return name == self._name

    def stop(self, name: str) -> None:
        """End the match of a name, if it is the one that goes on."""
        if self.is_on(name):
            self.end()

    def end(self) -> None:
        """End the match that goes on, and the process if it is in the middle of a part that takes long."""
        with self._lock:
            self._name, self._begun = "", None
            if self._executor is not None and self._busy is not None and wait([self._busy], GRACE).not_done:
                self._pool.close(self._executor)
                self._executor = None

    def close(self) -> None:
        """End the match and the process."""
        self.end()
        with self._lock:
            if self._executor is not None:
                self._pool.close(self._executor)
                self._executor = None

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
            if name != self._name:
                raise StoppedError("the match was stopped")
            if self._executor is None:
                self._executor = self._pool.open()
            asked: Future[Found] = self._executor.submit(function, *args, **kwargs)
            self._busy = asked
        try:
            return asked.result()
        except (BrokenProcessPool, CancelledError):
            if not self.is_on(name):
                raise StoppedError("the match was stopped") from None
            self.close()
            raise GpkitError("the process that played has died: run it again to start another") from None


class Watched:
    """A match as the one who watches it sees it."""

    def __init__(self, matches: Matches, name: str, bout: Bout) -> None:
        self._matches, self._name, self._bout = matches, name, bout
        self._growth: Growth | None = None

    def more(self) -> list[dict[str, Any]]:
        """The rows that changed: at first all, then those of the next part; empty when all is played.

        Raises:
            StoppedError: the match was stopped.
            GpkitError: a program cannot play, or the process has died.
        """
        if self._growth is None:
            self._growth = Growth(self._bout, self._matches.asked(self._name, rungs_of, self._bout))
            return self._growth.rows()
        growth, rung = self._growth, self._growth.next()
        if rung is None:
            return []
        if growth.is_exact(rung):
            growth.take(rung, self._matches.asked(self._name, compute, self._bout, rung))
        else:
            seed, numbers = growth.deals(rung)
            part = self._matches.asked(self._name, play_part, self._bout, rung, seed, numbers)
            growth.take(rung, part)
        return [growth.row(rung)]

    def stop(self) -> None:
        """End the match: nobody watches any more."""
        self._matches.stop(self._name)
