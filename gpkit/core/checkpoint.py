"""Checkpoints: the state of long work as JSON, written so that a crash at any moment loses nothing."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpkit.core.errors import CheckpointError
from gpkit.core.json_values import member, parse_json, print_json, table
from gpkit.core.plain_files import is_there, read_plain, write_plain

SCHEMA = "gpkit.checkpoint/1"

CURRENT, PREVIOUS = "state.json", "state.previous.json"

MAX_CHECKPOINT = 1 << 30
"""The largest checkpoint that is read, in bytes."""


def digest(data: Mapping[str, Any]) -> str:
    """The SHA-256 of JSON values in a canonical form, as 64 hexadecimal digits.

    Raises:
        ValueError: a number is not finite, or they are nested too deep.
    """
    return hashlib.sha256(print_json(data, sort_keys=True).encode()).hexdigest()


def write_checkpoint(folder: Path, data: Mapping[str, Any]) -> None:
    """Write the checkpoint of a folder; the one before it is kept.

    Raises:
        CheckpointError: the file system refuses.
    """
    document = {"schema": SCHEMA, "sha256": digest(data), "state": data}
    write_plain(folder / CURRENT, print_json(document), keep=folder / PREVIOUS)


def read_checkpoint(folder: Path) -> dict[str, Any] | None:
    """The data of the last whole checkpoint of a folder, or None when there is none yet.

    Raises:
        CheckpointError: there are checkpoints but all are damaged.
    """
    complaints = []
    for name in (CURRENT, PREVIOUS):
        path = folder / name
        if is_there(path):
            try:
                return _verified(path)
            except CheckpointError as error:
                complaints.append(str(error))
    if complaints:
        raise CheckpointError("; ".join(complaints))
    return None


def _verified(path: Path) -> dict[str, Any]:
    content = read_plain(path, MAX_CHECKPOINT)
    try:
        document = parse_json(content)
        schema, expected = member(document, "schema"), member(document, "sha256")
        state = dict(table(member(document, "state")))
        found = digest(state)
    except ValueError as error:
        raise CheckpointError(f"{path} is not a checkpoint: {error}") from error
    if schema != SCHEMA:
        raise CheckpointError(f"{path} is a checkpoint of another kind, {schema!r}; expected {SCHEMA!r}")
    if found != expected:
        raise CheckpointError(f"{path} is damaged: its SHA-256 does not match")
    return state
