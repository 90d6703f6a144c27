"""Codecs write the values of a type as JSON values and read them back strictly; errors name the place of a wrong value.

There are codecs for bool, int, float (finite), str, a ``Literal`` of strings, a tuple, a ``Mapping`` with names as
keys, a dataclass (an object with its fields), a named tuple (a list of its fields), and any of these or None.
``Annotated`` with a ``Range`` bounds a number; with a ``Codec``, it gives the codec to use.

Limits apply to JSON from outside gpkit. Every error is a ``ValueError``; the caller adds the name of the file.
"""

import inspect
import json
import math
import sys
import types
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, partial
from itertools import count, filterfalse, repeat
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import GpkitError

LARGEST = 2**63 - 1
"""The largest integer that a database column or an int64 array can store."""


def parse_json(content: str | bytes) -> Any:
    """Parse JSON text into values.

    Raises:
        ValueError: the text is not JSON, is nested too deeply, or contains a number that is not finite.
    """
    try:
        return json.loads(content, parse_constant=_no_number, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def print_json(values: object, *, sort_keys: bool = False) -> str:
    """The values as the shortest possible JSON text, in ASCII.

    Raises:
        ValueError: a number is not finite, or the values are nested too deeply.
    """
    try:
        return json.dumps(values, sort_keys=sort_keys, separators=(",", ":"), allow_nan=False)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def plain(
    value: object, odd: Callable[[float], object] = lambda _: None, other: Callable[[object], object] = str
) -> Any:
    """The value in JSON types: dataclasses and mappings become objects, collections become lists, other values strings.

    Args:
        value: any value.
        odd: returns a substitute for a number that is not finite; by default, null.
        other: returns a substitute for a value of a type that JSON does not have; by default, the value as a string.
    """
    if isinstance(value, float) and not math.isfinite(value):
        return odd(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name), odd, other) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each, odd, other) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = value if isinstance(value, list | tuple) else sorted(value)
        return [plain(each, odd, other) for each in items]
    # NumPy arrays and scalars; this avoids importing NumPy.
    return plain(value.tolist(), odd, other) if hasattr(value, "tolist") else other(value)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{shortened(digits)} is too large a number")
    return value


Value = TypeVar("Value")
Plain = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Range:
    """The bounds of a number, both inclusive."""

    low: float
    high: float = math.inf

    def __str__(self) -> str:
        low, high = (f"{end:,}" if isinstance(end, int) else f"{end:,.10g}" for end in (self.low, self.high))
        return f"{low} to {high}" if math.isfinite(self.high) else f"at least {low}"


class Codec(NamedTuple, Generic[Value]):
    """Functions that write and read a type's values as JSON values, and a description of the expected value in words.

    ``read`` raises a ``ValueError`` if a JSON value does not fit the type.
    """

    write: Callable[[Value], Any]
    read: Callable[[Any], Value]
    words: str = ""


Leaves = Mapping[Any, Codec[Any]]
"""Special codecs, by type; the key ``TypeVar`` represents the type parameter of a generic class."""


class Misread(ValueError):  # noqa: N818 - it reads better where it is raised
    """A value does not have the expected type.

    Attributes:
        said: a message that states the fault of the value.
        place: the place of the value, such as ``islands[0][3].score``; empty for the outermost value.
    """

    def __init__(self, said: str, place: str = "") -> None:
        super().__init__((place + said).removeprefix(" = ").removeprefix(": "))
        self.said, self.place = said, place


def misread(value: object, expected: str) -> Misread:
    """The error for a value that does not fit its type."""
    held = "an object" if isinstance(value, Mapping) else "a list" if isinstance(value, list | tuple) else ""
    shown = held or shortened(json.dumps(value, ensure_ascii=False, default=str))
    return Misread(f" = {shown}: expected {expected}")


def at(place: str | int, error: ValueError | GpkitError) -> Misread:
    """The error for an inner value, with its place in the outer value: a name, or an index in a list."""
    inner = error if isinstance(error, Misread) else Misread(f": {error}")
    joint = "." if inner.place and not inner.place.startswith("[") else ""
    return Misread(inner.said, (f"[{place}]" if isinstance(place, int) else place) + joint + inner.place)


