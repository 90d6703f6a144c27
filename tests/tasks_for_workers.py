"""Functions that tests send to worker processes: they must be importable there."""

import os
import signal
import struct
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any


def squares(items: Sequence[int]) -> list[int]:
    return [item * item for item in items]


def squares_unless_deadly(items: Sequence[int]) -> list[int]:
    """A negative item kills the process that works on it."""
    if any(item < 0 for item in items):
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.005 * len(items))
    return squares(items)


def slow_squares_and_process(folder: str, items: Sequence[int]) -> list[int]:
    """Leaves its process number in the folder before it works."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(0.02 * len(items))
    return squares(items)


def raises(items: Sequence[int]) -> list[int]:
    raise ArithmeticError(f"cannot do {items[0]}")


def dies(items: Sequence[int]) -> list[int]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


class Death(BaseException):
    """Stands for the end of a worker."""


def squares_or_death(items: Sequence[int]) -> list[int]:
    if any(item < 0 for item in items):
        raise Death
    return squares(items)


def squares_after_deaths(folder: str, deaths: int, written: int, items: Sequence[int]) -> list[int]:
    """The first processes die while they write a result, of which so many bytes are there."""
    frame = sys._getframe()
    while frame.f_back is not None and "result_queue" not in frame.f_locals:
        frame = frame.f_back
    for number in range(deaths):
        with suppress(FileExistsError):
            (Path(folder) / str(number)).touch(exist_ok=False)
            os.write(
                frame.f_locals["result_queue"]._writer.fileno(), struct.pack("!i", 4001) + b"x" * written
            )
            os.kill(os.getpid(), signal.SIGKILL)
    return squares(items)


def squares_or_victim(folder: str, deadly: int, items: Sequence[int]) -> list[int]:
    """One item leaves its process number in the folder and waits for somebody to kill the process."""
    if deadly in items:
        (Path(folder) / str(os.getpid())).touch()
        time.sleep(20.0)
    time.sleep(0.005 * len(items))
    return squares(items)


def sums_and_squares(rows: Any, items: Sequence[int]) -> list[float]:
    """The squares, and the sum of a large array that was sent."""
    return [item * item + float(rows.sum()) for item in items]
