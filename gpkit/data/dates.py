"""Dates and times without a zone: their ISO texts, and the days since 1970-01-01 that they count as."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

EXAMPLE = "2024-05-31"
"""A date, in messages."""

SINCE = "days since 1970-01-01"
"""The unit of dates and times as numbers."""

_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?"

_DATE = re.compile(rf"(?!0000)[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[T ]{_TIME})?")

_SPAN = re.compile(r"P-?[0-9]+(?:\.[0-9]+(?:e[-+]?[0-9]+)?|e[-+]?[0-9]+)D")

_FIRST, _END = (int(np.datetime64(f"{year}-01-01").astype(np.int64)) for year in ("0001", "10000"))

_SECONDS = 86_400

_PER_DAY = {
    "h": 24,
    "m": 1_440,
    "s": _SECONDS,
    "ms": 86_400_000,
    "us": 86_400_000_000,
    "ns": 86_400_000_000_000,
}
"""The units that a day has, by NumPy's names of them."""

_DIGITS = (0, 3, 6, 9)
"""Digits of fractions of a second that are tried until a text says a time."""


def is_date(text: str) -> bool:
    """Whether a text is a date that there is, or one with a time: ``2024-05-31``, ``2024-05-31 13:45:07.25``."""
    if _DATE.fullmatch(text) is None:
        return False
    try:
        np.datetime64(text[:10])
    except ValueError:
        return False
    return True


def iso_text(cell: Any) -> Any:
    """A date or a time without a zone, of Python, NumPy or pandas, as ISO text; anything else as it is."""
    text = str(cell) if isinstance(cell, np.datetime64) else ""
    if hasattr(cell, "isoformat"):
        text = cell.isoformat()
    return text if is_date(text) else cell


def days_of(texts: Iterable[str]) -> NDArray[np.float64]:
    """The days since 1970-01-01 of dates, NaN of empty texts: float64 (texts,)."""
    known = list(texts)
    times = np.array([text[:19] or "NaT" for text in known], dtype="datetime64[s]")
    parts = np.array(
        [int(text[20:].ljust(9, "0")) if len(text) > 19 else 0 for text in known], dtype=np.int64
    )
    days, seconds = np.divmod(times.astype(np.int64), _SECONDS)
    found = _within(days + (seconds * 10**9 + parts) / _PER_DAY["ns"])
    found[np.isnat(times)] = np.nan
    return found


def _within(days: NDArray[np.float64]) -> NDArray[np.float64]:
    """Days, the last of which does not become the first of the year 10000 by rounding."""
    return np.where((days == _END), np.nextafter(_END, 0.0), days)


def days_of_times(times: NDArray[Any]) -> NDArray[np.float64]:
    """The days since 1970-01-01 of times, the same for each of NumPy's units, and as of their texts: float64 (times,).

    Args:
        times: datetime64 (times,), NaT where there is none.
    """
    unit = np.datetime_data(times.dtype)[0]
    if unit not in _PER_DAY:
        unit = "ns" if unit in ("ps", "fs", "as") else "D"
    days, rest = np.divmod(times.astype(f"datetime64[{unit}]").astype(np.int64), _PER_DAY.get(unit, 1))
    found = _within(days + rest / _PER_DAY.get(unit, 1))
    found[np.isnat(times)] = np.nan
    return found


def is_span(text: str) -> bool:
    """Whether a text is a time span as in stored tables: days with a decimal point, such as ``P1.5D``."""
    return _SPAN.fullmatch(text) is not None


def days_of_spans(texts: Iterable[str]) -> NDArray[np.float64]:
    """Time spans in days, NaN for empty texts: float64 (texts,)."""
    return np.array([float(text[1:-1]) if text else math.nan for text in texts], dtype=np.float64)


def span_texts(days: Iterable[float]) -> list[str]:
    """The texts for these time spans in days; ``""`` for NaN."""
    return ["" if math.isnan(value) else f"P{value!r}D" for value in days]


def date_texts(days: Sequence[float]) -> list[str] | None:
    """The shortest ISO texts that are read as these days, NaN as ``""``; None if one is in no year from 1 to 9999.

    None, too, if one is between two nanoseconds.
    """
    found = [_text_of(value) for value in days]
    known = [text for text in found if text is not None]
    return known if len(known) == len(found) else None


def _text_of(value: float) -> str | None:
    if math.isnan(value):
        return ""
    if not _FIRST <= value < _END:
        return None
    for digits in _DIGITS:
        per_day = _SECONDS * 10**digits
        day = math.floor(value)
        carried, ticks = divmod(round((value - day) * per_day), per_day)
        day += carried
        if day + ticks / per_day == value:
            seconds, part = divmod(ticks, 10**digits)
            text = str(np.datetime64(day, "D"))
            if ticks:
                text += f"T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
            return text + (f".{part:0{digits}}".rstrip("0") if part else "")
    return None


TIMES: Mapping[Literal["days", "span"], tuple[Callable[[str], bool], Callable[[Iterable[str]], Any], str]] = {
    "days": (is_date, days_of, f"a date such as {EXAMPLE}"),
    "span": (is_span, days_of_spans, "a time span such as P1.5D"),
}
"""For each kind of time column: a test for its texts, their values, and a name with an example."""
