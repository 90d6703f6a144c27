"""Folders of others: a file of a run replaced by something that leads outside, or that would hang its reader."""

import os
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


def endless(outside: Path) -> tuple[str, ...]:
    """Names of files that never end or that nobody writes to, some of which are made in a folder."""
    pipe(outside / "pipe", outside)
    listening(outside / "socket", outside)
    device(outside / "link", outside)
    (outside / "way").symlink_to("pipe")
    made = (str(outside / name) for name in ("pipe", "socket", "link", "way"))
    return (
        *made,
        "/dev/zero",
        "/dev/random",
        "/dev/stdin",
        "/dev/tty",
        "/dev/fd/0",
        "/proc/kmsg",
        "/proc/self/mem",
    )


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Work that ends in time, or fails: whoever reads a pipe without a writer would wait for ever."""

    def late(number: int, frame: object) -> None:
        raise AssertionError(f"it was not done within {seconds} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
