"""Interrupts, from the keyboard or as a request to terminate, and what must not stop in the middle."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from gpkit.core.compile_interrupts import SIGNALS


@contextmanager
def terminations_interrupt() -> Iterator[None]:
    """Let a request to terminate interrupt as the keyboard does; where it is ignored or handled, it still is."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def noticed() -> Iterator[Callable[[], bool]]:
    """Let the first interrupt be asked for, and a second one interrupt as ever; gives the question.

    Where interrupts are ignored, as by a command in the background, they still are.
    """
    before = {number: signal.getsignal(number) for number in SIGNALS}
    heard = {number: handler for number, handler in before.items() if handler is not signal.SIG_IGN}
    came = False

    def as_ever() -> None:
        for number, handler in heard.items():
            signal.signal(number, handler)

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True
        as_ever()

    for number in heard:
        signal.signal(number, note)
    try:
        yield lambda: came
    finally:
        as_ever()
