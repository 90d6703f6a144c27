"""Folders of others: a file of a run replaced by something that leads outside, or that would hang its reader."""

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path


def linked(path: Path, outside: Path) -> None:
    """A link to a file outside."""
    path.symlink_to(outside / "precious")


def dangling(path: Path, outside: Path) -> None:
    """A link to a file outside that is not there, and would be made."""
    path.symlink_to(outside / "made")


def hard_linked(path: Path, outside: Path) -> None:
    """A second name of a file outside."""
    path.hardlink_to(outside / "precious")


def pipe(path: Path, outside: Path) -> None:
    """A pipe that nobody writes to."""
    os.mkfifo(path)


def listening(path: Path, outside: Path) -> None:
    """A socket."""
    with socket.socket(socket.AF_UNIX) as server:
        before = Path.cwd()
        os.chdir(path.parent)  # its name may have 100 characters only
        try:
            server.bind(path.name)
        finally:
            os.chdir(before)


def device(path: Path, outside: Path) -> None:
    """A link to a device that never ends."""
    path.symlink_to("/dev/zero")


def folder(path: Path, outside: Path) -> None:
    """A folder."""
    path.mkdir()


Trick = Callable[[Path, Path], None]

TRICKS: tuple[Trick, ...] = (linked, dangling, hard_linked, pipe, listening, device, folder)


def hostile(run: Path, target: Path, name: str, trick: Trick) -> tuple[Path, Path]:
    """A copy of a run with a trick instead of one of its files, and a folder outside it with a precious file."""
    copy, outside = target / "run", target / "outside"
    outside.mkdir()
    (outside / "precious").write_text("precious")
    shutil.copytree(run, copy)
    path = copy / name
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    trick(path, outside)
    return copy, outside


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder and what they hold."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
