"""Proof that a formula is computed without rounding, so that the width of a host's numbers has no effect.

Every value is followed as a whole multiple of a power of two within bounds. If a format holds all such multiples of
every operand and result, no operation rounds in it, and every host that computes in it gets the same number.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from gpkit.core.primitives import RANDOM, PrimitiveSet
from gpkit.genomes.tree import Symbol, Tree, TreeProgram, is_constant
from gpkit.langkit.operators import NOTATION


@dataclass(frozen=True, slots=True)
class Format:
    """Numbers of a host: whole multiples of 2^``finest`` that are at least ``low`` and at most ``high``.

    ``bits`` is the precision of floating point: m · 2^e is held for |m| up to 2^bits; 0 for fixed point.
    """

    name: str
    bits: int
    finest: int
    low: int
    high: int


FORMATS = (
    Format("double", 53, -1022, -(1 << 1023), 1 << 1023),
    Format("float32", 24, -126, -(1 << 127), 1 << 127),
    Format("16.16 fixed point", 0, -16, -(1 << 15), (1 << 15) - 1),
)
"""Number formats of hosts: every Lua and Luau; a C host with floats; PICO-8."""

_MOST_BITS = 4096  # far beyond every format; keeps the numbers of the analysis small


@dataclass(frozen=True, slots=True)
class Values:
    """All whole multiples of 2^``step`` from ``low`` · 2^step to ``high`` · 2^step."""

    step: int
    low: int
    high: int

    def at(self, step: int) -> "Values":
        """The same bounds in a step that is not coarser."""
        shift = self.step - step
        return Values(step, self.low << shift, self.high << shift)

    def fits(self, known: Format) -> bool:
        """Whether a format holds every one of them."""
        largest = max(-self.low, self.high)
        if self.step < known.finest or (known.bits and largest > 1 << known.bits):
            return False
        if self.step >= 0:
            return known.low <= self.low << self.step and self.high << self.step <= known.high
        return known.low << -self.step <= self.low and self.high <= known.high << -self.step


@dataclass(frozen=True, slots=True)
class Certificate:
    """Certificate of one formula: the number formats in which it is proved to be exact.

    Attributes:
        formats: the names of the formats in which nothing rounds.
        reason: why there is no proof at all, or empty.
        step: the exponent of the finest power of two of which any value is a multiple.
        bits: all magnitudes are at most 2^bits.
    """

    formats: tuple[str, ...]
    reason: str = ""
    step: int = 0
    bits: int = 0

    @property
    def statement(self) -> str:
        """The certificate in words."""
        if self.reason:
            return f"not certified exact, because {self.reason}"
        values = f"every value is a multiple of 2^{self.step} and at most 2^{self.bits} in magnitude"
        if not self.formats:
            return f"not certified exact: {values}, which no format holds"
        return f"exact, nothing rounds in {', '.join(self.formats)}: {values}"


def certify(tree: Tree, primitives: PrimitiveSet | None) -> Certificate:
    """Certificate of a formula, given the bounds of its sensors."""
    waiting: list[tuple[str, list[Values]]] = []
    seen: list[Values] = []
    for symbol in tree.symbols:
        if not is_constant(symbol) and symbol in NOTATION:
            if symbol not in _RESULTS:
                return Certificate((), f"`{symbol}` may round")
            waiting.append((symbol, []))
            continue
        values = _leaf(symbol, primitives)
        if isinstance(values, str):
            return Certificate((), values)
        seen.append(values)
        while waiting:
            operator, operands = waiting[-1]
            operands.append(values)
            if len(operands) < NOTATION[operator].arity:
                break
            waiting.pop()
            values = _RESULTS[operator](*operands)
            if max(-values.low, values.high).bit_length() > _MOST_BITS or abs(values.step) > _MOST_BITS:
                return Certificate((), "its values need too many bits")
            seen.append(values)
    formats = tuple(known.name for known in FORMATS if all(values.fits(known) for values in seen))
    step = min(values.step for values in seen)
    bits = max((max(-v.low, v.high) - 1).bit_length() + v.step if v.low or v.high else 0 for v in seen)
    return Certificate(formats, step=step, bits=max(bits, 0))


def on_grid(program: TreeProgram, step: int) -> TreeProgram:
    """The program with every constant rounded to the nearest whole multiple of 2^``step``."""

    def rounded(symbol: Symbol) -> Symbol:
        return float(round(symbol / 2.0**step)) * 2.0**step + 0.0 if is_constant(symbol) else symbol

    trees = tuple(Tree(tuple(map(rounded, tree.symbols)), tree.sizes) for tree in program.trees)
    return TreeProgram(program.names, trees)


def _leaf(symbol: Symbol, primitives: PrimitiveSet | None) -> Values | str:
    """The values of a leaf, or why they are not known."""
    if is_constant(symbol):
        numerator, denominator = symbol.as_integer_ratio()
        shift = (numerator & -numerator).bit_length() - 1 if numerator else 0
        return Values(shift - denominator.bit_length() + 1, numerator >> shift, numerator >> shift)
    if symbol == RANDOM:
        return "random numbers have as many bits as the host gives them"
    sensor = primitives.sensor(symbol) if primitives is not None else None
    if sensor is None:
        return f"the bounds of `{symbol}` are not known"
    if not sensor.integer:
        return f"`{symbol}` may have any fraction"
    return Values(0, ceil(sensor.low), int(sensor.high // 1))


def _aligned(*operands: Values) -> tuple[int, list[Values]]:
    step = min(o.step for o in operands)
    return step, [o.at(step) for o in operands]


def _sum(a: Values, b: Values) -> Values:
    step, (a, b) = _aligned(a, b)
    return Values(step, a.low + b.low, a.high + b.high)


def _product(a: Values, b: Values) -> Values:
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Values(a.step + b.step, min(ends), max(ends))


def _negation(a: Values) -> Values:
    return Values(a.step, -a.high, -a.low)


def _absolute(a: Values) -> Values:
    if a.low >= 0:
        return a
    return Values(a.step, max(0, -a.high), max(-a.low, a.high))


def _lower(a: Values, b: Values) -> Values:
    step, (a, b) = _aligned(a, b)
    return Values(step, min(a.low, b.low), min(a.high, b.high))


def _higher(a: Values, b: Values) -> Values:
    step, (a, b) = _aligned(a, b)
    return Values(step, max(a.low, b.low), max(a.high, b.high))


def _whole(a: Values) -> Values:
    if a.step >= 0:
        return a
    return Values(0, a.low >> -a.step, a.high >> -a.step)


def _either(_a: Values, _b: Values, x: Values, y: Values) -> Values:
    step, (x, y) = _aligned(x, y)
    return Values(step, min(x.low, y.low), max(x.high, y.high))


_RESULTS: dict[str, Callable[..., Values]] = {
    "+": _sum,
    "-": lambda a, b: _sum(a, _negation(b)),
    "*": _product,
    "min": _lower,
    "max": _higher,
    "neg": _negation,
    "abs": _absolute,
    "floor": _whole,
    "ifle": _either,
}
"""The possible results of every operator that never has to round."""
