"""A dask cluster as the place where work is done."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import tasks_for_workers
from tasks_for_workers import slow_squares_and_process, squares, squares_unless_deadly

from gpkit.cli.main import main
from gpkit.core.errors import UsageError
from gpkit.evolution import executors
from gpkit.evolution.executors import WorkersGoneError, executor_for
from gpkit.evolution.problem import Lost

pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    from distributed import LocalCluster  # which takes its time

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def test_a_cluster_gives_the_same_results(address: str) -> None:
    with executor_for(address) as executor:
        assert executor.workers == 2
        assert executor.run(squares, list(range(100)), [0.1] * 100) == [n * n for n in range(100)]


def test_a_connection_ends_with_the_work(address: str) -> None:
    with executor_for(address) as executor:
        client = vars(executor)["_pool"]._client
        assert client.status == "running"
    assert client.status == "closed"


def test_a_scheduler_that_was_not_asked_for_long_is_not_silent(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One question without an answer after a long step does not end the work."""
    monkeypatch.setattr(executors, "SILENCE", 0.2)
    with executor_for(address) as executor:
        pool = vars(executor)["_pool"]
        assert executor.workers == 2
        time.sleep(0.3)
        with monkeypatch.context() as busy:
            busy.setattr(pool._client, "nthreads", unanswered)
            pool.look(pool.open())
        assert executor.run(squares, [3], [0.1]) == [9]


def unanswered(**_: object) -> None:
    raise TimeoutError


@pytest.mark.parametrize(("failures", "answers"), [(2, True), (3, False)])
def test_a_worker_that_joins_during_the_connection_costs_a_retry(
    failures: int, answers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """dask asserts that the first answer of a scheduler is one message; a worker that joins then adds a second."""
    import distributed

    left = iter(range(failures))

    def client(address: str, **_: object) -> Any:
        assert next(left, None) is None
        client = SimpleNamespace(scheduler=SimpleNamespace(address=address))
        return SimpleNamespace(get_executor=lambda: SimpleNamespace(_client=client))

    monkeypatch.setattr(distributed, "Client", client)
    if answers:
        executor_for("tcp://here:1")
    else:
        with pytest.raises(UsageError, match="workers joined during each of 3 connections"):
            executor_for("tcp://here:1")


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


@pytest.fixture
def mortal(request: pytest.FixtureRequest) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process of a cluster that may be killed, and its address; it has one worker, or as many as are asked for."""
    environment = os.environ | {"PYTHONPATH": str(Path(tasks_for_workers.__file__).parent)}
    command = [sys.executable, "-c", CLUSTER, str(getattr(request, "param", 1))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


CLUSTER = """
import sys, time
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=int(sys.argv[1]), threads_per_worker=1, processes=False, dashboard_address=None,
                           protocol="tcp", host="127.0.0.1")
    print(cluster.scheduler_address, flush=True)
    time.sleep(300)
"""


def test_a_scheduler_that_dies_is_told(
    mortal: tuple[subprocess.Popen[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of the work, and when more work is given."""
    process, address = mortal
    monkeypatch.setattr(executors, "ANSWER_SECONDS", 0.5)
    with executor_for(address) as executor:
        assert executor.run(squares, [1, 2], [0.1, 0.1]) == [1, 4]
        threading.Timer(0.3, process.kill).start()
        task = partial(slow_squares_and_process, str(tmp_path))
        for _ in range(2):
            with pytest.raises(WorkersGoneError, match=f"scheduler at {address} no longer answers"):
                executor.run(task, list(range(400)), [0.02] * 400)


@pytest.mark.parametrize("mortal", [0], indirect=True)
def test_a_cluster_without_workers_ends_and_the_run_goes_on(
    mortal: tuple[subprocess.Popen[str], str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    _, address = mortal
    Path("cluster.py").write_text(
        f"import gpkit\ndef executor(): return gpkit.Workers({address!r}, patience=2)\n"
    )
    Path("mine.py").write_text(PROBLEM)
    run = ["evolve", "mine.py", "--out", "run"]
    assert main([*run, "--generations", "1", "--workers", "./cluster.py"]) == 4
    said = capsys.readouterr().err
    assert f"no worker of the dask cluster at {address} has answered for 2 seconds" in said
    assert "continue with: gpkit evolve mine.py --resume --out run" in said
    assert main([*run, "--resume"]) == 0


PROBLEM = """
import gpkit

def score(program):
    return -abs(program(x=2.0) - 5.0)

problem = gpkit.problem(score, sensors="x", settings={"population": {"size": 12}})
"""


def test_a_problem_reaches_workers_in_another_folder(
    address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(PROBLEM)
    assert main(["evolve", "mine.py", "--generations", "1", "--workers", address, "--out", "run"]) == 0


def test_a_worker_that_lacks_gpkit_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import Client

    hide = "import sys; sys.modules['gpkit.evolution.parcels'] = None"
    with Client(address, set_as_default=False) as client:
        client.run(exec, hide)
        try:
            with (
                executor_for(address) as executor,
                pytest.raises(WorkersGoneError, match="install gpkit where"),
            ):
                executor.run(squares, [1, 2], [0.1, 0.1])
        finally:
            client.run(exec, "import sys; del sys.modules['gpkit.evolution.parcels']")


def test_nobody_at_the_address_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"no dask scheduler answers at `tcp://127.0.0.1:1`"):
        executor_for("tcp://127.0.0.1:1")
