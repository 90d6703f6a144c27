"""Interrupts, from the keyboard or as a request to terminate, and work that must not stop in the middle.

While a kernel compiles, an LLVM callback would swallow interrupts; this module makes sure that none is lost.

LLVM passes compiled code to Python in a callback. If an exception happens there, Python prints it and drops it. numba
then lacks the code and raises an unrelated error.
"""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

REQUESTS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Requests to terminate, from another process or from a closing terminal (Windows lacks the latter)."""

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
    """Delay an interrupt in an LLVM callback until the end of the block, and raise any other interrupt immediately.

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
    """Turn requests to terminate into keyboard interrupts, unless they are already ignored (``nohup``) or handled."""
    is_main = threading.current_thread() is threading.main_thread()
    heard = [number for number in REQUESTS if is_main and signal.getsignal(number) is signal.SIG_DFL]
    with handled(heard, signal.default_int_handler):
        yield


@contextmanager
def noticed() -> Iterator[Callable[[], bool]]:
    """Record the first interrupt, and let the second end the work; yields a function that says whether one has arrived.

    A process that ignores interrupts, such as one in the background, keeps ignoring them. Outside the main thread, the
    function always returns False.
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
