"""Interrupts (from the keyboard, or requests to terminate), and work that must not stop in the middle.

An LLVM callback would swallow interrupts while a kernel compiles; this module makes sure that none is lost.

LLVM passes compiled code to Python in a callback. If this callback raises an exception, Python prints and discards it.
numba then lacks the code and raises an unrelated error.
"""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

REQUESTS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that request termination: from another process, or from a closing terminal (not on Windows)."""

SIGNALS = (signal.SIGINT, *REQUESTS)


@contextmanager
def handled(
    numbers: Iterable[signal.Signals], handler: Callable[[int, FrameType | None], None]
) -> Iterator[None]:
    """Handle signals with this handler in the block, and restore the previous handlers after the block."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)


@contextmanager
def none_lost() -> Iterator[None]:
    """Delay an interrupt that arrives in an LLVM callback until the end of the block; raise all others immediately.

    This affects only signals that raise ``KeyboardInterrupt``, which only the main thread receives.

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
    """Whether a frame of the LLVM binding is on the call stack."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("llvmlite.binding"):
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
    """Record the first interrupt, and let a second one end the work; yield a function that returns whether one arrived.

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
