"""The notation of formulas: how each operator is written, and what it means.

The meanings are those of the machine (``gpkit.vm.isa``): IEEE doubles, protected so that every formula has a value.
"""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from gpkit.genomes.tree import Symbol
from gpkit.vm import isa

MAX_NODES = 100_000
"""The most nodes of a program of formulas, all sections together."""

MAX_DEPTH = 10_000
"""The most nodes from the root of a formula to a leaf."""

SUM, PRODUCT, NEGATION, PRIMARY = range(1, 5)
"""Precedence of a notation: an operand of a lower one than its place demands stands in parentheses."""


@dataclass(frozen=True, slots=True)
class Notation:
    """Notation of an operator, and its meaning.

    Attributes:
        name: its symbol in a tree.
        usage: how it is written, with letters for the operands.
        arity: the number of operands.
        binding: SUM or PRODUCT for a sign between operands, NEGATION for one before its operand, PRIMARY for a call.
        meaning: the value for the values of the operands.
    """

    name: str
    usage: str
    arity: int
    binding: int
    meaning: Callable[..., float]


def add(a: float, b: float) -> float:
    """``a + b``."""
    return a + b


def subtract(a: float, b: float) -> float:
    """``a - b``."""
    return a - b


def multiply(a: float, b: float) -> float:
    """``a * b``."""
    return a * b


def square(a: float) -> float:
    """``a * a``."""
    return a * a


def if_at_most(a: float, b: float, x: float, y: float) -> float:
    """x if a ≤ b, else y (y too when a or b is NaN); both are evaluated before."""
    return isa.select(isa.at_most(a, b), x, y)


NOTATIONS: tuple[Notation, ...] = (
    Notation("+", "a + b", 2, SUM, add),
    Notation("-", "a - b", 2, SUM, subtract),
    Notation("*", "a * b", 2, PRODUCT, multiply),
    Notation("/", "a / b", 2, PRODUCT, isa.divide),
    Notation("min", "min(a, b)", 2, PRIMARY, isa.minimum),
    Notation("max", "max(a, b)", 2, PRIMARY, isa.maximum),
    Notation("neg", "-a", 1, NEGATION, isa.negate),
    Notation("abs", "abs(a)", 1, PRIMARY, isa.absolute),
    Notation("sqrt", "sqrt(a)", 1, PRIMARY, isa.square_root),
    Notation("floor", "floor(a)", 1, PRIMARY, isa.floor),
    Notation("ifle", "ifle(a, b, x, y)", 4, PRIMARY, if_at_most),
    Notation("log", "log(a)", 1, PRIMARY, isa.logarithm),
    Notation("exp", "exp(a)", 1, PRIMARY, isa.exponential),
    Notation("sin", "sin(a)", 1, PRIMARY, isa.sine),
    Notation("cos", "cos(a)", 1, PRIMARY, isa.cosine),
    Notation("tanh", "tanh(a)", 1, PRIMARY, math.tanh),
    Notation("pow", "pow(a, b)", 2, PRIMARY, isa.power),
    Notation("square", "square(a)", 1, PRIMARY, square),
)

NOTATION: dict[Symbol, Notation] = {notation.name: notation for notation in NOTATIONS}
"""The notation of an operator's symbol; a symbol that is not here is a leaf."""

WRITTEN_AS_CALL: dict[str, Notation] = {
    notation.name: notation for notation in NOTATIONS if notation.binding > PRODUCT
}
"""Notations that are calls, by name; ``neg(a)`` is another spelling of ``-a``."""


Piece = str | tuple[int, int]
"""Text as it is, or a node: its position and how close it must bind to stand there without parentheses."""

_OPERAND = re.compile(r"(\{?)\b([abxy])\b")
"""A letter that stands for an operand, and the brace before it, in which nothing needs parentheses."""


@cache
def _slots(pattern: str, binding: int) -> tuple[tuple[str, int | None], ...]:
    """Words of a pattern, each with how closely the operand after it must bind; None if there is no operand."""
    found: list[tuple[str, int | None]] = []
    end = 0
    for number, slot in enumerate(_OPERAND.finditer(pattern)):
        closeness = SUM
        if not slot[1] and binding <= PRODUCT:
            closeness = binding + (number > 0)
        elif not slot[1] and binding == NEGATION:
            closeness = PRIMARY
        found.append((pattern[end : slot.start(2)], closeness))
        end = slot.end()
    return (*found, (pattern[end:], None))


def arranged(pattern: str, binding: int, operands: Iterable[int]) -> list[Piece]:
    """The pieces of an operation that is written in a pattern such as ``a + b``.

    Args:
        pattern: words, and the letters a, b, x and y for the operands in their order.
        binding: how closely the operation binds.
        operands: their positions.
    """
    given, pieces = iter(operands), list[Piece]()
    for words, closeness in _slots(pattern, binding):
        pieces += [words] if closeness is None else [words, (next(given), closeness)]
    return pieces


def assemble(start: Piece, expand: Callable[[int, int], list[Piece]]) -> str:
    """The text of a piece, by replacing nodes by their pieces from left to right, without recursion."""
    done: list[str] = []
    pending: list[Piece] = [start]
    while pending:
        piece = pending.pop()
        if isinstance(piece, str):
            done.append(piece)
        else:
            pending.extend(reversed(expand(*piece)))
    return "".join(done)
