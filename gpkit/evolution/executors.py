"""Pools of workers: this process, other processes on this machine, the workers of a dask cluster, or any executor.

``executor_for`` turns the argument ``workers=`` into an executor from ``gpkit.evolution.guarded``, which uses a pool of
workers. gpkit never waits forever: a pool checks its workers every second, and a worker that gpkit cannot observe must
answer within the pool's time limit, its ``patience``.
"""

import linecache
import multiprocessing
import os
import signal
import sys
import threading
import time  # noqa: TID251 - measures batches; results do not depend on it
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from multiprocessing import connection, forkserver
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any, ParamSpec

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GpkitError, GuestError, UsageError
from gpkit.core.plugins import SUFFIX, imported_file
from gpkit.core.wording import install_command
from gpkit.evolution import problem
from gpkit.evolution.guarded import LOOK_SECONDS as LOOK_SECONDS
from gpkit.evolution.guarded import PATIENCE, Answer, GuardedExecutor, Pool, end
from gpkit.evolution.guarded import SerialExecutor as SerialExecutor
from gpkit.evolution.guarded import WorkersGoneError as WorkersGoneError
from gpkit.evolution.parcels import packed
from gpkit.evolution.parts import Part, name_of_part

Arguments = ParamSpec("Arguments")

WINDOWS_WORKERS, PER_CORE = 61, 4
"""The maximum number of processes in a ``ProcessPoolExecutor``: in total on Windows, and per core elsewhere."""

IMPORTED_ONCE = ["__main__", "gpkit.evolution.game_subject", "numba"]
"""Modules that the fork server imports in advance, so that they are already loaded in its workers."""

SAFE_PATH = "PYTHONSAFEPATH"
"""The variable that keeps the fork server from importing files such as ``random.py`` from the current folder."""

GUARD = 'if __name__ == "__main__":'
"""The line that keeps worker processes, which import the script, from running the rest of it."""

_ASKS = ("__main__", "parent_process", "current_process")
"""Strings in a script which show that it checks whether a worker is importing it."""

SILENCE = 30.0
"""The number of seconds after the first unanswered request until a dask scheduler counts as lost."""

SETTLING = 1.0
"""The number of seconds before new workers of a dask cluster get work after other workers have died."""

ANSWER_SECONDS = 10.0
"""The number of seconds to wait for a dask scheduler, at the start and after the connection is lost."""

CONNECTIONS = 3
"""The maximum number of attempts to connect to a dask scheduler; an attempt may fail if a worker joins during it."""


class ProcessPool(Pool):
    """Worker processes on this machine, started by a fork server if there is one."""

    greets = False

    def __init__(self, workers: int) -> None:
        self._count = workers

    @property
    def workers(self) -> int:
        """The number of processes."""
        return self._count

    def open(self) -> Executor:
        """Prepare the workers; each worker starts when it is first needed."""
        context = multiprocessing.get_context(start_method())
        before = _served(context) if context.get_start_method() == "forkserver" else os.environ.get(SAFE_PATH)
        return ProcessPoolExecutor(
            self._count, mp_context=context, initializer=prepare_worker, initargs=(before,)
        )

    def gone(self, why: str) -> GpkitError:
        """The error for workers that die immediately."""
        return UsageError(
            "worker processes die as soon as they start: in a script with several workers, put the main code below "
            '`if __name__ == "__main__":`, because they import the script; or try one worker'
        )


_SERVING = threading.RLock()
"""The lock for starting the fork server."""


def _served(context: BaseContext) -> str | None:
    """Start the fork server with its own value of ``SAFE_PATH``, and return the variable's value in this process."""
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
    """Check that worker processes will not start workers themselves when they import the main script.

    If a worker calls this function while it imports the script, the worker exits immediately.

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
            f"each of {workers} workers would run {script} again, because it imports the script: put the main code "
            f"below a line `{GUARD}`, and functions and the problem above it; or use one worker"
        )


def start_method() -> str:
    """The start method for worker processes; Windows has no fork server and starts each process from scratch."""
    return "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


def prepare_worker(safe_path: str | None = None) -> None:
    """Prepare a worker process: leave interrupts and results to the parent process, and end when the parent ends.

    Args:
        safe_path: the value of ``SAFE_PATH`` in the parent process, for processes that a worker starts.
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


