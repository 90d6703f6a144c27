"""Workers of the pages that are threads of the same process."""

from concurrent.futures import Executor, ThreadPoolExecutor
from threading import Event


class Pool:
    """Workers that are threads, and do not end before they are told to."""

    def __init__(self) -> None:
        self.opened, self.released = 0, Event()

    def open(self) -> Executor:
        """A thread."""
        self.opened += 1
        self.released.clear()
        return ThreadPoolExecutor(1)

    def look(self, executor: Executor) -> None:
        """Nobody dies."""

    def close(self, executor: Executor) -> None:
        """End what is being done, as the end of a process would."""
        self.released.set()
        executor.shutdown()
