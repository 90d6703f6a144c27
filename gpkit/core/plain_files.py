"""Plain files in a folder that may come from somebody else: gpkit reads, writes and removes them, but follows no links.

A folder from somebody else may contain a link, a pipe or a device in place of a file, so output could end up elsewhere.
A plain file is a regular file that has no other name (no hard link). gpkit refuses any other kind of file, and never
writes or removes anything through it. The path to the folder comes from the user, so gpkit follows links in it.

If a function is called with ``at``, the descriptor of an open folder from ``held``, it works in that folder, even if
the folder's name now refers to something else. Without ``held``, gpkit follows the link if a folder is replaced by a
link between two checks of its name. Windows cannot keep folders open.
"""

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gpkit.core.diagnostics import nearest, shortened, unseen
from gpkit.core.errors import CheckpointError, UsageError

_SAFE = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # opening a pipe must not wait for a writer
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
"""Flags for opening files; Windows has only the last flag, so gpkit checks for links there before it opens a file."""

MOST = 1 << 30
"""The maximum size, in bytes, of a plain file that gpkit reads, unless the caller sets a lower limit."""

_ODD = "a pipe, a socket or a device; expected a file"

_REPARSE_POINT = 0x400
"""The Windows attribute of links and mount points, ``FILE_ATTRIBUTE_REPARSE_POINT``."""


Expected = Literal["file", "folder"]

_HOLDS = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")


@contextmanager
def held(folder: Path, at: int | None = None) -> Iterator[int | None]:
    """Keep a folder open, and yield its descriptor for ``at``; None on Windows, where only folder names exist.

    Args:
        folder: the folder; it must not be a link.
        at: the descriptor of the parent folder, if it is open.

    Raises:
        CheckpointError: the folder is missing, is a link or not a folder, or cannot be opened.
    """
    if not is_folder(folder, at=at):
        raise CheckpointError(f"there is no folder {folder}")
    if not _HOLDS:
        yield None
        return
    with refusing("read", folder):
        descriptor = os.open(_name(folder, at), os.O_RDONLY | os.O_DIRECTORY | _SAFE, dir_fd=at)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _name(path: Path, at: int | None) -> Path | str:
    """The name of a file in an open folder, or the full path if there is no open folder."""
    return path if at is None else path.name


_RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\..*)?", re.IGNORECASE
)


def is_reserved(name: str) -> bool:
    """Whether Windows treats a file name as a device, or removes dots and spaces from its end.

    Source: Microsoft, "Naming Files, Paths, and Namespaces", 2024.

    >>> [is_reserved(name) for name in ("com1.tree", "nul", "x.", "common.tree")]
    [True, True, True, False]
    """
    return name.endswith((".", " ")) or _RESERVED.fullmatch(name) is not None


def is_there(path: Path, *, at: int | None = None, expected: Expected = "file") -> bool:
    """Whether there is a plain file (or the expected folder) with this name; False if nothing has this name.

    Raises:
        CheckpointError: something else has this name.
    """
    with refusing("read", path), suppress(FileNotFoundError, NotADirectoryError):
        _check(path, os.stat(_name(path, at), dir_fd=at, follow_symlinks=False), expected)
        return True
    return False


class StoredName(str):
    """A file name from text that somebody else may have written; it can open only a plain file."""

    __slots__ = ()


def check_named(values: object, *folders: Path, where: str = "it") -> Any:
    """The nested values with file names as ``StoredName``, after a check that none is a pipe, a socket or a device.

    Reading from a pipe, a socket or a device may block forever or never end; so may reading files in ``/proc`` and
    ``/sys``.

    Args:
        values: the nested values, for example of a configuration.
        folders: the folders in which to look for relative names, in addition to the current folder.
        where: the file that contains the values, for the error message.

    Raises:
        UsageError: one of the names refers to a pipe, a socket or a device, or the values are nested too deeply.
    """
    try:
        if isinstance(values, Mapping):
            return {key: check_named(each, *folders, where=where) for key, each in values.items()}
        if isinstance(values, list | tuple):
            return type(values)(check_named(each, *folders, where=where) for each in values)
    except RecursionError:
        raise UsageError(f"{where} is nested too deeply") from None
    if not isinstance(values, str):
        return values
    if any(is_odd(folder / values) for folder in (Path(), *folders)):
        raise UsageError(f"{where} names {shortened(values)}, which is {_ODD}")
    return StoredName(values) if {*"./\\"} & {*values} else values


