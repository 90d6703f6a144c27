"""Formulas as Python functions."""

from gpkit.export import python as valued
from gpkit.export.python import WIDTH, Writer
from gpkit.export.statements import statements
from gpkit.genomes.tree import Tree
from gpkit.languages.arithmetic.printer import print_formula

MODES = ("module",)
documents, check = valued.documents, valued.check

SHOWN = 40
"""The most nodes of a formula that is shown."""


def title(tree: Tree) -> str:
    """The formula, if that is short."""
    formula = print_formula(tree) if len(tree) <= SHOWN else ""
    return f"{formula}." if 0 < len(formula) <= WIDTH else f"A formula of {len(tree)} nodes."


WRITER = Writer("formula", statements, title)
