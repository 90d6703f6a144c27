"""Shapes that predictions must have over the ranges of the columns: monotone in a column, and between bounds."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpkit.core.arrays import Flags, Floats
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.data.table import is_number

POINTS = 1000
"""The number of points at which a shape is checked: half are rows of the table, and half lie anywhere in the ranges."""

SLACK = 1e-9
"""A change against the shape that is smaller than this, relative to the values, counts as rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """The shape that predictions must have.

    Attributes:
        inputs: the names of the columns.
        rises: for each column in which predictions are monotone, its index, and 1.0 if they rise with it, otherwise
            −1.0.
        bounds: the smallest and the largest prediction.
        ranges: the smallest and the largest value of each column, float64 (2, inputs).
        switches: whether each column contains only the values 0 and 1, like columns made from words: bool (inputs,).
        kinds: float64 (inputs, kinds): one row of the table for each combination of the switches' values that occurs in
            it.
        points: float64 (inputs, (1 + rises) · POINTS): points, then, for each column of ``rises``, the same points with
            a larger value in that column.
        what: a phrase that names the number that must have the shape.
    """

    inputs: tuple[str, ...]
    rises: tuple[tuple[int, float], ...]
    bounds: tuple[float, float]
    ranges: Floats
    switches: Flags
    kinds: Floats
    points: Floats
    what: str = "the prediction"

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each part of the shape: one for each column of ``rises``, and one for the bounds."""
        rises = [
            f"{self.what} never {'falls' if sign > 0.0 else 'rises'} as `{self.inputs[place]}` rises"
            for place, sign in self.rises
        ]
        low, high = self.bounds
        ends = f"at least {low:g}" if math.isinf(high) else f"at most {high:g}"
        ends = ends if math.isinf(high - low) else f"from {low:g} to {high:g}"
        return (*rises, f"{self.what} is {ends}")[: self.parts]

    @property
    def parts(self) -> int:
        """The number of parts of the shape."""
        return len(self.rises) + bool(np.isfinite(self.bounds).any())

    def breaks(self, values: Floats) -> list[Flags]:
        """For each part of the shape, in the order of ``sentences``, whether it is violated: bool (formulas, points).

        Args:
            values: float64 (formulas, (1 + rises) · points), at points in the order of ``points``; NaN violates the
                bounds, but never monotonicity.
        """
        sets, (low, high) = values.reshape(len(values), 1 + len(self.rises), -1), self.bounds
        with np.errstate(all="ignore"):
            slack = SLACK * np.abs(sets)
            found = [
                sign * (sets[:, number] - sets[:, 0]) < -(slack[:, number] + slack[:, 0])
                for number, (_, sign) in enumerate(self.rises, start=1)
            ]
        return [*found, ~((sets[:, 0] >= low) & (sets[:, 0] <= high))][: self.parts]

    def witnesses(self, points: Floats, values: Floats, read: Collection[object]) -> list[str]:
        """For each part of the shape, a string that shows where a formula violates it; empty if the formula does not.

        Args:
            points: float64 (inputs, (1 + rises) · points), in the order of ``points``.
            values: float64 ((1 + rises) · points,), of the formula at these points.
            read: the columns that the formula reads.
        """
        rows, found = np.vstack([values, points]).reshape(1 + len(points), 1 + len(self.rises), -1), []
        for part, broken in enumerate(self.breaks(values[None])):
            moved = part + 1 if part < len(self.rises) else 0
            ends = rows[:, [0, moved], int(np.argmax(broken[0]))].tolist()
            value, *cells = (" to ".join(f"{end:.6g}" for end in dict.fromkeys(both)) for both in ends)
            names = zip(self.inputs, cells, strict=True)
            where = ", ".join(f"`{name}` is {cell}" for name, cell in names if name in read)
            found.append(f"{value} where {where}" if broken.any() else "")
        return found


def shape_of(monotone: str, bounds: str, inputs: Sequence[str], columns: Floats, seed: int) -> Shape | None:
    """The shape that two strings describe, such as ``dose+ age-`` and ``0..1``; None if both are empty.

    Args:
        monotone: column names, each followed by + if predictions rise with the column, or by - if they fall.
        bounds: the smallest and the largest prediction, one of which may be missing.
        inputs: the names of the columns.
        columns: float64 (inputs, rows), at least one row.
        seed: the seed of the points.

    Raises:
        UsageError: a string is not valid, or names a column that does not exist.
    """
    if not monotone and not bounds:
        return None
    ranges = np.stack([columns.min(axis=1), columns.max(axis=1)])
    switches = ((columns == 0.0) | (columns == 1.0)).all(axis=1)
    rng, low, high = stream(seed, "shape"), ranges[:1].T, ranges[1:].T
    points = low + rng.random((len(inputs), POINTS)) * (high - low)
    rows = columns[:, rng.integers(0, columns.shape[1], POINTS)]
    points = np.where(switches[:, None] | (np.arange(POINTS) % 2 == 0), rows, points)
    above = np.where(switches[:, None], 1.0, points + rng.random(POINTS) ** 3 * (high - points))
    _, firsts = np.unique(np.packbits(columns[switches] > 0.0, axis=0), axis=1, return_index=True)
    kinds = columns[:, firsts]
    shape = Shape(tuple(inputs), _rises(monotone, inputs), _bounds(bounds), ranges, switches, kinds, points)
    return replace(shape, points=with_steps(shape, points, above))


def _rises(text: str, inputs: Sequence[str]) -> tuple[tuple[int, float], ...]:
    found: dict[int, float] = {}
    for word, sign in re.findall(r"\s*(.+?)(?:([+-])(?=\s|$)|$)", text):
        name = word.strip("\"'")
        if not sign:
            raise UsageError(
                f"monotone: `{word}` has no sign; expected columns such as dose+ where predictions rise, and age- "
                "where they fall"
            )
        if name not in inputs:
            raise UsageError(f"monotone: formulas have no numeric input `{name}`; {suggestion(name, inputs)}")
        if inputs.index(name) in found:
            raise UsageError(f"monotone: `{name}` is named twice: {text}")
        found[inputs.index(name)] = 1.0 if sign == "+" else -1.0
    return tuple(found.items())


def _bounds(text: str) -> tuple[float, float]:
    least, _, most = text.partition("..") if ".." in text or not text else ("0", "", "0")
    low, high = (
        (float(least or -math.inf), float(most or math.inf))
        if all(is_number(end or "0") for end in (least, most))
        else (0.0, 0.0)
    )
    if not low < high:
        raise UsageError(
            f"bounds: {text}: expected the smallest and the largest prediction, such as 0..1, 0.. or ..1"
        )
    return low, high


def with_steps(shape: Shape, low: Floats, high: Floats) -> Floats:
    """Points ordered like ``Shape.points``, from the low to the high corners of boxes.

    Args:
        shape: the shape.
        low, high: the corners, float64 (inputs, boxes); the result is float64 (inputs, (1 + rises) · boxes).
    """
    places = np.arange(len(low))[:, None]
    return np.hstack([low, *(np.where(places == place, high, low) for place, _ in shape.rises)])


def monotone_text(given: object) -> str | None:
    """The string for ``monotone``, from a string or from the signs of columns: 1 or +, −1 or -, and 0 for none.

    Raises:
        UsageError: the value has neither form.
    """
    if given is None or isinstance(given, str):
        return given
    signs = {1: "+", -1: "-", "+": "+", "-": "-", 0: ""}
    if not isinstance(given, Mapping) or not all(sign in signs for sign in given.values()):
        raise UsageError(
            f"monotone={given!r}: expected a text such as 'dose+ age-', or {{'dose': 1, 'age': -1}}"
        )
    return " ".join(f"{name}{signs[sign]}" for name, sign in given.items() if signs[sign])


def bounds_text(given: object) -> str | None:
    """The string for ``bounds``, from a string or from a pair of numbers, where None means no bound.

    Raises:
        UsageError: the value has neither form.
    """
    if given is None or isinstance(given, str):
        return given
    if (
        not isinstance(given, Sequence)
        or len(given) != 2
        or not all(isinstance(e, int | float | None) for e in given)
    ):
        raise UsageError(f"bounds={given!r}: expected a text such as '0..1', or a pair such as (0, None)")
    return "..".join("" if end is None or math.isinf(end) else repr(end) for end in given)
