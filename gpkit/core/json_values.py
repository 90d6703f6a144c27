"""JSON from elsewhere, read within limits; what is wrong is a ``ValueError``, and who reads a file adds its name."""

import json
import math
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


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{shortened(digits)} is too large a number")
    return value