def open_named(path: str, flags: int) -> int:
    """Open a file (an ``opener`` for ``open``); a ``StoredName`` is checked before and after opening.

    Raises:
        UsageError: a ``StoredName`` refers to a pipe, a socket or a device.
        OSError: the file cannot be opened.
    """
    if not isinstance(path, StoredName):
        return os.open(path, flags)
    if not is_odd(Path(path)):  # merely opening a device can have an effect
        descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
        if not is_odd(Path(path), descriptor):
            return descriptor
        os.close(descriptor)
    raise UsageError(f"{path} is {_ODD}")


def is_odd(path: Path, opened: int | None = None) -> bool:
    """Whether a path or descriptor refers to a pipe, a socket or a device, or to a file in ``/proc`` or ``/sys``."""
    try:
        mode = (path.stat() if opened is None else os.fstat(opened)).st_mode
    except (OSError, ValueError):  # there is no such file, or it is not a possible file name
        return False
    place = os.path.realpath(path if opened is None else f"/proc/self/fd/{opened}")
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or place.startswith(("/proc/", "/sys/"))


def check_plain(folder: Path, names: Iterable[str]) -> None:
    """Check that gpkit can write files with these names: each file and its temporary file must be plain or missing.

    Raises:
        CheckpointError: something else has this name.
    """
    for name in names:
        is_there(folder / name)
        is_there(next_of(folder / name))


def is_folder(path: Path, *, at: int | None = None) -> bool:
    """Whether there is a folder with this name, which must not be a link; False if nothing has this name.

    Raises:
        CheckpointError: something else has this name.
    """
    return is_there(path, at=at, expected="folder")


def make_folder(path: Path) -> None:
    """Create a folder, unless it exists.

    Raises:
        CheckpointError: something that is not a folder has its name, or the folder cannot be created.
    """
    if not is_folder(path):
        with refusing("make", path):
            path.mkdir()


def read_plain(path: Path, most: int = MOST, *, at: int | None = None) -> bytes:
    """Read the content of a plain file of at most ``most`` bytes.

    Raises:
        CheckpointError: there is no such file, the file is larger, or it cannot be read.
    """
    with refusing("read", path), os.fdopen(_opened(path, os.O_RDONLY, at), "rb") as file:
        if os.fstat(file.fileno()).st_size > most:
            raise CheckpointError(f"{path} is larger than {most:,} bytes, the limit")
        return file.read(most)


@dataclass(frozen=True, slots=True)
class Mark:
    """A position in a growing file: the file's inode number, and the number of bytes already read."""

    file: int = -1
    offset: int = 0


def read_on(path: Path, mark: Mark, most: int) -> tuple[bytes, Mark]:
    """The next complete lines of a growing plain file (at most ``most`` bytes), and the new position.

    If the file has been replaced, or is shorter than before, it is read from its beginning.

    Raises:
        CheckpointError: there is no such file, or it cannot be read.
    """
    with refusing("read", path), os.fdopen(_opened(path, os.O_RDONLY), "rb") as file:
        status = os.fstat(file.fileno())
        if status.st_ino != mark.file or status.st_size < mark.offset:
            mark = Mark(status.st_ino)
        file.seek(mark.offset)
        lines, end, _torn = file.read(most).rpartition(b"\n")
        return lines, Mark(mark.file, mark.offset + len(lines) + len(end))


