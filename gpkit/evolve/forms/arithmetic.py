"""Evolution of formulas."""

from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.printer import print_formula

UNIT = "nodes"
"""The unit of size."""


def place_text(section: str, position: int) -> str:
    """A place at which an operator has changed a program, in words."""
    return f"{section}, node {position}"


def part_text(program: TreeProgram, section: str, position: int) -> str:
    """The formula at a place."""
    return print_formula(program.tree(section).subtree(position))
