"""Formulas as shared nodes: equal subtrees are one number, so that they compare at once, however large.

Grids are an abstract interpretation of their values, as far as it proves that arithmetic rounds nothing. Whole numbers
stay whole under sums, differences and products, and doubles hold all of them up to 2^53; the same for multiples of any
power of two. Where both bounds hold, a formula over whole-numbered sensors is exact, and adding a number to it keeps
differences apart that rounding could merge.
"""

import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from gpkit.core.primitives import RANDOM, Sensor
from gpkit.genomes.tree import Symbol, Tree, from_prefix
from gpkit.langkit.operators import NOTATION


class Terms:
    """A table that grows: a term is its index, made of a symbol and earlier terms.

    Attributes:
        symbols: the symbol of each term.
        operands: the terms under each term, from left to right.
        values: the value of each term that reads neither a sensor nor a random number, else None.
        random: whether a term draws random numbers; two equal ones of these have different values.
    """

    def __init__(self) -> None:
        self.symbols: list[Symbol] = []
        self.operands: list[tuple[int, ...]] = []
        self.values: list[float | None] = []
        self.random: list[bool] = []
        self._known: dict[tuple[Symbol, tuple[int, ...]], int] = {}

    def add(self, symbol: Symbol, *operands: int) -> int:
        """The term of this symbol over these terms."""
        key = (symbol, operands)
        if key not in self._known:
            self._known[key] = len(self.symbols)
            self.symbols.append(symbol)
            self.operands.append(operands)
            self.values.append(self._value(symbol, operands))
            self.random.append(symbol == RANDOM or any(self.random[operand] for operand in operands))
        return self._known[key]

    def add_tree(self, tree: Tree) -> list[int]:
        """The term of every subtree of a formula, by its position."""
        terms = [0] * len(tree)
        for position in range(len(tree) - 1, -1, -1):
            children = (terms[child] for child in tree.children(position))
            terms[position] = self.add(tree.symbols[position], *children)
        return terms

    def same(self, a: int, b: int) -> bool:
        """Whether two terms have the same value wherever they are evaluated, bit for bit."""
        return a == b and not self.random[a]

    def over(self, names: Set[str]) -> list[bool]:
        """For each term so far whether its only leaves are constants and sensors of these names."""
        found: list[bool] = []
        for symbol, operands in zip(self.symbols, self.operands, strict=True):
            known = isinstance(symbol, float) or symbol in names
            found.append(all(found[operand] for operand in operands) if operands else known)
        return found

    def tree(self, term: int) -> Tree:
        """A term as a formula."""
        symbols: list[Symbol] = []
        arities: list[int] = []
        pending = [term]
        while pending:
            term = pending.pop()
            symbols.append(self.symbols[term])
            arities.append(len(self.operands[term]))
            pending.extend(reversed(self.operands[term]))
        return from_prefix(symbols, arities)

    def _value(self, symbol: Symbol, operands: tuple[int, ...]) -> float | None:
        if isinstance(symbol, float):
            return symbol
        values = [value for operand in operands if (value := self.values[operand]) is not None]
        return NOTATION[symbol].meaning(*values) if operands and len(values) == len(operands) else None


LARGEST = 1 << 53
"""Doubles hold every whole number up to this."""

EXPONENTS = range(-1022, 900)
"""Exponents at which multiples up to LARGEST are normal numbers, far from overflow."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The numbers ``k * 2**exponent`` for every whole k of ``low`` … ``high``."""

    low: int
    high: int
    exponent: int = 0

    @property
    def exact(self) -> bool:
        """Whether doubles hold all of them."""
        return max(-self.low, self.high) <= LARGEST and self.exponent in EXPONENTS


def sensor_grids(sensors: Sequence[Sensor]) -> dict[str, Grid]:
    """The grids of the sensors without fractions."""
    whole = [s for s in sensors if s.integer and math.isfinite(s.low) and math.isfinite(s.high)]
    return {s.name: Grid(math.ceil(s.low), math.floor(s.high)) for s in whole}


class Grids:
    """The grids of the terms of a table, made as they are asked for."""

    def __init__(self, terms: Terms, sensors: Mapping[str, Grid]) -> None:
        self._terms = terms
        self._sensors = sensors
        self._known: list[Grid | None] = []

    def of(self, term: int) -> Grid | None:
        """A grid that holds every value of a term, which is computed exactly; None where that is not proved."""
        while len(self._known) <= term:  # operands come before what is made of them
            grid = self._derive(len(self._known))
            self._known.append(grid if grid is not None and grid.exact else None)
        return self._known[term]

    def _derive(self, term: int) -> Grid | None:
        symbol = self._terms.symbols[term]
        if isinstance(symbol, float):
            return _of_constant(symbol)
        if symbol in self._sensors:
            return self._sensors[symbol]
        operands = [
            grid for operand in self._terms.operands[term] if (grid := self._known[operand]) is not None
        ]
        if symbol not in _DERIVATIONS or len(operands) < len(self._terms.operands[term]):
            return None
        return _DERIVATIONS[symbol](*operands)


def _of_constant(value: float) -> Grid:
    numerator, denominator = value.as_integer_ratio()
    twos = (numerator & -numerator).bit_length() - 1 if numerator else 0
    return Grid(numerator >> twos, numerator >> twos, twos - denominator.bit_length() + 1)


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
    return Grid(low, max(-a.low, a.high), a.exponent)


def _floor(a: Grid) -> Grid:
    return a if a.exponent >= 0 else Grid(a.low >> -a.exponent, a.high >> -a.exponent)


def _either(_: Grid, __: Grid, x: Grid, y: Grid) -> Grid:
    x, y = _aligned(x, y)
    return Grid(min(x.low, y.low), max(x.high, y.high), x.exponent)


_DERIVATIONS: dict[str, Callable[..., Grid]] = {
    "+": _sum,
    "-": lambda a, b: _sum(a, _negation(b)),
    "*": _product,
    "min": _minimum,
    "max": lambda a, b: _negation(_minimum(_negation(a), _negation(b))),
    "neg": _negation,
    "abs": _absolute,
    "floor": _floor,
    "ifle": _either,
}
"""Division and roots leave every grid."""
