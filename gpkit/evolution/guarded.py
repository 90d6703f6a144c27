"""Executors that lose no work and always return the same results.

The size of a batch depends on the time that earlier batches took, so batches differ from run to run; the results do not
depend on them.

When one worker of a plain process pool dies, every waiting future fails. ``GuardedExecutor`` loses no work: it submits
only as many batches as the workers can run. When the workers break, it repeats the unfinished work one batch at a time.
This way, it finds any item that always kills its worker, and gives up only that item.
"""

import itertools
import logging
import time  # noqa: TID251 - measures batches; results do not depend on it
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from gpkit.core.errors import EXIT_INTERRUPTED, GpkitError, one_line
from gpkit.evolution.parcels import HELLO, LOADS, Cargo, Done, done, hello, opened, packed, tried
from gpkit.evolution.problem import Item, Lost, Result, Work

_LOG = logging.getLogger(__name__)

STEP_SECONDS = 0.075
"""A step of at most this many seconds is a single batch, because a second worker would hardly help."""

LEAST_SECONDS = 0.02
"""The minimum number of seconds of work in a batch of several items; sending a batch takes about a millisecond."""

SHARE = 2
"""A batch is at most 1 / (``SHARE`` · workers) of the remaining work, so that all workers finish together."""

LOOK_SECONDS = 1.0
"""After this many seconds without a result, gpkit counts the workers again, because some may have joined."""

STRIKES = 3
"""gpkit gives up an item after it has killed its worker this many times while it ran alone."""

REFUSALS = 10
"""The workers count as gone after this many refused batches in a row; a worker that dies at once refuses a batch."""


class WorkersGoneError(GpkitError):
    """All workers are lost for good, or there were none to begin with."""

    exit_code: ClassVar[int] = EXIT_INTERRUPTED


@dataclass(frozen=True, slots=True)
class SerialExecutor:
    """An executor that works in this process and handles all items as a single batch."""

    workers: int = 1

    def run(
        self, function: Work[Item, Result], items: Sequence[Item], seconds: Sequence[float]
    ) -> list[Result | Lost]:
        """The results, in the order of the items."""
        return list(done(function, items).results) if items else []


class Pace:
    """The ratio of measured to expected time for one kind of work.

    Each step starts from the ratio at the end of the previous step, with a tenth of the new step's weight. A worker's
    first batch does not count, because the worker is still loading and compiling code.
    """

    def __init__(self) -> None:
        self._expected = self._measured = 0.0
        self._begun: set[Hashable] = set()

    @property
    def known(self) -> float | None:
        """Measured seconds for each expected second; None before the first measurement."""
        return self._measured / self._expected if self._expected else None

    def begin(self, expected: float) -> None:
        """Start a step with this much expected work."""
        if (known := self.known) is not None:
            self._expected = expected / 10.0
            self._measured = known * self._expected

    def add(self, worker: Hashable, expected: float, measured: float) -> None:
        """Record a batch that a worker has finished."""
        if worker in self._begun:
            self._expected += expected
            self._measured += measured
        self._begun.add(worker)


