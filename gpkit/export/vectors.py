"""Inputs for parts of programs with the value that the interpreter gives: what proves an exported copy equal."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpkit.core.primitives import PrimitiveSet, Sensor
from gpkit.core.rng import stream
from gpkit.export.request import Subject
from gpkit.playing.trace import meaning_of

UNBOUNDED = Sensor("", "a number without known bounds", -10.0, 10.0, integer=False)


@dataclass(frozen=True, slots=True)
class Vector:
    """One evaluation of one part of a program.

    Attributes:
        section: the name of the part.
        sensors: the names of the sensors that it reads, in the order of their first places.
        values: their values.
        random: the numbers that ``math.random()`` gave, in the order of its places.
        result: what the part is worth.
    """

    section: str
    sensors: tuple[str, ...]
    values: tuple[float, ...]
    random: tuple[float, ...]
    result: float


def make_vectors(subject: Subject, count: int, purpose: str = "vectors") -> tuple[Vector, ...]:
    """``count`` evaluations of every part: all sensors lowest, all highest, then random values within bounds."""
    found: list[Vector] = []
    for place, (section, tree) in enumerate(zip(subject.program.names, subject.program.trees, strict=True)):
        rng = stream(subject.seed, f"export {purpose}", place)
        found.extend(_vectors(rng, section, tree, subject.primitives, count))
    return tuple(found)


def evaluate_vector(
    tree: Any, sensors: Sequence[str], values: Sequence[float], random: Sequence[float]
) -> float:
    """Value of a part of a program by the interpreter; a sensor that is −0.0 counts as 0.0."""
    env = {name: value + 0.0 for name, value in zip(sensors, values, strict=True)}
    numbers = iter(random)
    return meaning_of(tree.language).evaluate(tree, env, lambda: next(numbers))


def same_number(a: float, b: float) -> bool:
    """Equal bit for bit, but for the many forms of NaN, which count as one."""
    return (a == b and math.copysign(1.0, a) == math.copysign(1.0, b)) or (a != a and b != b)


def _vectors(
    rng: np.random.Generator, section: str, tree: Any, primitives: PrimitiveSet | None, count: int
) -> list[Vector]:
    sensors = tree.reads
    bounds = [(primitives.sensor(name) if primitives else None) or UNBOUNDED for name in sensors]
    places = tree.draws
    found = []
    for k in range(count):
        if k < 2:
            values = tuple(float(b.high if k else b.low) for b in bounds)
        else:
            values = tuple(_value(rng, b) for b in bounds)
        random = tuple(rng.random(places).tolist())
        found.append(Vector(section, sensors, values, random, evaluate_vector(tree, sensors, values, random)))
    return found


def _value(rng: np.random.Generator, sensor: Sensor) -> float:
    if sensor.integer:
        return float(rng.integers(int(sensor.low), int(sensor.high), endpoint=True))
    return float(rng.uniform(sensor.low, sensor.high))


def differences(vectors: Sequence[Vector], values: Sequence[str]) -> Iterator[str]:
    """The vectors whose value is not as expected."""
    for vector, text in zip(vectors, values, strict=False):
        if text.startswith("drew") or not same_number(float(text), vector.result):
            env = ", ".join(f"{n}={v!r}" for n, v in zip(vector.sensors, vector.values, strict=True))
            yield f"{vector.section}({env}) is {text} instead of {vector.result!r}"
