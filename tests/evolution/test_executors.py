"""Executors: same results anywhere, and nothing lost when workers die."""

import itertools
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from keyword import iskeyword
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import ModuleType, SimpleNamespace
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from tasks_for_workers import (
    Death,
    dies,
    raises,
    slow_squares_and_process,
    squares,
    squares_after_deaths,
    squares_or_death,
    squares_unless_deadly,
    sums_and_squares,
)

from gpkit.core.errors import GuestError, UsageError
from gpkit.core.rng import stream
from gpkit.evolution import executors, guarded, parcels
from gpkit.evolution.executors import ProcessPool, Workers, executor_for, most_workers
from gpkit.evolution.guarded import LEAST_SECONDS, GuardedExecutor, Pool, SerialExecutor, WorkersGoneError
from gpkit.evolution.parcels import LOADS, hello
from gpkit.evolution.problem import Lost


@pytest.fixture(scope="module")
def executor() -> Iterator[GuardedExecutor]:
    with GuardedExecutor(ProcessPool(2)) as executor:
        yield executor


@dataclass
class Bench(Pool, Executor):
    """A pool and its executor whose workers do a batch when it is sent, on a clock of their own."""

    workers: int = 2  # type: ignore[assignment]
    now: float = 0.0
    sent: list[int] = field(default_factory=list)
    packs, greets = False, False

    def open(self) -> Executor:
        return self

    def submit(self, executor: Any, call: Any, /, *given: Any) -> Future[Any]:  # type: ignore[override]
        """Do a batch now."""
        self.sent.append(len(given[-1]))
        future: Future[Any] = Future()
        future.set_result(call(*given))
        return future

    def work(self, items: Sequence[float]) -> list[float]:
        """Each item takes as many seconds as it is."""
        self.now += sum(items)
        return list(items)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Bench:
    pool = Bench()
    monkeypatch.setattr("gpkit.evolution.parcels.time", SimpleNamespace(perf_counter=lambda: pool.now))
    return pool


def batches_of(pool: Bench, executor: GuardedExecutor, items: list[float], expected: float) -> list[int]:
    """The sizes of the batches in which items are done that are expected to take so long each."""
    before = len(pool.sent)
    assert executor.run(pool.work, items, [expected] * len(items)) == items
    assert sum(pool.sent[before:]) == len(items)
    return pool.sent[before:]


@pytest.mark.parametrize(
    ("workers", "items"), [(2, [0.05] * 60), (2, [0.1, 2.0]), (16, [0.02] * 5), (16, [0.001] * 100)]
)
@pytest.mark.parametrize("expected", [0.0, 1e-6, 100.0])
def test_wrong_expectations_keep_nobody_idle(
    pool: Bench, workers: int, items: list[float], expected: float
) -> None:
    """There are as many batches as workers or items when a step is long, whatever was expected."""
    pool.workers = workers
    with GuardedExecutor(pool) as executor:
        for _ in range(4):
            assert len(batches_of(pool, executor, items, expected)) >= min(len(items), workers)


@pytest.mark.parametrize("expected", [0.0, 1e-6, 100.0])
def test_a_step_that_was_short_is_one_batch(pool: Bench, expected: float) -> None:
    with GuardedExecutor(pool) as executor:
        for step in range(3):
            sizes = batches_of(pool, executor, [1e-4] * 500, expected)
            assert len(sizes) <= (5 if step == 0 else 1)


def test_batches_are_worth_sending_and_end_together(pool: Bench) -> None:
    with GuardedExecutor(pool) as executor:
        for _ in range(3):
            sizes = batches_of(pool, executor, [0.001] * 1000, 3e-6)
        assert sizes == sorted(sizes, reverse=True)
        assert 0.1 < 0.001 * sizes[0] < 0.3
        assert all(0.001 * size > 0.9 * LEAST_SECONDS for size in sizes[:-1])


