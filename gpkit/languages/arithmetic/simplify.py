"""Smaller formulas with the same values, or the same decisions, by rules that hold in doubles, not only in algebra.

``exact`` rules keep every bit of the value for all inputs, infinities, NaN and both zeros among them. ``up_to_sign``
rules may turn −0.0 into 0.0 or back; no operator of the language tells the two zeros apart (division by either gives
1.0), so they keep every value but for the sign of a zero, and every decision.

No rule removes, doubles or reorders ``math.random()``: the numbers go to its occurrences in the order of the text.
"""

import math
from collections.abc import Callable, Sequence

from gpkit.core.primitives import Sensor
from gpkit.genomes.tree import Symbol, Tree, leaf
from gpkit.languages.arithmetic.terms import Grids, Terms

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
            return _node(terms, a) if terms.symbols[a] in ("abs", "sqrt", "exp", "square") else None
        case "square", (a,):
            return ("square", terms.operands[a]) if terms.symbols[a] in ("neg", "abs") else None
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


def simplify(tree: Tree) -> Tree:
    """A formula of at most as many nodes with the same value, bit for bit, for all inputs and random numbers.

    All NaN count as one. Infinities, NaN and both zeros may be among the inputs; that is why ``x + 0.0`` (not -0.0 for
    x = -0.0), ``x - x`` and ``x * 0.0`` (NaN for infinite x) stay.
    """
    terms = Terms()
    return terms.tree(_rebuilt(terms, exact, tree))


def simplify_decision(tree: Tree, sensors: Sequence[Sensor] = ()) -> Tree:
    """A formula of at most as many nodes that chooses the same candidate from every list of candidates.

    The choice is that of the highest value, the first of equal ones, with NaN below everything. Without ``sensors``
    this holds for all inputs. With them it holds for inputs within their bounds, and more can go: parts that are zero
    or one for finite numbers, and at the root what shifts or scales the values of all candidates alike, as far as it
    is proved that rounding merges none of them.
    """
    found = _decision(tree, sensors)
    exactly = simplify(tree)  # where a sign is dropped early, two of them no longer meet
    return found if len(found) <= len(exactly) else _decision(exactly, sensors)


def _decision(tree: Tree, sensors: Sequence[Sensor]) -> Tree:
    terms = Terms()
    grids = Grids(terms, sensors)
    rules = _decision_rules(grids)
    root = _rebuilt(terms, rules, tree)
    common = terms.over({sensor.name for sensor in sensors if sensor.shared})
    if common[root]:
        return leaf(0.0)
    return terms.tree(_strip(terms, rules, grids, common, root))


def _rebuilt(terms: Terms, rules: Rules, tree: Tree) -> int:
    """The term of a formula whose nodes are made with these rules."""
    return terms.add_tree(tree, lambda symbol, *operands: make(terms, rules, symbol, operands))[0]


def _decision_rules(grids: Grids) -> Rules:
    """Every rule that keeps decisions, with the numbers of each grid known to be finite."""

    def rules(terms: Terms, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
        return (
            exact(terms, symbol, operands)
            or up_to_sign(terms, symbol, operands)
            or _finite(terms, grids, symbol, operands)
        )

    return rules


def _finite(terms: Terms, grids: Grids, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
    if len(operands) != 2 or any(grids.of(operand) is None for operand in operands):
        return None
    same = terms.same(*operands)
    if (symbol == "-" and same) or (
        symbol == "*" and 0.0 in (terms.symbols[operand] for operand in operands)
    ):
        return 0.0, ()
    return (1.0, ()) if symbol == "/" and same else None


def _strip(terms: Terms, rules: Rules, grids: Grids, common: Sequence[bool], root: int) -> int:
    """The root without what shifts or scales all candidates alike, one operator at a time.

    Args:
        terms: the table.
        rules: how to make a node.
        grids: what is computed exactly.
        common: by term, whether all candidates share its value; not so at the root.
        root: the term to begin with.
    """
    opposite = False
    while grids.of(root) is not None and terms.symbols[root] in ("neg", "+", "-", "*"):
        symbol, operands = terms.symbols[root], terms.operands[root]
        kept = next(operand for operand in operands if not common[operand])
        if symbol == "neg":
            turns = True
        elif not any(common[operand] for operand in operands):
            break
        elif symbol == "*":
            factor = grids.of(next(operand for operand in operands if common[operand]))
            assert factor is not None
            if factor.low <= 0 <= factor.high:
                break
            turns = factor.high < 0
        else:
            turns = symbol == "-" and kept == operands[1]
        root, opposite = kept, opposite != turns
    return make(terms, rules, "neg", (root,)) if opposite else root
