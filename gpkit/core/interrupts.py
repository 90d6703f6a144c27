"""Interrupts, from the keyboard or as a request to end, and work that must not stop in the middle.

While a kernel compiles, a callback of LLVM would swallow interrupts; this module makes sure that none is lost.

LLVM gives compiled code to Python in a callback. If an exception happens there, it is printed and forgotten. numba then
misses the code and raises an unrelated error.
"""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

REQUESTS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Requests to end: from a process, and from a terminal that closes (Windows lacks this one)."""

SIGNALS = (signal.SIGINT, *REQUESTS)

_CALLS_BACK = "llvmlite.binding"


@contextmanager
def handled(
    numbers: Iterable[signal.Signals], handler: Callable[[int, FrameType | None], None]
) -> Iterator[None]:
    """Handle signals with this handler in the block, and restore the earlier handlers after it."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)


@contextmanager
def none_lost() -> Iterator[None]:
    """Delay an interrupt that comes in a callback of LLVM until the end, and raise any other one at once as usual.

    Only signals that would raise ``KeyboardInterrupt`` matter; they reach only the main thread.

    Raises:
        KeyboardInterrupt: the interrupt; if the interrupted callback caused another error, that error is its context.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = [number for number in SIGNALS if signal.getsignal(number) is signal.default_int_handler]
    late = False

    def note_or_raise(number: int, frame: FrameType | None) -> None:
        nonlocal late
        if not _is_called_back(frame):
            signal.default_int_handler(number, frame)
        late = True

    try:
        with handled(heard, note_or_raise):
            yield
    finally:
        if late:
            raise KeyboardInterrupt


def _is_called_back(frame: FrameType | None) -> bool:
    """Whether a frame of LLVM's binding is among the callers."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(_CALLS_BACK):
            return True
        frame = frame.f_back
    return False


@contextmanager
def terminations_interrupt() -> Iterator[None]:
    """Turn requests to end into keyboard interrupts, unless they are already ignored (``nohup``) or handled."""
    is_main = threading.current_thread() is threading.main_thread()
    heard = [number for number in REQUESTS if is_main and signal.getsignal(number) is signal.SIG_DFL]
    with handled(heard, signal.default_int_handler):
        yield


@contextmanager
def noticed() -> Iterator[Callable[[], bool]]:
    """Note the first interrupt, and let the second one end the work; returns a function that says whether one came.

    A process that ignores interrupts, such as one in the background, keeps ignoring them. Outside the main thread, the
    function always says no.
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
