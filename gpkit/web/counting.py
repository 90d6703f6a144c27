"""A worker process of the server that plays games to be counted."""

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from threading import Lock

from gpkit.app.heat import Wanted, count_games
from gpkit.core.errors import GpkitError
from gpkit.evolution.pools import ProcessPool
from gpkit.playing.heat import Tally


class CountingWorker:
    """One process, started when it is first needed; what is asked of it is done in turn."""

    def __init__(self) -> None:
        self._pool, self._lock = ProcessPool(1), Lock()
        self._executor: Executor | None = None

    def count(self, wanted: Wanted, numbers: range) -> Tally:
        """The tally of the games of these numbers, when they have been played.

        Raises:
            UsageError: as of ``count_games``.
            SourceError: likewise.
            GpkitError: the process has died; the next request starts another one.
        """
        try:
            return self._begun(wanted, numbers).result()
        except BrokenProcessPool:
            self.end()
            raise GpkitError("the process that counts games has died: ask again to start another") from None

    def _begun(self, wanted: Wanted, numbers: range) -> "Future[Tally]":
        with self._lock:
            if self._executor is None:
                self._executor = self._pool.open()
            return self._executor.submit(count_games, wanted, numbers)

    def end(self) -> None:
        """End the process in the middle of whatever it does."""
        with self._lock:
            if self._executor is not None:
                self._pool.close(self._executor)
                self._executor = None
