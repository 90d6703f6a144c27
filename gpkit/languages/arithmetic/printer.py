"""Formulas to text: with the fewest parentheses, as the article prints them, and whole files."""

from functools import partial

from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Symbol, Tree
from gpkit.langkit.naming import written_name
from gpkit.langkit.operators import NOTATION, PRIMARY, SUM, Piece, arranged, assemble
from gpkit.langkit.sections import print_sections
from gpkit.languages.arithmetic.parser import NO_NUMBERS

SHOWN = 40
"""The most nodes of a formula that is a title."""

WIDTH = 100
"""The most characters of one."""


def print_formula(tree: Tree) -> str:
    """One line with the fewest parentheses, from which ``parse`` gives the same tree.

    >>> from gpkit.genomes.tree import leaf, node
    >>> print_formula(node("*", node("-", leaf("a"), leaf(-4.0)), node("neg", leaf("b"))))
    '(a - -4.0) * -b'
    """

    def pieces(position: int, closeness: int) -> list[Piece]:
        symbol = tree.symbols[position]
        operands = list(tree.children(position))
        if not operands:
            enclose = isinstance(symbol, float) and closeness == PRIMARY  # -(4.0) negates, -4.0 is a constant
            return ["(", print_leaf(symbol), ")"] if enclose else [print_leaf(symbol)]
        notation = NOTATION[symbol]
        row = arranged(notation.usage, notation.binding, operands)
        return ["(", *row, ")"] if notation.binding < closeness else row

    return assemble((0, SUM), pieces)


def title(tree: Tree) -> str:
    """The formula as a line of text where that is short, else its size."""
    formula = print_formula(tree) if len(tree) <= SHOWN else ""
    return f"{formula}." if 0 < len(formula) <= WIDTH else f"A formula of {len(tree)} nodes."


def print_article(tree: Tree) -> str:
    """One line as the source article prints it, which is also Lua: parentheses around every node, no spaces.

    P. Hansson, "Light Introduction to Genetic Programming", 2013, section "Arithmetic tree".

    >>> from gpkit.genomes.tree import leaf, node
    >>> print_article(node("+", leaf("env.rounds"), leaf(-4.0)))
    '((env.rounds)+(-4.0))'
    """

    def pieces(position: int, closeness: int) -> list[Piece]:
        symbol = tree.symbols[position]
        if symbol not in NOTATION:
            return [f"({print_leaf(symbol)})"]
        notation = NOTATION[symbol]
        return arranged(f"({notation.usage.replace(' ', '')})", notation.binding, tree.children(position))

    return assemble((0, SUM), pieces)


def print_leaf(symbol: Symbol) -> str:
    """A leaf as it is written: the shortest digits that give the same double, a sensor's name, ``math.random()``."""
    if isinstance(symbol, float):
        return repr(symbol)
    return f"{RANDOM}()" if symbol == RANDOM else written_name(symbol, symbol.lower() in NO_NUMBERS)


print_program = partial(print_sections, print_part=print_formula)
"""The text of a ``.tree`` file: the header of a program as comments, then its sections."""
