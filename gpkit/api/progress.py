"""Progress of long tasks: a bar in a notebook, or a line on standard error if the user asks for it."""

import html
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from contextvars import ContextVar
from importlib import import_module
from typing import Any, NamedTuple

from gpkit.core.errors import UsageError
from gpkit.core.layout import in_lines
from gpkit.core.streams import unheard
from gpkit.core.timeouts import countdown
from gpkit.core.wording import Tell, shown


class Shell(NamedTuple):
    """The functions and names with which the command line shows progress and messages.

    Attributes:
        note: a function that prints a sentence on standard error.
        clock: a function that returns the time in seconds.
        names: the names of the arguments in the shell.
        line: the words of the command line, which a run stores.
        before: the seconds between the start of the command line and the call of the command.
    """

    note: Tell
    clock: Callable[[], float]
    names: Mapping[str, str]
    line: Sequence[str]
    before: float


SECONDS_BETWEEN_LINES = 5.0
"""The seconds between progress lines in a stream that is not a terminal, and before the first one."""

_SHELL: ContextVar[Shell | None] = ContextVar("shell", default=None)
_ASKED: ContextVar[bool | None] = ContextVar("asked", default=None)
_PART = re.compile(r"(\d+)%$")
_OF = re.compile(r"(\d+) of (\d+)")


@contextmanager
def progress(shown: bool = True) -> Iterator[None]:
    """Show the progress of calls in this block on standard error; a notebook shows a bar in any case.

    >>> import gpkit
    >>> with gpkit.progress(False):  # not even in a notebook
    ...     result = gpkit.play("simple", "random", game="sevens", games=30)

    Args:
        shown: whether to show progress; False also hides the bar of a notebook.
    """
    token = _ASKED.set(shown)
    try:
        yield
    finally:
        _ASKED.reset(token)


@contextmanager
def shown_by(shell: Shell) -> Iterator[None]:
    """Show progress and remarks of calls in this block on the command line; messages use the shell's argument names."""
    token = _SHELL.set(shell)
    try:
        yield
    finally:
        _SHELL.reset(token)


def remark(text: str) -> None:
    """Print a sentence about the work on the command line; in Python code nothing is printed."""
    if text and (shell := _SHELL.get()) is not None:
        shell.note(text)


def remark_compilation(what: str = "", *, game: str | None = None) -> None:
    """Print that kernels are being compiled, and how long this takes, unless they are already compiled.

    Args:
        what: a description of the kernels, if they belong to no game.
        game: the game that the kernels belong to; if it has no kernels, nothing is printed.
    """
    from gpkit.core import compiled
    from gpkit.core.registry import has_kernels

    if compiled.is_cold() and (game is None or has_kernels(game)):
        once = "" if compiled.kernel_folder().why_nothing_is_kept() else ", once"
        remark(f"compiling {what or f'the kernels of {game}'}{once}, about 20 s")


def argument(name: str) -> str:
    """The name of an argument in a message: ``--data`` in the shell, ``data=...`` in Python code."""
    return f"{name}=..." if (shell := _SHELL.get()) is None else shell.names[name]


def refuse(*cases: tuple[object, str]) -> None:
    """Refuse arguments that cannot be combined.

    Args:
        cases: pairs of a condition and the message to raise if it holds, with parameters in braces.

    Raises:
        UsageError: a condition holds; the error has the message of the first condition that holds.
    """
    for is_wrong, message in cases:
        if is_wrong:
            raise UsageError(re.sub(r"\{(\w+)\}", lambda found: argument(found[1]), message))


def shell() -> Shell | None:
    """The shell, if the call comes from the command line; None in Python code."""
    return _SHELL.get()


def begun() -> Callable[[], float]:
    """A clock that returns the seconds since the command line began; in Python code, since this call."""
    line, left = _SHELL.get(), countdown(0.0)
    return lambda: (0.0 if line is None else line.before) - left()


