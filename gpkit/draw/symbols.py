"""Display of the symbols of a formula: kinds, signs, short numbers, and annotations of nodes, for pictures and text."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Tree, is_constant


@dataclass(frozen=True, slots=True)
class Annotations:
    """Nodes of one formula by position.

    ``constant`` ones have the same value whatever the sensors say; ``redundant`` ones cannot change the result: both
    are greyed. ``executed`` are those that counted in a trace (None: there is no trace). ``values`` are shown at nodes.
    """

    constant: frozenset[int] = frozenset()
    redundant: frozenset[int] = frozenset()
    executed: frozenset[int] | None = None
    values: Mapping[int, float] = field(default_factory=dict)


NO_ANNOTATIONS = Annotations()


Kind = Literal["operator", "sensor", "constant", "random"]

SIGNS = {
    "+": "+",
    "-": "\N{MINUS SIGN}",
    "*": "\N{MULTIPLICATION SIGN}",
    "/": "\N{DIVISION SIGN}",
    "min": "min",
    "max": "max",
    "neg": "\N{MINUS SIGN}x",
    "abs": "|x|",
    "sqrt": "\N{SQUARE ROOT}x",
    "floor": "\N{LEFT FLOOR}x\N{RIGHT FLOOR}",
    "ifle": "a \N{LESS-THAN OR EQUAL TO} b ?",
    "log": "log x",
    "exp": "exp x",
    "sin": "sin x",
    "cos": "cos x",
    "tanh": "tanh x",
    "pow": "^",
    "square": "x\N{SUPERSCRIPT TWO}",
}
"""The sign of every operator; one with a single operand shows it as x."""

OPERAND_LABELS = {"ifle": ("a", "b", "then", "else")}
"""Labels of the edges to the operands, for operators where order alone does not say it."""


def kind(tree: Tree, position: int) -> Kind:
    """Kind of the node at ``position``; a name with operands is an operator."""
    symbol = tree.symbols[position]
    if is_constant(symbol):
        return "constant"
    if tree.sizes[position] > 1:
        return "operator"
    return "random" if symbol == RANDOM else "sensor"


def short_number(value: float) -> str:
    """A number in at most four significant digits, with a real minus sign: -4.0745883 is −4.075."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "\N{INFINITY}" if value > 0 else "\N{MINUS SIGN}\N{INFINITY}"
    mantissa, _, exponent = f"{value:.4g}".partition("e")
    shown = f"{mantissa}e{int(exponent)}" if exponent else mantissa
    return shown.replace("-", "\N{MINUS SIGN}")


def full_name(tree: Tree, position: int) -> str:
    """The text of a node with whole names and every digit."""
    symbol = tree.symbols[position]
    if is_constant(symbol):
        return repr(symbol)
    return SIGNS.get(symbol, symbol) if tree.sizes[position] > 1 else symbol


def label(tree: Tree, position: int) -> str:
    """The short text of a node: the sign of an operator, a sensor without ``env.``, a constant shortened."""
    symbol = tree.symbols[position]
    if is_constant(symbol):
        return short_number(symbol)
    if tree.sizes[position] > 1:
        return SIGNS.get(symbol, symbol)
    return "random" if symbol == RANDOM else symbol.removeprefix("env.")


def operand_label(tree: Tree, position: int, operand: int) -> str:
    """The name of the operand of that index below the operator at ``position``, mostly empty."""
    names = OPERAND_LABELS.get(str(tree.symbols[position]), ())
    return names[operand] if operand < len(names) else ""
