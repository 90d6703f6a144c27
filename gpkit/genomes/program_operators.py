"""Variation of programs of several formulas: which formulas an operator on trees acts on, and what it met."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from gpkit.core.rng import below
from gpkit.genomes.tree import TreeProgram
from gpkit.genomes.tree_operators import Variant, constant_positions

Scope = Literal["one", "each"]
"""Scope of an operator on trees: one formula of the program, chosen at random, or each of them in turn."""

TreeOperator = Callable[[np.random.Generator, int], Variant]
"""Takes the number of a formula of the parent and gives its child."""


class ProgramVariant(NamedTuple):
    """A child, and for every formula that was acted on its name and the position where it changed."""

    program: TreeProgram
    places: tuple[tuple[str, int], ...]


def vary(
    rng: np.random.Generator,
    program: TreeProgram,
    operator: TreeOperator,
    *,
    scope: Scope = "one",
    candidates: Sequence[int] | None = None,
) -> ProgramVariant:
    """Apply an operator on trees to formulas of a program.

    Args:
        rng: the source of chance, for the choice and for the operator.
        program: the parent.
        operator: what happens to a formula.
        scope: one of the candidates, all equally likely, or each.
        candidates: the numbers of the formulas that may be acted on; all when None. With none, the child is the parent.
    """
    candidates = range(len(program.trees)) if candidates is None else candidates
    if not candidates:
        return ProgramVariant(program, ())
    sections = [candidates[below(rng, len(candidates))]] if scope == "one" else candidates
    trees = list(program.trees)
    places = []
    for section in sections:
        trees[section], position = operator(rng, section)
        places.append((program.names[section], position))
    return ProgramVariant(TreeProgram(program.names, tuple(trees)), tuple(places))


def sections_with_constants(program: TreeProgram) -> list[int]:
    """The numbers of the formulas that hold a constant."""
    return [section for section, tree in enumerate(program.trees) if constant_positions(tree)]


def shared_sections(program: TreeProgram, donor: TreeProgram) -> Sequence[int]:
    """The numbers of the formulas of ``program`` whose section the donor has too: only those can cross over."""
    if program.names == donor.names:
        return range(len(program.names))
    return [section for section, name in enumerate(program.names) if name in donor.names]
