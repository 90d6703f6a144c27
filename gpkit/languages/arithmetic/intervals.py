"""Computes intervals for a formula's values and slopes over boxes of its inputs, to prove that it has a shape.

A slope is the change of a value divided by the change of one input, with the others held fixed, so it is also defined
where a formula has jumps or corners. The ends of intervals are computed in the same way as values, and rounding
preserves the order of values, so sums, products, quotients and roots never leave their intervals. Other operators may
leave them because of rounding.

R. E. Moore, "Interval Analysis", 1966; slopes: R. Krawczyk and A. Neumaier, "Interval Slopes for Rational Functions and
Associated Centered Forms", SIAM Journal on Numerical Analysis 22, 1985.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpkit.core.arrays import Flags, Floats
from gpkit.evolution.shapes import Shape
from gpkit.genomes.tree import Function, Symbol, Tree
from gpkit.langkit.foreign import Foreign


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """An interval for each box, with ends float64 (boxes,), or one for all boxes; ends that are NaN become infinite."""

    low: Floats
    high: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", np.where(np.isnan(self.low), -np.inf, self.low))
        object.__setattr__(self, "high", np.where(np.isnan(self.high), np.inf, self.high))

    def __add__(self, other: "Spans") -> "Spans":
        return Spans(self.low + other.low, self.high + other.high)

    def __neg__(self) -> "Spans":
        return Spans(-self.high, -self.low)

    def __mul__(self, other: "Spans") -> "Spans":
        return _around(np.multiply, self, other)

    def unless(self, chosen: Flags, other: "Spans") -> "Spans":
        """This interval, except in the chosen boxes, bool (boxes,), where it is replaced by the other one."""
        return Spans(np.where(chosen, other.low, self.low), np.where(chosen, other.high, self.high))


def _around(function: Callable[..., Any], a: Spans, b: Spans) -> Spans:
    """The interval of a function that is monotone in each operand; 0 · inf is 0, because no value is infinite."""
    ends = np.array(np.broadcast_arrays(*[function(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]))
    ends = np.where(np.isnan(ends), 0.0, ends)
    return Spans(ends.min(axis=0), ends.max(axis=0))


def _rising(function: Callable[[Any], Any], a: Spans) -> Spans:
    """The interval of a function that never decreases."""
    return Spans(function(a.low), function(a.high))


ZERO, ONE, PART, SIGNED, UP, ALL = (
    Spans(np.array(low), np.array(high))
    for low, high in ((0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (0.0, np.inf), (-np.inf, np.inf))
)

Row = tuple[Spans, tuple[Spans, ...]]
"""The values of an operator, and its slopes with respect to its operands."""


def _size(a: Spans) -> Spans:
    """The interval of the absolute values."""
    least, most = np.minimum(abs(a.low), abs(a.high)), np.maximum(abs(a.low), abs(a.high))
    return Spans(np.where((a.low <= 0.0) & (a.high >= 0.0), 0.0, least), most)


def _quotient(a: Spans, b: Spans) -> Row:
    unknown = (b.low <= 0.0) & (b.high >= 0.0)
    value = _around(np.divide, a, b).unless(unknown, ALL)
    return value, tuple(_around(np.divide, each, b).unless(unknown, ALL) for each in (ONE, -value))


def _chosen(a: Spans, b: Spans) -> tuple[Flags, Flags, tuple[Spans, Spans]]:
    """The boxes where a is always at most b, the boxes where b is always below a, and the slopes of the minimum."""
    first, second = a.high <= b.low, b.high < a.low
    return (
        first,
        second,
        (PART.unless(first, ONE).unless(second, ZERO), PART.unless(second, ONE).unless(first, ZERO)),
    )


def _least(a: Spans, b: Spans) -> Row:
    return Spans(np.minimum(a.low, b.low), np.minimum(a.high, b.high)), _chosen(a, b)[2]


def _greatest(a: Spans, b: Spans) -> Row:
    value, slopes = _least(-a, -b)
    return -value, slopes


def _choice(a: Spans, b: Spans, x: Spans, y: Spans) -> Row:
    first, second, slopes = _chosen(a, b)
    value = Spans(np.minimum(x.low, y.low), np.maximum(x.high, y.high)).unless(first, x).unless(second, y)
    jump = ALL.unless(first | second, ZERO)
    return value, (jump, jump, *slopes)


def _root(a: Spans) -> Row:
    value = _rising(lambda x: np.sqrt(np.maximum(x, 0.0)), a)
    return value, (Spans(np.where(a.low < 0.0, 0.0, 0.5 / value.high), 0.5 / value.low),)


def _power(a: Spans, b: Spans) -> Row:
    """The values and slopes of a power, which are known only for bases above 0."""
    value, less = _around(np.power, a, b), _around(np.power, a, b + -ONE)
    found = value, b * less, value * _rising(np.log, a)
    value, *slopes = (each.unless(a.low <= 0.0, ALL) for each in found)
    return value, tuple(slopes)


ROWS: Mapping[Symbol, Callable[..., Row]] = {
    "+": lambda a, b: (a + b, (ONE, ONE)),
    "-": lambda a, b: (a + -b, (ONE, -ONE)),
    "*": lambda a, b: (a * b, (b, a)),
    "/": _quotient,
    "min": _least,
    "max": _greatest,
    "neg": lambda a: (-a, (-ONE,)),
    "abs": lambda a: (_size(a), (SIGNED.unless(a.low >= 0.0, ONE).unless(a.high <= 0.0, -ONE),)),
    "sqrt": _root,
    "floor": lambda a: (_rising(np.floor, a), (UP,)),
    "ifle": _choice,
    "log": lambda a: (
        _rising(np.log, a).unless(a.low <= 0.0, ALL),
        (Spans(1.0 / a.high, 1.0 / a.low).unless(a.low <= 0.0, ALL),),
    ),
    "exp": lambda a: (_rising(np.exp, a), (_rising(np.exp, a),)),
    "sin": lambda a: (SIGNED, (SIGNED,)),
    "cos": lambda a: (SIGNED, (SIGNED,)),
    "tanh": lambda a: (
        _rising(np.tanh, a),
        (ONE + -(_size(_rising(np.tanh, a)) * _size(_rising(np.tanh, a))),),
    ),
    "pow": _power,
    "square": lambda a: (_size(a) * _size(a), (a + a,)),
}
"""For each operator, a function that returns its values and slopes from the values of its operands."""


def spans(tree: Tree, inputs: Mapping[Symbol, Spans], rising: Symbol) -> tuple[Spans, Spans]:
    """The values of a formula in boxes, and its slopes as one input changes.

    Args:
        tree: a formula without ``math.random()``.
        inputs: the interval of each input in each box, by name.
        rising: the name of the input that changes; any other string if only the values are needed.
    """
    with np.errstate(all="ignore"):
        return _spans(tree, {name: (each, ONE if name == rising else ZERO) for name, each in inputs.items()})


def _spans(tree: Tree, inputs: Mapping[Symbol, tuple[Spans, Spans]]) -> tuple[Spans, Spans]:
    """The values and slopes of a formula, or of the body of a function, with its parameters as the inputs."""
    found = dict[int, tuple[Spans, Spans]]()
    for position in range(len(tree) - 1, -1, -1):
        symbol, operands = tree.symbols[position], [found.pop(child) for child in tree.children(position)]
        value, slope = inputs.get(symbol, (ZERO, ZERO))
        if isinstance(symbol, Function):
            value, slope = _spans(symbol.body, dict(zip(symbol.parameters, operands, strict=True)))
        elif isinstance(symbol, float):
            value = Spans(np.array(symbol), np.array(symbol))
        elif isinstance(symbol, Foreign):
            value, slope = ALL, ALL
        elif operands:
            value, by = ROWS[symbol](*[operand for operand, _ in operands])
            for one, (_, other) in zip(by, operands, strict=True):
                slope += one * other
        found[position] = value, slope
    return found[0]


BOXES = 512
"""The maximum number of boxes into which the ranges of a formula's inputs are divided."""