def test_a_change_of_pace_is_noticed_in_the_step(pool: Bench) -> None:
    """After games that took long, short ones are not sent one by one, and the other way round."""
    with GuardedExecutor(pool) as executor:
        for each in (0.1, 0.0005, 0.1):
            sizes = batches_of(pool, executor, [each] * 400, 3e-6)
            assert len(sizes) >= 4
            assert sum(sizes[len(sizes) // 2 :]) <= 200
            assert len(sizes) < 100


def test_what_a_worker_does_first_does_not_count(pool: Bench) -> None:
    """It compiles kernels, which would make every later step look long."""
    with GuardedExecutor(pool) as executor:
        assert executor.run(pool.work, [30.0], [1e-4]) == [30.0]
        batches_of(pool, executor, [1e-4] * 100, 1e-4)
        assert len(batches_of(pool, executor, [1e-4] * 100, 1e-4)) == 1


class Cluster(Executor):
    """The parts of dask's client and its executor that are used; an item may kill the worker that has it.

    A worker that dies comes back under another address, a few times in all; what it had to do stays undone.
    """

    status = "running"
    cluster, scheduler = None, SimpleNamespace(address="tcp://10.0.0.1:8786")

    def __init__(self, workers: int, lives: int = 0) -> None:
        self.alive, self.lives, self.looks, self.born = list(range(workers)), lives, 0, workers
        self._client, self.busy = self, [0]

    def nthreads(self, **_: float) -> dict[str, int]:
        self.looks += 1
        assert self.looks < 5000, "it waits without end"
        return {f"tcp://10.0.0.1:{n}": 1 for n in self.alive}

    def get_executor(self) -> Executor:
        return self

    def close(self, timeout: float) -> None:
        """Leave the cluster."""

    def submit(  # type: ignore[override]
        self, function: Any, *call: Any, workers: Sequence[str] = (), pure: bool
    ) -> Future[Any]:
        """Do a batch now, die by it, or never do it."""
        future: Future[Any] = Future()
        found = [n for n in self.alive if not workers or f"tcp://10.0.0.1:{n}" in workers]
        self.busy.append(len({*self.alive}))
        try:
            if found:
                future.set_result(function(*call))
        except Death:
            self.alive.remove(found[0])
            if self.lives:
                self.lives, self.born = self.lives - 1, self.born + 1
                self.alive.append(self.born)
        return future


def clustered(cluster: Any, monkeypatch: pytest.MonkeyPatch, patience: float = 30.0) -> Any:
    """The executor of a cluster that is none."""
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=lambda *_, **__: cluster))
    return executor_for(Workers("tcp://10.0.0.1:8786", patience=patience))


def test_workers_that_join_a_cluster_later_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster(1)
    with clustered(cluster, monkeypatch) as executor:
        for workers in (1, 3, 8):
            cluster.alive = list(range(workers))
            executor.run(squares, range(8), [1.0] * 8)
            assert executor.workers == workers
            assert len(executor._paces[squares]._begun) == 1


@dataclass
class Refusing(Bench):
    """Workers of which one dies in the first batch; then they refuse batches, and then they work."""

    refusals: int = 0

    def greet(self, executor: Any) -> Future[Any]:
        """Answer with this process's versions."""
        future: Future[Any] = Future()
        future.set_result(hello())
        return future

    def submit(self, executor: Any, call: Any, /, *given: Any) -> Future[Any]:
        """Do a batch, break, or refuse it."""
        self.sent.append(len(given[-1]))
        future: Future[Any] = Future()
        if len(self.sent) == 1:
            future.set_exception(BrokenExecutor())
        elif len(self.sent) <= 1 + self.refusals:
            raise BrokenExecutor
        else:
            future.set_result(call(*given))
        return future


