"""Proves that a host computes a formula without rounding, so the precision of the host's numbers has no effect.

The proof tracks every value as a bounded integer multiple of a power of two. If a number format can represent all these
multiples for every operand and result, then no operation rounds, and every host with this format gets the same number.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from gpkit.core.primitives import RANDOM, PrimitiveSet
from gpkit.genomes.tree import Function, Symbol, Tree, TreeProgram, is_constant, round_constants
from gpkit.langkit.operators import NOTATION, RESULTS, Grid, of_constant, of_sensor


@dataclass(frozen=True, slots=True)
class Format:
    """A number format of a host: integer multiples of 2^``finest`` from ``low`` to ``high``.

    ``bits`` is the precision of a floating-point format, which represents m · 2^e for |m| up to 2^bits; 0 means fixed
    point.
    """

    name: str
    bits: int
    finest: int
    low: int
    high: int

    def holds(self, grid: Grid) -> bool:
        """True if the format can represent every number in a grid."""
        if grid.exponent < self.finest or (self.bits and grid.largest > 1 << self.bits):
            return False
        left, right = max(grid.exponent, 0), max(-grid.exponent, 0)
        return self.low << right <= grid.low << left and grid.high << left <= self.high << right


FORMATS = (
    Format("double", 53, -1022, -(1 << 1023), 1 << 1023),
    Format("float32", 24, -126, -(1 << 127), 1 << 127),
    Format("16.16 fixed point", 0, -16, -(1 << 15), (1 << 15) - 1),
)
"""The number formats of hosts: Lua and Luau, C programs that use ``float``, and PICO-8."""

_MOST_BITS = 4096  # far beyond every format; keeps the numbers of the analysis small


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate for a formula: the number formats that compute it exactly.

    Attributes:
        formats: the names of the formats in which nothing rounds.
        reason: the reason why there is no proof; empty if there is a proof.
        step: all values are multiples of 2^step.
        bits: all magnitudes are at most 2^bits.
    """

    formats: tuple[str, ...]
    reason: str = ""
    step: int = 0
    bits: int = 0

    @property
    def statement(self) -> str:
        """A sentence that states the certificate."""
        if self.reason:
            return f"not certified exact, because {self.reason}"
        values = f"every value is a multiple of 2^{self.step} and at most 2^{self.bits} in magnitude"
        return (
            f"not certified exact: {values}, which no format holds"
            if not self.formats
            else f"exact, nothing rounds in {', '.join(self.formats)}: {values}"
        )


def certify(tree: Tree, primitives: PrimitiveSet | None) -> Certificate:
    """The certificate of a formula, given the bounds of its sensors."""
    seen: list[Grid] = []
    if why := _grids(tree, primitives, {}, seen):
        return Certificate((), why)
    formats = tuple(known.name for known in FORMATS if all(map(known.holds, seen)))
    step = min(grid.exponent for grid in seen)
    bits = max((grid.largest - 1).bit_length() + grid.exponent if grid.largest else 0 for grid in seen)
    return Certificate(formats, step=step, bits=max(bits, 0))


def _grids(
    tree: Tree, primitives: PrimitiveSet | None, known: Mapping[Symbol, Grid], seen: list[Grid]
) -> str:
    """Add the grid of every node to ``seen``, the root's last; return "", or the reason why a node has no grid.

    Args:
        tree: a formula, or the body of a function.
        primitives: the sensors.
        known: the grids of the function's operands, by parameter name.
        seen: the grids so far.
    """
    for symbol in tree.symbols:
        if symbol not in known and not isinstance(symbol, Function) and (why := _unknown(symbol, primitives)):
            return why
    waiting: list[Grid] = []  # the grids of complete operands, the leftmost last
    for symbol, size in zip(reversed(tree.symbols), reversed(tree.sizes), strict=True):
        operands = [waiting.pop() for _ in range(NOTATION[symbol].arity if size > 1 else 0)]
        if isinstance(symbol, Function):
            own = dict[Symbol, Grid](zip(symbol.parameters, operands, strict=True))
            if why := _grids(symbol.body, None, own, seen):
                return why
            waiting.append(seen[-1])
            continue
        grid = known.get(symbol)
        if operands:
            grid = RESULTS[str(symbol)](*operands)
        elif is_constant(symbol):
            grid = of_constant(symbol)
        elif grid is None and primitives is not None and (sensor := primitives.sensor(symbol)):
            grid = of_sensor(sensor)
        assert grid is not None, "its bounds are known"
        if size > 1 and (grid.largest.bit_length() > _MOST_BITS or abs(grid.exponent) > _MOST_BITS):
            return "its values need too many bits"
        waiting.append(grid)
        seen.append(grid)
    return ""


def on_grid(program: TreeProgram, step: int) -> TreeProgram:
    """The program with every constant rounded to the nearest multiple of 2^``step``."""
    return TreeProgram(program.names, tuple(round_constants(tree, 2.0**step) for tree in program.trees))


def _unknown(symbol: Symbol, primitives: PrimitiveSet | None) -> str:
    """The reason why the grid of a node is unknown; empty if the grid is known."""
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
