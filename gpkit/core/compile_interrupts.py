"""Interrupts while a kernel compiles: none is lost in a callback of LLVM, which would swallow it.

LLVM hands compiled code to Python in a callback. An exception there is printed and forgotten, and what numba finds
missing afterwards is an error of its own that has nothing to do with what happened.
"""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

REQUESTS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Requests to end: by a process, and by a terminal that closes, which Windows lacks."""

SIGNALS = (signal.SIGINT, *REQUESTS)

_CALLS_BACK = "llvmlite.binding"


@contextmanager
def handled(
    numbers: Iterable[signal.Signals], handler: Callable[[int, FrameType | None], None]
) -> Iterator[None]:
    """Handle signals with a handler inside the block, and as before after it."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)


@contextmanager
def none_lost() -> Iterator[None]:
    """Raise an interrupt that comes in a callback of LLVM at the end, and any other at once as ever.

    Only signals that would raise ``KeyboardInterrupt`` are looked at; elsewhere than in the main thread there are none.

    Raises:
        KeyboardInterrupt: the interrupt; whatever was raised for want of what the callback did not do is its context.
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
    """True if a frame of LLVM's binding is among the callers."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(_CALLS_BACK):
            return True
        frame = frame.f_back
    return False