@pytest.mark.parametrize("refusals", [0, 1, guarded.STRIKES, guarded.REFUSALS - 1])
def test_a_refused_batch_is_no_death_of_its_item(refusals: int) -> None:
    with GuardedExecutor(Refusing(refusals=refusals)) as executor:
        assert executor.run(list, [9.0], [1.0]) == [9.0]


@pytest.mark.parametrize("module", ["executorlib.executor.single", "mpi4py.futures.pool"])
def test_work_is_cancelled_unless_it_breaks_the_executor(module: str) -> None:
    executor = type("Theirs", (Bench,), {"__module__": module})()
    waiting = Future[Any]()
    executors.ExecutorPool(executor, Workers(executor)).close(executor, [waiting])
    assert waiting.cancelled() == (not module.startswith("executorlib"))


def test_workers_that_refuse_again_and_again_are_gone() -> None:
    with (
        GuardedExecutor(Refusing(refusals=guarded.REFUSALS)) as executor,
        pytest.raises(WorkersGoneError, match="the workers broke again and again"),
    ):
        executor.run(list, [9.0], [1.0])


@pytest.mark.release
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 3), st.integers(0, 60), st.lists(st.integers(-1, 5), max_size=20))
def test_no_cluster_is_waited_for_without_end(workers: int, lives: int, items: list[int]) -> None:
    """Items that kill are given up while workers come back, and the work ends when no worker does."""
    cluster, found = Cluster(workers, lives), None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executors, "SETTLING", 0.001)
        patch.setattr(guarded, "LOOK_SECONDS", 0.001)
        with suppress(WorkersGoneError), clustered(cluster, patch, 0.01) as executor:
            found = executor.run(squares_or_death, items, [1.0] * len(items))
    if found is None:
        assert not cluster.alive
        assert not cluster.lives or not workers
        return
    for item, result in zip(items, found, strict=True):
        assert isinstance(result, Lost) if item < 0 else result == item * item


NOWHERE = st.sampled_from(["a prompt", "a module", "a function", "a lambda", "a class"])


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NOWHERE, st.from_regex(r"[a-z]{3,12}", fullmatch=True).filter(lambda name: not iskeyword(name)))
def test_what_cannot_reach_a_worker_is_refused_by_name(
    executor: GuardedExecutor, where: str, name: str
) -> None:
    """Whether this process notices, or the worker."""
    module = ModuleType("__main__" if where == "a prompt" else f"{name}_of_nowhere")
    module.__spec__ = None
    text = {"a function": f"def f():\n    def {name}(items): return items\n    return {name}\nf = f()"}
    text["a lambda"] = f"{name} = lambda items: items\nf = {name}"
    text["a class"] = f"class {name}:\n    def __call__(self, items): return items\nf = {name}()"
    exec(text.get(where, f"def {name}(items): return items\nf = {name}"), vars(module))  # noqa: S102
    with pytest.MonkeyPatch.context() as patch, pytest.raises(UsageError) as refused:
        patch.setitem(sys.modules, module.__name__, module)
        executor.run(vars(module)["f"], [1, 2], [1.0, 1.0])
    assert ("lambda" if where == "a lambda" else name) in str(refused.value)
    assert "at the top level of a file" in str(refused.value)


@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 2), st.integers(1, 4000))
@pytest.mark.release
def test_a_worker_that_dies_while_it_writes_loses_nothing(tmp_path: Path, deaths: int, written: int) -> None:
    """Its pipe has an end in this process, too, which would wait there for the rest of a result."""
    folder = Path(mkdtemp(dir=tmp_path))
    work = partial(squares_after_deaths, str(folder), deaths, written)
    with GuardedExecutor(ProcessPool(2)) as executor:
        assert executor.run(work, range(6), [1.0] * 6) == [n * n for n in range(6)]


