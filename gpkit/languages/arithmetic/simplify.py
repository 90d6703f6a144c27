"""Makes formulas smaller while preserving their values or their decisions.

All rules except ``FOLDING`` are valid for doubles, and not only in algebra. ``exact`` rules preserve every bit of the
value for all inputs, including infinities, NaN and both zeros. ``up_to_sign`` rules can turn −0.0 into 0.0 or back. No
operator distinguishes the two zeros (division by either of them gives 1.0), so these rules preserve every decision, and
every value except for the sign of a zero. ``FOLDING`` rules are valid in algebra, but not exactly for doubles. They
apply to formulas that are fitted to data, where all inputs are finite. They combine constants, which changes values by
rounding errors.

No rule removes, duplicates or reorders ``math.random()``, because its occurrences draw their numbers in text order.

Formulas share nodes: equal subtrees have the same number, so even large subtrees can be compared in one step.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Symbol, Tree, is_constant, leaf
from gpkit.langkit.operators import NOTATION

Node = tuple[Symbol, tuple[int, ...]]
"""A symbol with the terms that are its operands."""

Rules = Callable[["Terms", Symbol, tuple[int, ...]], Node | None]
"""A function that returns a smaller node with the same value, or None; its operands are already simplified."""


class Terms:
    """A growing table of terms. A term is an index that stands for a symbol and its operands, which are earlier terms.

    Attributes:
        symbols: the symbol of each term.
        operands: the terms under each term, from left to right.
        values: the value of each term that has no sensors or random numbers; None for other terms.
        random: whether a term draws random numbers; two such terms can have different values even if the terms are
            equal.
    """

    def __init__(self, rules: Rules | None = None) -> None:
        """Create a table that applies ``rules`` to every formula that is added to it."""
        self.symbols: list[Symbol] = []
        self.operands: list[tuple[int, ...]] = []
        self.values: list[float | None] = []
        self.random: list[bool] = []
        self._known: dict[Node, int] = {}
        self._made: dict[Node, int] = {}
        self._rules = rules

    def add(self, symbol: Symbol, *operands: int) -> int:
        """The term with this symbol and these operands."""
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
        """The term with this symbol and these operands, after applying all rules."""
        key = (symbol, operands)
        found = self._made.get(key)
        if found is None:
            while self._rules and (smaller := self._rules(self, symbol, operands)):
                symbol, operands = smaller
            found = self._made[key] = self.add(symbol, *operands)
        return found

    def add_tree(self, tree: Tree) -> list[int]:
        """The term of every subtree of a formula, by position, after applying all rules."""
        terms = [0] * len(tree)
        for position in range(len(tree) - 1, -1, -1):
            terms[position] = self.make(
                tree.symbols[position], *(terms[child] for child in tree.children(position))
            )
        return terms

    def same(self, a: int, b: int) -> bool:
        """Whether two terms always have the same value, bit for bit."""
        return a == b and not self.random[a]

    def tree(self, term: int) -> Tree:
        """The formula for a term."""
        symbols: list[Symbol] = []
        arities: list[int] = []
        pending = [term]
        while pending:
            term = pending.pop()
            symbols.append(self.symbols[term])
            arities.append(len(self.operands[term]))
            pending.extend(reversed(self.operands[term]))
        return Tree.from_prefix(symbols, arities)


Rewritings = Mapping[Symbol, Sequence[tuple[tuple[Symbol, ...], tuple[Symbol, ...]]]]
"""Patterns and their replacements, both in prefix order, grouped by the root operator of the pattern."""

LETTERS: Mapping[Symbol, Callable[[Symbol], bool]] = {
    **dict.fromkeys("abxy", lambda symbol: True),
    **dict.fromkeys("cd", lambda symbol: is_constant(symbol) and symbol != 0.0),
    "n": lambda symbol: is_constant(symbol) and symbol < 0.0,
    "p": lambda symbol: is_constant(symbol) and symbol > 0.0,
    "t": lambda symbol: symbol in NOTATION,
    "v": lambda symbol: not is_constant(symbol),
}
"""The letters in patterns, each with a function that tests whether the letter matches a symbol.