def codec(kind: type[Value], leaves: Leaves = types.MappingProxyType({})) -> Codec[Value]:
    """Return the codec for a type; special codecs in ``leaves`` take precedence."""
    return _built(kind, leaves) if leaves else _known(kind)  # type: ignore[arg-type]


@cache
def _known(hint: Hashable) -> Codec[Any]:
    return _built(hint, {})


def _built(hint: Any, leaves: Leaves) -> Codec[Any]:
    hint = TypeVar if isinstance(hint, TypeVar) else hint
    kind, arguments = get_origin(hint) or hint, get_args(hint)
    if hint in leaves or hint in _SCALARS:
        return leaves.get(hint) or _SCALARS[hint]
    if hint is Any:
        return Codec(
            lambda value: _built(type(value), leaves).write(value) if is_dataclass(value) else value, _same
        )
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        parts = {name: _built(each, leaves) for name, each in hints_of(kind).items()}
        return _object(kind, parts) if is_dataclass(kind) else _row(kind._make, parts)
    if kind is Literal:
        return Codec(_same, partial(_word, arguments), " or ".join(f'"{word}"' for word in arguments))
    if kind is tuple and arguments[1:] != (...,):
        return _row(tuple, {place: _built(each, leaves) for place, each in enumerate(arguments)})
    one = _built(arguments[kind is Mapping], leaves)
    if kind is Annotated:
        return arguments[1] if isinstance(arguments[1], Codec) else _bounded(one, arguments[1])
    if kind is tuple:
        return _list(one)
    if kind is Mapping:
        return Codec(
            lambda value: {key: one.write(each) for key, each in value.items()},
            lambda value: dict(
                zip(as_table(value), _all(value, repeat(one.read), value.values()), strict=True)
            ),
        )
    none = leaves[None].write(None) if None in leaves else None  # the type is a union with None
    return Codec(
        lambda value: none if value is None else one.write(value),
        lambda value: None if value is none else one.read(value),
        f"{one.words}, or {json.dumps(none)}",
    )


def _hints_of(kind: Any) -> Mapping[str, Any]:
    """The field types of a dataclass or named tuple; the fields of the class come before inherited fields."""
    known = {field.name for field in fields(kind)} if is_dataclass(kind) else kind._fields
    hints = get_type_hints(kind, include_extras=True)
    named = (name for each in kind.__mro__ for name in inspect.get_annotations(each))
    return {name: hints[name] for name in dict.fromkeys(named) if name in known}


hints_of: Callable[[Any], Mapping[str, Any]] = cache(_hints_of)


def _all(
    places: Iterable[str | int], reads: Iterable[Callable[[Any], Any]], values: Iterable[object]
) -> list[Any]:
    """Read each value with the function for its place; an error names the place of the wrong value."""
    found: list[Any] = []
    place: str | int = 0
    try:
        for place, read, value in zip(places, reads, values, strict=False):  # noqa: B007 - it is for the error
            found.append(read(value))
    except (ValueError, GpkitError) as error:
        raise at(place, error) from error
    return found


def _list(one: Codec[Any]) -> Codec[Any]:
    """The codec for tuples of any length."""
    write, read, words = one.write, one.read, f"a list of {one.words.removeprefix('a ')}s"
    return Codec(
        list if write is _same else lambda value: [write(each) for each in value],
        lambda value: tuple(_all(count(), repeat(read), value)) if as_list(value, words) else (),
        words,
    )


def _row(make: Callable[[Any], Any], parts: Mapping[Any, Codec[Any]]) -> Codec[Any]:
    """The codec for tuples with a fixed number of values."""
    writes = [(place, one.write) for place, one in enumerate(parts.values()) if one.write is not _same]
    reads = [one.read for one in parts.values()]

    def write(value: Any) -> Any:
        row = list(value)
        for place, each in writes:
            row[place] = each(row[place])
        return row

    def read(value: Any) -> Any:
        if len(as_list(value)) != len(reads):
            raise misread(value, f"a list of {len(reads)} values")
        return make(_all(parts, reads, value))

    return Codec(write, read)


def _object(kind: Any, parts: Mapping[str, Codec[Any]]) -> Codec[Any]:
    """The codec for dataclasses; reading ignores names that are not fields."""
    writes, reads = [(name, one.write) for name, one in parts.items()], [one.read for one in parts.values()]

    def read(value: Any) -> Any:
        if missing := [*filterfalse(as_table(value).__contains__, parts)]:
            raise Misread(" is missing", missing[0])
        found = _all(parts, reads, map(value.get, parts))
        return kind(**dict(zip(parts, found, strict=True)))

    return Codec(lambda value: {name: write(getattr(value, name)) for name, write in writes}, read)


