"""A watch over code from outside, which may run for ever, and over what a person gives so much time."""

import math
import sys
import threading
import time  # noqa: TID251 - when a person wants an end; no result depends on it but by where it ends
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType

GRACE = 0.5
"""Seconds after a time limit in which work may still end by itself, before gpkit abandons it."""

LOOKS = 10
"""Number of looks at a call after which it counts as stuck."""

BUSY = ("bdb", "importlib._bootstrap")
"""Modules that let calls wait with good reason: a person debugs, or something large is imported."""


_WATCHED: dict[int, float] = {}
"""By thread the seconds that a call may take."""

_PATIENT: set[int] = set()
"""Threads in which calls are watched more patiently than a watch around them says."""


class Stuck(BaseException):
    """A call did not come back; no ``except Exception`` of the code that it is raised in holds it up."""

    def __str__(self) -> str:
        """The fault in words."""
        return "timed out"


class TimeUp(BaseException):
    """The time that a person gave is over; no ``except Exception`` holds it up."""


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Raise ``TimeUp`` in this thread when this many seconds are over, wherever it is then; None means no limit.

    Compiled code, and a call that waits inside the interpreter, end first.
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


def countdown(seconds: float | None) -> Callable[[], float]:
    """A function that returns how many seconds are left of a limit that starts now; None means no limit."""
    end = math.inf if seconds is None else time.monotonic() + seconds
    return lambda: end - time.monotonic()


@contextmanager
def watched(seconds: float, is_outside: Callable[[str], bool]) -> Iterator[None]:
    """Raise ``Stuck`` in this thread when one call into code from outside lasts longer than that.

    A call that waits inside the interpreter, as in ``time.sleep``, is ended when it comes back. Within a watch that is
    no more patient, this is none.

    Args:
        seconds: that a call may take.
        is_outside: whether the code of a file is from outside.
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
    """Raise ``Stuck`` when one call made here lasts longer than that, whatever a watch around says.

    None is no limit.
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

    Another thread looks repeatedly at the outermost call into code from outside, above the frame ``floor``. If this
    call stays the same for ``seconds``, the other thread raises ``Stuck`` in this one.
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
    ):  # the code that began the watch
        found, is_busy = frame, busy
    return None if is_busy else found


def _take(thread: int) -> None:
    """Take the error of this thread that may still be to come, here, where it harms nobody.

    One that is called off stays announced, and in Python 3.11 a debugger would wait for it for ever.
    """
    with suppress(Stuck):
        _raise_in(thread, Stuck)
        while True:
            pass


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Raise an error in a thread at its next step, instead of one that it has not raised yet."""
    import ctypes  # which takes its time

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
