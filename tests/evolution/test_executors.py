"""Executors: same results anywhere, and nothing lost when workers die."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from keyword import iskeyword
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType, SimpleNamespace
from typing import Any

import hypothesis.strategies as st
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
)

from gpkit.core.errors import UsageError
from gpkit.evolution import pools
from gpkit.evolution.executors import LEAST_SECONDS, GuardedExecutor, SerialExecutor, WorkersGoneError
from gpkit.evolution.parcels import done
from gpkit.evolution.pools import ProcessPool, executor_for, most_workers
from gpkit.evolution.problem import Lost


@pytest.fixture(scope="module")
def executor() -> Iterator[GuardedExecutor]:
    with GuardedExecutor(ProcessPool(2)) as executor:
        yield executor


@dataclass(slots=True)
class Bench(Executor):
    """A pool and its executor whose workers do a batch when it is sent, on a clock of their own."""

    workers: int = 2
    now: float = 0.0
    sent: list[int] = field(default_factory=list)
    failures: tuple[type[BaseException], ...] = ()

    def open(self) -> Executor:
        return self

    def close(self, executor: Executor) -> None:
        """Nothing is to be let go."""

    def look(self, executor: Executor) -> None:
        """Nobody dies."""

    def submit(self, executor: Any, /, function: Any, items: Any) -> Future[Any]:  # type: ignore[override]
        """Do a batch now."""
        self.sent.append(len(items))
        future: Future[Any] = Future()
        future.set_result(done(function, items))
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
    """The parts of dask's client and its executor that are used, with workers that come and go."""

    status = "running"

    def __init__(self, bench: Bench) -> None:
        self.bench, self.threads = bench, [1, 1, 3, 8]

    def nthreads(self, **_: float) -> dict[str, int]:
        self.bench.workers = self.threads.pop(0)
        return {f"tcp://10.0.0.{n}:1": 1 for n in range(self.bench.workers)}

    def get_executor(self, *, pure: bool) -> Executor:
        assert not pure
        return self

    def submit(self, _: Any, call: Any, workers: list[str]) -> Future[Any]:  # type: ignore[override]
        """Do a batch now."""
        assert len(workers) == 1
        return self.bench.submit(self, *call)


def clustered(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The executor of a cluster that is none."""
    for name, module in {
        "distributed": SimpleNamespace(Client=lambda *_, **__: cluster, KilledWorker=CancelledError),
        "distributed.protocol": None,
        "distributed.protocol.pickle": SimpleNamespace(dumps=pickle.dumps),
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    return executor_for("tcp://10.0.0.1:8786")


def test_workers_that_join_a_cluster_later_are_used(pool: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster(pool)
    monkeypatch.setattr(pools, "packed", lambda function, items, _: (function, items))
    with clustered(cluster, monkeypatch) as executor:
        counts = [len(batches_of(pool, executor, [1.0] * 8, 1.0)) for _ in range(3)]
    assert counts[0] < counts[-1] == 8
    assert not cluster.threads, "the workers are counted at each step"


class Mortal(Executor):
    """The parts of dask's client and its executor that are used; an item may kill the worker that has it.

    A worker that dies comes back under another address, a few times in all; what it had to do stays undone.
    """

    status = "running"

    def __init__(self, workers: int, lives: int) -> None:
        self.alive, self.lives, self.looks, self.born = list(range(workers)), lives, 0, workers

    def nthreads(self, **_: float) -> dict[str, int]:
        self.looks += 1
        assert self.looks < 5000, "it waits without end"
        return {f"tcp://10.0.0.1:{n}": 1 for n in self.alive}

    def get_executor(self, *, pure: bool) -> Executor:
        return self

    def submit(self, function: Any, *call: Any, workers: Sequence[str] = ()) -> Future[Any]:  # type: ignore[override]
        """Do a batch now, die by it, or never do it."""
        future: Future[Any] = Future()
        found = [n for n in self.alive if not workers or f"tcp://10.0.0.1:{n}" in workers]
        try:
            if found:
                future.set_result(function(*call))
        except Death:
            self.alive.remove(found[0])
            if self.lives:
                self.lives, self.born = self.lives - 1, self.born + 1
                self.alive.append(self.born)
        return future


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 3), st.integers(0, 60), st.lists(st.integers(-1, 5), max_size=20))
def test_no_cluster_is_waited_for_without_end(workers: int, lives: int, items: list[int]) -> None:
    """Items that kill are given up while workers come back, and the work ends when no worker does."""
    cluster, found = Mortal(workers, lives), None
    with pytest.MonkeyPatch.context() as patch:
        for name in ("pools.PATIENCE", "pools.SETTLING", "executors.LOOK_SECONDS"):
            patch.setattr(f"gpkit.evolution.{name}", 0.001, raising=False)
        with suppress(WorkersGoneError), clustered(cluster, patch) as executor:
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
def test_a_worker_that_dies_while_it_writes_loses_nothing(tmp_path: Path, deaths: int, written: int) -> None:
    """Its pipe has an end in this process, too, which would wait there for the rest of a result."""
    folder = Path(mkdtemp(dir=tmp_path))
    work = partial(squares_after_deaths, str(folder), deaths, written)
    with GuardedExecutor(ProcessPool(2)) as executor:
        assert executor.run(work, range(6), [1.0] * 6) == [n * n for n in range(6)]


@dataclass(slots=True)
class Growing:
    """A pool of threads that counts one worker at first and four when it is asked again."""

    counts: list[int] = field(default_factory=lambda: [1, 4])
    failures: tuple[type[BaseException], ...] = ()
    busy: list[int] = field(default_factory=list)
    most: int = 0

    @property
    def workers(self) -> int:
        return self.counts.pop(0) if len(self.counts) > 1 else self.counts[0]

    def open(self) -> Executor:
        return ThreadPoolExecutor(8)

    def close(self, executor: Executor) -> None:
        executor.shutdown()

    def submit(self, executor: Executor, function: Any, items: Sequence[Any]) -> Future[Any]:
        return executor.submit(done, function, items)

    def look(self, executor: Executor) -> None:
        """Nobody dies."""

    def work(self, items: Sequence[int]) -> list[int]:
        self.busy.append(1)
        self.most = max(self.most, len(self.busy))
        time.sleep(0.1)
        self.busy.pop()
        return list(items)


def test_workers_that_join_in_the_middle_of_a_step_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.evolution.executors.LOOK_SECONDS", 0.02)
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

    def open(self) -> object:  # type: ignore[override]
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
    assert 'put what it does below a line `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]


def test_a_worker_that_imports_an_unguarded_script_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []
    monkeypatch.setattr(pools.os, "_exit", ended.append)
    monkeypatch.setattr(multiprocessing.current_process(), "_inheriting", True, raising=False)
    pools.check_guarded("2")
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
from gpkit.evolution.executors import GuardedExecutor
from gpkit.evolution.pools import ProcessPool
if __name__ == "__main__":
    with GuardedExecutor(ProcessPool(2)) as executor:
        executor.run(partial(slow_squares_and_process, sys.argv[1]), list(range(20000)), [0.02] * 20000)
"""


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
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(pools.start_method() != "forkserver", reason="there is no fork server")
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
        patch.setattr(pools.forkserver, "ensure_running", start)
        patch.delenv(pools.SAFE_PATH, raising=False)
        if before is not None:
            patch.setenv(pools.SAFE_PATH, before)
        threads = [threading.Thread(target=open_one) for _ in faults]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert os.environ.get(pools.SAFE_PATH) == before
    assert found == [(before,)] * faults.count(False)
