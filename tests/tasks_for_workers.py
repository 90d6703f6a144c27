"""Functions that tests send to worker processes: they must be importable there."""

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path


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
