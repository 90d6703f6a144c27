"""Executors: where genomes are evaluated. Whatever the executor, the results are the same.

Batches follow the time that earlier ones took, so they are cut otherwise in every run; no result depends on them.

A bare process pool breaks every waiting future when one worker dies. ``GuardedExecutor`` loses nothing: it submits only
as much as the workers can hold, and when they break it finishes what was under way one batch at a time, so that an item
that always kills its worker is found, given up and told apart from its neighbours.
"""

import itertools
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Collection, Hashable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

from gpkit.core.errors import EXIT_INTERRUPTED, GpkitError, UsageError, one_line
from gpkit.evolution.parcels import Done
from gpkit.evolution.problem import Item, Lost, Result, Work

STEP_SECONDS = 0.075
"""A step that takes no longer is one batch: it is hardly worth a second worker."""

LEAST_SECONDS = 0.02
"""The least work of a batch that others go with: sending it costs about a millisecond."""

SHARE = 2
"""A batch is at most the part 1 / (``SHARE`` · workers) of the work that is left, so that all end together."""

LOOK_SECONDS = 1.0
"""Seconds without a result after which the workers are counted again: some may have joined."""

STRIKES = 3
"""An item is given up when a worker has died so many times while it worked on nothing else."""


class WorkersGoneError(GpkitError):
    """All workers were lost for good during the work, or there were none to begin with."""

    exit_code: ClassVar[int] = EXIT_INTERRUPTED


@dataclass(frozen=True, slots=True)
class SerialExecutor:
    """Works in this process, all items as one batch."""

    workers: int = 1

    def run(
        self, function: Work[Item, Result], items: Sequence[Item], seconds: Sequence[float]
    ) -> list[Result | Lost]:
        """The results of the items, in their order."""
        return list(function(items)) if items else []


class Pace:
    """Measured time of one kind of work, for every second that was expected.

    It begins each step with what the last one ended with, to the weight of a tenth of what is to be done now. What a
    worker does first is left out: it loads and compiles.
    """

    def __init__(self) -> None:
        self._expected = self._measured = 0.0
        self._begun: set[Hashable] = set()

    @property
    def known(self) -> float | None:
        """Measured seconds for an expected one; None before anything was measured."""
        return self._measured / self._expected if self._expected else None

    def begin(self, expected: float) -> None:
        """Begin a step of so much expected work."""
        if (known := self.known) is not None:
            self._expected = expected / 10.0
            self._measured = known * self._expected

    def add(self, worker: Hashable, expected: float, measured: float) -> None:
        """Count a batch that a worker has done."""
        if worker in self._begun:
            self._expected += expected
            self._measured += measured
        self._begun.add(worker)


class Queue:
    """The items of a step that wait to be sent, in their order."""

    def __init__(self, seconds: Sequence[float], pace: Pace) -> None:
        """Begin a step.

        Args:
            seconds: the expected work of each item.
            pace: of this kind of work.
        """
        self._ends = [0.0, *itertools.accumulate(max(each, 1e-9) for each in seconds)]
        self._start = self._sent = 0
        self.pace = pace
        pace.begin(self._ends[-1])

    def __bool__(self) -> bool:
        """Whether an item waits."""
        return self._start < len(self._ends) - 1

    def expected(self, batch: range) -> float:
        """The expected work of a batch."""
        return self._ends[batch.stop] - self._ends[batch.start]

    def next(self, workers: int) -> range:
        """The batch to be sent next: single items until the pace is known, then ever smaller parts of what is left.

        Args:
            workers: how many batches run at the same time. There will be as many batches, or one for each item, unless
                all the work is little.
        """
        ends, start, count, pace = self._ends, self._start, len(self._ends) - 1, self.pace.known
        if pace is None:
            end = start + 1
        elif ends[-1] * pace <= STEP_SECONDS:
            end = count
        else:
            work = max((ends[-1] - ends[start]) / (SHARE * workers), LEAST_SECONDS / pace)
            still_to_come = max(0, min(count, workers) - self._sent - 1)
            end = min(bisect_right(ends, ends[start] + work) - 1, count - still_to_come)
        return range(start, max(end, start + 1))

    def sent(self, batch: range) -> None:
        """Go on after a batch that was sent."""
        self._start, self._sent = batch.stop, self._sent + 1


Submit = Callable[[range], Future[Done[Result]] | None]
"""Sends a batch, given by the places of its items; None when the workers are already broken."""


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

    def submit(
        self, executor: Executor, function: Work[Item, Result], items: Sequence[Item]
    ) -> Future[Done[Result]]:
        """Send a batch to a worker.

        Raises:
            UsageError: the function or an item cannot be sent.
            BrokenExecutor: the pool of workers is broken.
        """

    def look(self, executor: Executor) -> None:
        """Check on the workers while no results arrive.

        Raises:
            BrokenExecutor: a worker has died, and its futures may never finish.
            WorkersGoneError: no worker is left to replace it.
        """

    def close(self, executor: Executor) -> None:
        """Shut workers down, the broken ones too."""


