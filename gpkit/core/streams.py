"""The standard streams of a process: those that are closed, and those that nobody reads any more."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

_NAMES = ("stdin", "stdout", "stderr")
"""In the order of their file descriptors."""


def open_closed() -> None:
    """Connect the standard streams that are closed with the null device.

    Python has None for them, and the next file that is opened would be what other programs take for the stream.
    """
    closed = [number for number, name in enumerate(_NAMES) if getattr(sys, name) is None]
    if not closed:
        return
    opened = set()
    while (number := os.open(os.devnull, os.O_RDWR)) < len(_NAMES):
        os.set_inheritable(number, True)
        opened.add(number)
    os.close(number)
    for number in closed:
        place = number if number in opened else os.devnull
        stream = open(place, "w" if number else "r", encoding="utf-8")  # noqa: SIM115, PTH123
        setattr(sys, _NAMES[number], stream)


def discard(stream: IO[str]) -> None:
    """Point a stream that cannot be written at the null device, so that what it still holds cannot fail again."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, stream.fileno())
    finally:
        os.close(nothing)


@contextmanager
def unheard() -> Iterator[None]:
    """Drop messages that cannot be written on standard error: they are no results."""
    try:
        yield
    except OSError:
        discard(sys.stderr)


def settle() -> None:
    """Flush standard output and error for the last time; what cannot be written is discarded."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            discard(stream)
