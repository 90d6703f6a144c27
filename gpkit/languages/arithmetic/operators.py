"""The notation of formulas: how each operator is written, and what it means.

The meanings are those of the machine (``gpkit.vm.isa``): IEEE doubles, protected so that every formula has a value.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gpkit.genomes.tree import Symbol
from gpkit.vm import isa

SUM, PRODUCT, NEGATION, PRIMARY = range(1, 5)
"""Precedence of a form: an operand of a lower one than its place demands stands in parentheses."""

LONE_SECTION = "value"
"""The section of a text that is a formula without a name."""


@dataclass(frozen=True, slots=True)
class Form:
    """One operator.

    Attributes:
        name: its symbol in a tree.
        usage: how it is written, with letters for the operands.
        arity: the number of operands.
        binding: SUM, PRODUCT or NEGATION for a sign between or before operands, PRIMARY for a call.
        meaning: the value for the values of the operands.
    """

    name: str
    usage: str
    arity: int
    binding: int
    meaning: Callable[..., float]

    @property
    def infix(self) -> bool:
        """Whether it stands between its two operands."""
        return self.binding in (SUM, PRODUCT)


def add(a: float, b: float) -> float:
    """``a + b``."""
    return a + b


def subtract(a: float, b: float) -> float:
    """``a - b``."""
    return a - b


def multiply(a: float, b: float) -> float:
    """``a * b``."""
    return a * b


def if_at_most(a: float, b: float, x: float, y: float) -> float:
    """x if a ≤ b, else y (y too when a or b is NaN); both are evaluated before."""
    return isa.select(isa.at_most(a, b), x, y)


FORMS: tuple[Form, ...] = (
    Form("+", "a + b", 2, SUM, add),
    Form("-", "a - b", 2, SUM, subtract),
    Form("*", "a * b", 2, PRODUCT, multiply),
    Form("/", "a / b", 2, PRODUCT, isa.divide),
    Form("min", "min(a, b)", 2, PRIMARY, isa.minimum),
    Form("max", "max(a, b)", 2, PRIMARY, isa.maximum),
    Form("neg", "-a", 1, NEGATION, isa.negate),
    Form("abs", "abs(a)", 1, PRIMARY, isa.absolute),
    Form("sqrt", "sqrt(a)", 1, PRIMARY, isa.square_root),
    Form("floor", "floor(a)", 1, PRIMARY, isa.floor),
    Form("ifle", "ifle(a, b, x, y)", 4, PRIMARY, if_at_most),
)

FORM: dict[Symbol, Form] = {form.name: form for form in FORMS}
"""The form of an operator's symbol; a symbol that is not here is a leaf."""

WRITTEN_AS_CALL: dict[str, Form] = {form.name: form for form in FORMS if not form.infix}
"""Forms written as calls, by name; ``neg(a)`` is another spelling of ``-a``."""
