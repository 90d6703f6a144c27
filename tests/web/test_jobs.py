"""Jobs: followed, stopped by themselves or with their process, and never waited for when that has died."""

import os
import signal
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from threading import Event

import pytest
from thread_pool import Pool

from gpkit.core.errors import GpkitError, UsageError
from gpkit.web.jobs import StoppedError, Worker, tell


def telling(most: int) -> int:
    """Tell numbers for ever, or so many."""
    for number in range(most):
        tell(number)
    return most


def test_job_tells_all_that_it_does_and_then_its_outcome(pool: Pool) -> None:
    worker = Worker()
    job = worker.start("count", partial(telling, 5), -2, -1)
    assert list(job.watched()) == [-2, -1, 0, 1, 2, 3, 4]
    assert (job.result(), worker.going_on(), job.has_failed) == (5, "", False)
    job.stop()
    worker.end()


def test_job_that_tells_ends_by_itself_when_it_is_stopped(pool: Pool) -> None:
    worker = Worker()
    job = worker.start("count", partial(telling, sys.maxsize))
    watched = job.watched()
    assert [next(watched) for _ in range(3)] == [0, 1, 2]
    worker.stop("another")
    assert worker.going_on() == "count"
    worker.stop("count")
    assert worker.going_on() == ""
    with pytest.raises(StoppedError):
        list(watched)
    assert job.has_failed
    assert worker.count(int) == 0
    assert pool.opened == 1
    worker.end()


@pytest.mark.release
def test_process_ends_in_the_middle_of_a_job_that_takes_long(pool: Pool) -> None:
    worker, begun = Worker(), Event()

    def endless() -> None:
        begun.set()
        pool.released.wait(30)
        raise BrokenProcessPool

    job = worker.start("long", endless)
    assert begun.wait(30)
    worker.stop()
    with pytest.raises(StoppedError):
        job.result()
    assert worker.count(int) == 0
    assert pool.opened == 2
    worker.end()


def test_error_of_a_job_is_told(pool: Pool) -> None:
    worker = Worker()

    def refusing() -> None:
        raise UsageError("no")

    job = worker.start("", refusing)
    with pytest.raises(UsageError, match="no"):
        list(job.watched())
    assert job.has_failed
    worker.end()


def test_death_of_the_process_is_noticed_within_a_second() -> None:
    worker = Worker()
    process = worker.count(os.getpid)
    job = worker.start("sleep", partial(time.sleep, 60))
    os.kill(process, signal.SIGKILL)
    died = time.monotonic()
    with pytest.raises(GpkitError, match="has died"):
        job.result()
    assert time.monotonic() - died < 5
    assert job.has_failed
    assert worker.count(os.getpid) != process
    worker.end()
