"""The folder of long work, such as a run of evolution or a learner: its description, and who may write there.

``run.json`` describes the work: its kind, configuration, seed, versions, arguments. New work begins in an empty folder,
one process at a time writes there, and what goes on has the configuration that it had.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from gpkit.core.checkpoint import CURRENT, PREVIOUS
from gpkit.core.errors import CheckpointError, UsageError
from gpkit.core.folder_lock import HOLDER, LOCK, locked
from gpkit.core.json_values import items, member, parse_json, table, text
from gpkit.core.plain_files import check_plain, is_there, next_of, read_plain, write_plain
from gpkit.core.registry import is_game, way_to_game
from gpkit.core.settings import check_same

RUN = "run.json"

GAME_FILE = "game file"
"""Among the versions: the SHA-256 of the file of a game from outside."""

MAX_DESCRIPTION = 1_000_000
"""The largest ``run.json`` that is read, in bytes."""

Config = TypeVar("Config")


@dataclass(frozen=True, slots=True)
class Description:
    """Description of long work: the content of ``run.json``.

    Attributes:
        kind: of work, with the version of its form.
        config: nested tables of plain values, as from ``gpkit.core.settings.to_data``.
        seed: of all chance.
        versions: of what the work depends on, by name.
        arguments: the command line.
    """

    kind: str
    config: Mapping[str, Any]
    seed: int
    versions: Mapping[str, str]
    arguments: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """The description as JSON values."""
        return {
            "schema": self.kind,
            "config": dict(self.config),
            "seed": self.seed,
            "versions": dict(self.versions),
            "argv": list(self.arguments),
        }

    def read_config(self, folder: Path, read: Callable[[Mapping[str, Any]], Config]) -> Config:
        """The configuration of the work in a folder.

        Raises:
            UsageError: ``read`` refuses it: it is one of another version, or damaged; or its game is not here.
        """
        game = self.config.get("game")
        if isinstance(game, str) and not is_game(game):
            raise UsageError(
                f"the game of {folder} is not available: there is no game `{game}`; {way_to_game(game)}"
            )
        try:
            return read(self.config)
        except UsageError as error:
            raise UsageError(f"{folder / RUN} is damaged, or of another version of gpkit: {error}") from error


def is_run(folder: Path) -> bool:
    """Whether a folder holds long work, or what says it is some."""
    return os.path.lexists(folder / RUN)


def kind_of(folder: Path) -> str | None:
    """The kind of the work in a folder; None where nothing can be read that says it.

    Raises:
        CheckpointError: the description is not a plain file.
    """
    if not is_there(folder / RUN):
        return None
    try:
        return text(member(parse_json(read_plain(folder / RUN, MAX_DESCRIPTION)), "schema"))
    except ValueError:
        return None


def read_description(folder: Path, kind: str) -> Description:
    """The content of ``run.json``.

    Raises:
        CheckpointError: the folder holds no work of this kind, or the file is damaged.
    """
    path = folder / RUN
    if not folder.exists():
        raise CheckpointError(f"there is no folder {folder}, and so no run in it")
    if not is_there(path):
        below = sorted(found.parent for found in folder.glob(f"*/{RUN}"))
        hint = f"; did you mean {below[0]}?" if below else ""
        raise CheckpointError(f"{folder} is not the folder of a run: it has no {RUN}{hint}")
    try:
        data = parse_json(read_plain(path, MAX_DESCRIPTION))
        schema = member(data, "schema")
        if schema != kind:
            raise CheckpointError(f"{path} is of another kind, {schema!r}; expected {kind!r}")
        return Description(
            kind,
            table(member(data, "config")),
            _seed(member(data, "seed")),
            {text(name): text(version) for name, version in table(member(data, "versions")).items()},
            tuple(map(str, items(member(data, "argv")))),
        )
    except ValueError as error:
        raise CheckpointError(f"{path} is damaged: {error}") from error


def _seed(value: Any) -> int:
    """A seed, which may be larger than other numbers are."""
    if type(value) is not int:
        raise ValueError(f"the seed is {value!r}; expected a whole number")
    return value


def check_work(folder: Path, description: Description, names: Iterable[str], *, resume: bool) -> None:
    """Refuse what ``opened_work`` would refuse, and store nothing.

    Args:
        folder: of the work.
        description: of the work that is to begin or to go on.
        names: the files that are written besides description and checkpoint; none may be a link or the like.
        resume: whether work that is there goes on.

    Raises:
        CheckpointError: as for ``opened_work``; or a file is not a plain one.
        UsageError: as for ``opened_work``.
    """
    if not resume:
        check_unused(folder)
        return
    resumed(read_description(folder, description.kind), description)
    check_plain(folder, (RUN, CURRENT, PREVIOUS, *names, LOCK, HOLDER))
    with locked(folder):
        pass


@contextmanager
def opened_work(folder: Path, description: Description, *, resume: bool) -> Iterator[None]:
    """The folder of new work, which is made, or with ``resume`` of work that goes on; held against other processes.

    Raises:
        CheckpointError: the folder is in use, holds no such work or, for new work, is not empty or cannot be made.
        UsageError: the work to be resumed has another configuration.
    """
    if resume:
        description = resumed(read_description(folder, description.kind), description)
    else:
        _create(folder)
    with locked(folder):
        if not resume:
            _create(folder)  # nobody was faster
        write_plain(folder / RUN, json.dumps(description.to_json(), indent=2, allow_nan=False) + "\n")
        yield


def resumed(stored: Description, given: Description) -> Description:
    """The description of work that goes on: only the rules when to stop may be new.

    Raises:
        UsageError: something else differs; the message names it.
    """
    check_same(stored.config, given.config)
    if stored.versions.get(GAME_FILE) != given.versions.get(GAME_FILE):
        raise UsageError(f"the file of the game {given.config['game']} has changed since the run started")
    return replace(stored, config=given.config)


def check_unused(folder: Path) -> None:
    """Check that a folder holds nothing that new work would be mixed with; it need not exist.

    Raises:
        CheckpointError: it holds something, is a file, or cannot be looked into or made.
    """
    if is_run(folder):
        raise CheckpointError(
            f"{folder} holds a run already; continue it with --resume, or choose another folder"
        )
    if folder.is_file():
        raise CheckpointError(f"{folder} is a file; a run needs a folder of its own")
    try:
        present = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    except OSError as error:
        raise _unusable(folder, error) from error
    left_behind = [LOCK, HOLDER, *(next_of(folder / name).name for name in (RUN, HOLDER))]
    others = [name for name in present if name not in left_behind]
    if others:
        raise CheckpointError(f"{folder} is not empty (it holds {others[0]}); choose another folder")
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir():
        raise CheckpointError(f"cannot use {folder}: {there} is a file")
    if not os.access(there, os.W_OK | os.X_OK):
        raise CheckpointError(f"cannot use {folder}: {there} is not writable")


def _create(folder: Path) -> None:
    check_unused(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(folder, error) from error


def _unusable(folder: Path, error: OSError) -> CheckpointError:
    return CheckpointError(f"cannot use {folder}: {error.strerror or error}")
