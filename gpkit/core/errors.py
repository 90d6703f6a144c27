"""The one tree of errors that people meet; each kind carries the exit code of the command line."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

EXIT_OK = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_LIMIT = 3
EXIT_INTERRUPTED = 4
EXIT_INTERNAL = 70


class GpkitError(Exception):
    """A mistake that a person can fix; the message says what was expected and the nearest right thing."""

    exit_code: ClassVar[int] = EXIT_USAGE

    def _render_traceback_(self) -> list[str]:
        """The message alone, which is all that IPython and notebooks show of it."""
        return [f"{type(self).__name__}: {self}"]


class UsageError(GpkitError):
    """A wrong option, an unknown name, a file that cannot be read."""


class LimitError(GpkitError):
    """A limit on size, depth, number length or steps was exceeded."""

    exit_code = EXIT_LIMIT


class CheckpointError(GpkitError):
    """A run directory that is in use, incomplete or damaged."""


class GuestError(GpkitError):
    """A fault of a game or language from outside the package; the message names who brought it, and the line."""


class RenderError(GpkitError):
    """A picture that cannot be rendered with what is installed."""


@contextmanager
def told_as(kind: type[GpkitError], what: str, *errors: type[Exception]) -> Iterator[None]:
    """Raise errors of some kinds as errors of another kind, with some words before the message.

    >>> with told_as(CheckpointError, "state.json is damaged", ValueError):
    ...     float("x")
    Traceback (most recent call last):
    gpkit.core.errors.CheckpointError: state.json is damaged: could not convert string to float: 'x'

    Raises:
        GpkitError: an error of ``kind``, if the block raises one of ``errors``.
    """
    try:
        yield
    except errors as error:
        raise kind(f"{what}: {error}") from error


def interrupted(message: str) -> KeyboardInterrupt:
    """An interrupt with a message, which is all that IPython and notebooks show of it."""
    error = KeyboardInterrupt(message)
    vars(error)["_render_traceback_"] = lambda: [f"KeyboardInterrupt: {message}"]
    return error


LONGEST_TOLD, LONGEST_MESSAGE = 1000, 10_000
"""Characters of the message of an error that came from outside, as far as it is told, and of any message."""


def words_of(error: BaseException) -> str:
    """The message of an error that may come from outside, in a line that is not too long.

    >>> words_of(ValueError("no such\\nmove"))
    'no such move'
    """
    try:
        message = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # its class may do anything
        return ""
    return " ".join(cut(message, LONGEST_TOLD).split())


def cut(message: str, most: int = LONGEST_MESSAGE) -> str:
    """As much of a message as is told.

    >>> cut("no such move", 7)
    'no such ... (12 characters)'
    """
    return message if len(message) <= most else f"{message[:most]} ... ({len(message):,} characters)"


def one_line(error: BaseException) -> str:
    """The error in a line, with its kind unless it is one of these."""
    words = words_of(error)
    if isinstance(error, GpkitError):
        return words
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
