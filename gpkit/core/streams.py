"""The standard streams of a process, which may be closed or unread, and the symbols that they can show."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TextIO

from gpkit.core.layout import in_lines
from gpkit.core.wording import shown

_NAMES = ("stdin", "stdout", "stderr")
"""The standard streams, in the order of their file descriptors."""


def open_closed() -> None:
    """Connect closed standard streams with the null device.

    Python represents closed streams as None, and other programs would mistake the next opened file for the stream.
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
    """Redirect a stream that cannot be written to the null device, so that later output cannot fail again."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, stream.fileno())
    finally:
        os.close(nothing)


@contextmanager
def unheard() -> Iterator[None]:
    """Discard messages that cannot be written to standard error, because they are not results."""
    try:
        yield
    except OSError:
        discard(sys.stderr)


def settle() -> None:
    """Flush standard output and standard error for the last time; discard everything that cannot be written."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            discard(stream)


def width_of(stream: IO[str]) -> int | None:
    """The number of columns of a terminal; None for any other stream, whose lines can have any length."""
    if not stream.isatty():
        return None
    columns = 0
    if not os.environ.get("COLUMNS"):
        with suppress(OSError, ValueError):  # a stream that only claims to be a terminal
            columns = os.get_terminal_size(stream.fileno()).columns
    return columns or shutil.get_terminal_size().columns


SIGNS = "♥♦♣♠─│├└×÷√²≤∞−…→"
"""The non-ASCII characters in gpkit's output."""

_PLAIN = str.maketrans(
    {
        "♥": "h",
        "♦": "d",
        "♣": "c",
        "♠": "s",
        "─": "-",
        "│": "|",
        "├": "|",
        "└": "`",
        "×": "*",
        "÷": "/",
        "√": "sqrt ",
        "²": "^2",
        "≤": "<=",
        "∞": "inf",
        "−": "-",
        "…": "...",
        "→": "->",
    }
)


class Headed(str):
    """Text whose first line is a heading; the heading is bold in coloured output."""

    __slots__ = ()


class Style:
    """The output style of a stream: whether only ASCII is used, whether suits are red, and the ``width`` of lines.

    With ``plain``, it is ASCII even if the stream could show more.
    """

    def __init__(self, stream: TextIO, *, plain: bool) -> None:
        self.plain = plain or not can_show(stream, SIGNS)
        self.coloured = stream.isatty() and not os.environ.get("NO_COLOR")
        self.width = width_of(stream)

    def dress(self, text: str) -> str:
        """The text in the form for this stream; terminal commands are shown as visible text."""
        clean = in_lines(shown(text), self.width)
        if self.plain:
            return clean.translate(_PLAIN).encode("ascii", "replace").decode()
        if not self.coloured:
            return clean
        red = re.sub("[♥♦]", "\x1b[31m\\g<0>\x1b[39m", clean)
        if not isinstance(text, Headed):
            return red
        heading, end, rest = red.partition("\n")
        return f"\x1b[1m{heading}\x1b[0m{end}{rest}"


def can_show(stream: TextIO, symbols: str) -> bool:
    """Whether the encoding of a stream can represent these symbols."""
    try:
        symbols.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
