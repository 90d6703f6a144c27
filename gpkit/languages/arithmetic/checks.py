"""Static checks of a program that can be read: names, sections, header, and parts that do no work.

Such parts are found by looking, without running the formula. The findings hold for the finite numbers that games give
to programs; where infinities and NaN matter, only ``gpkit.languages.arithmetic.simplify`` decides what may be taken
away.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from gpkit.core.diagnostics import Diagnostic
from gpkit.core.primitives import RANDOM, Alphabet, PrimitiveSet
from gpkit.genomes.tree import Symbol, Tree
from gpkit.langkit.findings import beyond_alphabet, checker, finding, header_findings, unknown_sensor
from gpkit.langkit.operators import NOTATION
from gpkit.languages.arithmetic.parser import READING, SECTIONS, FormulaSource
from gpkit.languages.arithmetic.printer import print_formula
from gpkit.languages.arithmetic.simplify import Terms

SHOWN = 15
"""The most nodes of a replacement that is printed in a finding."""

IDLE = {("abs", "abs"), ("floor", "floor"), ("abs", "sqrt"), ("abs", "square")}
"""Pairs of operators of which the outer one changes nothing."""

CONSTANT, NO_EFFECT, ZERO_DIVISOR, NEVER_TAKEN = "W030", "W031", "W032", "W033"


@dataclass(frozen=True, slots=True)
class Redundancy:
    """One part that does no work.

    Attributes:
        code: what kind of finding it is.
        position: the node that it is about.
        message: what is wrong.
        replacement: what the node could be instead, or the empty text where that is long.
        idle: the positions of the subtrees that cannot change the value of the formula.
    """

    code: str
    position: int
    message: str
    replacement: str = ""
    idle: tuple[int, ...] = ()


def find_redundancies(tree: Tree) -> Iterator[Redundancy]:
    """The findings in a formula, by position; nothing is said about the inside of a constant part."""
    terms = Terms()
    term = terms.add_tree(tree)
    look = _Look(tree, terms, term, [terms.values[each] for each in term])
    position = 0
    while position < len(tree):
        value, size = look.values[position], tree.sizes[position]
        if value is not None:
            if size > 1:
                shown = repr(value + 0.0)
                replacement = shown if value - value == 0.0 else ""
                yield Redundancy(CONSTANT, position, f"this is always {shown}", replacement)
            position += size
            continue
        match [*tree.children(position)]:
            case [a, b, x, y]:
                yield from look.choice(position, a, b, x, y)
            case [left, right]:
                yield from look.binary(position, left, right)
            case [operand]:
                yield from look.unary(position, operand)
        position += 1


def nodes_without_effect(tree: Tree) -> tuple[frozenset[int], frozenset[int]]:
    """The positions of constant operators and all nodes below them, and the positions of nodes that change nothing."""
    found = [*find_redundancies(tree)]
    constant = [each.position for each in found if each.code == CONSTANT]
    return _covered(tree, constant), _covered(tree, [root for each in found for root in each.idle])


def _covered(tree: Tree, roots: list[int]) -> frozenset[int]:
    covered: list[int] = []
    end = 0
    for root in sorted(roots):
        covered.extend(range(max(root, end), root + tree.sizes[root]))
        end = max(end, root + tree.sizes[root])
    return frozenset(covered)


@dataclass(frozen=True, slots=True)
class _Look:
    """A formula with the term at each position, and the value at each constant position."""

    tree: Tree
    terms: Terms
    term: list[int]
    values: list[float | None]

    def unary(self, position: int, operand: int) -> Iterator[Redundancy]:
        outer, inner = self.tree.symbols[position], self.tree.symbols[operand]
        if outer == inner == "neg":
            yield self._instead(position, operand + 1, "the two signs cancel")
        elif (outer, inner) in IDLE:
            yield self._instead(position, operand, f"`{outer}` changes nothing here")
        elif outer == "square" and inner in ("neg", "abs"):
            yield self._instead(operand, operand + 1, "a square is the same without the sign")

    def binary(self, position: int, left: int, right: int) -> Iterator[Redundancy]:
        symbol, a, b = self.tree.symbols[position], self.values[left], self.values[right]
        same = self.terms.same(self.term[left], self.term[right])
        if symbol == "/" and b == 0.0:
            yield Redundancy(ZERO_DIVISOR, position, "division by zero is always 1.0", "1.0", (left,))
        elif symbol == "*" and 0.0 in (a, b):
            idle = right if a == 0.0 else left
            yield Redundancy(NO_EFFECT, position, "a product with zero is always 0.0", "0.0", (idle,))
        elif (symbol in ("+", "-") and b == 0.0) or (symbol in ("*", "/") and b == 1.0):
            yield self._instead(position, left, f"`{symbol} {b}` changes nothing", right)
        elif (symbol == "+" and a == 0.0) or (symbol == "*" and a == 1.0):
            yield self._instead(position, right, f"`{a} {symbol}` changes nothing", left)
        elif same and symbol in ("-", "/"):
            value = "0.0" if symbol == "-" else "1.0"
            message = f"both operands are the same, so this is always {value}"
            yield Redundancy(NO_EFFECT, position, message, value, (left, right))
        elif same and symbol in ("min", "max"):
            yield self._instead(position, left, f"both operands of `{symbol}` are the same", right)

    def choice(self, position: int, a: int, b: int, x: int, y: int) -> Iterator[Redundancy]:
        if self.terms.same(self.term[x], self.term[y]):
            yield self._instead(position, x, "both outcomes of `ifle` are the same", a, b, y)
        elif self.terms.same(self.term[a], self.term[b]):
            yield self._never_taken(x, y, "a number is at most itself")
        elif (low := self.values[a]) is not None and (high := self.values[b]) is not None:
            taken, other = (x, y) if low <= high else (y, x)
            yield self._never_taken(
                taken, other, f"{low!r} is {'' if low <= high else 'not '}at most {high!r}"
            )

    def _never_taken(self, taken: int, other: int, why: str) -> Redundancy:
        message = f"this outcome is never taken: {why}"
        return Redundancy(NEVER_TAKEN, other, message, "", (other,))

    def _instead(self, position: int, kept: int, message: str, *idle: int) -> Redundancy:
        small = self.tree.sizes[kept] <= SHOWN
        replacement = print_formula(self.tree.subtree(kept)) if small else ""
        return Redundancy(NO_EFFECT, position, message, replacement, idle)


NAME = "arithmetic"
"""Name of the language, by which games refer to it."""


def _errors(source: FormulaSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    """The findings that stop a program from playing, and others that cost nothing to find."""
    yield from header_findings(
        source, primitives, unknown_game="E013", other_game="W036", unknown_alphabet="E014"
    )
    if primitives is None:
        return
    known = {*primitives.sensor_names, *NOTATION, RANDOM}
    for symbol, span in source.nodes():
        if isinstance(symbol, str) and symbol not in known:
            yield unknown_sensor("E010", primitives, symbol, span)
    yield from SECTIONS.findings(source, primitives, READING)


def _findings(source: FormulaSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    yield from _errors(source, primitives)
    for tree, spans in zip(source.program.trees, source.spans, strict=True):
        for found in find_redundancies(tree):
            fix = f"write `{found.replacement}`" if found.replacement else ""
            yield finding(found.code, "warning", found.message, spans[found.position], fix)
        if RANDOM in tree.symbols:
            message = "this formula draws random numbers: the same position can get different decisions"
            yield finding("I037", "info", message, spans[tree.symbols.index(RANDOM)])
    if primitives is None:
        return
    known = {*primitives.sensor_names, *NOTATION, RANDOM}
    alphabet = primitives.alphabet(source.header.get("alphabet", ""))
    for symbol, span in source.nodes():
        is_known = symbol in known or not isinstance(symbol, str)
        if is_known and alphabet is not None and not _belongs(symbol, alphabet):
            shown = "a constant" if isinstance(symbol, float) else f"`{symbol}`"
            yield beyond_alphabet("W035", shown, alphabet, span)
    yield from SECTIONS.ties(source, primitives, "read a sensor of the candidate")


check = checker(NAME, "E015", lambda source: source.spans[0][0], _findings)
"""The findings in a program, by their place in its text."""

errors = checker(NAME, "E015", lambda source: source.spans[0][0], _errors)
"""The errors among the findings, and perhaps some others; it is quicker, as it does not look for shorter programs."""


def _belongs(symbol: Symbol, alphabet: Alphabet) -> bool:
    if isinstance(symbol, float):
        return alphabet.constants
    if symbol in NOTATION:
        return any(operator.name == symbol for operator in alphabet.operators)
    return symbol in alphabet.sensors
