"""The contract of all executors: the result of one process, whatever dies, joins late or is interrupted.

Real executors meet each hazard; deaths are signals from outside. ``MISSING`` says what an executor cannot have.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

import clusters
import pytest
from clusters import KINDS
from tasks_for_workers import squares_or_victim

import gpkit
from gpkit.evolution import guarded
from gpkit.evolution.executors import WorkersGoneError, executor_for
from gpkit.evolution.problem import Lost

pytestmark = pytest.mark.release

HAZARDS = (
    "digest",
    "one death",
    "deadly item",
    "interrupt",
    "late joiner",
    "empty start",
    "scheduler killed",
    "death every 5 s",
)

MISSING = {
    **{
        ("threads", each): "a thread cannot be killed"
        for each in ("one death", "deadly item", "death every 5 s")
    },
    **{(each, "late joiner"): "its number of workers is fixed" for each in KINDS if each != "dask"},
    **{(each, "scheduler killed"): "its scheduler is this process" for each in KINDS if each != "dask"},
    ("executorlib", "death every 5 s"): "in its only run it gave no answer for 300 s",
}

PROBLEM = """
import os, time
from pathlib import Path
import gpkit

def score(program):
    (Path({place!r}) / str(os.getpid())).touch()
    time.sleep({seconds})
    return -abs(program(x=2.0) - 5.0) - 0.01 * program.size

problem = gpkit.problem(score, sensors={{"x": (-5, 5)}}, settings={{"population": {{"size": 24}}}})
"""


def test_at_most_twelve_cells_are_missing() -> None:
    assert len(MISSING) <= 12
    assert not any(kind == "dask" for kind, _ in MISSING)


class Bench:
    """A problem in a file of its own folder, whose function leaves the process numbers of those who call it."""

    def __init__(self, folder: Path, seconds: float = 0.01) -> None:
        self.folder, self.pids = folder / "runs", folder / "pids"
        self.pids.mkdir()
        self.file = folder / "mine.py"
        self.file.write_text(PROBLEM.format(place=str(self.pids), seconds=seconds))

    def evolve(self, workers: Any, **more: Any) -> str:
        """The digest of a run."""
        return gpkit.evolve(self.file, seed=3, generations=4, workers=workers, **more)[1].digest

    @property
    def seen(self) -> list[int]:
        """The processes that have worked."""
        return [int(each.name) for each in self.pids.iterdir()]

    @property
    def alive(self) -> list[int]:
        """Those of them that run."""
        return [pid for pid in self.seen if pid != os.getpid() and is_running(pid)]


def is_running(pid: int) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0] != "Z"
    return False


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the run in one process."""
    return Bench(tmp_path_factory.mktemp("serial"), 0.0).evolve(1)


@contextmanager
def closed(executor: Executor) -> Iterator[Executor]:
    """An executor that the test ends, with its cluster."""
    try:
        yield executor
    finally:
        cluster = getattr(getattr(executor, "_client", None), "cluster", None)
        executor.shutdown(wait=False)
        if cluster is not None:
            cluster.close()


@contextmanager
def maker(kind: str) -> Iterator[Callable[[], Executor]]:
    """A function that makes executors: again and again, or with dask those of one cluster."""
    if kind != "dask":
        yield KINDS[kind]
    else:
        with clusters.local_cluster(2) as cluster, cluster.get_client() as client:
            yield client.get_executor


@contextmanager
def beside(work: Callable[[threading.Event], object]) -> Iterator[threading.Event]:
    """Does something in a thread while the block runs."""
    over = threading.Event()
    thread = threading.Thread(target=work, args=(over,))
    thread.start()
    try:
        yield over
    finally:
        over.set()
        thread.join()


def kinds_with(hazard: str) -> list[str]:
    return [kind for kind in KINDS if (kind, hazard) not in MISSING]


@pytest.mark.parametrize("kind", kinds_with("digest"))
def test_digest(kind: str, bench: Bench, serial: str) -> None:
    """An executor that was given does the same as one process, and goes on after it."""
    with closed(KINDS[kind]()) as executor:
        assert bench.evolve(executor) == serial
        assert (os.getpid() in bench.seen) == (kind == "threads")
        assert executor.submit(pow, 2, 3).result(20.0) == 8


