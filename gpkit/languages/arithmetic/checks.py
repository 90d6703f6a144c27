"""Static checks of a program that parses: names, sections, the header, and parts that have no effect.

To find parts that have no effect, the checks do not run the formula. The findings are valid for finite numbers; games
pass only finite numbers to programs. The rules in ``gpkit.languages.arithmetic.simplify`` are also valid for infinities
and NaN.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from gpkit.core.diagnostics import Diagnostic
from gpkit.core.primitives import RANDOM, PrimitiveSet
from gpkit.genomes.tree import Function, Tree, functions_in, is_constant
from gpkit.langkit.findings import beyond_alphabet, checker, finding, header_findings, unknown_sensor
from gpkit.langkit.formulas import print_formula
from gpkit.langkit.operators import NOTATION
from gpkit.languages.arithmetic.simplify import Terms
from gpkit.languages.arithmetic.text import READING, SECTIONS, FormulaSource

SHOWN = 15
"""The maximum number of nodes in a replacement that a finding prints."""

IDLE = {("abs", "abs"), ("floor", "floor"), ("abs", "sqrt"), ("abs", "square")}
"""Pairs of nested operators in which the outer operator, which comes first here, changes nothing."""

CONSTANT, NO_EFFECT, ZERO_DIVISOR, NEVER_TAKEN = "W030", "W031", "W032", "W033"


@dataclass(frozen=True, slots=True)
class Redundancy:
    """A part of a formula that has no effect.

    Attributes:
        code: the code of the finding.
        position: the position of the node.
        message: the message of the finding.
        replacement: shorter text that can replace the node; empty if that text is long.
        idle: the positions of the subtrees that cannot change the value of the formula.
    """

    code: str
    position: int
    message: str
    replacement: str = ""
    idle: tuple[int, ...] = ()


def find_redundancies(tree: Tree) -> Iterator[Redundancy]:
    """The findings in a formula, in order of position, except for findings inside constant parts."""
    look = _Look(tree)
    position = 0
    while position < len(tree):
        value, size = look.values[position], tree.sizes[position]
        if value is not None:
            if size > 1:
                shown = repr(value + 0.0)
                yield Redundancy(
                    CONSTANT, position, f"this is always {shown}", shown if value - value == 0.0 else ""
                )
            position += size
            continue
        match [] if isinstance(tree.symbols[position], Function) else [*tree.children(position)]:
            case [a, b, x, y]:
                yield from look.choice(position, a, b, x, y)
            case [left, right]:
                yield from look.binary(position, left, right)
            case [operand]:
                yield from look.unary(position, operand)
        position += 1


def nodes_without_effect(tree: Tree) -> tuple[frozenset[int], frozenset[int]]:
    """The positions in constant subtrees, and the positions in subtrees that change nothing."""
    found = [*find_redundancies(tree)]
    return (
        _covered(tree, [each.position for each in found if each.code == CONSTANT]),
        _covered(tree, [root for each in found for root in each.idle]),
    )


def _covered(tree: Tree, roots: list[int]) -> frozenset[int]:
    covered: list[int] = []
    end = 0
    for root in sorted(roots):
        covered.extend(range(max(root, end), root + tree.sizes[root]))
        end = max(end, root + tree.sizes[root])
    return frozenset(covered)


class _Look:
    """A formula, with the term at each position and the values of the constant positions."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.terms = tree, Terms()
        self.term = self.terms.add_tree(tree)
        self.values = [self.terms.values[each] for each in self.term]

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
        return Redundancy(NEVER_TAKEN, other, f"this outcome is never taken: {why}", "", (other,))

    def _instead(self, position: int, kept: int, message: str, *idle: int) -> Redundancy:
        small = self.tree.sizes[kept] <= SHOWN
        return Redundancy(
            NO_EFFECT, position, message, print_formula(self.tree.subtree(kept)) if small else "", idle
        )


NAME = "arithmetic"
"""The name that games use for this language."""


def _errors(source: FormulaSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    """Yield the errors, and those other findings that cost no extra work."""
    yield from header_findings(
        source, primitives, unknown_game="E013", other_game="W036", unknown_alphabet="E014"
    )
    if primitives is None:
        return
    known = {*primitives.sensor_names, *NOTATION, RANDOM}
    for symbol, span in source.nodes():
        if isinstance(symbol, str) and symbol not in known and not isinstance(symbol, Function):
            yield unknown_sensor("E010", primitives, symbol, span)
    yield from SECTIONS.findings(source, primitives, READING)


def _findings(source: FormulaSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    yield from _errors(source, primitives)
    program, defined = source.program, source.defined
    sensors = () if primitives is None else primitives.sensor_names
    yield from defined.findings(functions_in(*program.trees), sensors)
    bodies = tuple(function.body for function in defined.functions)
    for tree, spans in zip((*program.trees, *bodies), (*source.spans, *defined.bodies), strict=True):
        for found in find_redundancies(tree):
            yield finding(
                found.code,
                found.message,
                spans[found.position],
                f"write `{found.replacement}`" if found.replacement else "",
            )
        if RANDOM in tree.symbols:
            yield finding(
                "I037",
                "this formula draws random numbers: the same position can get different decisions",
                spans[tree.symbols.index(RANDOM)],
            )
    if primitives is None:
        return
    alphabet = primitives.alphabet(source.header.get("alphabet", ""))
    if alphabet is not None:
        allowed = {*alphabet.sensors, *(operator.name for operator in alphabet.operators)}
        beyond = {*primitives.sensor_names, *NOTATION, RANDOM} - allowed
        for symbol, span in source.nodes():
            if symbol in beyond or (is_constant(symbol) and not alphabet.constants):
                yield beyond_alphabet(
                    "W035", "a constant" if is_constant(symbol) else f"`{symbol}`", alphabet, span
                )
    yield from SECTIONS.ties(source, primitives, "read a sensor of the candidate")


check = checker(NAME, "E015", lambda source: source.spans[0][0], _findings)
"""The findings in a program, in the order of its text."""

errors = checker(NAME, "E015", lambda source: source.spans[0][0], _errors)
"""The errors in a program, and perhaps other findings; faster than ``check``, which also looks for shorter formulas."""
