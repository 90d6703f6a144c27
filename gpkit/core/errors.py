"""The hierarchy of all errors that users see; each class has an exit code for the command line."""

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
    """A mistake that the user can fix; the message states what gpkit expects, and suggests the nearest correct name."""

    exit_code: ClassVar[int] = EXIT_USAGE

    def _render_traceback_(self) -> list[str]:
        """The message alone, so that IPython and notebooks show nothing else."""
        return [f"{type(self).__name__}: {self}"]


class UsageError(GpkitError):
    """A wrong option, an unknown name, or a file that cannot be read."""


class LimitError(GpkitError):
    """A limit on size, depth, number length or steps was exceeded."""

    exit_code = EXIT_LIMIT


class CheckpointError(GpkitError):
    """A run directory that is in use, incomplete or damaged."""


class GuestError(GpkitError):
    """An error in external code, such as a game or a language; the message names the code's source and the line."""


class RenderError(GpkitError):
    """A picture that cannot be drawn with the installed programs."""


@contextmanager
def told_as(kind: type[GpkitError], what: str, *errors: type[Exception]) -> Iterator[None]:
    """Turn these errors into errors of a single class, with ``what`` before the message.

    >>> with told_as(CheckpointError, "state.json is damaged", ValueError):
    ...     float("x")
    Traceback (most recent call last):
    gpkit.core.errors.CheckpointError: state.json is damaged: could not convert string to float: 'x'

    Raises:
        GpkitError: the block raised one of ``errors``; the new exception has the class ``kind``.
    """
    try:
        yield
    except errors as error:
        raise kind(f"{what}: {error}") from error


def interrupted(message: str) -> KeyboardInterrupt:
    """An interrupt with a message, which is all that IPython and notebooks show."""
    error = KeyboardInterrupt(message)
    vars(error)["_render_traceback_"] = lambda: [f"KeyboardInterrupt: {message}"]
    return error


LONGEST_TOLD, LONGEST_MESSAGE = 1000, 10_000
"""The maximum number of characters in the message of an error from external code, and in any message."""


def words_of(error: BaseException) -> str:
    """The message of an error, possibly from external code, shortened to one line.

    >>> words_of(ValueError("no such\\nmove"))
    'no such move'
    """
    try:
        message = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the class of the error may do anything
        return ""
    return " ".join(cut(message, LONGEST_TOLD).split())


def cut(message: str, most: int = LONGEST_MESSAGE) -> str:
    """The message, truncated to ``most`` characters.

    >>> cut("no such move", 7)
    'no such ... (12 characters)'
    """
    return message if len(message) <= most else f"{message[:most]} ... ({len(message):,} characters)"


def one_line(error: BaseException) -> str:
    """The error in one line, with the name of its class unless the class is gpkit's own."""
    words = words_of(error)
    if isinstance(error, GpkitError):
        return words
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
