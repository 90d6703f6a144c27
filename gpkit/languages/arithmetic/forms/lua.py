"""Formulas as Lua."""

from gpkit.core.primitives import PrimitiveSet
from gpkit.export.certificate import certify
from gpkit.export.lua import valued
from gpkit.export.lua.functions import Inputs, Writer, target
from gpkit.export.statements import Body, statements
from gpkit.genomes.tree import Tree
from gpkit.languages.arithmetic.printer import print_article, print_formula

MODES = ("module", "player", "function", "article", "luau")
documents, check = valued.documents, valued.check
article = print_article

SHOWN = 100
"""The most nodes of a formula that stands in a comment."""

_WIDEST = 400  # characters of it


def body_of(tree: Tree, inputs: Inputs) -> Body:
    """The statements of a formula."""
    return statements(tree, target(inputs.load))


def shown(tree: Tree) -> tuple[str, ...]:
    """The formula, if it is short."""
    formula = print_formula(tree) if len(tree) <= SHOWN else ""
    return (formula,) if 0 < len(formula) <= _WIDEST else ()


def statement(tree: Tree, primitives: PrimitiveSet | None) -> str:
    """Statement on the numbers that a formula computes."""
    return certify(tree, primitives).statement


WRITER = Writer("formula", body_of, shown, statement)
