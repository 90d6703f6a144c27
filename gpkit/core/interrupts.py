"""Interrupts, from the keyboard or as a request to end, and what must not stop in the middle."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from gpkit.core.compile_interrupts import REQUESTS, SIGNALS, handled


@contextmanager
def terminations_interrupt() -> Iterator[None]:
    """Interrupt at requests to end as at the keyboard's; one that is ignored or handled still is, as by ``nohup``."""
    is_main = threading.current_thread() is threading.main_thread()
    heard = [number for number in REQUESTS if is_main and signal.getsignal(number) is signal.SIG_DFL]
    with handled(heard, signal.default_int_handler):
        yield


@contextmanager
def noticed() -> Iterator[Callable[[], bool]]:
    """Record the first interrupt, and let the second one end the work as usual; give a function that says whether one
    came.

    A process that ignores interrupts, such as one in the background, goes on ignoring them. Outside the main thread,
    the function always says no.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
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

    with handled(heard, note):
        yield lambda: came