In replacements, ``*:c:d`` stands for the constant c · d, and likewise for other operators.
"""


def rewritings(rules: Mapping[str, str]) -> Rewritings:
    """The rewritings for rules that map each pattern to its replacement, as strings; the first match applies."""
    found: dict[Symbol, list[tuple[tuple[Symbol, ...], tuple[Symbol, ...]]]] = {}
    for texts in rules.items():
        form, result = (
            tuple(float(word) if word[-1].isdigit() else word for word in text.split()) for text in texts
        )
        found.setdefault(form[0], []).append((form, result))
    return found


def rewritten(terms: Terms, rules: Rewritings, term: int) -> Node | None:
    """The replacement of a term by the first rule that matches it and keeps the order of random numbers; else None."""
    for form, result in rules.get(terms.symbols[term], ()):
        found: dict[Symbol, int] = {}
        if _fits(terms, iter(form), term, found):
            random = {letter for letter, each in found.items() if terms.random[each]}
            computed = {word: _computed(terms, word, found) for word in result if ":" in str(word)}
            if all(map(math.isfinite, computed.values())) and (
                [*filter(random.__contains__, form)] == [*filter(random.__contains__, result)]
            ):
                found |= {word: terms.add(value) for word, value in computed.items()}
                return _made(terms, iter(result), found)
    return None


def _computed(terms: Terms, word: Symbol, found: Mapping[Symbol, int]) -> float:
    """The constant that a word such as ``*:c:d`` stands for; NaN if a product or quotient becomes 0."""
    name, *letters = str(word).split(":")
    value = NOTATION[name].meaning(*(terms.symbols[found[c]] if c in found else float(c) for c in letters))
    return value if value or name in "+-" else math.nan


def _fits(terms: Terms, words: Iterator[Symbol], term: int, found: dict[Symbol, int]) -> bool:
    """Whether a term matches the next words of a pattern, in which a letter always stands for the same value."""
    word, symbol = next(words), terms.symbols[term]
    if word in LETTERS:
        if word in found:
            return terms.same(found[word], term)
        found[word] = term
        return LETTERS[word](symbol)
    return word == symbol and all(_fits(terms, words, each, found) for each in terms.operands[term])


def _made(terms: Terms, words: Iterator[Symbol], found: Mapping[Symbol, int]) -> Node:
    """The node that the next words of a replacement stand for."""
    word = next(words)
    if word in found:
        return terms.symbols[found[word]], terms.operands[found[word]]
    below = [_made(terms, words, found) for _ in range(NOTATION[word].arity if word in NOTATION else 0)]
    return word, tuple(terms.add(symbol, *operands) for symbol, operands in below)


EXACT = rewritings(
    {
        "+ a neg b": "- a b",
        "+ neg a b": "- b a",
        "+ t t": "* t 2.0",
        "- a neg b": "+ a b",
        "- a 0.0": "a",
        "* 1.0 b": "b",
        "* -1.0 b": "neg b",
        "/ a 0.0": "1.0",
        "* a 1.0": "a",
        "/ a 1.0": "a",
        "* a -1.0": "neg a",
        "/ a -1.0": "neg a",
        "* neg a neg b": "* a b",
        "/ neg a neg b": "/ a b",
        "* neg a c": "* a neg:c",
        "/ neg a c": "/ a neg:c",
        "* c neg b": "* neg:c b",
        "/ c neg b": "/ neg:c b",
        "min a a": "a",
        "max a a": "a",
        "neg neg a": "a",
        "neg * a c": "* a neg:c",
        "neg / a c": "/ a neg:c",
        "neg * c b": "* neg:c b",  # -(c / x) is -1 at zero, neg:c / x is 1
        "abs abs a": "abs a",
        "abs sqrt a": "sqrt a",
        "abs exp a": "exp a",
        "abs square a": "square a",
        "square neg a": "square a",
        "square abs a": "square a",
        "floor floor a": "floor a",
    }
)
"""Rules that preserve every bit; divisors that are zero remain zero."""

UP_TO_SIGN = rewritings(
    {
        "+ a 0.0": "a",
        "+ 0.0 b": "b",
        "- 0.0 b": "neg b",
        "neg - a b": "- b a",
        "abs neg a": "abs a",
    }
)
"""More rules, which preserve everything except the sign of zeros."""


FOLDING = rewritings(
    {
        "- a a": "0.0",
        "/ a a": "1.0",  # of zeros, too
        "* a 0.0": "0.0",
        "* 0.0 b": "0.0",
        "* v c": "* c v",
        "* c * d x": "* *:c:d x",
        "* c / d x": "/ *:c:d x",
        "* c / x d": "* /:c:d x",
        "* v * c b": "* c * v b",
        "* * c v b": "* c * v b",
        "* v / c x": "* c / v x",
        "* / c x v": "* c / v x",
        "/ * c x d": "* /:c:d x",
        "/ c * d x": "/ /:c:d x",
        "/ / x c d": "/ x *:c:d",
        "/ / c x d": "/ /:c:d x",
        "/ c / x d": "/ *:c:d x",
        "/ * c v b": "* c / v b",
        "/ v * c x": "* /:1:c / v x",
        "sqrt * p x": "* sqrt:p sqrt x",
        "exp + x c": "* exp:c exp x",
        "exp + c x": "* exp:c exp x",
        "square * c x": "* square:c square x",
        "abs * c x": "* abs:c abs x",
        "+ + x c d": "+ x +:c:d",
        "+ + c x d": "+ +:c:d x",
        "+ c + x d": "+ +:c:d x",
        "+ c + d x": "+ +:c:d x",
        "+ - x c d": "+ x -:d:c",
        "+ - c x d": "- +:c:d x",
        "+ c - x d": "+ x -:c:d",
        "+ c - d x": "- +:c:d x",
        "- + x c d": "+ x -:c:d",
        "- + c x d": "+ -:c:d x",
        "- - x c d": "- x +:c:d",
        "- - c x d": "- -:c:d x",
        "- c + x d": "- -:c:d x",
        "- c + d x": "- -:c:d x",
        "- c - x d": "- +:c:d x",
        "- c - d x": "+ -:c:d x",
        "+ a * n x": "- a * neg:n x",
        "- a * n x": "+ a * neg:n x",
        "+ a / n x": "- a / neg:n x",
        "- a / n x": "+ a / neg:n x",
        "+ v n": "- v neg:n",
        "- v n": "+ v neg:n",
    }
)
"""Rules of algebra for finite inputs, up to rounding; where a divisor is 0, values can differ."""

LEANING = rewritings({"* a * v x": "* * a v x", "+ a + b x": "+ + a b x", "+ a - b x": "- + a b x"})
"""Rules that remove parentheses from sums and products; they preserve values up to rounding."""


def exact(terms: Terms, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
    """The replacement of a node by the rules that preserve every bit; None if no rule matches."""
    term = terms.add(symbol, *operands)
    value = terms.values[term]
    if operands and value is not None and math.isfinite(value) and repr(value) != "-0.0":
        return value, ()
    return _choice(terms, *operands) if symbol == "ifle" else rewritten(terms, EXACT, term)


def up_to_sign(terms: Terms, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
    """The replacement of a node by the rules that can change the sign of zeros; None if no rule matches."""
    term = terms.add(symbol, *operands)
    return (0.0, ()) if operands and terms.values[term] == 0.0 else rewritten(terms, UP_TO_SIGN, term)


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


def decisive(terms: Terms, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
    """The replacement of a node by any rule that preserves decisions; None if no rule matches."""
    return exact(terms, symbol, operands) or up_to_sign(terms, symbol, operands)


def folding(terms: Terms, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
    """The replacement of a node by any rule for formulas fitted to data; None if no rule matches."""
    return decisive(terms, symbol, operands) or rewritten(terms, FOLDING, terms.add(symbol, *operands))


def leaning(terms: Terms, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
    """The replacement of a sum or product by one that needs no parentheses; None if no rule matches."""
    return rewritten(terms, LEANING, terms.add(symbol, *operands))


def folded(tree: Tree) -> Tree:
    """A formula of the same size or smaller, with constants combined, such as the factors of a product.

    Equal terms cancel out. For finite inputs, the values are the same up to rounding, except where a divisor is 0.
    """
    for rules in (folding, leaning):
        terms, before = Terms(rules), None
        while tree != before:
            before, tree = tree, terms.tree(terms.add_tree(tree)[0])
    return tree


def simplify(tree: Tree) -> Tree:
    """A formula of the same size or smaller, with the same value, bit for bit, for all inputs and random numbers.

    All NaN values count as equal. Inputs can be infinities, NaN and both zeros. Therefore, ``x + 0.0`` (which is 0.0
    for x = -0.0), ``x - x`` and ``x * 0.0`` (NaN for infinite x) remain unchanged.
    """
    terms = Terms(exact)
    return terms.tree(terms.add_tree(tree)[0])


def simplify_decision(tree: Tree) -> Tree:
    """A formula of the same size or smaller that chooses the same candidate from every list of candidates.

    The candidate with the highest value is chosen, or the first of them if several have it; NaN counts as lower than
    every number.
    """
    found = _decision(tree)
    exactly = simplify(tree)  # where a sign is dropped early, two of them no longer meet
    return found if len(found) <= len(exactly) else _decision(exactly)


def _decision(tree: Tree) -> Tree:
    terms = Terms(decisive)
    root = terms.add_tree(tree)[0]
    return leaf(0.0) if terms.values[root] is not None else terms.tree(root)
