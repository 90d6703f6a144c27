"""The event log of a run: one JSON object a line, appended as things happen."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpkit.core.errors import CheckpointError
from gpkit.core.json_values import parse_json, table, whole
from gpkit.core.plain_files import append_line, is_there, read_plain
from gpkit.evolution.checkpoint import MAX_GENERATION

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
