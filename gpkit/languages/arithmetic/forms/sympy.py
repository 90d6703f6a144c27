"""Formulas as expressions of SymPy.

Kept as they are, they compute the same doubles by ``lambdify``: every node stays, with its operands, but for parts of
constants alone, which are numbers. SymPy would group the factors of a negative product anew when it prints it; a sign
therefore stands before a product of two factors or before one of its factors, which changes no value.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.export.sympy import number
from gpkit.genomes.tree import Tree, is_constant
from gpkit.langkit.operators import NOTATION
from gpkit.languages.arithmetic.simplify import simplify

MAX_DEPTH = 100
"""The most nodes from the root of a formula to a leaf; SymPy prints by recursion, several calls a node."""


def expression(tree: Tree, symbols: Mapping[str, Any], sympy: Any, is_simplified: bool) -> Any:
    """The expression of a formula.

    Raises:
        UsageError: it is too deep for SymPy.
    """
    if is_simplified:
        tree = simplify(tree)
    if tree.depth > MAX_DEPTH:
        raise UsageError(f"SymPy takes formulas of at most {MAX_DEPTH} levels, and this one has {tree.depth}")
    operators = _Operators(sympy, is_simplified)
    operands: list[Any] = []  # of what comes further to the left, the nearest last
    for symbol, size in zip(reversed(tree.symbols), reversed(tree.sizes), strict=True):
        if is_constant(symbol):
            operands.append(number(symbol, sympy))
        elif size == 1:
            operands.append(symbols[symbol])
        else:
            notation = NOTATION[symbol]
            taken = [operands.pop() for _ in range(notation.arity)]
            if all(each.is_Number for each in taken):
                operands.append(number(notation.meaning(*map(float, taken)), sympy))
            else:
                operands.append(getattr(operators, _NAMES.get(symbol, symbol))(*taken))
    return operands[0]


_NAMES = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
"""The methods of operators whose name is a sign."""


def kept_cases(cases: Sequence[tuple[Any, Any]], sympy: Any) -> Any:
    """A ``Piecewise`` of values with their conditions, as they are.

    Made in the usual way, it would turn choices in its conditions inside out, even unevaluated.
    """
    pairs = [
        sympy.Basic.__new__(sympy.functions.elementary.piecewise.ExprCondPair, *map(sympy.sympify, case))
        for case in cases
    ]
    return sympy.Basic.__new__(sympy.Piecewise, *pairs)


class _Operators:
    """Operators on expressions; a condition on a constant is decided here."""

    def __init__(self, sympy: Any, evaluate: bool) -> None:
        self.sympy, self.evaluate = sympy, evaluate

    def _make(self, name: str, *operands: Any) -> Any:
        return getattr(self.sympy, name)(*operands, evaluate=self.evaluate)

    def _cases(self, *cases: tuple[Any, Any]) -> Any:
        """A choice, without the cases that cannot be."""
        possible = []
        for value, condition in cases:
            if condition == False:  # noqa: E712 - also SymPy's
                continue
            possible.append((value, condition))
            if condition == True:  # noqa: E712 - also SymPy's
                break
        if len(possible) == 1:
            return possible[0][0]
        return self.sympy.Piecewise(*possible) if self.evaluate else kept_cases(possible, self.sympy)

    def _test(self, relation: str, a: Any, b: Any) -> Any:
        """A comparison."""
        if self.sympy.nan in (a, b):
            return self.sympy.sympify(relation == "Ne")
        return getattr(self.sympy, relation)(a, b, evaluate=self.evaluate or (a.is_Number and b.is_Number))

    def add(self, a: Any, b: Any) -> Any:
        return self._make("Add", a, b)

    def subtract(self, a: Any, b: Any) -> Any:
        return self._make("Add", a, self.neg(b))

    def neg(self, a: Any) -> Any:
        minus = self.sympy.Integer(-1)
        if a.is_Float or self.evaluate or not a.is_Mul:
            return -a if a.is_Float else self._make("Mul", minus, a)
        first, second = a.args
        if first == minus:
            return second
        if not (first.is_Mul or second.is_Mul):
            return self._make("Mul", minus, a)
        if first.is_Float:
            return self._make("Mul", first, self.neg(second))
        return self._make("Mul", self.neg(first), second)

    def multiply(self, a: Any, b: Any) -> Any:
        if self.evaluate:
            return a * b
        for constant, other in ((a, b), (b, a)):
            if constant.is_Float and constant < 0:
                return self.neg(self._make("Mul", -constant, other))
        return self._make("Mul", a, b)

    def divide(self, a: Any, b: Any) -> Any:
        quotient = self.multiply(a, self._make("Pow", b, self.sympy.Integer(-1)))
        zero = self.sympy.Integer(0)
        return self._cases((quotient, self._test("Ne", b, zero)), (self.sympy.Float(1.0), True))

    def min(self, a: Any, b: Any) -> Any:
        return (
            self._make("Min", a, b) if self.evaluate else self._cases((b, self._test("Lt", b, a)), (a, True))
        )

    def max(self, a: Any, b: Any) -> Any:
        return (
            self._make("Max", a, b) if self.evaluate else self._cases((b, self._test("Gt", b, a)), (a, True))
        )

    def abs(self, a: Any) -> Any:
        return self._make("Abs", a)

    def sqrt(self, a: Any) -> Any:
        root = self._make("Pow", a, self.sympy.Rational(1, 2))
        return self._positive(root, a)

    def log(self, a: Any) -> Any:
        return self._positive(self._make("log", a), a)

    def _positive(self, value: Any, a: Any) -> Any:
        zero = self.sympy.Integer(0)
        return self._cases((value, self._test("Gt", a, zero)), (self.sympy.Float(0.0), True))

    def square(self, a: Any) -> Any:
        return self.multiply(a, a)

    def floor(self, a: Any) -> Any:
        return self._make("floor", a)

    def ifle(self, a: Any, b: Any, x: Any, y: Any) -> Any:
        return self._cases((x, self._test("Le", a, b)), (y, True))

    def exp(self, a: Any) -> Any:
        return self._make("exp", a)

    def tanh(self, a: Any) -> Any:
        return self._make("tanh", a)

    def sin(self, a: Any) -> Any:
        return self._finite(self._make("sin", a), a)

    def cos(self, a: Any) -> Any:
        return self._finite(self._make("cos", a), a)

    def _finite(self, value: Any, a: Any) -> Any:
        is_finite = self._test("Lt", self._make("Abs", a), self.sympy.oo)
        return self._cases((value, is_finite), (self.sympy.Float(0.0), True))

    def pow(self, a: Any, b: Any) -> Any:
        sympy, zero = self.sympy, self.sympy.Integer(0)
        is_whole = b.is_Float and float(b).is_integer()
        value = self._make("Pow", a, sympy.Integer(int(b)) if is_whole else b)
        divides = sympy.And(self._test("Eq", a, zero), self._test("Lt", b, zero))
        whole = sympy.true if is_whole else self._test("Eq", b, self.floor(b))
        is_real = sympy.Or(self._test("Ge", a, zero), sympy.false if b.is_Float and not is_whole else whole)
        return self._cases((sympy.Float(1.0), divides), (value, is_real), (sympy.Float(0.0), True))
