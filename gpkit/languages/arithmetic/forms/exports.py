"""Exports formulas as functions, JSON, LaTeX and SymPy.

With ``lambdify``, an unsimplified SymPy expression computes the same doubles as the formula. The expression keeps every
node with its operands, except that parts without sensors become numbers. When SymPy prints a negative product, it
regroups the factors. Therefore, the export puts the minus sign before a product of two factors or before one of the
factors, which does not change the value.
"""

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export.certificate import certify
from gpkit.export.formulas import aligned, function_texts, latex_formula, left_sides, sympy_number
from gpkit.export.json import (
    Membership,
    function_members,
    own_among,
    read_again,
    read_formula,
    read_functions,
)
from gpkit.export.statements import Writer, statements
from gpkit.export.subject import Document, Exporting, Subject
from gpkit.genomes.tree import Function, Symbol, Tree, TreeProgram, is_constant, nodes_computed
from gpkit.langkit.foreign import Foreign
from gpkit.langkit.formulas import print_formula
from gpkit.langkit.operators import (
    MAX_NODES,
    NOTATION,
)
from gpkit.languages.arithmetic.simplify import simplify
from gpkit.languages.arithmetic.text import parse, print_article, print_program, title

if TYPE_CHECKING:
    from sympy import Expr


SHOWN = 100
"""The maximum number of nodes in a formula that a comment shows."""

_WIDEST = 400  # characters in the formula


def shown(tree: Tree) -> tuple[str, ...]:
    """The text of the formula if it is short; otherwise, an empty tuple."""
    formula = print_formula(tree) if len(tree) <= SHOWN else ""
    return (formula,) if 0 < len(formula) <= _WIDEST else ()


def statement(tree: Tree, primitives: PrimitiveSet | None) -> str:
    """A sentence about the numbers that a formula computes."""
    return certify(tree, primitives).statement


WRITER = Writer("formula", statements, title, statement, shown, print_article)


MEMBER = "formulas"


def members(subject: Subject) -> dict[str, Any]:
    """The formulas by section, and the functions that they call, if there are any."""
    program = subject.program
    formulas = {name: list(tree.symbols) for name, tree in program.parts.items()}
    return {MEMBER: formulas} | function_members(program.functions)


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[TreeProgram, Mapping[str, str]]:
    """The program with the formulas of a JSON object.

    Raises:
        UsageError: the object is not a program of formulas.
        LimitError: the program has too many nodes.
    """
    formulas = value.get(MEMBER)
    if not isinstance(formulas, dict) or not formulas:
        raise UsageError("a program needs `formulas`, an object with at least one formula")
    if sum(len(symbols) for symbols in formulas.values() if isinstance(symbols, list)) > MAX_NODES:
        raise LimitError(f"the program has more than {MAX_NODES} nodes")
    known = read_functions(value)
    trees = tuple(read_formula(symbols, name, known) for name, symbols in formulas.items())
    own = own_among(known)
    program = TreeProgram(tuple(formulas), trees, own)
    return read_again(program, print_program, parse) if own else program, {}


JSON = Membership(MEMBER, members, read)