class GuardedExecutor(AbstractContextManager["GuardedExecutor"]):
    """Runs batches in a pool's workers and survives their deaths; to be closed after use, so use it in a ``with``."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._executor: Executor | None = None
        self._paces: dict[Hashable, Pace] = {}

    @property
    def workers(self) -> int:
        """Number of batches that run at the same time."""
        return self._pool.workers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Shut the workers down."""
        if self._executor is not None:
            self._pool.close(self._executor)
            self._executor = None

    def run(
        self, function: Work[Item, Result], items: Sequence[Item], seconds: Sequence[float]
    ) -> list[Result | Lost]:
        """The results of the items, in their order; ``Lost`` for an item that always killed its worker.

        Raises:
            UsageError: workers die before they do anything, or the function or an item cannot be sent to them.
            WorkersGoneError: there have been no workers for a while.
            Exception: any error that ``function`` raises.
        """

        def submit(batch: range) -> Future[Done[Result]] | None:
            return self._submit(function, [items[index] for index in batch])

        results: dict[int, Result | Lost] = {}
        waiting = Queue(seconds, self._paces.setdefault(getattr(function, "func", function), Pace()))
        suspects: deque[range] = deque()
        while waiting:
            suspects.extend(self._run_together(submit, waiting, results))
        while suspects:
            self._run_alone(submit, suspects.popleft(), results, suspects)
        return [results[index] for index in range(len(items))]

    def _run_together(
        self, submit: Submit[Result], waiting: Queue, results: dict[int, Result | Lost]
    ) -> list[range]:
        """Keep the workers full until no batch waits or they break; gives the batches that broke with them."""
        under_way: dict[Future[Done[Result]], range] = {}
        suspects: list[range] = []
        broken, workers = False, self.workers
        while under_way or (waiting and not broken):
            while waiting and not broken and len(under_way) <= workers:
                batch = waiting.next(workers)
                sent = submit(batch)
                if sent is None:
                    broken = True
                else:
                    under_way[sent] = batch
                    waiting.sent(batch)
            try:
                ready = self._ready(under_way)
            except BrokenExecutor:
                suspects.extend(under_way.values())
                broken = True
                break
            if not ready:
                workers = self.workers
            for future in ready:
                batch = under_way.pop(future)
                found = self._collect(future, batch, results)
                if found is None:
                    suspects.append(batch)
                    broken = True
                else:
                    waiting.pace.add(found.worker, waiting.expected(batch), found.seconds)
        if broken:
            self.close()
            self._check_workers()
        return suspects

    def _run_alone(
        self,
        submit: Submit[Result],
        batch: range,
        results: dict[int, Result | Lost],
        suspects: deque[range],
    ) -> None:
        """Run one batch with nothing beside it; if its worker dies, suspect its halves, or give its only item up."""
        for _ in range(STRIKES if len(batch) == 1 else 1):
            future = submit(batch)
            if future is not None and self._collect(future, batch, results) is not None:
                return
            self.close()
        if len(batch) == 1:
            results[batch[0]] = Lost(f"its worker died {STRIKES} times")
        else:
            middle = len(batch) // 2
            suspects.extendleft((batch[middle:], batch[:middle]))

    def _check_workers(self) -> None:
        for _ in range(STRIKES):
            nothing: Future[Done[object]] | None = self._submit(list, [])
            if nothing is not None and self._collect(nothing, range(0), {}) is not None:
                return
            self.close()
        raise UsageError(
            "worker processes die as soon as they start: a script with several workers does its work below "
            '`if __name__ == "__main__":`, as they import it; or try one worker'
        )

    def _submit(self, function: Work[Item, Result], batch: list[Item]) -> Future[Done[Result]] | None:
        """The future of a batch, or None if the workers are already broken.

        Raises:
            UsageError: it cannot send the function or an item to another process.
        """
        if self._executor is None:
            self._executor = self._pool.open()
        try:
            return self._pool.submit(self._executor, function, batch)
        except (BrokenExecutor, ConnectionError, EOFError):  # a worker that dies at its start breaks a pipe
            return None

    def _ready(self, under_way: Collection[Future[Done[Result]]]) -> set[Future[Done[Result]]]:
        """The finished futures, as soon as there is one; none after ``LOOK_SECONDS`` if all workers are alive.

        Raises:
            BrokenExecutor: a worker has died, and its futures may never finish.
            WorkersGoneError: there have been no workers for a while.
        """
        ready = wait(under_way, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED).done
        if not ready and self._executor is not None:
            self._pool.look(self._executor)
        return ready

    def _collect(
        self, future: Future[Done[Result]], batch: range, results: dict[int, Result | Lost]
    ) -> Done[Result] | None:
        """Collect the results of a finished batch; None if its worker died.

        Raises:
            WorkersGoneError: no worker can do the batch.
            Exception: the function raised it.
        """
        failures: tuple[type[BaseException], ...] = (BrokenExecutor, *self._pool.failures)
        try:
            while not self._ready([future]):
                pass
            found = future.result(0.0)
        except failures:
            return None
        except ImportError as error:
            raise WorkersGoneError(
                f"a worker lacks a module that gpkit needs ({one_line(error)}): install gpkit where each worker runs"
            ) from error
        results.update(zip(batch, found.results, strict=True))
        return found
