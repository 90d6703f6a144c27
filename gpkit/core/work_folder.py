"""The folder of long-running work, such as evolution or a learner: its description, lock and checkpoints.

``run.json`` describes the work: its kind, configuration, seed, versions and arguments. New work begins in an empty
folder, and only one process at a time writes to the folder. Resumed work keeps its configuration. The lock is released
when the process that holds it ends, even after a crash. Checkpoints contain the state as JSON, and are written in such
a way that a crash at any moment loses nothing.
"""

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from gpkit.core.codec import as_table, as_text, codec, parse_json, print_json, read_document
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import CheckpointError, UsageError, told_as
from gpkit.core.plain_files import (
    check_named,
    check_plain,
    is_there,
    next_of,
    read_plain,
    refusing,
    remove_plain,
    write_plain,
)
from gpkit.core.plugins import file_of
from gpkit.core.registry import is_game, way_to_game
from gpkit.core.settings import check_same
from gpkit.core.wording import VERSION

_LOG = logging.getLogger(__name__)

RUN = "run.json"
OWN, FREE = "own ", ("own stop ", "own callback ")
"""The prefix of the user's own parts among the versions, and the prefixes of parts that may change on resuming."""

MAX_DESCRIPTION = 1_000_000
"""The largest ``run.json`` that gpkit reads, in bytes."""

LOCK, HOLDER = "run.lock", "run.pid"
"""The file that the operating system locks, and the file with the ID of the locking process, for messages only."""

PAUSE = "run.pause"
"""The file with which another process asks the process that holds the lock of a folder to pause."""

BEST, FINAL = "best", "champion"
"""The folder of a run's champions, and the file name, without suffix, of the final one, written when the run ends."""

CHECKPOINT = "gpkit.checkpoint/1"

CURRENT, PREVIOUS = "state.json", "state.previous.json"

GAME_FILE = "game file"
"""The key among the versions for the SHA-256 of an external game's file."""

Config = TypeVar("Config")
State = TypeVar("State")


def versions(game: str = "") -> dict[str, str]:
    """The versions on which work on a game depends; for a game in a file, they include the SHA-256 of the file."""
    import platform
    from importlib.metadata import version  # slow to import

    return {
        **({GAME_FILE: external[1]} if (external := file_of(game)) is not None else {}),
        "gpkit": VERSION,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba")},
    }


@dataclass(frozen=True, slots=True)
class Description:
    """The description of long-running work: the content of ``run.json``.

    Attributes:
        schema: the kind of work, with its format number.
        config: nested tables of plain values, as returned by ``gpkit.core.settings.to_data``.
        seed: the seed of all random numbers.
        versions: the versions on which the work depends, by name.
        argv: the command line.
    """

    schema: str
    config: Mapping[str, Any]
    seed: int
    versions: Mapping[str, str]
    argv: tuple[str, ...] = ()

    def read_config(self, folder: Path, read: Callable[[Mapping[str, Any]], Config]) -> Config:
        """The configuration of the work in a folder.

        Raises:
            UsageError: the configuration is damaged, comes from another version, names a pipe, or is rejected by
                ``read``; or its game is missing.
        """
        game = self.config.get("game")
        if isinstance(game, str) and not is_game(game):
            file = next((each for each in self.argv if each.endswith(".py")), "")
            way = f"the run began with a file, so name it again: --game {file}" if file else way_to_game(game)
            raise UsageError(f"the game of {folder} is not available: there is no game `{game}`; {way}")
        message = f"{folder / RUN} is damaged, or another version of gpkit wrote it"
        with told_as(UsageError, message, UsageError):
            return read(check_named(self.config, folder, folder.parent))


def is_run(folder: Path) -> bool:
    """Whether a folder contains anything called ``run.json``, and therefore probably long-running work."""
    return os.path.lexists(folder / RUN)


def kind_of(folder: Path) -> str | None:
    """The kind of the work in a folder; None if there is no readable description.

    Raises:
        CheckpointError: the description is not a plain file.
    """
    if not is_there(folder / RUN):
        return None
    try:
        return as_text(as_table(parse_json(read_plain(folder / RUN, MAX_DESCRIPTION))).get("schema"))
    except ValueError:
        return None


def same_kind(one: str, other: str | None) -> bool:
    """Whether two schemas name the same kind of work, regardless of their format numbers."""
    return one.partition("/")[0] == (other or "").partition("/")[0]


