"""Executors of other packages, as people have them: functions that make one with two workers.

A file named ``gate`` keeps workers from starting until it is there; an empty name keeps none.
"""

import multiprocessing
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any


def wait_for(gate: str) -> dict[str, object]:
    """Wait until the file is there."""
    while gate and not Path(gate).exists():
        time.sleep(0.05)
    return {}


def threads(gate: str = "") -> Executor:
    """Threads of this process."""
    made = ThreadPoolExecutor(2)
    for _ in range(2):
        made.submit(wait_for, gate)
    return made


def processes(gate: str = "") -> Executor:
    """Processes of the standard library."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["gpkit.evolution.game_subject"])
    return ProcessPoolExecutor(2, mp_context=context, initializer=wait_for, initargs=(gate,))


def loky(gate: str = "") -> Executor:
    """Processes of loky."""
    from loky import ProcessPoolExecutor as Made

    made: Executor = Made(2, initializer=wait_for, initargs=(gate,))
    return made


def executorlib(gate: str = "") -> Executor:
    """Processes of executorlib on one machine, which stay for more than one batch."""
    import cloudpickle
    from executorlib import SingleNodeExecutor

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    made: Executor = SingleNodeExecutor(
        max_workers=2, block_allocation=True, hostname_localhost=True, init_function=partial(wait_for, gate)
    )
    return made


def dask(gate: str = "", workers: int = 2) -> Executor:
    """A cluster of dask on this machine."""
    del gate
    cluster = local_cluster(workers)
    made: Executor = cluster.get_client().get_executor()
    return made


def local_cluster(workers: int) -> Any:
    """A cluster of dask on this machine, with as many workers."""
    from distributed import LocalCluster

    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)


KINDS = {each.__name__: each for each in (threads, processes, loky, dask, executorlib)}
