"""The folder of long work, such as a run: new work begins in an empty one, and one process at a time writes there."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from gpkit.core.errors import CheckpointError
from gpkit.core.folder_lock import HOLDER, LOCK, locked
from gpkit.core.plain_files import check_plain


def check_work(folder: Path, marks: Collection[str], names: Collection[str], *, resume: bool) -> None:
    """Refuse what ``opened_work`` would refuse, and store nothing.

    Args:
        folder: of the work.
        marks: the files of which one says that there is work already.
        names: the files that are written, none of which may be a link or the like.
        resume: whether work that is there goes on.

    Raises:
        CheckpointError: as for ``opened_work``; or a file is no plain one.
    """
    if not resume:
        check_unused(folder, marks)
        return
    check_plain(folder, (*names, LOCK, HOLDER))
    with locked(folder):
        pass


@contextmanager
def opened_work(folder: Path, marks: Collection[str], *, resume: bool) -> Iterator[None]:
    """The folder of new work, which is made, or with ``resume`` of work that goes on; held against other processes.

    Raises:
        CheckpointError: the folder is in use, or for new work not empty, or it cannot be made.
    """
    if not resume:
        _create(folder, marks)
    with locked(folder):
        if not resume:
            _create(folder, marks)  # nobody was faster
        yield


def check_unused(folder: Path, marks: Collection[str]) -> None:
    """Check that a folder holds nothing that new work would be mixed with; it need not exist.

    Raises:
        CheckpointError: it holds something, is a file, or cannot be looked into or made.
    """
    if any(os.path.lexists(folder / mark) for mark in marks):
        raise CheckpointError(
            f"{folder} holds a run already; go on with it by --resume, or choose another folder"
        )
    if folder.is_file():
        raise CheckpointError(f"{folder} is a file; a run needs a folder of its own")
    try:
        present = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    except OSError as error:
        raise _unusable(folder, error) from error
    others = [name for name in present if name not in (LOCK, HOLDER)]
    if others:
        raise CheckpointError(f"{folder} is not empty (it holds {others[0]}); choose another folder")
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir():
        raise CheckpointError(f"cannot use {folder}: {there} is a file")
    if not os.access(there, os.W_OK | os.X_OK):
        raise CheckpointError(f"cannot use {folder}: nothing can be written in {there}")


def _create(folder: Path, marks: Collection[str]) -> None:
    check_unused(folder, marks)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(folder, error) from error


def _unusable(folder: Path, error: OSError) -> CheckpointError:
    return CheckpointError(f"cannot use {folder}: {error.strerror or error}")
