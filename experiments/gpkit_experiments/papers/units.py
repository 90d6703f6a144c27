"""Intervals that keep the values they are of, by unit, and the files from which anybody makes them again."""

import io
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from gpkit.core import statistics
from gpkit.core.files import write_atomic
from gpkit.core.statistics import Interval

Array = NDArray[Any]

P = ParamSpec("P")

WAYS: dict[str, Callable[..., Interval]] = {}
"""By its name what makes an interval of arrays, which keeps them."""


class Said(dict[str, Any]):
    """The way to make an interval again, as JSON values, with the arrays that it needs.

    Its keys are ``way``, a key of ``WAYS``; ``of``, the digests of values by unit and numbers; and ``support``, if it
    has one.

    Attributes:
        arrays: by their digests; numbers have no dimensions.
    """

    def __init__(self, fields: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
        super().__init__(fields)
        self.arrays = arrays


@dataclass(frozen=True, slots=True, eq=False)
class Kept(Interval):
    """An interval that keeps its values."""

    said: Said


def by_values(make: Callable[P, Interval | float]) -> Callable[P, Interval]:
    """A function of arrays whose intervals keep them; a number is taken as exact, of as many units as the first has."""

    @wraps(make)
    def kept(*given: P.args, **named: P.kwargs) -> Interval:
        arrays = list(map(smallest, given))
        found, of = _interval(make(*given, **named), arrays), list(map(digest, arrays))
        bounds = {name: finite(value) for name, value in named.items()}  # type: ignore[arg-type]
        said = Said({"way": make.__name__, "of": of, **bounds}, dict(zip(of, arrays, strict=True)))
        return Kept(found.mean, found.low, found.high, found.units, said)

    WAYS[make.__name__] = kept
    return kept


def _interval(found: Any, arrays: Sequence[Array]) -> Interval:
    if isinstance(found, Interval):
        return found
    return Interval(float(found), float(found), float(found), arrays[0].size)


mean_interval = by_values(statistics.mean_interval)
paired_difference = by_values(statistics.paired_difference)


def rate_interval(rates: Sequence[float] | Array) -> Interval:
    """The mean of numbers from 0 to 1."""
    return mean_interval(rates, support=(0.0, 1.0))


least, total = by_values(np.min), by_values(math.fsum)
"""The least of some values, and their sum, as they were counted: nothing is said of others."""


def remade(said: Mapping[str, Any], stored: Mapping[str, Array]) -> Interval:
    """The interval of ``Kept.said``, from the arrays by their digests; not a number if one is missing."""
    if not stored.keys() >= set(said["of"]):
        return Interval(math.nan, math.nan, math.nan, 0)
    arrays = [stored[name].astype(np.float64) for name in said["of"]]
    named = {name: infinite(bounds) for name, bounds in said.items() if name not in ("way", "of")}
    return WAYS[said["way"]](*arrays, **named)


def finite(bounds: Sequence[float]) -> list[float | None]:
    """Bounds as JSON values, None for an infinite one."""
    return [bound if math.isfinite(bound) else None for bound in bounds]


def infinite(bounds: Sequence[float | None]) -> tuple[float, float]:
    """The bounds of ``finite``."""
    low, high = bounds
    return (-math.inf if low is None else low, math.inf if high is None else high)


@np.errstate(over="ignore", invalid="ignore")
def smallest(values: object) -> Array:
    """The values in the smallest type that holds all of them exactly."""
    array = np.asarray(values, dtype=np.float64)
    smaller = map(array.astype, (np.uint8, np.int16, np.int32, np.float16, np.float32))
    return next((each for each in smaller if np.array_equal(each, array)), array)


def digest(array: Array) -> str:
    """The name of an array in a file: equal for arrays of one type with equal values."""
    return sha256(f"{array.dtype.str} {array.shape} ".encode() + array.tobytes()).hexdigest()[:16]


def packed(content: object, others: Mapping[str, Array] = MappingProxyType({})) -> bytes:
    """The arrays of all intervals in a record, and others, as the bytes of a ``.npz`` file, each once.

    They are equal for equal arrays.
    """
    found = {name: array for said in kept_in(content) for name, array in said.arrays.items()} | dict(others)
    np.savez_compressed(stream := io.BytesIO(), **dict(sorted(found.items())))  # type: ignore[arg-type]
    return stream.getvalue()


def entry(interval: Interval) -> dict[str, Any]:
    """The fields of an interval as records of scripts have them, with how it is made again if it keeps its values."""
    fields = {"mean": interval.mean, "ci95": [interval.low, interval.high]}
    return {**fields, **({"values": interval.said} if isinstance(interval, Kept) else {})}


def told(interval: Interval) -> dict[str, Any]:
    """The fields of an interval with four digits after the point."""
    found = entry(interval)
    return found | {"mean": round(interval.mean, 4), "ci95": [round(end, 4) for end in found["ci95"]]}


def kept_in(content: object) -> Iterator[Said]:
    """The ways to make the intervals of a record, or of a list, again."""
    if isinstance(content, Said | Kept):
        yield content.said if isinstance(content, Kept) else content
    elif isinstance(content, Mapping | list | tuple):
        for each in content.values() if isinstance(content, Mapping) else content:
            yield from kept_in(each)


def values_of(record: Path) -> Path:
    """The file of the values of a record."""
    return record.parent / "values" / f"{record.stem.removeprefix('paper-')}.npz"


def stored(record: Path) -> dict[str, Array]:
    """The arrays that are stored beside a record, by their digests; none if there is no file of them."""
    path = values_of(record)
    return {digest(array): array for array in np.load(path).values()} if path.is_file() else {}


def read_record(record: Path) -> dict[str, Any]:
    """The content of a record."""
    found: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
    return found


def write_record(record: Path, content: object) -> None:
    """Write the record of a script, and the values of its intervals beside it.

    Values of intervals that it has from the record before stay.
    """
    text = json.dumps(content, indent=1) + "\n"
    before = {name: array for name, array in stored(record).items() if f'"{name}"' in text}
    write_atomic(values_of(record), packed(content, before))
    write_atomic(record, text)