def write_plain(path: Path, content: str | bytes, *, keep: Path | None = None, at: int | None = None) -> None:
    """Replace the content of a plain file in such a way that a crash leaves either the old or the new content intact.

    Args:
        path: the file.
        content: the new content; a string is encoded as UTF-8.
        keep: the name under which to keep the old file.
        at: the descriptor of the folder of both files, if it is open.

    Raises:
        CheckpointError: something that is not a plain file has this name, or the file cannot be written.
    """
    temporary = next_of(path)
    remove_plain(temporary, at=at)
    is_old = is_there(path, at=at)
    if keep is not None:
        is_there(keep, at=at)
    with refusing("write", path):
        descriptor = os.open(
            _name(temporary, at), os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE, 0o666, dir_fd=at
        )
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            if keep is not None and is_old:
                os.replace(_name(path, at), _name(keep, at), src_dir_fd=at, dst_dir_fd=at)
            os.replace(_name(temporary, at), _name(path, at), src_dir_fd=at, dst_dir_fd=at)
        except OSError:
            with suppress(OSError):
                os.unlink(_name(temporary, at), dir_fd=at)
            raise
        if at is None:
            sync_folder(path.parent)
        else:
            os.fsync(at)


def append_line(path: Path, line: str) -> None:
    """Add a line to a plain file (created if missing), after ending any line that a crash has left incomplete.

    Raises:
        CheckpointError: something that is not a plain file has this name, or the file cannot be written.
    """
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
    with refusing("write", path), os.fdopen(_opened(path, flags), "ab+") as file:
        text = line + "\n"
        if file.seek(0, os.SEEK_END) > 0:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                text = "\n" + text
        file.write(text.encode())


def remove_plain(path: Path, *, at: int | None = None) -> None:
    """Remove a plain file, if it exists.

    Raises:
        CheckpointError: something that is not a plain file has its name, or the file cannot be removed.
    """
    if is_there(path, at=at):
        with refusing("remove", path):
            os.unlink(_name(path, at), dir_fd=at)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable; do nothing on Windows, which does this by itself and cannot open folders.

    Raises:
        OSError: the folder cannot be synchronized.
    """
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def next_of(path: Path) -> Path:
    """The temporary file for the next content of a file; a crash may leave it behind."""
    return path.with_name(f".{path.name}.new")


def _opened(path: Path, flags: int, at: int | None = None) -> int:
    """Open a plain file and return its descriptor; check it before opening (so as not to open a device) and after."""
    is_there(path, at=at)
    descriptor = os.open(_name(path, at), flags | _SAFE, 0o666, dir_fd=at)
    try:
        _check(path, os.fstat(descriptor), "file")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check(path: Path, status: os.stat_result, expected: Expected) -> None:
    """Reject links, and anything that is not the expected folder or plain file."""
    if stat.S_ISLNK(status.st_mode) or getattr(status, "st_file_attributes", 0) & _REPARSE_POINT:
        raise CheckpointError(f"{path} is a link, and links are not followed here; expected a {expected}")
    if expected == "folder":
        if not stat.S_ISDIR(status.st_mode):
            raise CheckpointError(f"{path} is a file; expected a folder")
        return
    if stat.S_ISDIR(status.st_mode):
        raise CheckpointError(f"{path} is a folder; expected a file")
    if not stat.S_ISREG(status.st_mode):
        raise CheckpointError(f"{path} is a pipe, a socket or a device; expected a file")
    if status.st_nlink > 1:
        raise CheckpointError(
            f"{path} is a hard link, so another file would change with it; copy the folder and use the copy"
        )


@contextmanager
def refusing(what: str, path: Path) -> Iterator[None]:
    """Turn a file system error into a message that states the operation on a path that failed.

    Raises:
        CheckpointError: the file system reported an error.
    """
    try:
        yield
    except OSError as error:
        raise CheckpointError(f"cannot {what} {path}: {error.strerror or error}") from error


def no_file(path: str) -> str:
    """The message that a file does not exist, with the most similar name in its folder."""
    folder = Path(path).parent
    try:
        beside = sorted(folder.iterdir())
    except OSError:
        beside = []
    like = [each.name for each in beside if nearest(Path(path).stem, [each.stem]) is not None]
    close = nearest(Path(path).name, like)
    return f"there is no file {path}" + (
        f"; did you mean {folder / close}?{unseen(Path(path).name, close)}" if close else ""
    )