def read_description(folder: Path, kind: str) -> Description:
    """The content of ``run.json``.

    Raises:
        CheckpointError: the folder contains no work of this kind, or the file is damaged.
    """
    path = folder / RUN
    if not folder.exists():
        raise CheckpointError(f"there is no folder {folder}, and so no run in it")
    if not is_there(path):
        below = sorted(found.parent for found in folder.glob(f"*/{RUN}"))
        hint = f"; did you mean {below[0]}?" if below else ""
        raise CheckpointError(f"{folder} is not the folder of a run: it has no {RUN}{hint}")
    with told_as(CheckpointError, f"{path} is damaged", ValueError):
        found = codec(Description).read(parse_json(read_plain(path, MAX_DESCRIPTION)))
    if not same_kind(found.schema, kind):
        inside = [*sorted(folder.glob("*.html")), *sorted(run.parent for run in folder.glob(f"*/*/*/{RUN}"))]
        hint = f"; it holds {inside[0]} and the run {inside[-1]}" if len(inside) > 1 else ""
        raise CheckpointError(
            f"{path} is of another kind, {shortened(repr(found.schema))}; expected {kind!r}{hint}"
        )
    if found.schema != kind:
        programs = " (its programs in best/ are plain files)" if (folder / "best").is_dir() else ""
        raise CheckpointError(
            f"the run in {folder} was written by gpkit "
            f"{shortened(found.versions.get('gpkit', 'of an unknown version'))} in a different format; "
            f"this version cannot resume it: start a new run{programs}"
        )
    return found


def check_work(folder: Path, description: Description, names: Iterable[str]) -> None:
    """Check, without storing anything, that ``opened_work`` can resume the work in a folder.

    Args:
        folder: the folder of the work.
        description: the description of the work to resume.
        names: the other files that the work writes; they must be plain files.

    Raises:
        CheckpointError: as for ``opened_work``, or one of the other files is not a plain file.
        UsageError: as for ``opened_work``.
    """
    resumed(read_description(folder, description.schema), description)
    check_plain(folder, (RUN, CURRENT, PREVIOUS, *names, LOCK, HOLDER))
    with locked(folder):
        pass


@contextmanager
def opened_work(folder: Path, description: Description, *, resume: bool) -> Iterator[None]:
    """The locked folder of new work, created if missing, or of existing work if ``resume`` is set.

    Raises:
        CheckpointError: the folder is in use, contains no such work or, for new work, is not empty or cannot be
            created.
        UsageError: the work to resume has another configuration.
    """
    if resume:
        now, description = description, resumed(read_description(folder, description.schema), description)
        for name, version in description.versions.items():
            if now.versions.get(name) not in (None, version):
                _LOG.warning(
                    f"{name} is {now.versions[name]} now, and was {version} when {folder} was begun: from here on "
                    "it may continue differently"
                )
    else:
        check_unused(folder)
        with refusing("use", folder):
            folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        if not resume:
            check_unused(folder)  # no other process was faster
        write_plain(
            folder / RUN, json.dumps(codec(Description).write(description), indent=2, allow_nan=False) + "\n"
        )
        yield


def resumed(stored: Description, given: Description) -> Description:
    """The description of resumed work, in which only the stopping rules may have changed.

    Raises:
        UsageError: something else differs; the message names it.
    """
    check_same(stored.config, given.config)
    if stored.versions.get(GAME_FILE) != given.versions.get(GAME_FILE):
        raise UsageError(
            f"the code of the game {given.config['game']} has changed since the run started: restore it, or start a "
            "new run"
        )
    for name in (each for each in stored.versions if each.startswith(OWN) and not each.startswith(FREE)):
        kind, _, own = name.removeprefix(OWN).partition(" ")
        if stored.versions[name] != given.versions.get(name):
            raise UsageError(
                f"the code of the {kind} `{own}` has changed since the run started, or another {kind} is named: "
                "restore it, or start a new run"
            )
    return replace(stored, config=given.config)


