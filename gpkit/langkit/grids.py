"""Grids: an abstract interpretation of formulas, as far as it proves that arithmetic rounds nothing.

Whole numbers stay whole under sums, differences and products, and so do multiples of any power of two. A host whose
numbers hold all multiples within the bounds of every operand and result rounds nothing.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from gpkit.core.primitives import Sensor


@dataclass(frozen=True, slots=True)
class Grid:
    """The numbers ``k * 2**exponent`` for every whole k of ``low`` … ``high``."""

    low: int
    high: int
    exponent: int = 0

    @property
    def largest(self) -> int:
        """The largest magnitude of k."""
        return max(-self.low, self.high)


def of_constant(value: float) -> Grid:
    """The grid of one finite number."""
    numerator, denominator = value.as_integer_ratio()
    twos = (numerator & -numerator).bit_length() - 1 if numerator else 0
    return Grid(numerator >> twos, numerator >> twos, twos - denominator.bit_length() + 1)


def of_sensor(sensor: Sensor) -> Grid | None:
    """The grid of a sensor without fractions and with bounds; None of others."""
    if not (sensor.integer and math.isfinite(sensor.low) and math.isfinite(sensor.high)):
        return None
    return Grid(math.ceil(sensor.low), math.floor(sensor.high))


def _aligned(a: Grid, b: Grid) -> tuple[Grid, Grid]:
    """Both with the smaller of their exponents."""
    exponent = min(a.exponent, b.exponent)
    return (
        Grid(a.low << a.exponent - exponent, a.high << a.exponent - exponent, exponent),
        Grid(b.low << b.exponent - exponent, b.high << b.exponent - exponent, exponent),
    )


def _sum(a: Grid, b: Grid) -> Grid:
    a, b = _aligned(a, b)
    return Grid(a.low + b.low, a.high + b.high, a.exponent)


def _product(a: Grid, b: Grid) -> Grid:
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Grid(min(corners), max(corners), a.exponent + b.exponent)


def _minimum(a: Grid, b: Grid) -> Grid:
    a, b = _aligned(a, b)
    return Grid(min(a.low, b.low), min(a.high, b.high), a.exponent)


def _negation(a: Grid) -> Grid:
    return Grid(-a.high, -a.low, a.exponent)


def _absolute(a: Grid) -> Grid:
    low = 0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
    return Grid(low, a.largest, a.exponent)


def _either(_: Grid, __: Grid, x: Grid, y: Grid) -> Grid:
    x, y = _aligned(x, y)
    return Grid(min(x.low, y.low), max(x.high, y.high), x.exponent)


RESULTS: dict[str, Callable[..., Grid]] = {
    "+": _sum,
    "-": lambda a, b: _sum(a, _negation(b)),
    "*": _product,
    "min": _minimum,
    "max": lambda a, b: _negation(_minimum(_negation(a), _negation(b))),
    "neg": _negation,
    "abs": _absolute,
    "square": lambda a: _product(_absolute(a), _absolute(a)),
    "floor": lambda a: a if a.exponent >= 0 else Grid(a.low >> -a.exponent, a.high >> -a.exponent),
    "ifle": _either,
}
"""The grid of an operator's values, from those of its operands; division and roots leave every grid."""
