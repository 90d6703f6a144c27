"""Executors: same results anywhere, and nothing lost when workers die."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from tasks_for_workers import dies, raises, slow_squares_and_process, squares, squares_unless_deadly

from gpkit.core.errors import UsageError
from gpkit.evolution.executors import (
    BATCH_SECONDS,
    BATCHES_PER_WORKER,
    GuardedExecutor,
    SerialExecutor,
    batches,
)
from gpkit.evolution.pools import ProcessPool, executor_for, most_workers
from gpkit.evolution.problem import Lost


@pytest.fixture(scope="module")
def executor() -> Iterator[GuardedExecutor]:
    with GuardedExecutor(ProcessPool(2)) as executor:
        yield executor


@pytest.mark.parametrize("workers", [1, 2, 16])
@pytest.mark.parametrize("seconds", [[], [0.0], [0.01] * 100, [1.0] * 100, [5.0, 0.1, 0.1, 0.1], [0.001] * 7])
def test_batches_cover_everything_once_and_are_worth_sending(workers: int, seconds: list[float]) -> None:
    parts = batches(seconds, workers)
    assert [index for part in parts for index in part] == list(range(len(seconds)))
    assert len(parts) <= BATCHES_PER_WORKER * workers
    if len(parts) > 1 and len(set(seconds)) == 1:
        assert all(sum(seconds[i] for i in part) > 0.9 * BATCH_SECONDS - seconds[0] for part in parts)


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
    with pytest.raises(UsageError, match=r"gpkit-games\[dask\]"):
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
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
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