def _bounded(one: Codec[Any], bounds: Range) -> Codec[Any]:
    low, high, inner = bounds.low, bounds.high, one.read

    def read(value: Any) -> Any:
        if not low <= (found := inner(value)) <= high:
            raise misread(value, str(bounds))
        return found

    return Codec(one.write, read, f"{one.words}, {bounds}")


def _word(words: Sequence[str], value: object) -> str:
    if isinstance(value, str) and value in words:
        return value
    fix = suggestion(value, words, "") if isinstance(value, str) else ""
    raise misread(value, "; ".join(filter(None, (", ".join(f'"{word}"' for word in words), fix))))


def as_list(value: object, words: str = "a list") -> Sequence[Any]:
    """The value, after a check that it is a list.

    Raises:
        Misread: the value is not a list.
    """
    if not isinstance(value, list | tuple):
        raise misread(value, words)
    return value


def as_table(value: object) -> Mapping[str, Any]:
    """The value, after a check that it is a mapping with names as keys.

    Raises:
        Misread: the value is not a mapping, or a key is not a string.
    """
    if not isinstance(value, Mapping):
        raise misread(value, "a table")
    for key in value:
        if not isinstance(key, str):
            raise Misread(f" has the key {key!r}: expected a string")
    return value


def as_number(value: Any) -> float:
    """The value as a float, after a check that it is a finite number.

    Raises:
        Misread: the value is not a finite number.
    """
    if type(value) not in (int, float) or not abs(value) <= sys.float_info.max:
        raise misread(value, "a finite number")
    return float(value)


def _of(kind: type[Value], words: str) -> Codec[Value]:
    def read(value: Any) -> Value:
        if type(value) is not kind:
            raise misread(value, words)
        return value

    return Codec(_same, read, words)


def as_text(value: object) -> str:
    """The value, after a check that it is a string without unpaired surrogates.

    Raises:
        Misread: the value is not a string, or contains an unpaired surrogate.
    """
    if not isinstance(value, str):
        raise misread(value, "a string")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise Misread(f" contains {ascii(value[error.start])[1:-1]}, an unpaired surrogate") from None
    return value


def _same(value: object) -> Any:
    return value


def _plain(value: object) -> Any:
    one = _SCALARS.get(str if isinstance(value, str) else type(value))
    if one is None:
        raise misread(value, _SCALARS[Plain].words)
    return one.read(value)


_SCALARS: Leaves = {
    bool: _of(bool, "true or false"),
    int: _of(int, "a whole number"),
    float: Codec(_same, as_number, "a number"),
    str: Codec(_same, as_text, "a string"),
    Plain: Codec(_same, _plain, "true, false, a number or a string"),
}

Count = Annotated[int, Range(0, LARGEST)]
"""An integer that a database column or an int64 array can store."""


def write_real(value: float) -> float | str:
    """A number as a JSON value; infinities and NaN become strings, because JSON has no such numbers."""
    return value if math.isfinite(value) else repr(value)


Real = Annotated[
    float,
    Codec(
        write_real,
        lambda value: float(value) if value in ("inf", "-inf", "nan") else as_number(value),
    ),
]
"""Any number."""


def write_known(value: float) -> float | None:
    """A number as a JSON value; None if it is not finite."""
    return value if math.isfinite(value) else None


Known = Annotated[float, Codec(write_known, lambda value: math.nan if value is None else as_number(value))]
"""A number that may be unknown: the codec writes a number that is not finite as null, and reads null as NaN."""


def print_document(schema: str, value: object) -> dict[str, Any]:
    """A dataclass as JSON values, with the name of its schema."""
    return {"schema": schema, **codec(type(value)).write(value)}


def read_document(content: str | bytes, schema: str, kind: type[Value]) -> Value:
    """Read a dataclass from JSON text, which must name this schema.

    Raises:
        ValueError: the text names another schema, or does not describe the dataclass.
    """
    data = parse_json(content)
    if as_table(data).get("schema") != schema:
        raise at("schema", misread(data.get("schema"), f'"{schema}"'))
    return codec(kind).read(data)
