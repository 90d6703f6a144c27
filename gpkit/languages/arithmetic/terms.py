"""Formulas as shared nodes: equal subtrees are one number, so that they compare at once, however large."""

from collections.abc import Set

from gpkit.core.primitives import RANDOM
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
