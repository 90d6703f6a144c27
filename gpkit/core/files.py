"""Read files that users name on the command line, and write files in such a way that a crash loses nothing."""

import errno
import io
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import current_thread, main_thread
from typing import BinaryIO, TextIO

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.plain_files import no_file, open_named, sync_folder
from gpkit.core.registry import all_games, is_suffix, shipped_programs

STANDARD_INPUT = "-"
MAX_BYTES = 1_000_000


def read_text(path: str) -> str:
    """The text of a UTF-8 file, or of standard input for ``-``, without a byte order mark.

    Raises:
        UsageError: there is no such file (the message names the nearest one), the file is a folder or cannot be read,
            or its content is not UTF-8.
        LimitError: the file is larger than ``MAX_BYTES``.
    """
    with _opened(path) as stream:
        content = stream.read(MAX_BYTES + 1)  # so an endless file does no harm
    if len(content) > MAX_BYTES:
        raise LimitError(f"{path} is larger than {MAX_BYTES:,} bytes, the limit")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{path} is not UTF-8 text: byte 0x{content[error.start]:02x} on line {line}"
        ) from None


@contextmanager
def opened_text(path: str) -> Iterator[TextIO]:
    """A text stream for a UTF-8 file of any size, or for standard input (``-``), with line ends but no byte order mark.

    Raises:
        UsageError: for the same reasons as ``read_text``, except that text in another encoding raises a
            UnicodeDecodeError during reading.
    """
    with _opened(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        try:
            yield text
        finally:
            text.detach()


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    """Open a file for reading, or use standard input for ``-``.

    Raises:
        UsageError: the file does not exist, is a folder, or cannot be read.
    """
    if path == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    if not path:
        raise _no_file(path)
    try:
        stream = open(path, "rb", opener=open_named)  # noqa: SIM115  # closed below
    except FileNotFoundError:
        raise _no_file(path) from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder, not a file") from None
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        raise UsageError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    with stream:
        try:
            yield stream
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None


def _no_file(path: str) -> UsageError:
    if not path:
        return UsageError("the file name is empty")
    folder = Path(path).parent
    if not folder.is_dir():
        return UsageError(f"there is no file {path}: there is no folder {folder}")
    if any(path == file.name for game in all_games() for file in shipped_programs(game.name).values()):
        name = Path(path).stem
        return UsageError(f"there is no file {path}; shipped programs are named without their suffix: {name}")
    return UsageError(no_file(path))


def check_target(target: str | os.PathLike[str], sources: Iterable[str], suffix: str) -> None:
    """Refuse to overwrite an input file, and refuse the suffix of programs for any other output.

    Args:
        target: the file to write.
        sources: the input files.
        suffix: the default suffix of the output.

    Raises:
        UsageError: the target is one of the sources, or has a program's suffix although it is not a program.
    """
    path = Path(target)
    if is_suffix(path.suffix) and not is_suffix(suffix):
        raise UsageError(
            f"{path} has the suffix of a program; choose another name, such as {path.with_suffix(suffix)}"
        )
    for source in sources:
        if source != STANDARD_INPUT and path.exists() and Path(source).exists() and path.samefile(source):
            raise UsageError(
                f"{path} is the input and would be overwritten; choose another name for the output"
            )


def check_place(target: str | os.PathLike[str]) -> None:
    """Check that gpkit can write a file, before the work starts.

    Raises:
        UsageError: the file is a folder, or its folder is missing or not writable.
    """
    path = Path(os.path.realpath(target))
    if path.is_dir():
        raise UsageError(f"{target} cannot be written: it is a folder")
    if _is_device(target):
        if not os.access(target, os.W_OK):
            raise UsageError(f"{target} cannot be written: {os.strerror(errno.EACCES)}")
        return
    if not path.parent.is_dir():
        raise _no_folder(target)
    check_writable(path.parent)


def _is_device(path: str | os.PathLike[str]) -> bool:
    """Whether a name refers to a device or a pipe; if the shell has opened it, the name may have no real path."""
    return Path(path).exists() and not Path(path).is_file()


def check_writable(folder: Path) -> None:
    """Check that gpkit can write files in a folder.

    Raises:
        UsageError: they cannot.
    """
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{folder} is not writable")


def new_folder(folder: Path) -> Path:
    """Return the folder, and create it if it is missing; it must be empty, so that gpkit overwrites nothing.

    Raises:
        UsageError: the folder is not empty, cannot be created, or is not writable.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        present = sorted(each.name for each in folder.iterdir())
    except OSError as error:
        raise UsageError(f"cannot use {folder}: {error.strerror or error}") from error
    if present:
        raise UsageError(f"{folder} is not empty (it holds {present[0]}); choose another folder")
    check_writable(folder)
    return folder


def _no_folder(path: str | os.PathLike[str]) -> UsageError:
    return UsageError(f"{path} cannot be written: there is no folder {Path(path).parent}")


def write_atomic(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file completely, or leave it unchanged, as ``written_atomic`` does.

    Raises:
        UsageError: the file cannot be written.
    """
    with written_atomic(path) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def written_atomic(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A stream that writes a file completely or not at all; if writing fails, an existing file stays unchanged.

    It writes a temporary file in the same folder, flushes it, syncs it to disk, renames it and syncs the folder. The
    target of a symbolic link stays the same, and an existing file keeps its permissions. It does not replace a device
    or a pipe, but writes to it.

    Raises:
        UsageError: the file cannot be written.
    """
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise _no_folder(path)
    try:
        with Path(path).open("wb") if _is_device(path) else _replaced(target) as stream:
            yield stream
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None


@contextmanager
def _replaced(target: Path) -> Iterator[BinaryIO]:
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def _mode(target: Path) -> int:
    """The permissions of an existing file, or the default permissions of a new one."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextmanager
def same_folder() -> Iterator[None]:
    """Restore the current folder after the block, in the main thread, in case the user's code has changed it."""
    place = Path()
    with suppress(OSError):
        place = Path.cwd()
    try:
        yield
    finally:
        if current_thread() is main_thread():
            with suppress(OSError):
                os.chdir(place)
