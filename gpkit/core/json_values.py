"""JSON from elsewhere: read within limits, and its values taken as what they have to be.

Whatever is wrong is a ``ValueError`` that says what was expected; who reads a file adds its name.
"""

import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from gpkit.core.diagnostics import shortened

LARGEST = 2**63 - 1
"""The largest whole number that a database or an array holds."""


def parse_json(content: str | bytes) -> Any:
    """The values of a JSON text.

    Raises:
        ValueError: it is not JSON, nested too deep, or holds a number that is none or too large.
    """
    try:
        return json.loads(content, parse_constant=_no_number, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def print_json(values: Any, *, sort_keys: bool = False) -> str:
    """The shortest JSON text of some values, in ASCII.

    Raises:
        ValueError: a number is not finite, or they are nested too deep.
    """
    try:
        return json.dumps(values, sort_keys=sort_keys, separators=(",", ":"), allow_nan=False)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def whole(value: Any, low: int = 0, high: int = LARGEST) -> int:
    """A whole number within bounds, both allowed.

    Raises:
        ValueError: it is something else.
    """
    if type(value) is not int or not low <= value <= high:
        raise _wrong(value, f"a whole number from {low:,} to {high:,}")
    return value


def number(value: Any) -> float:
    """A finite number.

    Raises:
        ValueError: it is something else.
    """
    if type(value) not in (int, float) or not abs(value) <= sys.float_info.max:
        raise _wrong(value, "a finite number")
    return float(value)


def text(value: Any) -> str:
    """A text of whole characters.

    Raises:
        ValueError: it is something else.
    """
    if not isinstance(value, str):
        raise _wrong(value, "a text")
    value.encode()  # UnicodeEncodeError is a ValueError
    return value


def items(value: Any) -> Sequence[Any]:
    """A list.

    Raises:
        ValueError: it is something else.
    """
    if not isinstance(value, list):
        raise _wrong(value, "a list")
    return value


def table(value: Any) -> Mapping[str, Any]:
    """An object: values by name.

    Raises:
        ValueError: it is something else.
    """
    if not isinstance(value, dict):
        raise _wrong(value, "an object")
    return value


def member(value: Any, name: str) -> Any:
    """The value of that name in an object.

    Raises:
        ValueError: there is none, or this is not an object.
    """
    found = table(value)
    if name not in found:
        raise ValueError(f"`{name}` is missing")
    return found[name]


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{shortened(digits)} is too large a number")
    return value


def _wrong(value: Any, expected: str) -> ValueError:
    holders: dict[type, str] = {dict: "an object", list: "a list"}
    shown = holders.get(type(value)) or shortened(json.dumps(value, default=str))
    return ValueError(f"{shown}: expected {expected}")