@dataclass
class Growing(Pool):
    """A pool of threads that counts one worker at first and four when it is asked again."""

    counts: list[int] = field(default_factory=lambda: [1, 4])
    busy: list[int] = field(default_factory=list)
    most: int = 0
    packs = False

    @property
    def workers(self) -> int:
        return self.counts.pop(0) if len(self.counts) > 1 else self.counts[0]

    def open(self) -> Executor:
        return ThreadPoolExecutor(8)

    def close(self, executor: Executor, under_way: Collection[Future[Any]] = ()) -> None:
        executor.shutdown()

    def work(self, items: Sequence[int]) -> list[int]:
        self.busy.append(1)
        self.most = max(self.most, len(self.busy))
        time.sleep(0.1)
        self.busy.pop()
        return list(items)


def test_workers_that_join_in_the_middle_of_a_step_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.evolution.guarded.LOOK_SECONDS", 0.02)
    pool = Growing()
    with GuardedExecutor(pool) as executor:
        assert executor.run(pool.work, range(10), [1.0] * 10) == list(range(10))
    assert pool.most >= 4


def test_serial_and_processes_give_the_same(executor: GuardedExecutor) -> None:
    items = list(range(200))
    expected: list[int | Lost] = [item * item for item in items]
    assert SerialExecutor().run(squares, items, [0.01] * 200) == expected
    assert executor.run(squares, items, [0.01] * 200) == expected
    assert executor.run(squares, [], []) == []
    assert SerialExecutor().run(squares, [], []) == []


def test_what_a_function_raises_comes_through(executor: GuardedExecutor) -> None:
    with pytest.raises(ArithmeticError, match="cannot do"):
        executor.run(raises, [5, 6], [1.0, 1.0])
    assert executor.run(squares, [3], [1.0]) == [9]


def test_a_worker_killed_in_the_middle_loses_nothing(executor: GuardedExecutor, tmp_path: Path) -> None:
    def kill_one() -> None:
        while not (pids := [int(path.name) for path in tmp_path.iterdir()]):
            time.sleep(0.005)
        os.kill(pids[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    items = list(range(40))
    results = executor.run(partial(slow_squares_and_process, str(tmp_path)), items, [0.02] * 40)
    killer.join()
    assert results == [item * item for item in items]
    assert len(list(tmp_path.iterdir())) >= 2


@pytest.mark.release
def test_items_that_always_kill_are_isolated(executor: GuardedExecutor) -> None:
    items = [-1 if index in (3, 17) else index for index in range(24)]
    results = executor.run(squares_unless_deadly, items, [0.05] * 24)
    for item, result in zip(items, results, strict=True):
        if item < 0:
            assert isinstance(result, Lost)
            assert "3 times" in result.reason
        else:
            assert result == item * item


class Stillborn(ProcessPool):
    """Workers that die as they start."""

    def open(self) -> Executor:
        executor = ProcessPool.open(self)
        executor.submit(dies, [0])
        return executor


def test_workers_that_cannot_live_are_reported() -> None:
    with (
        GuardedExecutor(Stillborn(1)) as executor,
        pytest.raises(UsageError, match="die as soon as they start"),
    ):
        executor.run(squares, [1], [1.0])


UNGUARDED = "import gpkit\n\nprint('begun')\ngpkit.evolve('sevens', generations=0, workers=2)\n"


def test_a_script_without_a_guard_is_refused_once(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(UNGUARDED)
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "begun\n"
    assert 'put the main code below a line `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]


def test_a_worker_that_imports_an_unguarded_script_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []
    monkeypatch.setattr(executors.os, "_exit", ended.append)
    monkeypatch.setattr(multiprocessing.current_process(), "_inheriting", True, raising=False)
    executors.check_guarded("2")
    assert ended == [1]


def test_workers_have_a_ceiling() -> None:
    assert most_workers() >= 61
    with pytest.raises(UsageError, match=f"^{most_workers() + 1} workers: .* at most {most_workers()};"):
        executor_for(str(most_workers() + 1))


@pytest.mark.parametrize("workers", ["0", "-1", "two", "", "1.5", pytest.param("9" * 5000, id="endless")])
def test_workers_must_be_a_number_or_an_address(workers: str) -> None:
    with pytest.raises(UsageError, match="expected a number"):
        executor_for(workers)


def test_one_worker_is_this_process() -> None:
    with executor_for("1") as executor:
        assert isinstance(executor, SerialExecutor)


def test_a_cluster_without_dask_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"\[dask\]"):
        executor_for("tcp://127.0.0.1:1")


LONG_WORK = """
import sys
from functools import partial
sys.path.insert(0, sys.argv[2])
from tasks_for_workers import slow_squares_and_process
from gpkit.evolution.guarded import GuardedExecutor
from gpkit.evolution.executors import ProcessPool
if __name__ == "__main__":
    with GuardedExecutor(ProcessPool(2)) as executor:
        executor.run(partial(slow_squares_and_process, sys.argv[1]), list(range(20000)), [0.02] * 20000)
"""


@pytest.mark.release
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.release)])
def test_workers_end_with_their_parent_in_the_middle_of_a_batch(tmp_path: Path, how: signal.Signals) -> None:
    script, pids = tmp_path / "long_work.py", tmp_path / "pids"
    script.write_text(LONG_WORK)
    pids.mkdir()
    tests = str(Path(__file__).resolve().parent.parent)
    arguments = [sys.executable, str(script), str(pids), tests]
    parent = subprocess.Popen(arguments, stderr=subprocess.DEVNULL)
    assert comes_true(lambda: len(list(pids.iterdir())) == 2)
    parent.send_signal(how)
    parent.wait(timeout=20)
    assert comes_true(lambda: not any(is_running(int(path.name)) for path in pids.iterdir()))