BATCHES = 16
"""The number of simultaneous batches in an executor without a known number of workers."""

BY_VALUE = ("distributed", "executorlib", "joblib", "loky")
"""Packages whose executors send functions by value, using cloudpickle."""

NEVER_CANCELLED = "executorlib."
"""A package with a thread that dies if work is cancelled before the thread reads it; the shutdown then hangs."""

COUNTS = ("_max_workers", "max_workers", "num_workers")
"""Attributes that may contain the number of an executor's workers."""


class ExecutorPool(Pool):
    """The workers of any ``concurrent.futures.Executor`` that a user passes or a function makes."""

    def __init__(
        self, executor: Executor, settings: "Workers", again: Callable[[], Any] | None = None
    ) -> None:
        """Use an executor.

        Args:
            executor: the executor; gpkit shuts it down only if a function made it.
            settings: the number of batches to send at a time, and the time to wait for workers.
            again: a function that makes another executor when this one breaks.
        """
        kind = type(executor)
        self._executor: Executor | None = executor
        self._again, self._batches, self.patience = again, settings.batches, settings.patience
        self.name = f"the {kind.__name__}"
        self.advice = "see whether its workers start; gpkit.Workers(..., patience=SECONDS) waits longer"
        self.packs = not isinstance(executor, ThreadPoolExecutor)
        self.is_seen = not self.packs or hasattr(executor, "_processes")
        self.by_value = any(each.__module__.partition(".")[0] in BY_VALUE for each in kind.__mro__)

    @property
    def workers(self) -> int:
        """The number of simultaneous batches: the requested number, or the number of the executor's workers."""
        counts = (getattr(self.open(), name, None) for name in COUNTS)
        return self._batches or next((each for each in counts if isinstance(each, int) and each > 0), BATCHES)

    def open(self) -> Executor:
        """The executor, or a new one if it was closed."""
        executor = self._executor
        if executor is None:
            assert self._again is not None
            executor = self._executor = self._again()
        assert isinstance(executor, Executor)
        return executor

    def close(self, executor: Executor, under_way: Collection[Answer] = ()) -> None:
        """Shut the executor down if a function made it; otherwise cancel the work in progress."""
        if self._again is not None:
            self._executor = None
            end(executor)
        elif not type(executor).__module__.startswith(NEVER_CANCELLED):
            for each in under_way:
                each.cancel()

    def gone(self, why: str) -> GpkitError:
        """The error for a broken executor."""
        if self._again is not None:
            return super().gone(why)
        return WorkersGoneError(
            f"{self.name} is broken ({why}): give gpkit a function that returns an executor, and it calls the function "
            "again when one breaks"
        )


