"""Intervals that keep the values they are of, by unit, and the files from which anybody makes them again."""

import io
import math
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from types import MappingProxyType
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from gpkit.core import statistics
from gpkit.core.statistics import Interval

Array = NDArray[Any]

P = ParamSpec("P")

WAYS: dict[str, Callable[..., Any]] = {}
"""By its name what makes an interval, or a number that was counted, of arrays."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept(Interval):
    """An interval that keeps its values.

    Attributes:
        said: how it is made again, as JSON values: ``way``, a key of ``WAYS``; ``of``, the digests of what that takes,
            values by unit and numbers; and its ``support``, if it has one.
        arrays: by their digests; numbers have no dimensions.
    """

    said: Mapping[str, Any]
    arrays: Mapping[str, Array]


def by_values(make: Callable[P, Interval | float]) -> Callable[P, Interval]:
    """A function of arrays whose intervals keep them; a number is taken as exact, of as many units as the first has."""
    WAYS[make.__name__] = make

    @wraps(make)
    def kept(*given: P.args, **named: P.kwargs) -> Interval:
        arrays = list(map(smallest, given))
        found, of = _interval(make(*given, **named), arrays), list(map(digest, arrays))
        bounds = {name: finite(value) for name, value in named.items()}  # type: ignore[arg-type]
        said = {"way": make.__name__, "of": of, **bounds}
        return Kept(found.mean, found.low, found.high, found.units, said, dict(zip(of, arrays, strict=True)))

    return kept


def _interval(found: Any, arrays: Sequence[Array]) -> Interval:
    if isinstance(found, Interval):
        return found
    return Interval(float(found), float(found), float(found), arrays[0].size)


mean_interval = by_values(statistics.mean_interval)
paired_difference = by_values(statistics.paired_difference)

least, total = by_values(np.min), by_values(math.fsum)
"""The least of some values, and their sum, as they were counted: nothing is said of others."""


def remade(said: Mapping[str, Any], stored: Mapping[str, Array]) -> Interval:
    """The interval of ``Kept.said``, from the arrays by their digests; not a number if one is missing."""
    if not stored.keys() >= set(said["of"]):
        return Interval(math.nan, math.nan, math.nan, 0)
    arrays = [stored[name].astype(np.float64) for name in said["of"]]
    named = {name: infinite(bounds) for name, bounds in said.items() if name not in ("way", "of")}
    return _interval(WAYS[said["way"]](*arrays, **named), arrays)


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


def packed(intervals: Iterable[Interval], others: Mapping[str, Array] = MappingProxyType({})) -> bytes:
    """The arrays of intervals, and others, as the bytes of a ``.npz`` file, each once; equal for equal arrays."""
    found = ChainMap(dict(others), *(dict(each.arrays) for each in intervals if isinstance(each, Kept)))
    np.savez_compressed(stream := io.BytesIO(), **dict(sorted(found.items())))  # type: ignore[arg-type]
    return stream.getvalue()


def told(interval: Interval) -> dict[str, Any]:
    """The fields of an interval as records of scripts have them."""
    return {"mean": round(interval.mean, 4), "ci95": [round(interval.low, 4), round(interval.high, 4)]}