def comes_true(condition: Callable[[], bool]) -> bool:
    """Whether a condition holds now, or within 30 seconds."""
    for _ in range(600):
        if condition():
            return True
        time.sleep(0.05)
    return condition()


def is_running(pid: int) -> bool:
    """Whether a process runs. One that ends between the opening and the reading of its file does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(executors.start_method() != "forkserver", reason="there is no fork server")
@settings(max_examples=10, deadline=None)
@given(before=st.sampled_from([None, "1", "yes"]), faults=st.lists(st.booleans(), min_size=2, max_size=5))
def test_pools_that_are_opened_at_once_leave_the_environment_alone(
    before: str | None, faults: list[bool]
) -> None:
    """A fork server that cannot be started, too."""
    found, barrier, fails = [], threading.Barrier(len(faults)), list(faults)

    def start() -> None:
        time.sleep(0.002)
        if fails.pop():
            raise OSError("too many processes")

    def open_one() -> None:
        barrier.wait()
        with suppress(OSError):
            found.append(ProcessPool(1).open()._initargs)  # type: ignore[attr-defined]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executors.forkserver, "ensure_running", start)
        patch.delenv(executors.SAFE_PATH, raising=False)
        if before is not None:
            patch.setenv(executors.SAFE_PATH, before)
        threads = [threading.Thread(target=open_one) for _ in faults]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert os.environ.get(executors.SAFE_PATH) == before
    assert found == [(before,)] * faults.count(False)


class Hostile(Executor):
    """Does everything here that an executor may do, in an order that only a seed decides.

    Answers come shuffled; work and answers are pickled; some work is cancelled; the executor breaks at a call, and it
    gains and loses workers.
    """

    def __init__(self, seed: int, number: int) -> None:
        self.rng = stream(seed, "hostile", number)
        self.max_workers, self.calls = int(self.rng.integers(1, 5)), 0
        self.breaks_at = int(self.rng.integers(1, 10))
        self.waiting: list[tuple[Future[Any], bytes]] = []
        self.lock, self.over = threading.RLock(), threading.Event()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def submit(self, function: Any, /, *given: Any, **_: Any) -> Future[Any]:
        """Take work, unless this is the call at which the executor breaks."""
        with self.lock:
            self.calls += 1
            if self.over.is_set() or self.calls == self.breaks_at:
                self.fail()
                raise BrokenExecutor("it is broken")
            future: Future[Any] = Future()
            self.waiting.append((future, pickle.dumps((function, given))))
            return future

    def fail(self) -> None:
        """Break all that is waiting."""
        self.over.set()
        while self.waiting:
            future, _ = self.waiting.pop()
            if future.set_running_or_notify_cancel():
                future.set_exception(BrokenExecutor("it broke"))

    def serve(self) -> None:
        """Do what is waiting in any order, and now and then none of it."""
        while not self.over.wait(0.0005):
            with self.lock:
                self.max_workers = max(1, self.max_workers + int(self.rng.integers(-1, 2)))
                chance = self.rng.random()
                if not self.waiting or chance < 0.2:
                    continue
                future, work = self.waiting.pop(int(self.rng.integers(len(self.waiting))))
                if chance < 0.23:
                    future.cancel()
                    future.set_running_or_notify_cancel()
                elif chance < 0.26 and future.set_running_or_notify_cancel():
                    future.set_exception(OSError("its worker is lost"))
                elif future.set_running_or_notify_cancel():
                    function, given = LOADS(work)
                    future.set_result(LOADS(pickle.dumps(function(*given))))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End, and leave nobody waiting."""
        with self.lock:
            self.fail()


