"""A dask cluster as the place where work is done; needs the extra ``dask``."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tasks_for_workers import slow_squares_and_process, squares, squares_unless_deadly

from gpkit.core.errors import UsageError
from gpkit.evolve.pools import executor_for
from gpkit.evolve.problem import Lost

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def test_a_cluster_gives_the_same_results(address: str) -> None:
    with executor_for(address) as executor:
        assert executor.workers == 2
        assert executor.run(squares, list(range(100)), [0.1] * 100) == [n * n for n in range(100)]


def test_a_killed_worker_of_a_cluster_loses_nothing(address: str, tmp_path: Path) -> None:
    def kill_one() -> None:
        while not (pids := [int(path.name) for path in tmp_path.iterdir()]):
            time.sleep(0.01)
        os.kill(pids[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    with executor_for(address) as executor:
        task = partial(slow_squares_and_process, str(tmp_path))
        assert executor.run(task, list(range(40)), [0.05] * 40) == [n * n for n in range(40)]
    killer.join()


def test_an_item_that_always_kills_spares_its_neighbours(address: str) -> None:
    with executor_for(address) as executor:
        results = executor.run(squares_unless_deadly, [0, 1, -1, 3], [0.1] * 4)
    assert [result for result in results if not isinstance(result, Lost)] == [0, 1, 9]
    assert isinstance(results[2], Lost)


def test_nobody_at_the_address_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"no dask scheduler answers at `tcp://127.0.0.1:1`"):
        executor_for("tcp://127.0.0.1:1")
