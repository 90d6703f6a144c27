"""The lock of a folder: one process at a time writes there, and the lock ends with its holder, however that ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from gpkit.core.errors import CheckpointError
from gpkit.core.plain_files import is_there, read_plain, remove_plain, write_plain

LOCK, HOLDER = "run.lock", "run.pid"
"""The file that the operating system locks, and the number of the process that holds it, for messages only."""

PAUSE = "run.pause"
"""The file by which another process asks the holder of a folder to pause."""


def ask_to_pause(folder: Path) -> None:
    """Ask whoever holds a folder to store a checkpoint and end, as soon as it looks.

    Raises:
        CheckpointError: something that is not a plain file is in the way, or the file system refuses.
    """
    write_plain(folder / PAUSE, "")


def take_pause(folder: Path) -> bool:
    """Whether somebody has asked the holder of a folder to pause; it was asked once.

    Raises:
        CheckpointError: as of ``ask_to_pause``.
    """
    if not is_there(folder / PAUSE):
        return False
    remove_plain(folder / PAUSE)
    return True


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder against other processes.

    Raises:
        CheckpointError: another process holds it, something that is not a plain file is in the way, or the
        file system
            refuses.
    """
    is_there(folder / LOCK)
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise CheckpointError(f"{folder} is in use by process {_holder(folder)}") from None
    except OSError as error:
        raise CheckpointError(f"cannot use {folder}: {error.strerror or error}") from error
    try:
        write_plain(folder / HOLDER, str(os.getpid()))
        try:
            yield
        finally:
            remove_plain(folder / HOLDER)
    finally:
        lock.release()


def is_held(folder: Path) -> bool:
    """Whether a process says that it holds a folder; on Windows one that was killed still does."""
    holder = _holder(folder)
    if not holder.isdecimal():
        return False
    if os.name == "nt":
        return True  # where asking for a process by a signal would end it
    try:
        os.kill(int(holder), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def is_abandoned(folder: Path) -> bool:
    """Whether a process that held a folder has ended without saying so, as one that is killed does."""
    return _holder(folder).isdecimal() and not is_held(folder)


def _holder(folder: Path) -> str:
    """The number of the process that holds a folder, as far as it has said so."""
    path = folder / HOLDER
    try:
        text = read_plain(path, 32).decode("ascii", "replace") if is_there(path) else ""
    except CheckpointError:
        return "unknown"
    return text if text.isdecimal() else "unknown"
