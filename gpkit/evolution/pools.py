"""Pools of workers: processes of this machine, or a dask cluster; and the executor that an option asks for."""

import linecache
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time  # noqa: TID251 - waits for workers; results do not depend on it
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import connection, forkserver
from multiprocessing.context import BaseContext
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any, ParamSpec

from gpkit.core.errors import UsageError
from gpkit.core.wording import install_command
from gpkit.evolution import problem
from gpkit.evolution.executors import GuardedExecutor, SerialExecutor, WorkersGoneError
from gpkit.evolution.parcels import Done, Dumps, packed
from gpkit.evolution.problem import Item, Result, Work

Arguments = ParamSpec("Arguments")

WINDOWS_WORKERS, PER_CORE = 61, 4
"""The most processes of a ``ProcessPoolExecutor`` on Windows, and how many a core is given elsewhere."""

IMPORTED_ONCE = ["__main__", "gpkit.evolution.game_problem", "numba"]
"""Modules that the fork server imports, so that its workers start with them."""

SAFE_PATH = "PYTHONSAFEPATH"
"""The variable that stops the fork server from importing files such as ``random.py`` from the current folder."""

GUARD = 'if __name__ == "__main__":'
"""Line below which a script does what worker processes, that import it, are not to do again."""

_ASKS = ("__main__", "parent_process", "current_process")
"""Words by which a script can tell whether a worker imports it."""

END_SECONDS = 2.0
"""Seconds to wait for killed workers to end."""

PATIENCE = 30.0
"""Seconds that a dask cluster may have no workers, or a silent scheduler, in the middle of the work."""

SETTLING = 1.0
"""Seconds before new workers of a dask cluster get work after others have died."""

ANSWER_SECONDS = 10.0
"""Seconds for which a dask scheduler is waited for, at first and when the connection is lost."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ProcessPool:
    """Worker processes of this machine, started by a fork server where there is one."""

    workers: int
    failures: tuple[type[BaseException], ...] = field(default=(BrokenProcessPool,), init=False)

    def open(self) -> Executor:
        """Start workers, each when it is first needed."""
        context = multiprocessing.get_context(start_method())
        before = _served(context) if context.get_start_method() == "forkserver" else os.environ.get(SAFE_PATH)
        return ProcessPoolExecutor(
            self.workers, mp_context=context, initializer=prepare_worker, initargs=(before,)
        )

    def submit(
        self, executor: Executor, function: Work[Item, Result], items: Sequence[Item]
    ) -> Future[Done[Result]]:
        """Send a batch to a worker."""
        return executor.submit(ForkingPickler.loads, packed(function, items))

    def look(self, executor: Executor) -> None:
        """Check on the workers while no results arrive.

        Raises:
            BrokenExecutor: a worker has died. Its futures may never finish if it died while it wrote a result.
        """
        assert isinstance(executor, ProcessPoolExecutor)
        if not all(process.is_alive() for process in [*(executor._processes or {}).values()]):
            raise BrokenExecutor

    def close(self, executor: Executor) -> None:
        """End the workers, even in the middle of a batch, because somebody has interrupted the run.

        The thread that serves the workers may be waiting for one that died while it was writing or reading. That thread
        ends only when this process also closes its own ends of the pipes.
        """
        pool: Any = executor
        thread, calls, results = pool._executor_manager_thread, pool._call_queue, pool._result_queue
        for process in [*(pool._processes or {}).values()]:
            process.kill()
        executor.shutdown(wait=False, cancel_futures=True)
        if thread is not None:
            thread.join(END_SECONDS)
            if thread.is_alive():
                calls._reader.close()
                results._writer.close()
                thread.join(END_SECONDS)


_SERVING = threading.RLock()
"""The lock for starting the fork server."""


def _served(context: BaseContext) -> str | None:
    """Start the fork server with its own ``SAFE_PATH``, and give the value of that variable in this process."""
    with _SERVING:
        before = os.environ.get(SAFE_PATH)
        context.set_forkserver_preload(IMPORTED_ONCE)
        os.environ[SAFE_PATH] = before or "1"
        try:
            forkserver.ensure_running()
        finally:
            if before is None:
                del os.environ[SAFE_PATH]
        return before


def check_guarded(workers: str) -> None:
    """Check that worker processes, which import the script again, do not start workers themselves.

    A worker that gets here while it imports the script ends at once.

    Raises:
        UsageError: the script does not check ``__name__``, or it is not a file.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        os._exit(1)
    script = getattr(sys.modules["__main__"], "__file__", None) or ""
    if script and not Path(script).is_file():
        raise UsageError(
            f"{workers} workers cannot import {script}, which is not a file: save it as a file, or use one worker"
        )
    text, frame = "".join(linecache.getlines(script)), sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
    at_top = frame.f_code.co_filename == script and frame.f_code.co_name == "<module>"
    if at_top and text and not any(word in text for word in _ASKS):
        raise UsageError(
            f"{script} would be run again by each of {workers} workers, which import it: put what it does below a line "
            f"`{GUARD}`, functions and the problem above it; or use one worker"
        )


def start_method() -> str:
    """Start method of worker processes: Windows has no fork server, and starts each anew."""
    return "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


