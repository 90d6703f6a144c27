"""Smaller formulas with the same values, or the same decisions, by rules that hold in doubles, not only in algebra.

``exact`` rules keep every bit of the value for all inputs, infinities, NaN and both zeros among them. ``up_to_sign``
rules may turn −0.0 into 0.0 or back; no operator of the language tells the two zeros apart (division by either gives
1.0), so they keep every value but for the sign of a zero, and every decision.

No rule removes, doubles or reorders ``math.random()``: the numbers go to its occurrences in the order of the text.

Formulas share nodes: equal subtrees have the same number, so it takes one step to compare them, however large they are.
Doubles hold all whole numbers up to 2^53; the same for multiples of any power of two. Where the grids of a formula over
whole-numbered sensors (``gpkit.langkit.grids``) keep that bound, it is exact, and adding a number to it keeps
differences apart that rounding could merge.
"""

import math
from collections.abc import Callable, Sequence, Set

from gpkit.core.primitives import RANDOM, Sensor
from gpkit.genomes.tree import Symbol, Tree, leaf
from gpkit.langkit.grids import RESULTS, Grid, of_constant, of_sensor
from gpkit.langkit.operators import NOTATION

Node = tuple[Symbol, tuple[int, ...]]
"""A symbol over terms."""

Rules = Callable[["Terms", Symbol, tuple[int, ...]], Node | None]
"""Gives a smaller node with the same value, or None; the operands are simplified already."""

LARGEST = 1 << 53
"""Doubles hold every whole number up to this."""

EXPONENTS = range(-1022, 900)
"""Exponents at which multiples up to LARGEST are normal numbers, far from overflow."""


class Terms:
    """A table that grows: a term is its index, made of a symbol and earlier terms.

    Attributes:
        symbols: the symbol of each term.
        operands: the terms under each term, from left to right.
        values: the value of each term that reads neither a sensor nor a random number, else None.
        random: whether a term draws random numbers; two equal ones of these have different values.
    """

    def __init__(self, rules: Rules | None = None, sensors: Sequence[Sensor] = ()) -> None:
        """The ``rules`` make formulas smaller as they are added; ``sensors`` give the bounds of their values."""
        self.symbols: list[Symbol] = []
        self.operands: list[tuple[int, ...]] = []
        self.values: list[float | None] = []
        self.random: list[bool] = []
        self._known: dict[Node, int] = {}
        self._rules = rules
        self._sensors = {sensor.name: of_sensor(sensor) for sensor in sensors}
        self._grids: list[Grid | None] = []

    def add(self, symbol: Symbol, *operands: int) -> int:
        """The term of this symbol over these terms."""
        key = (symbol, operands)
        if key not in self._known:
            self._known[key] = len(self.symbols)
            value = symbol if isinstance(symbol, float) else None
            values = [known for operand in operands if (known := self.values[operand]) is not None]
            if operands and len(values) == len(operands):
                value = NOTATION[symbol].meaning(*values)
            self.symbols.append(symbol)
            self.operands.append(operands)
            self.values.append(value)
            self.random.append(symbol == RANDOM or any(self.random[operand] for operand in operands))
        return self._known[key]

    def make(self, symbol: Symbol, *operands: int) -> int:
        """The term of a symbol with these terms as operands, after all rules that apply."""
        while self._rules and (smaller := self._rules(self, symbol, operands)):
            symbol, operands = smaller
        return self.add(symbol, *operands)

    def add_tree(self, tree: Tree) -> list[int]:
        """The term of every subtree of a formula, by position, after all rules that apply."""
        terms = [0] * len(tree)
        for position in range(len(tree) - 1, -1, -1):
            children = (terms[child] for child in tree.children(position))
            terms[position] = self.make(tree.symbols[position], *children)
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

    def grid(self, term: int) -> Grid | None:
        """A grid that holds every value of a term, which is computed exactly; None where that is not proved."""
        for each in range(len(self._grids), term + 1):  # operands come before what is made of them
            symbol, operands = self.symbols[each], self.operands[each]
            under = [grid for operand in operands if (grid := self._grids[operand]) is not None]
            grid = None
            if isinstance(symbol, float):
                grid = of_constant(symbol)
            elif symbol in self._sensors:
                grid = self._sensors[symbol]
            elif symbol in RESULTS and len(under) == len(operands):
                grid = RESULTS[symbol](*under)
            fits = grid is not None and grid.largest <= LARGEST and grid.exponent in EXPONENTS
            self._grids.append(grid if fits else None)
        return self._grids[term]

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


