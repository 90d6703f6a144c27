"""JSON from elsewhere, read within limits; faults raise a ``ValueError``, and the caller adds the name of the file."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
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


def plain(value: Any, odd: Callable[[float], Any] = lambda _: None) -> Any:
    """The value in JSON's own types: dataclasses and mappings become objects, collections lists, others texts.

    Args:
        value: any.
        odd: gives what stands for a number that is not finite; by default that is null.
    """
    if isinstance(value, float) and not math.isfinite(value):
        return odd(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name), odd) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each, odd) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each, odd) for each in (value if isinstance(value, list | tuple) else sorted(value))]
    # Arrays and scalars of numpy, which is not imported.
    return plain(value.tolist(), odd) if hasattr(value, "tolist") else str(value)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{shortened(digits)} is too large a number")
    return value
