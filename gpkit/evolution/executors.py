"""Executors: where genomes are evaluated. Whatever the executor, the results are the same.

A bare process pool breaks every waiting future when one worker dies. ``GuardedExecutor`` loses nothing: it submits only
as much as the workers can hold, and when they break it finishes what was under way one batch at a time, so that an item
that always kills its worker is found, given up and told apart from its neighbours.
"""

import itertools
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from gpkit.core.errors import GpkitError, UsageError
from gpkit.evolution.problem import Lost

Item = TypeVar("Item")
Result = TypeVar("Result")

BATCH_SECONDS = 0.075
"""The least expected work of a batch: sending it costs a few milliseconds."""

BATCHES_PER_WORKER = 4
"""At most so many batches for each worker, where there is much work: enough to even out wrong expectations."""

STRIKES = 3
"""An item is given up when a worker has died so many times while it worked on nothing else."""


class WorkersGoneError(GpkitError):
    """All workers were lost for good in the middle of the work."""


@dataclass(frozen=True, slots=True)
class SerialExecutor:
    """Works in this process, all items as one batch."""

    workers: int = 1

    def run(
        self,
        function: Callable[[Sequence[Item]], Sequence[Result]],
        items: Sequence[Item],
        seconds: Sequence[float],
    ) -> list[Result | Lost]:
        """The results of the items, in their order."""
        return list(function(items)) if items else []


def batches(seconds: Sequence[float], workers: int) -> list[range]:
    """Consecutive items in batches of about equal expected work.

    Args:
        seconds: the expected work of each item.
        workers: how many batches run at the same time.
    """
    total = sum(seconds)
    count = max(1, min(int(total / BATCH_SECONDS), BATCHES_PER_WORKER * workers, len(seconds)))
    ends = list(itertools.accumulate(seconds))
    result = []
    start = 0
    for number in range(1, count + 1):
        end = start
        while end < len(seconds) and (number == count or ends[end] <= total * number / count):
            end += 1
        if end > start:
            result.append(range(start, end))
        start = end
    return result


class Pool(Protocol):
    """Workers that can be replaced when they break."""

    @property
    def workers(self) -> int:
        """Number of batches that run at the same time."""

    @property
    def failures(self) -> tuple[type[BaseException], ...]:
        """Exceptions that a future raises when its worker died."""

    def open(self) -> Executor:
        """Start workers."""

    def close(self, executor: Executor) -> None:
        """Let workers go, the broken ones too."""


class GuardedExecutor(AbstractContextManager["GuardedExecutor"]):
    """Runs batches in a pool's workers and survives their deaths; to be closed after use, so use it in a ``with``."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._executor: Executor | None = None

    @property
    def workers(self) -> int:
        """Number of batches that run at the same time."""
        return self._pool.workers

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the workers go."""
        if self._executor is not None:
            self._pool.close(self._executor)
            self._executor = None

    def run(
        self,
        function: Callable[[Sequence[Item]], Sequence[Result]],
        items: Sequence[Item],
        seconds: Sequence[float],
    ) -> list[Result | Lost]:
        """The results of the items, in their order; ``Lost`` for an item that always killed its worker.

        Raises:
            UsageError: workers die before they do anything.
            WorkersGoneError: there will be no more workers.
            Exception: what ``function`` raised.
        """
        results: dict[int, Result | Lost] = {}
        waiting = deque(batches(seconds, self.workers))
        suspects: deque[range] = deque()
        while waiting:
            suspects.extend(self._run_together(function, items, waiting, results))
        if suspects:
            self._check_workers()
        while suspects:
            self._run_alone(function, items, suspects.popleft(), results, suspects)
        return [results[index] for index in range(len(items))]

    def _run_together(
        self,
        function: Callable[[Sequence[Item]], Sequence[Result]],
        items: Sequence[Item],
        waiting: deque[range],
        results: dict[int, Result | Lost],
    ) -> list[range]:
        """Keep the workers full until no batch waits or they break; gives the batches that broke with them."""
        under_way: dict[Future[Sequence[Result]], range] = {}
        suspects: list[range] = []
        broken = False
        while under_way or (waiting and not broken):
            while waiting and not broken and len(under_way) <= self.workers:
                future = self._submit(function, [items[index] for index in waiting[0]])
                if future is None:
                    broken = True
                else:
                    under_way[future] = waiting.popleft()
            wait(under_way, return_when=FIRST_COMPLETED)
            for future in [future for future in under_way if future.done()]:
                batch = under_way.pop(future)
                if not self._collect(future, batch, results):
                    suspects.append(batch)
                    broken = True
        if broken:
            self.close()
        return suspects

    def _run_alone(
        self,
        function: Callable[[Sequence[Item]], Sequence[Result]],
        items: Sequence[Item],
        batch: range,
        results: dict[int, Result | Lost],
        suspects: deque[range],
    ) -> None:
        """Run one batch with nothing beside it; if its worker dies, suspect its halves, or give its only item up."""
        for _ in range(STRIKES if len(batch) == 1 else 1):
            future = self._submit(function, [items[index] for index in batch])
            if future is not None and self._collect(future, batch, results):
                return
            self.close()
        if len(batch) == 1:
            results[batch[0]] = Lost(f"its worker died {STRIKES} times")
        else:
            middle = len(batch) // 2
            suspects.extendleft((batch[middle:], batch[:middle]))

    def _check_workers(self) -> None:
        for _ in range(STRIKES):
            future = self._submit(list, [])
            if future is not None and self._collect(future, range(0), {}):
                return
            self.close()
        raise UsageError("worker processes die as soon as they start; try one worker")

    def _submit(self, function: Callable[[list[Item]], Any], batch: list[Item]) -> Future[Any] | None:
        """The future of a batch, or None when the workers are already broken."""
        if self._executor is None:
            self._executor = self._pool.open()
        try:
            return self._executor.submit(function, batch)
        except BrokenExecutor:
            return None

    def _collect(
        self, future: Future[Sequence[Result]], batch: range, results: dict[int, Result | Lost]
    ) -> bool:
        """Take over the results of a batch; False when its worker died."""
        try:
            found = future.result()
        except self._pool.failures:
            return False
        results.update(zip(batch, found, strict=True))
        return True