def check_unused(folder: Path) -> None:
    """Check that a folder has nothing in the way of new work; it need not exist.

    Raises:
        CheckpointError: the folder is not empty, is a file, or cannot be read or created.
    """
    if is_run(folder):
        raise CheckpointError(
            f"{folder} holds a run already; continue it with --resume (in Python resume=True), or choose another folder"
        )
    if folder.is_file():
        raise CheckpointError(f"{folder} is a file; a run needs its own folder")
    with refusing("use", folder):
        present = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    left_behind = [LOCK, HOLDER, *(next_of(folder / name).name for name in (RUN, HOLDER))]
    others = [name for name in present if name not in left_behind]
    if others:
        raise CheckpointError(f"{folder} is not empty (it holds {others[0]}); choose another folder")
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir():
        raise CheckpointError(f"cannot use {folder}: {there} is a file")
    if not os.access(there, os.W_OK | os.X_OK):
        raise CheckpointError(f"cannot use {folder}: {there} is not writable")


def ask_to_pause(folder: Path) -> None:
    """Ask the process that holds the lock of a folder to store a checkpoint and stop soon.

    Raises:
        CheckpointError: something that is not a plain file is in the way, or the file cannot be written.
    """
    write_plain(folder / PAUSE, "")


def take_pause(folder: Path) -> bool:
    """Whether another process has asked the holder of a folder to pause; this call removes the request.

    Raises:
        CheckpointError: as for ``ask_to_pause``.
    """
    if not is_there(folder / PAUSE):
        return False
    remove_plain(folder / PAUSE)
    return True


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder against other processes.

    Raises:
        CheckpointError: another process holds the lock, or the lock file is not a plain file or cannot be written.
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
    """Whether a running process holds the lock of a folder; on Windows, a killed process still seems to hold it."""
    holder = _holder(folder)
    if not holder.isdecimal() or os.name == "nt":  # on Windows, a signal would end the process
        return holder.isdecimal()
    try:
        os.kill(int(holder), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


def is_abandoned(folder: Path) -> bool:
    """Whether the process that held the lock of a folder ended without releasing it, as a killed process does."""
    return _holder(folder).isdecimal() and not is_held(folder)


def _holder(folder: Path) -> str:
    """The ID of the process that holds the lock of a folder, or ``unknown``."""
    path = folder / HOLDER
    try:
        text = read_plain(path, 32).decode("ascii", "replace") if is_there(path) else ""
    except CheckpointError:
        return "unknown"
    return text if text.isdecimal() else "unknown"


def digest(data: Mapping[str, object]) -> str:
    """The SHA-256 of JSON values in a canonical form, as 64 hexadecimal digits.

    Raises:
        ValueError: a number is not finite, or the values are nested too deeply.
    """
    return hashlib.sha256(print_json(data, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The JSON values of a checkpoint, with their SHA-256."""

    sha256: str
    state: Mapping[str, Any]


def write_checkpoint(folder: Path, data: Mapping[str, object]) -> None:
    """Write a checkpoint to a folder, and keep the previous checkpoint.

    Raises:
        CheckpointError: the file cannot be written.
    """
    state = print_json(data, sort_keys=True)  # encoded only once, for the SHA-256 and for the file
    head = print_json({"schema": CHECKPOINT, "sha256": hashlib.sha256(state.encode()).hexdigest()})
    write_plain(folder / CURRENT, f'{head[:-1]},"state":{state}}}', keep=folder / PREVIOUS)


def restored(folder: Path, decode: Callable[[Mapping[str, Any]], State]) -> State | None:
    """The state that ``decode`` makes from the last undamaged checkpoint in a folder; None if there is none so far.

    Raises:
        CheckpointError: all checkpoints are damaged, or ``decode`` raises a ValueError.
    """
    data = read_checkpoint(folder)
    with told_as(CheckpointError, f"{folder}: the checkpoint does not contain a valid state", ValueError):
        return None if data is None else decode(data)


def read_checkpoint(folder: Path) -> dict[str, Any] | None:
    """The data of the last complete checkpoint in a folder; None if there is none yet.

    Raises:
        CheckpointError: there are checkpoints, but all are damaged.
    """
    complaints = []
    for path in (folder / CURRENT, folder / PREVIOUS):
        if is_there(path):
            try:
                return _verified(path)
            except CheckpointError as error:
                complaints.append(str(error))
    if complaints:
        raise CheckpointError("; ".join(complaints))
    return None


def _verified(path: Path) -> dict[str, Any]:
    with told_as(CheckpointError, f"{path} is not a checkpoint", ValueError):
        found = read_document(read_plain(path), CHECKPOINT, Checkpoint)
        if digest(found.state) != found.sha256:
            raise ValueError("its SHA-256 does not match")
        return dict(found.state)
