"""Interrupts from the keyboard while something must not stop in the middle."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def noticed() -> Iterator[Callable[[], bool]]:
    """Let the first interrupt be asked for, and a second one interrupt as ever; gives the question.

    Where interrupts are ignored, as by a command in the background, they still are.
    """
    before = signal.getsignal(signal.SIGINT)
    came = False

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True
        signal.signal(signal.SIGINT, before)

    if before is signal.SIG_IGN:
        yield lambda: False
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: came
    finally:
        signal.signal(signal.SIGINT, before)
