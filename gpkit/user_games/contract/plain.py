"""Plain data: what JSON can hold and give back, with dataclasses and named tuples of it."""

import dataclasses
import math
from collections.abc import Iterator
from enum import Enum
from itertools import zip_longest
from typing import Any

from gpkit.core.diagnostics import shortened

Snapshot = tuple[tuple[str, Any], ...]
"""Every part of a value with the way to it, such as ``heaps[0]``, down to numbers and texts."""


def snapshot(value: Any) -> Snapshot:
    """The value as it is now; no later change of it reaches this."""
    found: list[tuple[str, Any]] = []
    _gather(value, "", found)
    return tuple(found)


def first_change(before: Snapshot, after: Snapshot) -> str:
    """The first part at which two snapshots differ, in words."""
    for old, new in zip_longest(before, after):
        if old is None or new is None or old != new:
            path = (old or new)[0]
            was, now = (shortened(repr(each[1])) if each else "nothing" for each in (old, new))
            return f"`{path}` was {was} and is {now}" if path else f"it was {was} and is {now}"
    return "nothing"


def not_plain(value: Any) -> str | None:
    """The first part of a value that is not plain data, and what is expected there; None if all of it is plain."""
    return next(_faults(value, ""), None)


def there_and_back(value: Any) -> Any:
    """Plain data made anew in the likeness of the value, as JSON would give it back: it holds all that is plain."""
    if dataclasses.is_dataclass(value):
        made = object.__new__(type(value))
        for field in dataclasses.fields(value):
            object.__setattr__(made, field.name, there_and_back(getattr(value, field.name)))
        return made
    if isinstance(value, tuple | frozenset):
        items = [there_and_back(each) for each in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def _parts(value: Any) -> list[tuple[str, Any]] | None:
    """The parts of a value with the steps to them; None if it has none."""
    if value is None or isinstance(value, bool | int | float | str | Enum | type):
        return None
    if dataclasses.is_dataclass(value):
        return [(f".{field.name}", getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, dict):
        return [(f"[{key!r}]", item) for key, item in value.items()]
    if isinstance(value, set | frozenset):
        value = sorted(value, key=repr)
    if isinstance(value, list | tuple):
        return [(f"[{place}]", item) for place, item in enumerate(value)]
    if hasattr(value, "tolist"):
        return [("", value.tolist())]
    own = getattr(value, "__dict__", None)
    return None if own is None else [(f".{name}", item) for name, item in own.items()]


def _gather(value: Any, path: str, found: list[tuple[str, Any]]) -> None:
    """Add every part of a value with the way to it."""
    parts = _parts(value)
    if parts is None:
        found.append((path, repr(value) if isinstance(value, float) else value))  # by its text NaN is itself
        return
    found.append((path, f"{type(value).__name__} of {len(parts)}"))
    for step, part in parts:
        way = f"{path}{step}" if path else step.removeprefix(".")
        if type(part) is int:
            found.append((way, part))
        else:
            _gather(part, way, found)


def _faults(value: Any, path: str) -> Iterator[str]:
    kind = type(value).__name__
    named = f"`{path}`" if path else "it"
    if isinstance(value, list | set | dict | bytearray):
        fix = {"list": "a tuple", "set": "a frozenset"}.get(kind, "a tuple")
        yield f"{named} is a {kind}, which can be changed; expected {fix}"
    elif isinstance(value, float) and not math.isfinite(value):
        yield f"{named} is {value}, which JSON does not have"
    elif isinstance(value, Enum):
        yield from _faults(value.value, path)
    elif isinstance(value, tuple | frozenset) or dataclasses.is_dataclass(value):
        for step, part in _parts(value) or ():
            yield from _faults(part, f"{path}{step}".removeprefix("."))
    elif type(value) not in (type(None), bool, int, float, str):
        expected = "numbers, texts, None, and tuples or frozen dataclasses of them"
        yield f"{named} is a {type(value).__module__}.{kind}; expected {expected}"