def exact(terms: Terms, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
    """The rules that keep every bit."""
    value = terms.values[terms.add(symbol, *operands)]
    if operands and value is not None and math.isfinite(value) and repr(value) != "-0.0":
        return value, ()
    symbols, below = terms.symbols, terms.operands
    match symbol, operands:
        case "+", (a, b) if symbols[b] == "neg":
            return "-", (a, *below[b])
        case "+", (a, b) if symbols[a] == "neg" and _may_swap(terms, a, b):
            return "-", (b, *below[a])
        case "+", (a, b) if below[a] and terms.same(a, b):
            return "*", (a, terms.add(2.0))
        case "-", (a, b) if symbols[b] == "neg":
            return "+", (a, *below[b])
        case "-", (a, b) if symbols[b] == 0.0:
            return _node(terms, a)
        case "*", (a, b) if symbols[a] == 1.0:
            return _node(terms, b)
        case "*", (a, b) if symbols[a] == -1.0:
            return "neg", (b,)
        case "/", (a, b) if symbols[b] == 0.0:
            return None if terms.random[a] else (1.0, ())
        case "*" | "/", (a, b) if symbols[b] == 1.0:
            return _node(terms, a)
        case "*" | "/", (a, b) if symbols[b] == -1.0:
            return "neg", (a,)
        case "*" | "/", (a, b):
            return _signs_cancel(terms, symbol, a, b)
        case "min" | "max", (a, b) if terms.same(a, b):
            return _node(terms, a)
        case "ifle", (a, b, x, y):
            return _choice(terms, a, b, x, y)
        case "neg", (a,):
            return _negation(terms, a)
        case "abs", (a,) if symbols[a] in ("abs", "sqrt", "exp", "square"):
            return _node(terms, a)
        case "square", (a,) if symbols[a] in ("neg", "abs"):
            return "square", below[a]
        case "floor", (a,) if symbols[a] == "floor":
            return _node(terms, a)
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


def decisive(terms: Terms, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
    """Every rule that keeps decisions, with the numbers of each grid known to be finite."""
    found = exact(terms, symbol, operands) or up_to_sign(terms, symbol, operands)
    if found or len(operands) != 2 or any(terms.grid(operand) is None for operand in operands):
        return found
    same = terms.same(*operands)
    no_factor = symbol == "*" and 0.0 in (terms.symbols[operand] for operand in operands)
    if (symbol == "-" and same) or no_factor:
        return 0.0, ()
    return (1.0, ()) if symbol == "/" and same else None


def simplify(tree: Tree) -> Tree:
    """A formula of at most as many nodes with the same value, bit for bit, for all inputs and random numbers.

    All NaN count as one. Infinities, NaN and both zeros may be among the inputs; that is why ``x + 0.0`` (not -0.0 for
    x = -0.0), ``x - x`` and ``x * 0.0`` (NaN for infinite x) stay.
    """
    terms = Terms(exact)
    return terms.tree(terms.add_tree(tree)[0])


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
    terms = Terms(decisive, sensors)
    root = terms.add_tree(tree)[0]
    common = terms.over({sensor.name for sensor in sensors if sensor.shared})
    return leaf(0.0) if common[root] else terms.tree(_strip(terms, common, root))


def _strip(terms: Terms, common: Sequence[bool], root: int) -> int:
    """The root without what shifts or scales all candidates alike, one operator at a time.

    Args:
        terms: the table.
        common: by term, whether all candidates share its value; not so at the root.
        root: the term to begin with.
    """
    opposite = False
    while terms.grid(root) is not None and terms.symbols[root] in ("neg", "+", "-", "*"):
        symbol, operands = terms.symbols[root], terms.operands[root]
        kept = next(operand for operand in operands if not common[operand])
        if symbol == "neg":
            turns = True
        elif not any(common[operand] for operand in operands):
            break
        elif symbol == "*":
            factor = terms.grid(next(operand for operand in operands if common[operand]))
            assert factor is not None
            if factor.low <= 0 <= factor.high:
                break
            turns = factor.high < 0
        else:
            turns = symbol == "-" and kept == operands[1]
        root, opposite = kept, opposite != turns
    return terms.make("neg", root) if opposite else root