@pytest.mark.parametrize("kind", kinds_with("one death"))
def test_one_death(kind: str, bench: Bench, serial: str) -> None:
    killed = []

    def kill_one(over: threading.Event) -> None:
        while not over.wait(0.02) and not killed:
            for pid in bench.alive[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    with maker(kind) as make, beside(kill_one):
        assert bench.evolve(make) == serial
    assert killed
    assert {*bench.seen} > {*killed}
    assert os.getpid() not in bench.seen


@pytest.mark.parametrize("kind", kinds_with("deadly item"))
def test_one_item_in_forty_kills_its_worker(kind: str, tmp_path: Path) -> None:
    def kill_victims(over: threading.Event) -> None:
        while not over.wait(0.02):
            for each in tmp_path.iterdir():
                with suppress(ProcessLookupError):
                    os.kill(int(each.name), signal.SIGKILL)
                each.unlink()

    with maker(kind) as make, executor_for(make) as executor, beside(kill_victims):
        found = executor.run(partial(squares_or_victim, str(tmp_path), 17), range(40), [0.05] * 40)
    assert isinstance(found[17], Lost)
    assert [each for each in found if not isinstance(each, Lost)] == [n * n for n in range(40) if n != 17]


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import clusters
import gpkit
if __name__ == "__main__":
    with clusters.KINDS[sys.argv[2]]() as executor:
        gpkit.evolve(sys.argv[3], seed=3, generations=4, workers=executor, folder=sys.argv[4])
"""


@pytest.mark.parametrize("kind", kinds_with("interrupt"))
def test_interrupt(kind: str, tmp_path: Path, serial: str) -> None:
    """A run that is interrupted ends within seconds, and its folder goes on."""
    bench, script = Bench(tmp_path, 0.05), tmp_path / "script.py"
    script.write_text(SCRIPT)
    arguments = [sys.executable, script, Path(clusters.__file__).parent, kind, bench.file, bench.folder]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            while not (bench.folder / "state.json").exists() and process.poll() is None:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            assert "KeyboardInterrupt" in process.communicate(timeout=120)[1]
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert (process.pid in bench.seen) == (kind == "threads")
    assert bench.evolve(1, folder=bench.folder, resume=True) == serial


def test_late_joiner(bench: Bench, serial: str) -> None:
    """A worker that joins a cluster of dask in the middle works, too."""
    with clusters.local_cluster(1) as cluster, cluster.get_client() as client:

        def scale(over: threading.Event) -> None:
            while not bench.seen:
                over.wait(0.02)
            cluster.scale(2)

        workers = client.get_executor()
        with beside(scale):
            assert bench.evolve(workers) == serial
            while len(client.nthreads()) < 2:
                time.sleep(0.05)
            assert bench.evolve(workers) == serial
    assert len(bench.seen) == 2


@pytest.mark.parametrize("kind", kinds_with("empty start"))
def test_empty_start(
    kind: str, bench: Bench, serial: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A cluster without workers is waited for, with lines that say what is missing, but not for ever."""
    monkeypatch.setattr(guarded, "LINE_SECONDS", 1.0)
    gate = bench.folder.with_name("gate")
    with (
        clusters.local_cluster(0) if kind == "dask" else nullcontext() as cluster,
        closed(cluster.get_client().get_executor() if cluster else KINDS[kind](str(gate))) as executor,
    ):

        def open_gate(over: threading.Event) -> None:
            over.wait(2.5)
            gate.touch()
            if cluster:
                cluster.scale(1)

        with pytest.raises(WorkersGoneError, match="has answered for 1 seconds"):
            bench.evolve(gpkit.Workers(executor, patience=1.0), folder=bench.folder)
        assert not bench.seen
        with beside(open_gate):
            assert bench.evolve(executor, folder=bench.folder, resume=True) == serial
    assert "after 300 the run ends and can go on later" in caplog.text
    assert (os.getpid() in bench.seen) == (kind == "threads")


def test_scheduler_killed(tmp_path: Path, serial: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run ends with a message, and its folder goes on; a function that connects again saves the run."""
    monkeypatch.setattr("gpkit.evolution.executors.SILENCE", 2.0)
    bench, address = Bench(tmp_path, 0.05), f"tcp://127.0.0.1:{free_port()}"
    with closing(Scheduler(address)) as scheduler:

        def kill(over: threading.Event) -> None:
            while not bench.seen:
                over.wait(0.02)
            scheduler.kill()

        with beside(kill), pytest.raises(WorkersGoneError, match=f"scheduler at {address} no longer answers"):
            bench.evolve(address, folder=bench.folder)
    assert bench.evolve(1, folder=bench.folder, resume=True) == serial


class Scheduler:
    """A scheduler of dask and a worker, as processes of their own."""

    def __init__(self, address: str) -> None:
        port = address.rpartition(":")[2]
        command = [
            sys.executable,
            "-m",
            "distributed.cli.dask_scheduler",
            "--port",
            port,
            "--host",
            "127.0.0.1",
        ]
        worker = [
            sys.executable,
            "-m",
            "distributed.cli.dask_worker",
            address,
            "--nthreads",
            "1",
            "--no-dashboard",
        ]
        self.processes = [
            subprocess.Popen(
                each, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
            )
            for each in ([*command, "--no-dashboard"], worker)
        ]

    def kill(self) -> None:
        """Kill the scheduler."""
        self.processes[0].kill()

    def close(self) -> None:
        """Kill all."""
        for each in self.processes:
            with suppress(ProcessLookupError):
                os.killpg(each.pid, signal.SIGKILL)
            each.wait()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.parametrize("kind", kinds_with("death every 5 s"))
def test_a_death_every_five_seconds(kind: str, tmp_path: Path, serial: str) -> None:
    """The five seconds begin when a worker works, however long a busy machine takes to start it."""
    bench, killed = Bench(tmp_path, 0.2), []

    def kill(over: threading.Event) -> None:
        while not over.wait(0.05):
            for pid in bench.alive[:1]:
                if not over.wait(5.0):
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    with maker(kind) as make, beside(kill):
        assert bench.evolve(make) == serial
    assert len(killed) >= 2
    assert os.getpid() not in bench.seen


def test_an_executor_that_breaks_ends_the_run(bench: Bench, serial: str) -> None:
    """gpkit cannot mend what it was given; the message says what can be mended."""

    def kill(over: threading.Event) -> None:
        while not over.wait(0.02) and not bench.alive:
            pass
        for pid in bench.alive[:1]:
            os.kill(pid, signal.SIGKILL)

    told = "give gpkit a function that returns an executor"
    with (
        closed(KINDS["processes"]()) as executor,
        beside(kill),
        pytest.raises(WorkersGoneError, match=told),
    ):
        bench.evolve(executor, folder=bench.folder)
    assert bench.evolve(1, folder=bench.folder, resume=True) == serial