def boxes_of(tree: Tree, shape: Shape) -> tuple[Floats, Floats]:
    """The boxes that cover the ranges of a formula's inputs, as lower and upper ends: float64 (inputs, boxes) each.

    Inputs that are always 0 or 1 take only the combinations of values that occur in rows. If there are more than
    ``BOXES`` combinations, these inputs cover whole ranges, like other inputs. An input in which the shape is monotone
    also covers its whole range.
    """
    read = np.array([name in tree.symbols for name in shape.inputs])
    fixed = read & shape.switches
    fixed[[place for place, _ in shape.rises]] = False
    kinds = np.unique(shape.kinds[fixed], axis=1)
    if kinds.shape[1] > BOXES:
        fixed[:], kinds = False, np.zeros((0, 1))
    free = np.flatnonzero(read & ~fixed)
    pieces = int((BOXES / kinds.shape[1]) ** (1.0 / max(1, len(free))) + 1e-9)
    corners = np.indices((kinds.shape[1], *[pieces] * len(free))).reshape(1 + len(free), -1)
    ends = shape.ranges[:, :, None].repeat(corners.shape[1], axis=2)
    ends[:, fixed] = kinds[:, corners[0]]
    for place, steps in zip(free, corners[1:], strict=True):
        cuts = np.linspace(shape.ranges[0, place], shape.ranges[1, place], pieces + 1)
        ends[:, place] = cuts[steps], cuts[steps + 1]
    return ends[0], ends[1]


def proved(tree: Tree, shape: Shape) -> list[bool]:
    """Whether intervals prove each part of a shape for a formula, in the order of ``Shape.sentences``."""
    inputs: dict[Symbol, Spans] = dict(zip(shape.inputs, map(Spans, *boxes_of(tree, shape)), strict=True))
    slopes = [(sign, spans(tree, inputs, shape.inputs[place])[1]) for place, sign in shape.rises]
    value, (least, most) = spans(tree, inputs, "")[0], shape.bounds
    is_within = bool(np.all(least <= value.low) and np.all(value.high <= most))
    found = [bool(np.all(slope.low >= 0.0 if sign > 0.0 else slope.high <= 0.0)) for sign, slope in slopes]
    return [*found, is_within][: shape.parts]
