"""The equations of FastSRB, their points, and a test of whether a formula is one of the forms that count.

Source: V. Martinek, FastSRB (``experiments/data/fastsrb/``). These functions follow its Julia functions.
"""

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.core.arrays import Floats
from gpkit_experiments.cells import Cell

FOLDER = Path(__file__).parents[1] / "data" / "fastsrb"

ERROR = 1e-8
"""The largest relative error that a formula may have to count as the equation."""

DIGITS = 5
"""The number of digits to which numbers are rounded before forms are compared."""

ACCEPTABLE = 1.2
"""The maximum number of nodes of an acceptable formula, as a multiple of the equation's nodes."""


# Equations.


@dataclass(frozen=True, slots=True)
class Equation:
    """An equation of the benchmark.

    Attributes:
        name: the name, such as ``I.12.2``.
        formula: the formula in the variables ``v1``, ``v2`` ..., in Julia's notation.
        forms: the forms that count.
        ranges: for each variable, the low and high ends, the distribution (``uni``, ``log``, ``int``) and the sign
            (``pos``, ``pos_neg``).
    """

    name: str
    formula: str
    forms: tuple[str, ...]
    ranges: tuple[tuple[float, float, str, str], ...]

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(f"v{place}" for place in range(1, len(self.ranges) + 1))


@cache
def equations() -> dict[str, Equation]:
    """All equations by name, in the order of the file."""
    text = (FOLDER / "expressions.yaml").read_text(encoding="utf-8")
    found = {}
    for name, entry in import_module("yaml").safe_load(text).items():
        ranges = []
        for place in range(1, len(entry["vars"]) + 1):
            values = entry["vars"].get(f"v{place}", {})
            if "sample_range" in values:
                low, high = map(float, values["sample_range"][:2])  # YAML 1.1 takes 1.0e1 for a word
                ranges.append((low, high, *values["sample_type"]))
        found[name] = Equation(name, entry["prepared"], tuple(entry["accept"]), tuple(ranges))
    return found


def evaluated(text: str, meaning: Callable[..., Any]) -> Any:
    """The value of a formula in Julia's notation.

    Args:
        text: the formula, made of numbers, variables, ``+ - * / ^`` and calls.
        meaning: returns the value of a name with its operands; a number or the name of a variable has no operands.
    """

    def value(node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=float() | int() as number):
                return meaning(float(number))
            case ast.Name(id=name):
                return meaning(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return meaning("neg", value(operand))
            case ast.BinOp(left=left, op=sign, right=right):
                return meaning(SIGNS[type(sign)], value(left), value(right))
            case ast.Call(func=ast.Name(id=name), args=operands):
                return meaning(name, *map(value, operands))
        raise AssertionError(f"no formula: {ast.dump(node)}")

    return value(ast.parse(text.replace("^", "**"), mode="eval").body)


SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "pow",
}


def on_arrays(columns: Mapping[str, Floats], name: Any, *operands: Any) -> Any:
    """The meaning of a name on arrays."""
    if not operands:
        return columns.get(name, name)
    with np.errstate(all="ignore"):
        return ARRAYS[name](*operands)


ARRAYS: Mapping[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "pow": np.power,
    "neg": np.negative,
    **{name: getattr(np, name) for name in ("sqrt", "log", "exp", "sin", "cos", "tanh")},
}