@pytest.mark.parametrize("seed", range(12))
def test_a_hostile_executor_changes_nothing(seed: int) -> None:
    """Whatever an executor does, the results are those of one process, in their order; or nobody waits for them."""
    numbers = itertools.count()
    rows = np.arange(5000.0)  # is sent once
    with (
        pytest.MonkeyPatch.context() as patch,
        executor_for(lambda: Hostile(seed, next(numbers))) as executor,
    ):
        patch.setattr(guarded, "STRIKES", 10)
        patch.setattr(guarded, "LOOK_SECONDS", 0.01)
        for step in range(4):
            items = range(step, 30 * step)
            expected = [n * n + float(rows.sum()) for n in items]
            assert executor.run(partial(sums_and_squares, rows), items, [0.1] * len(items)) == expected
    assert next(numbers) > 1


class Silent(Executor):
    """Takes work and never does it, or does only the first."""

    def __init__(self, answers: int) -> None:
        self.answers = answers

    def submit(self, function: Any, /, *given: Any, **_: Any) -> Future[Any]:
        """Never answer but to the first calls."""
        future: Future[Any] = Future()
        if self.answers:
            self.answers -= 1
            future.set_result(function(*given))
        return future


@pytest.mark.parametrize("answers", [0, 1])
def test_no_executor_is_waited_for_without_end(
    answers: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither before a first worker nor for workers that nobody can see; lines say what is missing."""
    monkeypatch.setattr(guarded, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(guarded, "LINE_SECONDS", 0.05)
    where = Workers(Silent(answers), patience=0.2)
    with executor_for(where) as executor, pytest.raises(WorkersGoneError, match=r"answered for 0\.2 seconds"):
        executor.run(squares, [1], [1.0])
    assert "no worker of the Silent has answered for 0 seconds; after 0.2 the run ends" in caplog.text


def test_versions_that_differ_are_named(caplog: pytest.LogCaptureFixture) -> None:
    """Before the first batch, once, by name; a worker without gpkit ends the run."""
    there = {**parcels.hello(), "node": "far", "numpy": "1.0"}
    executor = GuardedExecutor(Bench())
    executor._compare(there)
    executor._compare(there)
    (told,) = caplog.messages
    assert told.startswith("a worker on far has numpy 1.0 and here ")
    with pytest.raises(WorkersGoneError, match="a worker on far lacks gpkit: install gpkit"):
        executor._compare({**there, "gpkit": None})
    assert eval(parcels.HELLO) == parcels.hello()  # noqa: S307


def test_a_function_gives_an_executor_or_what_else_workers_may_be() -> None:
    for where in (lambda: 1, Workers(1), Workers(lambda: Workers("1"))):
        with executor_for(where) as executor:
            assert isinstance(executor, SerialExecutor)
    with executor_for(Workers(ThreadPoolExecutor, batches=7)) as executor:
        assert executor.workers == 7
        assert executor.run(lambda items: [-n for n in items], range(3), [1.0] * 3) == [0, -1, -2]
    with executor_for(Workers(Silent(0))) as executor:
        assert executor.workers == executors.BATCHES


def test_a_file_makes_the_workers(tmp_path: Path, none_named: None) -> None:
    place = tmp_path / "cluster.py"
    place.write_text(
        "from concurrent.futures import ThreadPoolExecutor\n\ndef executor(): return ThreadPoolExecutor(3)\n"
    )
    with executor_for(str(place)) as executor:
        assert executor.workers == 3
        assert executor.run(squares, [3], [1.0]) == [9]
    other = tmp_path / "other.py"
    other.write_text("executor = 3\n")
    with pytest.raises(GuestError, match="has no function `executor`"):
        executor_for(other)
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def executor():\n    raise OSError('no such queue')\n")
    with pytest.raises(GuestError, match=r"wrong\.py, line 2, in executor: .*no such queue"):
        executor_for(wrong)


def test_an_error_of_the_function_is_no_death(executor: GuardedExecutor) -> None:
    """It keeps its kind, and where on the worker it arose."""
    with pytest.raises(ArithmeticError, match="cannot do") as raised:
        executor.run(raises, [5], [1.0])
    assert "in raises" in raised.value.__notes__[0]


def test_large_arrays_are_sent_once_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    submit = ProcessPool.submit

    def counted(pool: Any, executor: Executor, call: Any, *given: Any) -> Future[Any]:
        sizes.extend(len(each) for each in given)
        return submit(pool, executor, call, *given)

    monkeypatch.setattr(ProcessPool, "submit", counted)
    rows = np.arange(100_000.0)
    with GuardedExecutor(ProcessPool(2)) as executor:
        for _ in range(3):
            found = executor.run(partial(sums_and_squares, rows), range(30), [1.0] * 30)
            assert found == [n * n + float(rows.sum()) for n in range(30)]
    assert 2 <= sum(size > rows.nbytes for size in sizes) <= 4
    assert len(sizes) >= 6


@pytest.mark.release
def test_a_module_beside_a_script_travels_by_its_text(tmp_path: Path) -> None:
    """Another process in another folder has neither the module nor the one that it imports, and gets new ones."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir(), there.mkdir()
    (here / "script.py").write_text(TRAVELLER)
    (here / "own_work.py").write_text(
        "import own_factor\n\ndef work(items): return [own_factor.BY * n for n in items]\n"
    )
    for by in (2, 3):
        (here / "own_factor.py").write_text(f"BY = {by}\n")
        subprocess.run([sys.executable, here / "script.py", there / str(by)], check=True)
    rmtree(here)
    told = subprocess.run(
        [sys.executable, "-c", RECEIVER, "2", "3", "2"], cwd=there, capture_output=True, text=True
    )
    assert told.stdout.splitlines() == ["[2, 4]", "[3, 6]", "[2, 4]"], told.stderr


RECEIVER = """
import sys
from pathlib import Path
from gpkit.evolution.parcels import LOADS, opened
for each in sys.argv[1:]:
    print(opened(LOADS(Path(each).read_bytes())).results)
"""

TRAVELLER = """
import sys
from pathlib import Path
import own_work
from gpkit.evolution.parcels import packed
Path(sys.argv[1]).write_bytes(packed(own_work.work, False, {}).parcel([1, 2], True))
"""
