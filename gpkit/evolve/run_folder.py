"""The folder of a run: what is in it, who may write to it, and how it is read.

``run.json`` (configuration, seed, versions, arguments) · ``state.json`` and ``state.previous.json`` (checkpoints) ·
``run.db`` (genealogy) · ``events.jsonl`` · ``best/*.tree`` (champions) · ``run.lock`` and ``run.pid`` (held while
somebody writes, and who it is).
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpkit.core.errors import CheckpointError, UsageError
from gpkit.core.json_values import items, member, parse_json, table, text
from gpkit.core.plain_files import is_folder, is_there, read_plain, remove_plain, write_plain
from gpkit.evolve.config import Config, config_from_data

SCHEMA = "gpkit.run/1"

RUN, DATABASE, EVENTS, BEST = "run.json", "run.db", "events.jsonl", "best"

GAME_FILE = "game file"
"""Among the versions: the SHA-256 of the file of a game from outside."""

MAX_DESCRIPTION = 1_000_000
"""The largest ``run.json`` that is read, in bytes."""


@dataclass(frozen=True, slots=True)
class Description:
    """Description of a run: the content of ``run.json``.

    Attributes:
        config: nested tables of plain values, as from ``gpkit.evolve.settings.to_data``.
        seed: of all chance.
        versions: of what the run depends on, by name.
        arguments: the command line.
    """

    config: Mapping[str, Any]
    seed: int
    versions: Mapping[str, str]
    arguments: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """The description as JSON values."""
        return {
            "schema": SCHEMA,
            "config": dict(self.config),
            "seed": self.seed,
            "versions": dict(self.versions),
            "argv": list(self.arguments),
        }


def is_run(folder: Path) -> bool:
    """Whether a folder holds a run, or what says it is one."""
    return os.path.lexists(folder / RUN)


def write_description(folder: Path, description: Description) -> None:
    """Write ``run.json``.

    Raises:
        CheckpointError: the file system refuses.
    """
    write_plain(folder / RUN, json.dumps(description.to_json(), indent=2, allow_nan=False) + "\n")


def read_description(folder: Path) -> Description:
    """The content of ``run.json``.

    Raises:
        CheckpointError: the folder holds no run, or the file is damaged.
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
        if schema != SCHEMA:
            raise CheckpointError(f"{path} is of another kind, {schema!r}; expected {SCHEMA!r}")
        return Description(
            table(member(data, "config")),
            _seed(member(data, "seed")),
            {text(name): text(version) for name, version in table(member(data, "versions")).items()},
            tuple(map(str, items(member(data, "argv")))),
        )
    except ValueError as error:
        raise CheckpointError(f"{path} is damaged: {error}") from error


def config_of(folder: Path, description: Description) -> Config:
    """The configuration of the run in a folder, whose description that is.

    Raises:
        UsageError: it is one of another version, or damaged.
    """
    try:
        return config_from_data(description.config, Config())
    except UsageError as error:
        raise UsageError(f"{folder / RUN} is damaged, or of another version of gpkit: {error}") from error


def _seed(value: Any) -> int:
    """A seed, which may be larger than other numbers are."""
    if type(value) is not int:
        raise ValueError(f"the seed is {value!r}; expected a whole number")
    return value


FINAL = "champion"
"""The stem of the file of the refined champion, written when the run ends."""


def champion_stem(generation: int) -> str:
    """The stem of the file of the champion found in a generation; names sort by generation."""
    return f"generation-{generation:06}"


def cut_back_champions(folder: Path, generation: int) -> None:
    """Forget the champions found after a generation.

    Raises:
        CheckpointError: one of them is no plain file, or they are in no folder of the run's own.
    """
    for path in champions(folder):
        if path.stem > champion_stem(generation):
            remove_plain(path)


def champions(folder: Path) -> list[Path]:
    """The program files of the champions, the latest last.

    Raises:
        CheckpointError: they are in no folder of the run's own.
    """
    return sorted((folder / BEST).glob("generation-*.*")) if is_folder(folder / BEST) else []


def champion_file(folder: Path, stem: str) -> Path:
    """The program file of a stem.

    Raises:
        CheckpointError: there is none, or something else in its place.
    """
    if is_folder(folder / BEST):
        for path in sorted((folder / BEST).glob(f"{stem}.*")):
            is_there(path)
            return path
    raise CheckpointError(f"{folder / BEST} has no program {stem}")