class DaskPool(ExecutorPool):
    """The workers of a dask cluster, on which gpkit must be installed.

    A scheduler trusts everyone who can reach it, so use it on a trusted network or with TLS.
    """

    words: Mapping[str, Any] = {"pure": False}

    def __init__(self, executor: Any, settings: "Workers", again: Callable[[], Any] | None = None) -> None:
        super().__init__(executor, settings, again)
        self._client, self._unanswered = executor._client, 0.0
        self._address = self._client.scheduler.address
        self.name = f"the dask cluster at {self._address}"
        self.advice = (
            f"start workers where gpkit is installed, for example with `dask worker {self._address}`"
        )
        self.is_seen = True
        self._threads: Mapping[str, int] = {}
        self._where: dict[Answer, str] = {}

    @property
    def workers(self) -> int:
        """The number of threads of the cluster's current workers, counted at each access; at least 1.

        If the scheduler does not answer, the last known number is returned; the next submission then raises an error.
        """
        self._count()
        return self._batches or max(1, sum(self._threads.values()))

    def _count(self) -> None:
        if not _is_closed(self._client):
            asked, self._unanswered = self._unanswered or time.monotonic(), 0.0
            try:
                self._threads = self._client.nthreads(callback_timeout=ANSWER_SECONDS)
            except OSError:
                self._unanswered = asked

    def open(self) -> Executor:
        """The cluster as an executor.

        If workers have died, this property first waits ``SETTLING`` seconds for new workers, because a nanny does not
        replace a worker that dies earlier.
        """
        executor = super().open()
        if (client := vars(executor)["_client"]) is not self._client:  # of another cluster
            self._client, self._threads, self._unanswered = client, {}, 0.0
        if self._where:
            self._where.clear()
            time.sleep(SETTLING)
        return executor

    def submit(self, executor: Any, call: Callable[..., Any], *given: Any) -> Answer:
        """Send work only to the least busy worker.

        dask itself would send the work of a dead worker to the next worker, until all workers are dead.

        Raises:
            BrokenExecutor: there are no workers.
        """
        if not self._threads:
            self._count()
        busy = Counter([*self._where.values()])
        worker = min(self._threads, key=lambda each: busy[each] / self._threads[each], default=None)
        if worker is None:
            raise BrokenExecutor("there are no workers")
        future: Answer = executor.submit(call, *given, workers=[worker], **self.words)
        self._where[future] = worker
        future.add_done_callback(lambda each: self._where.pop(each, None))
        return future

    def look(self, executor: Executor) -> None:
        """Check on the workers while no results arrive.

        A dask cluster does not replace a worker that is dead 15 seconds after any of its deaths, so gpkit requests a
        new one.

        Raises:
            BrokenExecutor: a worker disappeared before it finished its work.
            WorkersGoneError: the scheduler no longer answers.
        """
        self._count()
        if self._is_silent():
            raise self.gone("") if self._again is None else BrokenExecutor("the scheduler no longer answers")
        cluster = self._client.cluster
        if len(self._threads) < len(wanted := getattr(cluster, "worker_spec", ())):
            cluster.scale(len(wanted))
        if not self._threads.keys() >= {*self._where.values()}:
            raise BrokenExecutor("a worker is gone")

    def _is_silent(self) -> bool:
        asked = self._unanswered
        return _is_closed(self._client) or (asked > 0.0 and time.monotonic() - asked >= SILENCE)

    def close(self, executor: Executor, under_way: Collection[Answer] = ()) -> None:
        """Cancel the work in progress; the cluster keeps running. If it is silent, a function may make a new one."""
        if self._again is not None and self._is_silent():
            self._executor = None
        elif not self._is_silent():
            for each in under_way:
                each.cancel()

    def gone(self, why: str) -> GpkitError:
        """The error for a scheduler that no longer answers, or for workers that die immediately."""
        if self._is_silent():
            return WorkersGoneError(f"the dask scheduler at {self._address} no longer answers")
        return Pool.gone(self, why)


class ConnectedPool(DaskPool):
    """The workers of a dask cluster to which gpkit itself has connected."""

    def leave(self) -> None:
        """Close the connection."""
        self._client.close(timeout=ANSWER_SECONDS)


def _is_closed(client: Any) -> bool:
    return client.status in ("closing", "closed")


def most_workers() -> int:
    """The maximum number of worker processes: 61 on Windows; elsewhere four per core, but at least 61."""
    return (
        WINDOWS_WORKERS if sys.platform == "win32" else max(WINDOWS_WORKERS, PER_CORE * (os.cpu_count() or 1))
    )


@dataclass(frozen=True, slots=True)
class Workers:
    """Workers with settings, for ``workers=`` or as the return value of the function ``executor`` in a file.

    Attributes:
        where: a number of processes, the address of a dask scheduler, a ``concurrent.futures.Executor``, a function
            that returns one of these, or the file of such a function.
        batches: the number of batches of programs to send at a time. The default is the executor's number of workers,
            or 16 if gpkit cannot determine that number.
        patience: the number of seconds to wait for the first worker. If gpkit cannot observe the workers, it also waits
            this long for an answer, or 20 times as long as for the slowest answer so far if that is longer.
    """

    where: Any
    batches: int | None = None
    patience: float = PATIENCE


def given_workers(workers: object) -> Workers:
    """The value of ``workers=`` with its settings."""
    return workers if isinstance(workers, Workers) else Workers(workers)