_NOTES = {
    "/": "a quotient is 1 where its divisor is 0",
    "ifle": "ifle(a, b, x, y) is x if a <= b, else y",
    "sqrt": "a square root is 0 unless its operand is positive",
    "log": "a logarithm is 0 unless its operand is positive",
    "sin": "a sine is 0 where its operand is infinite",
    "cos": "a cosine is 0 where its operand is infinite",
    "pow": "a power is 1 where the base is 0 and the exponent negative, 0 where the base is negative and the "
    "exponent a fraction",
}


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The LaTeX file with the equations; comments above them explain the operators in ``_NOTES``."""
    program = subject.program
    used = {symbol for tree in (*program.trees, *program.bodies.values()) for symbol in tree.symbols}
    notes = [f"% {note}\n" for operator, note in _NOTES.items() if operator in used]
    lines = [*function_texts(program.functions)]
    lines += [(name, latex_formula(tree)) for name, tree in left_sides(subject)]
    equations = aligned(rf"{name} &= {text}" for name, text in lines)
    return (Document(".tex", "".join(notes) + equations),)


LATEX = Exporting(documents)


MAX_COMPUTED = 10_000
"""The maximum number of nodes that the export passes to SymPy, including the nodes of functions."""

MAX_DEPTH = 100
"""The maximum depth of a formula in nodes; SymPy prints expressions recursively, with several calls for each node."""


def expression(tree: Tree, symbols: Mapping[str, "Expr"], sympy: ModuleType, is_simplified: bool) -> "Expr":
    """The expression of a formula.

    Raises:
        UsageError: the formula is too deep for SymPy.
    """
    if is_simplified:
        tree = simplify(tree)
    if tree.depth > MAX_DEPTH:
        raise UsageError(
            f"SymPy accepts formulas of at most {MAX_DEPTH} levels, but this one has {tree.depth}"
        )
    if nodes_computed(tree) > MAX_COMPUTED:
        raise UsageError(
            f"SymPy expands functions, and this formula expands to more than {MAX_COMPUTED} nodes"
        )
    return _expression(tree, symbols, _Operators(sympy, is_simplified))


def _expression(tree: Tree, symbols: Mapping[str, "Expr"], operators: "_Operators") -> "Expr":
    """The expression of a formula, or of the body of a function whose operands are ``symbols``."""
    sympy = operators.sympy
    operands: list[Expr] = []  # operands of symbols further to the left, the nearest last
    for symbol, size in zip(reversed(tree.symbols), reversed(tree.sizes), strict=True):
        if is_constant(symbol):
            operands.append(sympy_number(symbol, sympy))
        elif size == 1:
            operands.append(symbols[symbol])
        else:
            notation = NOTATION[symbol]
            taken = [operands.pop() for _ in range(notation.arity)]
            if all(each.is_Number for each in taken):
                operands.append(sympy_number(notation.meaning(*map(float, taken)), sympy))
            elif isinstance(symbol, Function):
                operands.append(
                    _expression(symbol.body, dict(zip(symbol.parameters, taken, strict=True)), operators)
                )
            elif isinstance(symbol, Foreign):
                formula = sympy.sympify(symbol.text("sympy", symbol.parameters))
                operands.append(sympy.Lambda(tuple(map(sympy.Symbol, symbol.parameters)), formula)(*taken))
            else:
                operands.append(_OPERATORS[symbol](operators, *taken))
    return operands[0]


def kept_cases(cases: Sequence[tuple["Expr", "Expr | bool"]], sympy: ModuleType) -> "Expr":
    """A ``Piecewise`` with exactly these values and conditions.

    The usual constructor would rearrange choices inside the conditions, even with ``evaluate=False``.
    """
    return sympy.Basic.__new__(
        sympy.Piecewise,
        *[
            sympy.Basic.__new__(sympy.functions.elementary.piecewise.ExprCondPair, *map(sympy.sympify, case))
            for case in cases
        ],
    )


class _Operators:
    """Operators on expressions, which evaluate conditions on constants immediately."""

    def __init__(self, sympy: ModuleType, evaluate: bool) -> None:
        self.sympy, self.evaluate = sympy, evaluate

    def make(self, name: str, *operands: "Expr") -> "Expr":
        return getattr(self.sympy, name)(*operands, evaluate=self.evaluate)

    def cases(self, *cases: tuple["Expr", "Expr | bool"]) -> "Expr":
        """A choice between those cases that are possible."""
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

    def test(self, relation: str, a: "Expr", b: "Expr") -> "Expr":
        """A comparison of two expressions."""
        return (
            self.sympy.sympify(relation == "Ne")
            if self.sympy.nan in (a, b)
            else getattr(self.sympy, relation)(a, b, evaluate=self.evaluate or (a.is_Number and b.is_Number))
        )

    def neg(self, a: "Expr") -> "Expr":
        minus = self.sympy.Integer(-1)
        if a.is_Float or self.evaluate or not a.is_Mul:
            return -a if a.is_Float else self.make("Mul", minus, a)
        first, second = a.args
        if first == minus:
            return second
        return (
            self.make("Mul", minus, a)
            if not (first.is_Mul or second.is_Mul)
            else self.make("Mul", first, self.neg(second))
            if first.is_Float
            else self.make("Mul", self.neg(first), second)
        )

    def multiply(self, a: "Expr", b: "Expr") -> "Expr":
        if self.evaluate:
            return a * b
        for constant, other in ((a, b), (b, a)):
            if constant.is_Float and constant < 0:
                return self.neg(self.make("Mul", -constant, other))
        return self.make("Mul", a, b)

    def divide(self, a: "Expr", b: "Expr") -> "Expr":
        quotient = self.multiply(a, self.make("Pow", b, self.sympy.Integer(-1)))
        return self.cases(
            (quotient, self.test("Ne", b, self.sympy.Integer(0))), (self.sympy.Float(1.0), True)
        )

    def nearest(self, name: str, relation: str, a: "Expr", b: "Expr") -> "Expr":
        """The smaller or the larger of two values: b if the relation holds between b and a, else a."""
        return (
            self.make(name, a, b) if self.evaluate else self.cases((b, self.test(relation, b, a)), (a, True))
        )

    def positive(self, value: "Expr", a: "Expr") -> "Expr":
        return self.cases((value, self.test("Gt", a, self.sympy.Integer(0))), (self.sympy.Float(0.0), True))

    def finite(self, value: "Expr", a: "Expr") -> "Expr":
        is_finite = self.test("Lt", self.make("Abs", a), self.sympy.oo)
        return self.cases((value, is_finite), (self.sympy.Float(0.0), True))

    def pow(self, a: "Expr", b: "Expr") -> "Expr":
        sympy, zero = self.sympy, self.sympy.Integer(0)
        is_whole = b.is_Float and float(b).is_integer()
        value = self.make("Pow", a, sympy.Integer(int(b)) if is_whole else b)
        divides = sympy.And(self.test("Eq", a, zero), self.test("Lt", b, zero))
        whole = sympy.true if is_whole else self.test("Eq", b, self.make("floor", b))
        is_real = sympy.Or(self.test("Ge", a, zero), sympy.false if b.is_Float and not is_whole else whole)
        return self.cases((sympy.Float(1.0), divides), (value, is_real), (sympy.Float(0.0), True))


_OPERATORS: Mapping[Symbol, Callable[..., "Expr"]] = {
    "+": lambda own, a, b: own.make("Add", a, b),
    "-": lambda own, a, b: own.make("Add", a, own.neg(b)),
    "*": _Operators.multiply,
    "/": _Operators.divide,
    "min": lambda own, a, b: own.nearest("Min", "Lt", a, b),
    "max": lambda own, a, b: own.nearest("Max", "Gt", a, b),
    "neg": _Operators.neg,
    "abs": lambda own, a: own.make("Abs", a),
    "sqrt": lambda own, a: own.positive(own.make("Pow", a, own.sympy.Rational(1, 2)), a),
    "floor": lambda own, a: own.make("floor", a),
    "ifle": lambda own, a, b, x, y: own.cases((x, own.test("Le", a, b)), (y, True)),
    "log": lambda own, a: own.positive(own.make("log", a), a),
    "exp": lambda own, a: own.make("exp", a),
    "sin": lambda own, a: own.finite(own.make("sin", a), a),
    "cos": lambda own, a: own.finite(own.make("cos", a), a),
    "tanh": lambda own, a: own.make("tanh", a),
    "pow": _Operators.pow,
    "square": lambda own, a: own.multiply(a, a),
}
"""For each operator, a function that makes an expression from the operands."""
