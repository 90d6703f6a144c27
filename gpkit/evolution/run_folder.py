"""The folder of a run of evolution: what is in it.

``run.json`` (configuration, seed, versions, arguments) · ``state.json`` and ``state.previous.json`` (checkpoints) ·
``run.db`` (genealogy) · ``events.jsonl`` · ``best/*.tree`` (champions) · ``run.lock`` and ``run.pid`` (held while
somebody writes, and who it is).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpkit.core.errors import CheckpointError
from gpkit.core.json_values import parse_json, table, whole
from gpkit.core.plain_files import append_line, is_folder, is_there, read_plain, remove_plain
from gpkit.core.work_folder import Description, read_description
from gpkit.evolution.checkpoint import MAX_GENERATION
from gpkit.evolution.config import Config, config_from_data
from gpkit.evolution.rows import DATA, AnyConfig, rows_config_from_data

KIND = "gpkit.run/1"

DATABASE, EVENTS, BEST = "run.db", "events.jsonl", "best"


def read_run(folder: Path) -> tuple[Description, AnyConfig]:
    """The description of the run in a folder, and its configuration, which is one on rows if it has their table.

    Raises:
        CheckpointError: the folder holds no run, or its description is damaged.
        UsageError: the configuration is one of another version.
    """

    def read(data: Mapping[str, Any]) -> AnyConfig:
        return rows_config_from_data(data) if DATA in data else config_from_data(data, Config())

    description = read_description(folder, KIND)
    return description, description.read_config(folder, read)


MAX_LOG = 1 << 30
"""The largest log that is read, in bytes."""


def append_event(path: Path, event: Mapping[str, Any]) -> None:
    """Add an event to the log; a line that a crash has torn before it is ended first.

    Raises:
        CheckpointError: something that is not a plain file is in the way, or the file system refuses.
    """
    append_line(path, json.dumps(event, allow_nan=False, ensure_ascii=False))


def read_events(path: Path) -> list[dict[str, Any]]:
    """The whole events of a log, in order; torn lines are left out, and a missing log has none.

    Raises:
        CheckpointError: something that is not a plain file is in its place, it cannot be read, or an event is
        of no
            generation that there can be.
    """
    if not is_there(path):
        return []
    events = []
    for line in read_plain(path, MAX_LOG).split(b"\n"):
        try:
            event = table(parse_json(line))
        except ValueError:
            continue
        try:
            whole(event.get("generation", 0), 0, MAX_GENERATION)
        except ValueError as error:
            raise CheckpointError(f"{path} is damaged: the generation of an event is {error}") from error
        events.append(dict(event))
    return events


def kept_events(events: list[dict[str, Any]], generation: int) -> list[dict[str, Any]]:
    """The events of a run that goes on from a generation: those up to it, and those that name none.

    Without the end of the run, as it has another one, and without going on from there before, as nothing came of that.
    """
    return [
        event
        for event in events
        if event.get("generation", -1) <= generation
        and event.get("event") != "end"
        and (event.get("event"), event.get("generation")) != ("resume", generation)
    ]


FINAL = "champion"
"""The stem of the file of the refined champion, written when the run ends."""


def champion_stem(generation: int) -> str:
    """The stem of the file of the champion found in a generation; names sort by generation."""
    return f"generation-{generation:06}"


def cut_back_champions(folder: Path, generation: int) -> None:
    """Forget the champions found after a generation.

    Raises:
        CheckpointError: one of them is not a plain file, or they are in no folder of the run's own.
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