def check_sendable(workers: object, function: Callable[..., object]) -> None:
    """Check that gpkit can send a function to the workers, as far as this is known before they start.

    Raises:
        UsageError: gpkit cannot send the function.
    """
    where = given_workers(workers).where
    is_number = str(where).isdecimal() and str(where) != "1"
    pool = ExecutorPool(where, Workers(where)) if isinstance(where, Executor) else ProcessPool(1)
    if pool.packs and (is_number or isinstance(where, Executor)):
        packed(function, pool.by_value, {})


def executor_for(workers: object) -> AbstractContextManager[problem.Executor]:
    """The executor for the option ``--workers``, or for ``workers=`` in Python.

    With one worker, all work runs in this process.

    Args:
        workers: a number of processes, the address of a dask scheduler, a file with a function ``executor``, a
            ``concurrent.futures.Executor``, a function that returns one, or ``Workers`` with one of these.

    Raises:
        UsageError: ``workers`` is not one of these, there are too many processes, the cluster cannot be used, or
            workers would run the script again.
        GuestError: the function raises an error.
    """
    settings = given_workers(workers)
    where = settings.where
    if hasattr(where, "run"):  # made before
        return nullcontext(where)
    if isinstance(where, str | os.PathLike) and os.fspath(where).endswith(SUFFIX):
        where = _maker_in(os.fspath(where))
    if isinstance(where, str) and "://" in where:
        return GuardedExecutor(ConnectedPool(_connected(where), settings))
    if callable(where):
        found = _made(where)
        made = found if isinstance(found, Workers) else replace(settings, where=found)
        if not isinstance(made.where, Executor):
            return executor_for(made)
        return GuardedExecutor(_pool(made.where, made, lambda: given_workers(_made(where)).where))
    if isinstance(where, Executor):
        return GuardedExecutor(_pool(where, settings))
    text = str(where)
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text) >= 1):
        raise UsageError(
            f"{shortened(f'`{text}`')} workers: expected a number such as 2, an address such as tcp://host:8786, a "
            "file with a function `executor`, an Executor, or a function that returns one"
        )
    if int(text) == 1:
        return nullcontext(SerialExecutor())
    if int(text) > (most := most_workers()):
        raise UsageError(
            f"{text} workers: this machine supports at most {most}; more would only wait for each other"
        )
    check_guarded(text)
    return GuardedExecutor(ProcessPool(int(text)))


def _pool(executor: Executor, settings: Workers, again: Callable[[], Any] | None = None) -> Pool:
    is_dask = type(executor).__module__.startswith("distributed.")
    return (DaskPool if is_dask else ExecutorPool)(executor, settings, again)


def _made(function: Callable[[], Any]) -> Any:
    """The result of a user's function.

    Raises:
        GuestError: the function raises an error.
    """
    with Part("executor", name_of_part(function), function).blaming(function):
        return function()


def _maker_in(path: str) -> Callable[[], Any]:
    """The function named ``executor`` in a file.

    Raises:
        GuestError: the file cannot be imported, or has no such function.
    """
    found: Callable[[], Any] | None = getattr(imported_file(path), "executor", None)
    if not callable(found):
        raise GuestError(f"{path} has no function `executor`, which returns the workers")
    return found


def _connected(address: str) -> Executor:
    """The workers of the dask cluster at an address such as ``tcp://host:8786``, as an executor.

    An assertion in dask fails if a worker joins during the connection, so this function tries up to three times.

    Raises:
        UsageError: dask is not installed, or nothing answers at the address.
    """
    try:
        client: Callable[..., Any] = import_module("distributed").Client
    except ImportError as error:
        raise UsageError(f"`{address}` needs the package dask: {install_command('dask')}") from error
    why: object = f"workers joined during each of {CONNECTIONS} connections"
    for _ in range(CONNECTIONS):
        try:
            with suppress(AssertionError):
                found: Executor = client(address, timeout=ANSWER_SECONDS, set_as_default=False).get_executor()
                return found
        except (OSError, ValueError) as error:
            why = error
            break
    raise UsageError(f"no dask scheduler answers at `{address}`: {why}")
