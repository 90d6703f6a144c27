"""Progress on standard error: one live line on a terminal, elsewhere a line every few seconds."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from gpkit.app.watching import COMPILE_SECONDS
from gpkit.cli.output import is_terminal, note
from gpkit.cli.streams import unheard
from gpkit.core.characters import shown
from gpkit.core.registry import has_kernels

if TYPE_CHECKING:
    from rich.live import Live

SECONDS_BETWEEN_LINES = 5.0
"""Interval between progress lines on a stream that is not a terminal."""


class Progress:
    """A line that says how far the work is.

    ``with Progress() as progress:`` and, as often as wanted, ``progress.update("generation 3 of 111, ...")``. On a
    terminal the line is rewritten in place and goes away at the end; elsewhere lines are at least
    ``SECONDS_BETWEEN_LINES`` apart and the first comes after that time, so short work stays silent.
    """

    def __init__(self) -> None:
        self._live: Live | None = None
        self._last = time.monotonic()

    def __enter__(self) -> Self:
        if is_terminal(sys.stderr):
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), transient=True, refresh_per_second=8)
            self._live.__enter__()
        return self

    def update(self, text: str) -> None:
        """Show this text as the state of the work."""
        if self._live is not None:
            from rich.text import Text

            with unheard():
                self._live.update(Text(shown(text)))
        elif time.monotonic() - self._last >= SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            note(text)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            with unheard():  # of a terminal that is closed
                self._live.__exit__(kind, error, trace)


def announce_kernels(game: str) -> None:
    """As ``announce_compilation``, for the kernels of a game if it has any."""
    if has_kernels(game):
        announce_compilation(f"the kernels of {game}")


def announce_compilation(what: str, seconds: int = COMPILE_SECONDS) -> None:
    """Announce that the kernels are not compiled yet, if so, as the first call then takes about that long."""
    from gpkit.core.compiled import is_cold, kernel_folder

    if is_cold():
        once = "" if kernel_folder().why_nothing_is_kept() else ", once"
        note(f"compiling {what}{once}, about {seconds} s")
