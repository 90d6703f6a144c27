"""Formulas as shared nodes: equal subtrees are one number, so that they compare at once, however large.

Doubles hold all whole numbers up to 2^53; the same for multiples of any power of two. Where the grids of a formula over
whole-numbered sensors (``gpkit.langkit.grids``) keep that bound, it is exact, and adding a number to it keeps
differences apart that rounding could merge.
"""

from collections.abc import Callable, Sequence, Set

from gpkit.core.primitives import RANDOM, Sensor
from gpkit.genomes.tree import Symbol, Tree
from gpkit.langkit.grids import RESULTS, Grid, of_constant, of_sensor
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

    def add_tree(self, tree: Tree, add: Callable[..., int] | None = None) -> list[int]:
        """The term of every subtree of a formula, by its position, as ``add`` makes it, operands first."""
        terms = [0] * len(tree)
        for position in range(len(tree) - 1, -1, -1):
            children = (terms[child] for child in tree.children(position))
            terms[position] = (add or self.add)(tree.symbols[position], *children)
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
        return Tree.from_prefix(symbols, arities)

    def _value(self, symbol: Symbol, operands: tuple[int, ...]) -> float | None:
        if isinstance(symbol, float):
            return symbol
        values = [value for operand in operands if (value := self.values[operand]) is not None]
        return NOTATION[symbol].meaning(*values) if operands and len(values) == len(operands) else None


LARGEST = 1 << 53
"""Doubles hold every whole number up to this."""

EXPONENTS = range(-1022, 900)
"""Exponents at which multiples up to LARGEST are normal numbers, far from overflow."""


def exact(grid: Grid | None) -> Grid | None:
    """A grid of which doubles hold all numbers; None for others."""
    fits = grid is not None and grid.largest <= LARGEST and grid.exponent in EXPONENTS
    return grid if fits else None


class Grids:
    """The grids of the terms of a table, made as they are asked for."""

    def __init__(self, terms: Terms, sensors: Sequence[Sensor]) -> None:
        self._terms = terms
        self._sensors = {sensor.name: of_sensor(sensor) for sensor in sensors}
        self._known: list[Grid | None] = []

    def of(self, term: int) -> Grid | None:
        """A grid that holds every value of a term, which is computed exactly; None where that is not proved."""
        while len(self._known) <= term:  # operands come before what is made of them
            self._known.append(exact(self._derive(len(self._known))))
        return self._known[term]

    def _derive(self, term: int) -> Grid | None:
        symbol = self._terms.symbols[term]
        if isinstance(symbol, float):
            return of_constant(symbol)
        if symbol in self._sensors:
            return self._sensors[symbol]
        operands = [
            grid for operand in self._terms.operands[term] if (grid := self._known[operand]) is not None
        ]
        if symbol not in RESULTS or len(operands) < len(self._terms.operands[term]):
            return None
        return RESULTS[symbol](*operands)
