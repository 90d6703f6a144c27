"""Operators on programs of several trees, made of operators on one tree; how many trees they act on is a setting."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.gamekit.game import Game
from gpkit.genomes.program_operators import AnyProgram, ProgramVariant, shared_sections, vary

Operator = Callable[[Any, np.random.Generator, Sequence[AnyProgram]], ProgramVariant[AnyProgram]]
"""Takes a representation whose ``settings`` have a ``scope``, and the parents."""


def clone(_: Any, __: np.random.Generator, parents: Sequence[AnyProgram]) -> ProgramVariant[AnyProgram]:
    """The parent itself."""
    return ProgramVariant(parents[0], ())


def crossing(crossover: Callable[[np.random.Generator, Any, Any], tuple[Any, int]]) -> Operator[Any]:
    """An operator of two parents that replaces trees by their crossover with the donor's of the same section."""

    def operator(space: Any, rng: np.random.Generator, parents: Sequence[Any]) -> ProgramVariant[Any]:
        program, donor = parents

        def cross(rng: np.random.Generator, section: int) -> tuple[Any, int]:
            return crossover(rng, program.trees[section], donor.tree(program.names[section]))

        candidates = shared_sections(program, donor)
        return vary(rng, program, cross, scope=space.settings.scope, candidates=candidates)

    return operator


def on_trees(
    mutate: Callable[[Any, np.random.Generator, Any], tuple[Any, int]],
    applies: Callable[[Any], bool] = lambda tree: True,
) -> Operator[Any]:
    """An operator of one parent that mutates trees to which the mutation applies.

    Args:
        mutate: takes the representation and a tree.
        applies: whether a tree can be mutated so.
    """

    def operator(space: Any, rng: np.random.Generator, parents: Sequence[Any]) -> ProgramVariant[Any]:
        program = parents[0]
        candidates = [section for section, tree in enumerate(program.trees) if applies(tree)]

        def mutated(rng: np.random.Generator, section: int) -> tuple[Any, int]:
            return mutate(space, rng, program.trees[section])

        return vary(rng, program, mutated, scope=space.settings.scope, candidates=candidates)

    return operator


def check_room(most: int | None, sections: Sequence[str], game: Game) -> None:
    """Check that the limit of size leaves room for a program of one node in each section.

    Raises:
        UsageError: it does not.
    """
    if most is not None and most < len(sections):
        raise UsageError(f"limits.size = {most}: a program of {game.name} has at least {len(sections)} nodes")