class Queue:
    """The items of a step that are waiting to be sent, in order."""

    def __init__(self, seconds: Sequence[float], pace: Pace) -> None:
        """Begin a step.

        Args:
            seconds: the expected work of each item.
            pace: the measured pace of this kind of work.
        """
        self._ends = [0.0, *itertools.accumulate(max(each, 1e-9) for each in seconds)]
        self._start = self._sent = 0
        self.pace = pace
        pace.begin(self._ends[-1])

    def __bool__(self) -> bool:
        """Whether an item is waiting."""
        return self._start < len(self._ends) - 1

    def expected(self, batch: range) -> float:
        """The expected work of a batch."""
        return self._ends[batch.stop] - self._ends[batch.start]

    def next(self, workers: int) -> range:
        """The next batch to send: a single item until the pace is known, then ever smaller parts of what is left.

        Args:
            workers: the number of batches that run at the same time. Unless there is little work, there will be at
                least this many batches, or one batch for each item.
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
        """Remove a batch from the queue after it was sent."""
        self._start, self._sent = batch.stop, self._sent + 1


Answer = Future[Any]
"""The future of an answer to a batch, which ``opened`` reads."""

Submit = Callable[[range, bool], Answer | None]
"""Sends a batch (the positions of its items) with or without large values; returns None if the workers are broken."""

PATIENCE = 300.0
"""The default number of seconds to wait for the first worker, or for a worker that gpkit cannot observe."""

END_SECONDS = 2.0
"""The number of seconds to wait for killed workers to end."""

LINE_SECONDS = 30.0
"""The number of seconds between warnings while no worker answers."""

LONGEST = 20.0
"""A worker that gpkit cannot observe may take this many times as long as the longest batch so far."""


class Pool(ABC):
    """Workers that can be replaced when they break.

    Attributes:
        name: the name of the workers in messages.
        advice: a sentence that advises what to do when no worker answers.
        packs: whether to pack work for other processes; if not, functions and items are passed unchanged.
        by_value: whether to send functions by value if workers cannot import them.
        greets: whether to request a worker's versions before the first batch.
        is_seen: whether ``look`` detects that workers have died.
        patience: the seconds to wait for the first worker.
        words: additional keyword arguments for the executor's ``submit``.
    """

    words: Mapping[str, Any] = {}
    name, advice, patience = "the workers", "check whether they are running", PATIENCE
    packs, by_value, greets, is_seen = True, False, True, True

    @property
    @abstractmethod
    def workers(self) -> int:
        """The number of batches that run at the same time."""

    @abstractmethod
    def open(self) -> Executor:
        """Start workers."""

    def submit(self, executor: Executor, call: Callable[..., Any], *given: Any) -> Answer:
        """Send work to a worker.

        Raises:
            BrokenExecutor: the pool of workers is broken.
        """
        return executor.submit(call, *given)

    def greet(self, executor: Any) -> Answer:
        """Request the versions of a worker."""
        answer: Answer = executor.submit(eval, HELLO, **self.words)
        return answer

    def look(self, executor: Executor) -> None:
        """Check on the workers while no results arrive.

        Raises:
            BrokenExecutor: a worker has died, and its futures may never finish.
            WorkersGoneError: no worker is left to replace it.
        """
        processes = getattr(executor, "_processes", None) or {}
        if any(each.exitcode for each in [*processes.values()]):
            raise BrokenExecutor("a worker process has died")

    def close(self, executor: Executor, under_way: Collection[Answer] = ()) -> None:
        """Shut the workers down, even in the middle of a batch, after a user has interrupted the run.

        Args:
            executor: the workers, even broken ones.
            under_way: the futures of work that is no longer needed.
        """
        end(executor)

    def leave(self) -> None:  # noqa: B027 - most have nothing to close
        """Release the resources that only this pool uses; the pool cannot be used afterwards."""

    def gone(self, why: str) -> GpkitError:
        """The error for workers that break repeatedly."""
        return WorkersGoneError(f"{self.name} broke again and again ({why})")


def end(executor: Any) -> None:
    """Shut down an executor and its processes, even in the middle of a batch.

    The thread that serves the workers of a process pool may be waiting for a process that died while writing or
    reading. This thread ends only when the current process also closes its own ends of the pipes.
    """
    thread = getattr(executor, "_executor_manager_thread", None)
    pipes: Any = getattr(executor, "_call_queue", None), getattr(executor, "_result_queue", None)
    for process in [*(getattr(executor, "_processes", None) or {}).values()]:
        with suppress(AttributeError):  # loky's cannot
            process.kill()
    for words in ({"cancel_futures": True}, {"kill_workers": True}, {}):  # not all know all words
        with suppress(TypeError):
            executor.shutdown(wait=False, **words)
            break
    if thread is not None:
        thread.join(END_SECONDS)
        if thread.is_alive() and isinstance(executor, ProcessPoolExecutor):
            pipes[0]._reader.close()
            pipes[1]._writer.close()
            thread.join(END_SECONDS)


class GuardedExecutor(AbstractContextManager["GuardedExecutor"]):
    """Runs batches in a pool's workers and survives their deaths; a ``with`` statement closes the executor."""

    def __init__(self, pool: Pool) -> None:
        self._pool, self._greeted = pool, not pool.greets
        self._executor: Executor | None = None
        self._paces, self._files = dict[Hashable, Pace](), dict[frozenset[str], tuple[Any, ...]]()
        self._times_sent, self._under_way, self._differences = Counter[str](), set[Answer](), set[str]()
        self._heard = self._told = self._longest = 0.0
        self._count, self._refused = 1, 0

    @property
    def workers(self) -> int:
        """The number of batches that run at the same time."""
        return self._pool.workers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._pool.leave()

    def close(self) -> None:
        """Cancel the work in progress, and shut the workers down."""
        if self._executor is not None:
            executor, self._executor, self._greeted = self._executor, None, False
            self._pool.close(executor, [*self._under_way])
        self._under_way.clear()

    def run(
        self, function: Work[Item, Result], items: Sequence[Item], seconds: Sequence[float]
    ) -> list[Result | Lost]:
        """The results, in the order of the items; ``Lost`` for an item that always kills its worker.

        Raises:
            UsageError: workers die before they do any work, or the function or an item cannot be sent to them.
            WorkersGoneError: there have been no workers for a while.
            Exception: any error that ``function`` raises.
        """
        cargo = packed(function, self._pool.by_value, self._files) if self._pool.packs else None

        def submit(batch: range, whole: bool) -> Answer | None:
            chosen = [items[index] for index in batch]
            if cargo is None:
                return self._submit(tried, function, chosen)
            return self._submit(LOADS, self._parcel(cargo, chosen, whole))

        results: dict[int, Result | Lost] = {}
        waiting = Queue(seconds, self._paces.setdefault(getattr(function, "func", function), Pace()))
        suspects: deque[range] = deque()
        while waiting:
            suspects.extend(self._run_together(submit, waiting, results))
        while suspects:
            self._run_alone(submit, suspects.popleft(), results, suspects)
        return [results[index] for index in range(len(items))]

    def _parcel(self, cargo: Cargo, items: Sequence[object], whole: bool) -> bytes:
        """A batch as bytes; large values are included in the first batch for each worker, and on request."""
        self._times_sent = Counter({each: self._times_sent[each] for each in cargo.large})
        whole = whole or any(times < self._count for times in self._times_sent.values())
        self._times_sent.update([*cargo.large] if whole else [])
        return cargo.parcel(items, whole)

    def _run_together(self, submit: Submit, waiting: Queue, results: dict[int, Result | Lost]) -> list[range]:
        """Keep the workers busy until no batch is waiting or the workers fail, and return the unfinished batches."""
        under_way: dict[Answer, range] = {}
        suspects: list[range] = []
        broken, self._count = False, self.workers
        while under_way or (waiting and not broken):
            while waiting and not broken and len(under_way) <= self._count:
                batch = waiting.next(self._count)
                sent = submit(batch, False)
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
                self._count = self.workers
            for future in ready:
                batch = under_way.pop(future)
                found = self._collect(submit, future, batch, results)
                if found is None:
                    suspects.append(batch)
                    broken = True
                else:
                    place = (found.worker["node"], found.worker["pid"])
                    waiting.pace.add(place, waiting.expected(batch), found.seconds)
        if broken:
            self.close()
            self._opened()
        return suspects

    def _run_alone(
        self, submit: Submit, batch: range, results: dict[int, Result | Lost], suspects: deque[range]
    ) -> None:
        """Run one batch alone; if its worker dies, test each half of the batch alone, or give up a single item."""
        deaths = 0
        while deaths < (STRIKES if len(batch) == 1 else 1):
            future = submit(batch, True)
            if future is not None:
                if self._collect(submit, future, batch, results) is not None:
                    return
                deaths += 1
            self.close()
            self._opened()
        if len(batch) == 1:
            results[batch[0]] = Lost(f"its worker died {STRIKES} times")
        else:
            middle = len(batch) // 2
            suspects.extendleft((batch[middle:], batch[:middle]))

    def _opened(self) -> Executor:
        """The workers, returned as soon as one of them has answered.

        Raises:
            GpkitError: the workers break repeatedly before one answers, or none answers for a while.
        """
        why = ""
        for _ in range(STRIKES):
            try:
                if self._executor is None:
                    self._executor = self._pool.open()
                if self._greeted:
                    return self._executor
                self._heard = self._told = time.monotonic()
                future = self._pool.greet(self._executor)
                self._under_way.add(future)
                while not self._ready([future]):
                    pass
                self._compare(future.result(0.0))
                self._greeted = True
                return self._executor
            except GpkitError:
                raise
            except Exception as error:
                why = one_line(error)
            self.close()
        raise self._pool.gone(why)

    def _compare(self, there: Mapping[str, Any]) -> None:
        """Log which versions differ between a worker and this process.

        Raises:
            WorkersGoneError: the worker lacks gpkit.
        """
        here = hello()
        if not there["gpkit"]:
            raise WorkersGoneError(
                f"a worker on {there['node']} lacks gpkit: install gpkit where each worker runs"
            )
        differ = [
            f"{each} {there[each]} and here {here[each]}" for each in COMPARED if there[each] != here[each]
        ]
        if differ and (told := ", ".join(differ)) not in self._differences:
            self._differences.add(told)
            _LOG.warning(f"a worker on {there['node']} has {told}: results may differ")

    def _submit(self, call: Callable[..., Any], *given: Any) -> Answer | None:
        """The future of an answer, or None if the workers are already broken."""
        executor = self._opened()
        if not self._under_way:
            self._heard = self._told = time.monotonic()
        try:
            future = self._pool.submit(executor, call, *given)
        except Exception as error:  # broken, shut down, or a worker that dies at its start breaks a pipe
            self._refused += 1
            if self._refused >= REFUSALS:
                raise self._pool.gone(one_line(error)) from error
            return None
        self._refused = 0
        self._under_way.add(future)
        return future

    def _ready(self, under_way: Collection[Answer]) -> set[Answer]:
        """The finished futures, as soon as there is one; empty after ``LOOK_SECONDS`` if all workers are alive.

        Raises:
            BrokenExecutor: a worker has died, and its futures may never finish.
            WorkersGoneError: there have been no workers for a while.
        """
        ready = wait(under_way, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED).done
        if ready:
            self._heard = self._told = time.monotonic()
            self._under_way -= ready
        elif self._executor is not None:
            self._pool.look(self._executor)
            if not (self._greeted and self._pool.is_seen):
                self._bide()
        return ready

    def _bide(self) -> None:
        """Log occasional warnings while no worker answers.

        Raises:
            WorkersGoneError: no worker has answered within the pool's patience.
        """
        pool, now = self._pool, time.monotonic()
        most = max(pool.patience, LONGEST * self._longest) if self._greeted else pool.patience
        quiet = f"no worker of {pool.name} has answered for"
        if now - self._heard >= most:
            raise WorkersGoneError(f"{quiet} {most:g} seconds: {pool.advice}")
        if now - self._told >= LINE_SECONDS:
            self._told = now
            _LOG.warning(
                f"{quiet} {now - self._heard:.0f} seconds; after {most:g} the run ends and can go on later: "
                f"{pool.advice}"
            )

    def _collect(
        self, submit: Submit, future: Answer | None, batch: range, results: dict[int, Result | Lost]
    ) -> Done[Result] | None:
        """Collect the results of a batch, sending it again if its worker lacks a value; None if the worker died.

        Raises:
            WorkersGoneError: no worker can run the batch.
            Exception: the error that the function raised.
        """
        found = None
        while found is None:
            if future is None:
                return None
            try:
                while not self._ready([future]):
                    pass
                answer = future.result(0.0)
            except GpkitError:
                raise
            except ImportError as error:
                raise WorkersGoneError(
                    f"a worker lacks a module of gpkit ({one_line(error)}): install gpkit where each worker runs"
                ) from error
            except Exception:
                return None
            found = opened(answer)
            future = submit(batch, True) if found is None else future
        self._compare(found.worker)
        self._longest = max(self._longest, found.seconds)
        results.update(zip(batch, found.results, strict=True))
        return found


COMPARED = ("gpkit", "numpy", "numba", "Python")
"""Packages that should have the same version in all processes."""
