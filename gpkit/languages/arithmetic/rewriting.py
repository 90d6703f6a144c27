"""Rules that make formulas smaller: which nodes equal which smaller ones, in doubles and not only in algebra.

``exact`` rules keep every bit of the value for all inputs, infinities, NaN and both zeros among them. ``up_to_sign``
rules may turn −0.0 into 0.0 or back; no operator of the language tells the two zeros apart (division by either gives
1.0), so they keep every value but for the sign of a zero, and every decision.

No rule removes, doubles or reorders ``math.random()``: the numbers go to its occurrences in the order of the text.
"""

import math
from collections.abc import Callable

from gpkit.genomes.tree import Symbol
from gpkit.languages.arithmetic.terms import Terms

Node = tuple[Symbol, tuple[int, ...]]
"""A symbol over terms."""

Rules = Callable[[Terms, Symbol, tuple[int, ...]], Node | None]
"""Gives a smaller node with the same value, or None; the operands are simplified already."""


def make(terms: Terms, rules: Rules, symbol: Symbol, operands: tuple[int, ...]) -> int:
    """The term of a node after all rules that apply to it."""
    rewritten: Node | None = (symbol, operands)
    while rewritten is not None:
        symbol, operands = rewritten
        rewritten = rules(terms, symbol, operands)
    return terms.add(symbol, *operands)


def exact(terms: Terms, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
    """The rules that keep every bit."""
    value = terms.values[terms.add(symbol, *operands)]
    if operands and value is not None and _is_literal(value):
        return value, ()
    match symbol, operands:
        case "+", (a, b):
            return _sum(terms, a, b)
        case "-", (a, b):
            return _difference(terms, a, b)
        case "*", (a, b):
            return _product(terms, a, b)
        case "/", (a, b):
            return _quotient(terms, a, b)
        case "min" | "max", (a, b):
            return _node(terms, a) if terms.same(a, b) else None
        case "ifle", (a, b, x, y):
            return _choice(terms, a, b, x, y)
        case "neg", (a,):
            return _negation(terms, a)
        case "abs", (a,):
            return _node(terms, a) if terms.symbols[a] in ("abs", "sqrt") else None
        case "floor", (a,):
            return _node(terms, a) if terms.symbols[a] == "floor" else None
    return None


def up_to_sign(terms: Terms, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
    """The further rules that keep everything but the sign of zeros."""
    if operands and terms.values[terms.add(symbol, *operands)] == 0.0:
        return 0.0, ()
    match symbol, operands:
        case "+", (a, b) if terms.symbols[b] == 0.0:
            return _node(terms, a)
        case "+", (a, b) if terms.symbols[a] == 0.0:
            return _node(terms, b)
        case "-", (a, b) if terms.symbols[a] == 0.0:
            return "neg", (b,)
        case "neg", (a,) if terms.symbols[a] == "-" and _may_swap(terms, *terms.operands[a]):
            return "-", terms.operands[a][::-1]
        case "abs", (a,) if terms.symbols[a] == "neg":
            return "abs", terms.operands[a]
    return None


def _sum(terms: Terms, a: int, b: int) -> Node | None:
    if terms.symbols[b] == "neg":
        return "-", (a, *terms.operands[b])
    if terms.symbols[a] == "neg" and _may_swap(terms, a, b):
        return "-", (b, *terms.operands[a])
    if terms.same(a, b) and terms.operands[a]:
        return "*", (a, terms.add(2.0))
    return None


def _difference(terms: Terms, a: int, b: int) -> Node | None:
    if terms.symbols[b] == 0.0:
        return _node(terms, a)
    if terms.symbols[b] == "neg":
        return "+", (a, *terms.operands[b])
    return None


def _product(terms: Terms, a: int, b: int) -> Node | None:
    if terms.symbols[b] == 1.0:
        return _node(terms, a)
    if terms.symbols[a] == 1.0:
        return _node(terms, b)
    if terms.symbols[b] == -1.0:
        return "neg", (a,)
    if terms.symbols[a] == -1.0:
        return "neg", (b,)
    return _signs_cancel(terms, "*", a, b)


def _quotient(terms: Terms, a: int, b: int) -> Node | None:
    if terms.symbols[b] == 0.0 and not terms.random[a]:
        return 1.0, ()
    if terms.symbols[b] == 1.0:
        return _node(terms, a)
    if terms.symbols[b] == -1.0:
        return "neg", (a,)
    return _signs_cancel(terms, "/", a, b)


def _signs_cancel(terms: Terms, symbol: Symbol, a: int, b: int) -> Node | None:
    """Of two signs under a product or quotient both go, or one into a constant; zero divisors stay zero divisors."""
    if terms.symbols[a] == terms.symbols[b] == "neg":
        return symbol, (*terms.operands[a], *terms.operands[b])
    if terms.symbols[a] == "neg" and (minus := _opposite(terms, b)) is not None:
        return symbol, (*terms.operands[a], minus)
    if terms.symbols[b] == "neg" and (minus := _opposite(terms, a)) is not None:
        return symbol, (minus, *terms.operands[b])
    return None


def _negation(terms: Terms, a: int) -> Node | None:
    symbol = terms.symbols[a]
    if symbol == "neg":
        return _node(terms, terms.operands[a][0])
    if symbol in ("*", "/"):
        left, right = terms.operands[a]
        if (minus := _opposite(terms, right)) is not None:
            return symbol, (left, minus)
        if (
            symbol == "*" and (minus := _opposite(terms, left)) is not None
        ):  # -(c / x) is -1 at zero, -c / x is 1
            return symbol, (minus, right)
    return None


def _choice(terms: Terms, a: int, b: int, x: int, y: int) -> Node | None:
    if terms.random[a] or terms.random[b]:
        return None
    if terms.same(x, y):
        return _node(terms, x)
    low, high = terms.values[a], terms.values[b]
    if low is None or high is None:
        return None
    taken, other = (x, y) if low <= high else (y, x)
    return None if terms.random[other] else _node(terms, taken)


def _node(terms: Terms, term: int) -> Node:
    return terms.symbols[term], terms.operands[term]


def _opposite(terms: Terms, term: int) -> int | None:
    """The constant with the other sign, for a constant that is not zero."""
    symbol = terms.symbols[term]
    return terms.add(-symbol) if isinstance(symbol, float) and symbol != 0.0 else None


def _may_swap(terms: Terms, a: int, b: int) -> bool:
    return not (terms.random[a] and terms.random[b])


def _is_literal(value: float) -> bool:
    """Whether a constant can have this value: finite and not −0.0."""
    return math.isfinite(value) and not (value == 0.0 and math.copysign(1.0, value) < 0.0)