def prepare_worker(safe_path: str | None = None) -> None:
    """Leave interrupts and results to the parent process, and end when it ends.

    Args:
        safe_path: the value of ``SAFE_PATH`` in the parent process, for processes that the work starts.
    """
    if safe_path is None:
        os.environ.pop(SAFE_PATH, None)
    sys.stdout = sys.stderr  # the parent reports results
    for number in (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


class DaskPool:
    """The workers of a dask cluster at an address such as ``tcp://host:8786``; they need gpkit installed.

    A scheduler trusts everybody who can reach it: use it on a trusted network or with TLS.
    """

    def __init__(self, address: str) -> None:
        """Connect.

        Raises:
            UsageError: dask is not installed, or nobody answers at the address.
        """
        try:
            distributed = import_module("distributed")
        except ImportError as error:
            raise UsageError(f"`{address}` needs the package dask: {install_command('dask')}") from error
        try:
            self._client: Any = distributed.Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(f"no dask scheduler answers at `{address}`: {error}") from error
        self._address, self._answered = address, time.monotonic()
        self._threads: Mapping[str, int] = {}
        self._where: dict[Future[Any], str] = {}
        self._dumps: Dumps = import_module("distributed.protocol.pickle").dumps
        self.failures: tuple[type[BaseException], ...] = (distributed.KilledWorker, CancelledError)

    @property
    def workers(self) -> int:
        """Number of threads of the workers that the cluster has now, but at least 1; asked for anew every time.

        A scheduler that does not answer has as many as before; who submits something to it is told.
        """
        self._count()
        return max(1, sum(self._threads.values()))

    def _count(self) -> None:
        if not _is_closed(self._client):
            try:
                self._threads = self._client.nthreads(callback_timeout=ANSWER_SECONDS)
                self._answered = time.monotonic()
            except OSError as error:
                _LOG.info("the workers at %s could not be counted: %s", self._address, error)

    def open(self) -> Executor:
        """The cluster as an executor, once it has workers.

        If workers have died, it first waits ``SETTLING`` seconds for new ones: a nanny does not replace a worker that
        dies earlier.

        Raises:
            WorkersGoneError: the scheduler does not answer, or there have been no workers for ``PATIENCE``.
        """
        executor, began, pause = (
            _ClusterExecutor(self._client),
            time.monotonic(),
            bool(self._where) * SETTLING,
        )
        self._where.clear()
        self.look(executor)
        while not self._threads:
            if time.monotonic() - began >= PATIENCE:
                raise WorkersGoneError(
                    f"the dask cluster at {self._address} has had no worker for {PATIENCE:g} seconds: start workers "
                    f"where gpkit is installed, for example with `dask worker {self._address}`"
                )
            time.sleep(SETTLING)
            self.look(executor)
        time.sleep(pause)
        return executor

    def submit(
        self, executor: Executor, function: Work[Item, Result], items: Sequence[Item]
    ) -> Future[Done[Result]]:
        """Send a batch to the least busy worker, and to no other one.

        dask itself would give the work of a dead worker to the next one, until all are dead.

        Raises:
            UsageError: the function or an item cannot be sent.
            BrokenExecutor: there are no workers.
        """
        if not self._threads:
            raise BrokenExecutor
        busy = Counter([*self._where.values()])
        worker = min(self._threads, key=lambda each: busy[each] / self._threads[each])
        cluster: Any = executor
        sent = packed(function, items, self._dumps)
        future: Future[Done[Result]] = cluster.submit(ForkingPickler.loads, sent, workers=[worker])
        self._where[future] = worker
        future.add_done_callback(lambda each: self._where.pop(each, None))
        return future

    def look(self, executor: Executor) -> None:
        """Check on the workers while no results arrive.

        Raises:
            BrokenExecutor: a worker is gone before it finished its work.
            WorkersGoneError: the scheduler no longer answers.
        """
        self._count()
        if _is_closed(self._client) or time.monotonic() - self._answered >= PATIENCE:
            raise WorkersGoneError(f"the dask scheduler at {self._address} no longer answers")
        if not self._threads.keys() >= {*self._where.values()}:
            raise BrokenExecutor

    def close(self, executor: Executor) -> None:
        """Forget what is still to be done; the cluster stays."""
        executor.shutdown(wait=False)


class _ClusterExecutor(Executor):
    """dask's executor, which is broken when its client has given the scheduler up."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor: Executor = client.get_executor(pure=False)

    def submit(
        self, function: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """The future of a call.

        Raises:
            BrokenExecutor: the scheduler no longer answers.
        """
        try:
            return self._executor.submit(function, *args, **kwargs)
        except Exception as error:
            if _is_closed(self._client):
                raise BrokenExecutor from error
            raise

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Forget what is still to be done, of which a scheduler that is gone need not be told."""
        try:
            self._executor.shutdown(wait=wait)
        except Exception:
            if not _is_closed(self._client):
                raise


def _is_closed(client: Any) -> bool:
    return client.status in ("closing", "closed")


def most_workers() -> int:
    """The most worker processes: four for each core, or as many as Windows can wait for if these are fewer."""
    return (
        WINDOWS_WORKERS if sys.platform == "win32" else max(WINDOWS_WORKERS, PER_CORE * (os.cpu_count() or 1))
    )


def executor_for(workers: str) -> AbstractContextManager[problem.Executor]:
    """The executor of the option ``--workers``: a number of processes, or the address of a dask scheduler.

    One worker works in this process.

    Raises:
        UsageError: neither a number from 1 to ``most_workers()`` nor an address, or a cluster that cannot be used; or
            workers would run the script again.
    """
    if "://" in workers:
        return GuardedExecutor(DaskPool(workers))
    if not (workers.isascii() and workers.isdecimal() and len(workers) <= 9 and int(workers) >= 1):
        raise UsageError(
            f"`{workers}` workers: expected a number such as 2, or an address such as tcp://host:8786"
        )
    if int(workers) == 1:
        return nullcontext(SerialExecutor())
    if int(workers) > (most := most_workers()):
        raise UsageError(
            f"{workers} workers: this machine supports at most {most}; more would only wait for each other"
        )
    check_guarded(workers)
    return GuardedExecutor(ProcessPool(int(workers)))
