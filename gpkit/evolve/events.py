"""The event log of a run: one JSON object a line, appended as things happen."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpkit.core.errors import CheckpointError


def append_event(path: Path, event: Mapping[str, Any]) -> None:
    """Add an event to the log; a line that a crash has torn before it is ended first.

    Raises:
        CheckpointError: the file system refuses.
    """
    line = json.dumps(event, allow_nan=False, ensure_ascii=False) + "\n"
    try:
        with path.open("ab+") as file:
            if file.tell() > 0:
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    line = "\n" + line
            file.write(line.encode())
    except OSError as error:
        raise CheckpointError(f"cannot write {path}: {error.strerror or error}") from error


def read_events(path: Path) -> list[dict[str, Any]]:
    """The whole events of a log, in order; torn lines are left out, and a missing log has none."""
    if not path.exists():
        return []
    events = []
    for line in path.read_bytes().split(b"\n"):
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            events.append(event)
    return events


def kept_events(events: list[dict[str, Any]], generation: int) -> list[dict[str, Any]]:
    """The events up to a generation; those that name none are kept."""
    return [event for event in events if event.get("generation", -1) <= generation]
