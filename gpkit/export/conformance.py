"""One format, JSON lines, in which any copy of a program can be tested in any host, whatever the game.

The first line says what the program is. Every other one is of a kind: an ``evaluation`` of one formula, a
``decision`` with all that the chooser knew, what the program saw of every candidate and which was chosen, or a
whole ``game``.
Numbers that JSON lacks are the strings ``inf``, ``-inf`` and ``nan``.
Inputs for parts of programs come with the value that the interpreter gives: that proves an exported copy equal.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpkit.core.primitives import LIBRARY_OPERATORS, Sensor
from gpkit.core.rng import stream
from gpkit.core.version import VERSION
from gpkit.export.registry import Subject
from gpkit.export.transcripts import Candidate, Transcript, record, recorder_of
from gpkit.genomes.tree import TreeProgram
from gpkit.playing.decisions import meaning_of

UNBOUNDED = Sensor("", "a number without known bounds", -10.0, 10.0, integer=False)


@dataclass(frozen=True, slots=True)
class Vector:
    """One evaluation of one part of a program.

    Attributes:
        section: the name of the part.
        sensors: the names of the sensors that it reads, in the order of their first places.
        values: their values.
        random: the numbers that ``math.random()`` gave, in the order of its places.
        result: what the part is worth; the name of a leaf where leaves are names.
    """

    section: str
    sensors: tuple[str, ...]
    values: tuple[float, ...]
    random: tuple[float, ...]
    result: float | str


def make_vectors(subject: Subject, count: int, purpose: str = "vectors") -> tuple[Vector, ...]:
    """``count`` evaluations of every part: all sensors lowest, all highest, then random values within bounds."""
    found: list[Vector] = []
    for place, (section, tree) in enumerate(zip(subject.program.names, subject.program.trees, strict=True)):
        rng = stream(subject.seed, f"export {purpose}", place)
        known = [subject.primitives and subject.primitives.sensor(name) for name in tree.reads]
        bounds = [sensor or UNBOUNDED for sensor in known]
        for k in range(count):
            values = tuple(float(b.high if k else b.low) if k < 2 else _value(rng, b) for b in bounds)
            random = tuple(rng.random(tree.draws).tolist())
            result = evaluate_vector(tree, tree.reads, values, random)
            found.append(Vector(section, tree.reads, values, random, result))
    return tuple(found)


def evaluate_vector(
    tree: Any, sensors: Sequence[str], values: Sequence[float], random: Sequence[float]
) -> Any:
    """Value of a part of a program by the interpreter; a sensor that is −0.0 counts as 0.0."""
    env = {name: value + 0.0 for name, value in zip(sensors, values, strict=True)}
    numbers = iter(random)
    return meaning_of(tree.language).evaluate(tree, env, lambda: next(numbers))


def same_number(a: float, b: float) -> bool:
    """Equal bit for bit, but for the many forms of NaN, which count as one."""
    return (a == b and math.copysign(1.0, a) == math.copysign(1.0, b)) or (a != a and b != b)


def _value(rng: np.random.Generator, sensor: Sensor) -> float:
    if sensor.integer:
        return float(rng.integers(int(sensor.low), int(sensor.high), endpoint=True))
    return float(rng.uniform(sensor.low, sensor.high))


CLOSE = 1e-9
"""The largest relative difference of values that the mathematical libraries of two hosts compute."""


def needs_library(program: Any) -> bool:
    """Whether the mathematical library of a host has a say in the values of a program."""
    is_formula = program.language == TreeProgram.language
    return is_formula and any(LIBRARY_OPERATORS & set(tree.symbols) for tree in program.trees)


def differences(vectors: Sequence[Vector], values: Sequence[str], is_close: bool = False) -> Iterator[str]:
    """The vectors whose value is not as expected, bit for bit, or ``CLOSE`` to it if that is enough."""
    for vector, text in zip(vectors, values, strict=False):
        if not _agrees(vector.result, text, is_close):
            env = ", ".join(f"{n}={v!r}" for n, v in zip(vector.sensors, vector.values, strict=True))
            yield f"{vector.section}({env}) is {text} instead of {vector.result!r}"


def _agrees(wanted: float | str, text: str, is_close: bool) -> bool:
    if isinstance(wanted, str) or text.startswith("drew"):
        return text == wanted
    value = float(text)
    return same_number(value, wanted) or (is_close and abs(value - wanted) < CLOSE * abs(wanted))


def largest_difference(vectors: Sequence[Vector], values: Sequence[str]) -> float:
    """The largest relative difference of the finite values from those expected."""
    largest = 0.0
    for vector, text in zip(vectors, values, strict=False):
        if not isinstance(vector.result, str) and vector.result and not text.startswith("drew"):
            relative = abs(float(text) - vector.result) / abs(vector.result)
            largest = max(largest, relative if math.isfinite(relative) else 0.0)
    return largest


SCHEMA = "gpkit-conformance-1"

SEMANTICS = "f64-v1"
"""The meaning of all operators: IEEE doubles, protected, the same in every host."""

VECTORS = 20
"""Evaluations of every formula."""

_MOST_RECORDED = 20_000  # nodes times games
_MOST_EVALUATED = 400_000  # nodes times evaluations


@dataclass(frozen=True, slots=True)
class Proof:
    """Test data of an export: evaluations of every formula, and whole games where the game is known."""

    vectors: tuple[Vector, ...]
    transcripts: tuple[Transcript, ...]


def prove(subject: Subject) -> Proof:
    """Twenty evaluations of every formula, and games as many as its exports carry; fewer for programs of thousands of
    nodes.
    """
    size = max(1, len(subject.program))
    count = max(2, min(VECTORS, _MOST_EVALUATED // size))
    recorder = recorder_of(subject.game)
    carried = recorder.carried if recorder is not None else 0
    return Proof(make_vectors(subject, count), record_games(subject, min(carried, _MOST_RECORDED // size)))


def record_games(subject: Subject, count: int, first_key: int = 1) -> tuple[Transcript, ...]:
    """The games of ``count`` keys, or of fewer where games are long.

    There are none if the game is not known, or the program lacks one of its decisions.
    """
    recorder = recorder_of(subject.game)
    if recorder is None or not plays(subject):
        return ()
    most = recorder.most(subject.program, subject.rules)
    keys = range(first_key, first_key + (count if most is None else min(count, most)))
    return tuple(record(recorder, subject.program, subject.rules, key) for key in keys)


def plays(subject: Subject) -> bool:
    """Whether a program has a formula for every decision of its game."""
    return subject.primitives is not None and set(subject.primitives.sections) <= set(subject.program.names)


def conformance_text(subject: Subject, proof: Proof) -> str:
    """The file."""
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in _lines(subject, proof))


def _lines(subject: Subject, proof: Proof) -> Iterator[Mapping[str, Any]]:
    recorder = recorder_of(subject.game)
    yield {
        "schema": SCHEMA,
        "gpkit": VERSION,
        "semantics": SEMANTICS,
        "program": subject.name,
        "game": subject.game,
        "rules": recorder.rules(subject.rules) if recorder is not None else {},
        "sections": {
            name: {"sensors": list(tree.reads), "random": tree.draws}
            for name, tree in zip(subject.program.names, subject.program.trees, strict=True)
        },
    }
    for vector in proof.vectors:
        yield {
            "kind": "evaluation",
            "section": vector.section,
            "sensors": _named(dict(zip(vector.sensors, vector.values, strict=True))),
            "random": _numbers(vector.random),
            "value": _number(vector.result),
        }
    for transcript in proof.transcripts:
        for decision in transcript.decisions:
            yield {
                "kind": "decision",
                "key": transcript.key,
                "section": decision.section,
                "state": decision.state,
                "candidates": [*map(_candidate, decision.candidates)],
                "action": decision.action,
            }
        yield {
            "kind": "game",
            "key": transcript.key,
            **transcript.deal,
            "actions": list(transcript.actions),
            "turns": transcript.turns,
            "returns": _numbers(transcript.returns),
        }


def _candidate(candidate: Candidate) -> Mapping[str, Any]:
    return {
        "action": candidate.action,
        "sensors": _named(candidate.sensors),
        "random": _numbers(candidate.random),
        "value": _number(candidate.value),
    }


def _named(values: Mapping[str, float]) -> dict[str, float | str]:
    return {name: _number(value) for name, value in values.items()}


def _numbers(values: Sequence[float]) -> list[float | str]:
    return [_number(value) for value in values]


def _number(value: float | str) -> float | str:
    return value if isinstance(value, str) or value - value == 0.0 else repr(value)
