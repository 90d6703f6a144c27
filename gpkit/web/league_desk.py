"""A league of slow players, which a process of its own plays while its page looks again and again."""

from concurrent.futures import Executor, Future
from threading import Lock

from gpkit.app.leagues import League, Meeting, meet
from gpkit.core.errors import UsageError
from gpkit.evolution.pools import ProcessPool


class LeagueDesk:
    """One meeting at a time, and what came of the last one."""

    def __init__(self) -> None:
        self._pool, self._lock = ProcessPool(1), Lock()
        self._executor: Executor | None = None
        self._wanted: Meeting | None = None
        self._found: Future[League] | None = None

    def look(self, meeting: Meeting) -> League | None:
        """The league of a meeting, which begins if it has not; None while it goes on.

        Raises:
            UsageError: another one goes on, or as of ``meet``.
            SourceError: as of ``meet``.
        """
        with self._lock:
            if meeting != self._wanted or self._found is None:
                if self._found is not None and not self._found.done():
                    raise UsageError(
                        "another league of slow players goes on: stop it on its page, or wait for its end"
                    )
                if self._executor is None:
                    self._executor = self._pool.open()
                self._wanted, self._found = meeting, self._executor.submit(meet, meeting)
            return self._found.result() if self._found.done() else None

    def end(self) -> None:
        """End what goes on, and forget it."""
        with self._lock:
            if self._executor is not None:
                self._pool.close(self._executor)
            self._executor = self._wanted = self._found = None