def points(equation: Equation, count: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Points at which the equation is finite, float64 (variables, points), and their targets."""
    parts: list[Floats] = []
    while sum(part.shape[1] for part in parts) < count:
        columns = np.array([drawn(count, *each, rng) for each in equation.ranges])
        named = dict(zip(equation.variables, columns, strict=True))
        targets = np.broadcast_to(evaluated(equation.formula, partial(on_arrays, named)), count)
        rows = np.vstack([columns, targets])
        parts.append(rows[:, np.isfinite(rows).all(axis=0)])
    whole = np.hstack(parts)[:, :count]
    return whole[:-1], whole[-1]


def drawn(
    count: int, low: float, high: float, distribution: str, sign: str, rng: np.random.Generator
) -> Floats:
    """Random values of a variable: float64 (count,)."""
    if distribution == "log":
        low, high = math.log10(low), math.log10(high)
    values: Floats = rng.uniform(low, high, count)
    if distribution == "log":
        values = 10.0**values
    if sign == "pos_neg":
        values = values * rng.choice((-1.0, 1.0), count)
    return np.round(values) if distribution == "int" else values


# Forms.


def in_sympy(symbols: Mapping[str, Any], name: Any, *operands: Any) -> Any:
    """The meaning of a name as a SymPy expression without protection; whole numbers become integers."""
    sympy = import_module("sympy")
    if not operands:
        return symbols[name] if isinstance(name, str) else exact(sympy.Float(name, 17), sympy)
    match name, operands:
        case "+", (a, b):
            return a + b
        case "-", (a, b):
            return a - b
        case "*", (a, b):
            return a * b
        case "/", (a, b):
            return a / b
        case "pow", (a, b):
            return a**b
        case "square", (a,):
            return a**2
        case "neg", (a,):
            return -a
    return getattr(sympy, name)(*operands)


def exact(number: Any, sympy: Any) -> Any:
    """A number, as an exact integer or half-integer if it is one within 1e-8."""
    doubled = 2 * float(number)
    if 0.5 < abs(doubled) < 1e6 and abs(doubled - round(doubled)) <= ERROR * abs(doubled):
        return sympy.Rational(round(doubled), 2)
    return number


def rounded(expression: Any) -> Any:
    """The expression with its numbers rounded; integers and half-integers become exact."""
    sympy = import_module("sympy")
    numbers = {}
    for number in expression.atoms(sympy.Number):
        if number != 0 and number.is_finite and not number.is_Integer:
            nearest = exact(number, sympy)
            is_short = nearest.is_Rational and nearest.q <= 2
            numbers[number] = nearest if is_short else sympy.Float(f"{float(number):.{DIGITS - 1}e}", DIGITS)
    return expression.xreplace(numbers)


def binary_nodes(expression: Any) -> int:
    """The number of operators and operands of an expression if every sum and product has two operands."""
    if not expression.args:
        return 1
    parts = sum(map(binary_nodes, expression.args))
    return parts + (len(expression.args) - 1 if expression.is_Add or expression.is_Mul else 1)


def variants(expression: Any) -> set[Any]:
    """The forms in which SymPy writes an expression, rounded."""
    sympy = import_module("sympy")
    ways = (lambda e: e, sympy.simplify, sympy.expand, sympy.factor, sympy.together, sympy.powsimp)
    return {rounded(way(expression)) for way in ways}


def symbols_of(equation: Equation) -> dict[str, Any]:
    """The symbols of the variables: real, and positive if the equation draws only positive values."""
    sympy = import_module("sympy")
    return {
        name: sympy.Symbol(name, real=True, **({"positive": True} if sign == "pos" and low > 0 else {}))
        for name, (low, _high, _distribution, sign) in zip(equation.variables, equation.ranges, strict=True)
    }


def largest_error(expression: Any, names: Sequence[str], columns: Floats, targets: Floats) -> float:
    """The largest relative error of an expression at the points; infinite if it divides by the constant 0."""
    sympy = import_module("sympy")
    if expression.has(sympy.zoo):  # which ``lambdify`` cannot write
        return math.inf
    symbols = {each.name: each for each in expression.free_symbols}
    with np.errstate(all="ignore"):
        function = sympy.lambdify([symbols.get(name, sympy.Symbol(name)) for name in names], expression)
        misses = np.abs(function(*columns) - targets)
        errors = np.where(misses == 0.0, 0.0, misses / np.abs(targets))
    return float(errors.max()) if np.isrealobj(errors) and not np.isnan(errors).any() else math.inf


def judged(expression: Any, equation: Equation, columns: Floats, targets: Floats) -> Cell:
    """The judgement on a formula: ``error``, ``listed``, ``acceptable`` and ``formula``, as far as they are known."""
    sympy = import_module("sympy")
    names = equation.variables
    found: Cell = {"largest": largest_error(expression, names, columns, targets), "success": False}
    if found["largest"] > ERROR:
        return found | {"acceptable": False, "formula": str(expression)}
    shorter = expression
    for node in expression.atoms(sympy.Add):  # offsets that the fit left where there are none
        number = node.as_coeff_Add()[0]
        without = shorter.xreplace({node: node - number})
        if number != 0 and largest_error(without, names, columns, targets) <= ERROR:
            shorter = without
    symbols = symbols_of(equation)
    forms = [evaluated(text, partial(in_sympy, symbols)) for text in equation.forms]
    ours = variants(expression) | variants(shorter)
    shortest = min(ours, key=binary_nodes)
    is_short = binary_nodes(shortest) <= ACCEPTABLE * binary_nodes(rounded(forms[0]))
    uses_all = shortest.free_symbols == forms[0].free_symbols
    is_listed = any(ours & variants(form) for form in forms)
    return found | {
        "success": is_listed,
        "acceptable": is_listed or (is_short and uses_all),
        "formula": str(shortest),
    }