def seconds() -> float:
    """The time on the clock of the command line; 0 in Python code, where nothing is timed."""
    return 0.0 if (shell := _SHELL.get()) is None else shell.clock()


@contextmanager
def watching() -> Iterator[Tell]:
    """A function that shows how far the work has progressed; its sentences contain a percentage, or ``3 of 10``."""
    asked = _ASKED.get()
    shown_in: _Bar | ProgressLine | None = None
    if (shell := _SHELL.get()) is not None:
        shown_in = ProgressLine(shell.note, shell.clock, SECONDS_BETWEEN_LINES)
    elif asked is not False and (display := _notebook()) is not None:
        shown_in = _Bar(display)
    elif asked:
        shown_in = ProgressLine()
    with nullcontext() if shown_in is None else closing(shown_in):
        yield str if shown_in is None else shown_in.tell


def _notebook() -> Any:
    """The display function of the notebook that this code runs in; None outside a notebook."""
    found = sys.modules.get("IPython")
    shell = None if found is None else found.get_ipython()
    return None if shell is None or not hasattr(shell, "kernel") else import_module("IPython.display").display


def _hundredths(text: str) -> int | None:
    """The percentage of the work that is done, according to a sentence; None if the sentence does not state it.

    >>> _hundredths("30 games, 60%"), _hundredths("generation 3 of 4: best 0.5"), _hundredths("rating")
    (60, 75, None)
    """
    if found := _PART.search(text):
        return int(found[1])
    found = _OF.search(text)
    return 100 * int(found[1]) // max(1, int(found[2])) if found else None


class _Bar:
    """A bar in a notebook, redrawn after each percent of the work."""

    def __init__(self, display: Callable[..., Any]) -> None:
        self._display, self._handle, self._last = display, None, ""

    def tell(self, text: str) -> None:
        part = _hundredths(text)
        head = text if part is None else str(part)
        if head == self._last:
            return
        self._last = head
        value = "" if part is None else f' value="{part}"'
        content = f'<progress max="100"{value}></progress> {html.escape(text)}'
        self._show({"text/html": content, "text/plain": text})

    def close(self) -> None:
        if self._handle is not None:
            self._show({"text/html": "", "text/plain": ""})

    def _show(self, content: dict[str, str]) -> None:
        if self._handle is None:
            self._handle = self._display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)


class ProgressLine:
    """A progress line on standard error: a terminal overwrites it and erases it at the end; elsewhere each line stays.

    Args:
        note: a function that prints a sentence if standard error is not a terminal.
        clock: a function that returns the time in seconds.
        pause: seconds between lines; 0 for one line per percent of the work.
    """

    def __init__(
        self, note: Tell | None = None, clock: Callable[[], float] = lambda: 0.0, pause: float = 0.0
    ) -> None:
        self._note, self._clock, self._pause = note or _print, clock, pause
        self._last, self._head, self._erase = clock(), "", ""

    def tell(self, text: str) -> None:
        """Show a sentence, unless the last one was shown a moment ago."""
        part, now = None if self._pause else _hundredths(text), self._clock()
        head, is_terminal = text if part is None else str(part), sys.stderr.isatty()
        if head == self._head or now - self._last < (0.1 * bool(self._erase) if is_terminal else self._pause):
            return
        self._head, self._last = head, now
        if is_terminal:
            lines = in_lines(shown(text), shutil.get_terminal_size().columns)
            _print(self._erase + lines, end="")
            rows = lines.count("\n")
            self._erase = (f"\x1b[{rows}A" if rows else "") + "\r\x1b[J"
        else:
            self._note(text)

    def close(self) -> None:
        """Erase the line if a terminal shows it."""
        if self._erase:
            _print(self._erase, end="")


def _print(text: str, end: str = "\n") -> None:
    """Print on standard error; do nothing if its reader is gone."""
    with unheard():
        print(text, end=end, file=sys.stderr, flush=True)  # noqa: T201 - a surface
