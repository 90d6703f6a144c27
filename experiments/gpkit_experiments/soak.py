"""A million batches on a one-machine dask cluster, and the memory of its processes.

Runs of a small problem follow each other on one client, as on a user's cluster; each batch is one program. The record
has the resident memory of the coordinator, which is also dask's scheduler, and of both workers, in MB, every 10,000
batches. Criterion: the mean of the last 10 samples, from batch 910,000 to 1,000,000, is at most 5 % above the mean of
the samples from 100,000 to 190,000, for each of the three processes. Seeds: 1, 2, 3, ..., one for each run.

    python -m gpkit_experiments.soak

prints the record ``data/soak.json`` (about an hour on two idle cores; nobody has made it yet).
"""

import itertools
import json
import sys
from typing import Any

import dask
import psutil  # type: ignore[import-untyped]
from distributed import LocalCluster

import gpkit
from gpkit.evolution import guarded
from gpkit.evolution.executors import DaskPool

BATCHES, EVERY, GENERATIONS, CHILDREN = 1_000_000, 10_000, 50, 400


def closeness(program: Any) -> float:
    """The negative distance of a program from a parabola, summed over five points."""
    return -float(sum(abs(program(x=k) - k * k) for k in range(5)))


def samples(batches: int, every: int) -> list[list[float]]:
    """The resident memory of the coordinator and of two workers, in MB, with one row per ``every`` batches."""
    found: list[list[float]] = []
    sent, submit = itertools.count(1), DaskPool.submit
    dask.config.set({"distributed.worker.profile.enabled": False})
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:  # type: ignore[no-untyped-call]
        client = cluster.get_client()
        pids = [psutil.Process().pid, *client.run(lambda: psutil.Process().pid).values()]

        def counted(pool: DaskPool, *given: Any) -> Any:
            if next(sent) % every == 0:
                found.append([round(psutil.Process(pid).memory_info().rss / 1e6, 1) for pid in pids])
                print(len(found) * every, *found[-1], file=sys.stderr, flush=True)
            return submit(pool, *given)

        DaskPool.submit, guarded.STEP_SECONDS = counted, 0.0  # type: ignore[method-assign, assignment]
        settings = {"population": {"size": CHILDREN}, "stop": {"generations": GENERATIONS}}
        problem = gpkit.problem(closeness, sensors={"x": (0, 5)}, settings=settings)
        workers = gpkit.Workers(client.get_executor(), batches=CHILDREN // 2)
        for seed in itertools.count(1):
            gpkit.evolve(problem, seed=seed, workers=workers)
            if len(found) * every >= batches:
                return found
    raise AssertionError


if __name__ == "__main__":
    record = {
        "command": "python -m gpkit_experiments.soak",
        "every": EVERY,
        "megabytes": samples(BATCHES, EVERY),
    }
    print(json.dumps(record))
