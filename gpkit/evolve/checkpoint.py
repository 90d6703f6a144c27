"""Checkpoints: the state of a search as JSON, written so that a crash at any moment loses nothing."""

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpkit.core.errors import CheckpointError, GpkitError
from gpkit.core.plain_files import is_there, read_plain, write_plain
from gpkit.evolve.individual import Genome, Individual, Origin
from gpkit.evolve.problem import Representation
from gpkit.evolve.search import Champion, State

SCHEMA = "gpkit.checkpoint/1"

CURRENT, PREVIOUS = "state.json", "state.previous.json"

MAX_CHECKPOINT = 1 << 30
"""The largest checkpoint that is read, in bytes."""


def encode_state(state: State[Genome], representation: Representation[Genome]) -> dict[str, Any]:
    """A state as JSON values; programs are their canonical text."""
    champion = state.champion
    return {
        "generation": state.generation,
        "evaluations": state.evaluations,
        "islands": [[encode_individual(i, representation) for i in island] for island in state.islands],
        "hall": [representation.print(genome) for genome in state.hall],
        "champion": {
            "individual": encode_individual(champion.individual, representation),
            "score": encode_number(champion.score),
            "fitness": encode_number(champion.fitness),
            "generation": champion.generation,
        },
    }


def decode_state(data: Mapping[str, Any], representation: Representation[Genome]) -> State[Genome]:
    """The state of JSON values.

    Raises:
        CheckpointError: a value is missing or of the wrong kind, or a program does not parse.
    """
    try:
        champion = data["champion"]
        return State(
            generation=int(data["generation"]),
            islands=tuple(
                tuple(decode_individual(one, representation) for one in island) for island in data["islands"]
            ),
            champion=Champion(
                decode_individual(champion["individual"], representation),
                decode_number(champion["score"]),
                decode_number(champion["fitness"]),
                int(champion["generation"]),
            ),
            hall=tuple(representation.parse(text) for text in data["hall"]),
            evaluations=int(data["evaluations"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, GpkitError) as error:
        raise CheckpointError(f"the checkpoint does not hold a state: {error}") from error


def encode_individual(
    individual: Individual[Genome], representation: Representation[Genome]
) -> dict[str, Any]:
    """An individual as JSON values."""
    origin = individual.origin
    return {
        "number": individual.number,
        "program": representation.print(individual.genome),
        "operator": origin.operator,
        "parents": list(origin.parents),
        "places": [list(place) for place in origin.places],
        "score": encode_number(individual.score),
        "fitness": encode_number(individual.fitness),
        "cases": [encode_number(case) for case in individual.cases],
        "note": individual.note,
        "trials": individual.trials,
    }


def decode_individual(data: Mapping[str, Any], representation: Representation[Genome]) -> Individual[Genome]:
    """The individual of JSON values."""
    genome = representation.parse(data["program"])
    places = tuple((str(name), int(position)) for name, position in data["places"])
    return Individual(
        number=int(data["number"]),
        genome=genome,
        size=representation.size(genome),
        origin=Origin(str(data["operator"]), tuple(int(n) for n in data["parents"]), places),
        score=decode_number(data["score"]),
        fitness=decode_number(data["fitness"]),
        cases=tuple(decode_number(case) for case in data["cases"]),
        note=str(data["note"]),
        trials=int(data["trials"]),
    )


def encode_number(number: float) -> float | str:
    """A float as a JSON value; JSON has no infinities."""
    return number if math.isfinite(number) else repr(number)


def decode_number(value: float | str) -> float:
    """The float of a JSON value."""
    return float(value)


def digest(data: Mapping[str, Any]) -> str:
    """The SHA-256 of JSON values in a canonical form, as 64 hexadecimal digits."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def state_digest(state: State[Genome], representation: Representation[Genome]) -> str:
    """The SHA-256 of a state: equal for equal populations, champions and halls of fame."""
    return digest(encode_state(state, representation))


def write_checkpoint(folder: Path, data: Mapping[str, Any]) -> None:
    """Write the checkpoint of a run folder; the one before it is kept.

    Raises:
        CheckpointError: the file system refuses.
    """
    document = {"schema": SCHEMA, "sha256": digest(data), "state": data}
    text = json.dumps(document, separators=(",", ":"), allow_nan=False)
    write_plain(folder / CURRENT, text, keep=folder / PREVIOUS)


def read_checkpoint(folder: Path) -> dict[str, Any] | None:
    """The data of the last whole checkpoint of a run folder, or None when there is none yet.

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
    try:
        document = json.loads(read_plain(path, MAX_CHECKPOINT))
        schema, expected, data = document["schema"], document["sha256"], document["state"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path} is not a checkpoint: {error}") from error
    if schema != SCHEMA:
        raise CheckpointError(f"{path} is a checkpoint of another kind, {schema!r}; expected {SCHEMA!r}")
    if digest(data) != expected:
        raise CheckpointError(f"{path} is damaged: its SHA-256 does not match")
    state: dict[str, Any] = data
    return state
