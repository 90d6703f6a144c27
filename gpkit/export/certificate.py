"""Proof that a formula is computed without rounding, so that the width of a host's numbers has no effect.

Every value is followed as a whole multiple of a power of two within bounds. If a format holds all such multiples of
every operand and result, no operation rounds in it, and every host that computes in it gets the same number.
"""

from dataclasses import dataclass

from gpkit.core.primitives import RANDOM, PrimitiveSet
from gpkit.genomes.tree import Symbol, Tree, TreeProgram, is_constant, round_constants
from gpkit.langkit.grids import RESULTS, Grid, of_constant, of_sensor
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

    def holds(self, grid: Grid) -> bool:
        """Whether it holds every number of a grid."""
        if grid.exponent < self.finest or (self.bits and grid.largest > 1 << self.bits):
            return False
        left, right = max(grid.exponent, 0), max(-grid.exponent, 0)
        return self.low << right <= grid.low << left and grid.high << left <= self.high << right


FORMATS = (
    Format("double", 53, -1022, -(1 << 1023), 1 << 1023),
    Format("float32", 24, -126, -(1 << 127), 1 << 127),
    Format("16.16 fixed point", 0, -16, -(1 << 15), (1 << 15) - 1),
)
"""Number formats of hosts: every Lua and Luau; a C host with floats; PICO-8."""

_MOST_BITS = 4096  # far beyond every format; keeps the numbers of the analysis small


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
    for symbol in tree.symbols:
        if why := _unknown(symbol, primitives):
            return Certificate((), why)
    seen: list[Grid] = []
    waiting: list[Grid] = []  # the grids of complete operands, the leftmost last
    for symbol, size in zip(reversed(tree.symbols), reversed(tree.sizes), strict=True):
        if size > 1:
            operands = [waiting.pop() for _ in range(NOTATION[symbol].arity)]
            grid: Grid | None = RESULTS[str(symbol)](*operands)
        elif is_constant(symbol):
            grid = of_constant(symbol)
        else:
            sensor = primitives.sensor(symbol) if primitives is not None else None
            grid = of_sensor(sensor) if sensor is not None else None
        assert grid is not None, "its bounds are known"
        if size > 1 and (grid.largest.bit_length() > _MOST_BITS or abs(grid.exponent) > _MOST_BITS):
            return Certificate((), "its values need too many bits")
        waiting.append(grid)
        seen.append(grid)
    formats = tuple(known.name for known in FORMATS if all(map(known.holds, seen)))
    step = min(grid.exponent for grid in seen)
    bits = max((grid.largest - 1).bit_length() + grid.exponent if grid.largest else 0 for grid in seen)
    return Certificate(formats, step=step, bits=max(bits, 0))


def on_grid(program: TreeProgram, step: int) -> TreeProgram:
    """The program with every constant rounded to the nearest whole multiple of 2^``step``."""
    return TreeProgram(program.names, tuple(round_constants(tree, 2.0**step) for tree in program.trees))


def _unknown(symbol: Symbol, primitives: PrimitiveSet | None) -> str:
    """The reason that nothing is known of the values of a node; empty where its grid is."""
    if is_constant(symbol) or symbol in RESULTS:
        return ""
    if symbol in NOTATION:
        return f"`{symbol}` may round"
    if symbol == RANDOM:
        return "random numbers have as many bits as the host gives them"
    sensor = primitives.sensor(symbol) if primitives is not None else None
    if sensor is None or (sensor.integer and of_sensor(sensor) is None):
        return f"the bounds of `{symbol}` are not known"
    return "" if sensor.integer else f"`{symbol}` may have any fraction"
