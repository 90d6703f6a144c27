"""Timeouts for external code, which may run forever, and for work with a user's time limit."""

import math
import sys
import threading
import time  # noqa: TID251 - when a person wants an end; no result depends on it but by where it ends
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType

GRACE = 0.5
"""The number of seconds for which gpkit lets work end by itself after a time limit, before it abandons the work."""

LOOKS = 10
"""The number of checks after which an unfinished call counts as stuck."""

BUSY = ("bdb", "importlib._bootstrap")
"""Modules in which a call may wait for a good reason: the debugger, and the import system during a large import."""


_WATCHED: dict[int, float] = {}
"""The time limit of a call, in seconds, by thread."""

_PATIENT: set[int] = set()
"""Threads in which an inner time limit on calls is longer than the limit around it."""


class Stuck(BaseException):
    """A call did not return in time; ``except Exception`` in the called code cannot catch this error."""

    def __str__(self) -> str:
        """The error in words."""
        return "timed out"


class TimeUp(BaseException):
    """The user's time limit has passed; ``except Exception`` cannot catch this error."""


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Raise ``TimeUp`` in this thread after this many seconds, whatever code it is running; None means no limit.

    Compiled code, and calls that block inside the interpreter, finish before the error is raised.
    """
    thread, raised = threading.get_ident(), threading.Event()

    def end() -> None:
        raised.set()
        _raise_in(thread, TimeUp)

    timer = threading.Timer(max(0.0, seconds or 0.0), end)
    timer.daemon = True
    if seconds is not None:
        timer.start()
    try:
        yield
    finally:
        if seconds is not None:
            timer.cancel()
            timer.join()
        if raised.is_set():
            _take(thread)


def countdown(seconds: float | None, *, of_cpu: bool = False) -> Callable[[], float]:
    """A function that returns the remaining seconds of a time limit that starts now; None means no limit."""
    clock = time.process_time if of_cpu else time.monotonic
    end = math.inf if seconds is None else clock() + seconds
    return lambda: end - clock()


@contextmanager
def watched(seconds: float, is_outside: Callable[[str], bool]) -> Iterator[None]:
    """Raise ``Stuck`` in this thread if a call into external code takes longer than ``seconds``.

    A call that blocks inside the interpreter, such as ``time.sleep``, ends only when it returns. This has no effect
    inside another ``watched`` block with the same or a shorter limit.

    Args:
        seconds: the time limit of a call.
        is_outside: returns whether a file contains external code.
    """
    thread = threading.get_ident()
    outer = _WATCHED.get(thread, math.inf)
    if seconds >= outer:
        yield
        return
    _WATCHED[thread] = seconds
    try:
        with _watching(seconds, is_outside, sys._getframe(2)):
            yield
    finally:
        _WATCHED[thread] = outer


@contextmanager
def patient(seconds: float | None) -> Iterator[None]:
    """Raise ``Stuck`` if a call in this block takes longer than ``seconds``, even inside a ``watched`` block.

    None means no limit.
    """
    thread = threading.get_ident()
    outer = _WATCHED.pop(thread, None)
    _PATIENT.add(thread)
    floor = sys._getframe(2)
    try:
        with nullcontext() if seconds is None else _watching(seconds, lambda file: True, floor, True):
            yield
    finally:
        _PATIENT.discard(thread)
        if outer is not None:
            _WATCHED[thread] = outer


@contextmanager
def _watching(
    seconds: float, is_outside: Callable[[str], bool], floor: FrameType, is_patient: bool = False
) -> Iterator[None]:
    """Watch this thread while the block runs.

    Another thread repeatedly looks at the outermost call into external code, above the frame ``floor``. If the call is
    still the same after ``seconds``, the other thread raises ``Stuck`` in this one.
    """
    thread, done, raised = threading.get_ident(), threading.Event(), threading.Event()

    def watch() -> None:
        last: FrameType | None = None
        looks = 0
        while not done.wait(seconds / LOOKS):
            if thread in _PATIENT and not is_patient:
                looks = 0
                continue
            call = _outermost(sys._current_frames().get(thread), is_outside, floor)
            looks = looks + 1 if call is not None and call is last else 0
            last = call
            if looks >= LOOKS:
                raised.set()
                _raise_in(thread, Stuck)
                looks = 0

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        if raised.is_set():
            _take(thread)


def _outermost(
    frame: FrameType | None, is_outside: Callable[[str], bool], floor: FrameType
) -> FrameType | None:
    found, busy, is_busy = None, False, False
    while frame is not None and frame is not floor:
        busy = busy or frame.f_globals.get("__name__") in BUSY
        if is_outside(frame.f_code.co_filename):
            found, is_busy = frame, busy
        frame = frame.f_back
    if (
        found is None and frame is not None and is_outside(frame.f_code.co_filename)
    ):  # the code that started the watch
        found, is_busy = frame, busy
    return None if is_busy else found


def _take(thread: int) -> None:
    """Catch any error that is still pending in this thread here, where it does no harm.

    If the error were only cancelled, Python 3.11 would still announce it, and a debugger would wait for it forever.
    """
    with suppress(Stuck):
        _raise_in(thread, Stuck)
        while True:
            pass


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Raise an error in a thread at its next step; the error replaces one that is still pending."""
    import ctypes  # slow to import

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
