"""Common parts of representations of programs, and operators on several trees, made of operators on one tree."""

from collections.abc import Callable, Mapping, Sequence, Sized
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.evolution import parts
from gpkit.evolution.parts import register, table_of
from gpkit.genomes.program_operators import Child, vary

Program = TypeVar("Program", bound=Sized)

Operator = Callable[[Any, np.random.Generator, Sequence[Program]], Child[Program]]
"""Takes a representation, whose ``settings`` have a ``scope`` for operators on trees, and the parents."""


def shipped_operators(
    language: str, shipped: Mapping[str, tuple[int, Operator[Any]]]
) -> Mapping[str, parts.Part]:
    """Register the operators in ``shipped``, and give all registered operators of the language by name."""
    for name, (count, apply) in shipped.items():
        register("operator", name, parts.Operator(count, apply), language=language)
    return table_of("operator", language)


class Operated(Generic[Program]):
    """Part of a ``gpkit.evolution.problem.Representation`` that follows from a table of operators and from programs."""

    __slots__ = ()

    table: ClassVar[Mapping[str, parts.Part]]
    """All registered operators, by name."""

    without: ClassVar[Sequence[str]] = ()
    """The names of operators that these programs cannot have."""

    @property
    def operators(self) -> tuple[str, ...]:
        """The names of the operators, except those from outside."""
        found = [name for name, part in self.table.items() if not part.version]
        return tuple([name for name in found if name not in self.without])

    def parents(self, operator: str) -> int:
        """Number of parents that an operator takes."""
        return int(self.table[operator].value.parents)

    def vary(self, rng: np.random.Generator, operator: str, parents: Sequence[Program]) -> Child[Program]:
        """The child that an operator makes of its parents."""
        made: Child[Program] = self.table[operator].value.apply(self, rng, parents)
        return made

    def size(self, genome: Program) -> int:
        """The number of nodes, lines or steps of all parts together."""
        return len(genome)


def drawn(draw: Callable[[int], Program], admits: Callable[[Program], bool], levels: int) -> Program:
    """A drawn program that keeps the limits; ``draw`` takes how many levels to leave out, one more after every ten."""
    for flatter in range(levels):
        for _ in range(10):
            program = draw(flatter)
            if admits(program):
                return program
    return program


def clone(_: Any, __: np.random.Generator, parents: Sequence[Program]) -> Child[Program]:
    """The parent itself."""
    return Child(parents[0])


def crossing(crossover: Callable[[np.random.Generator, Any, Any], tuple[Any, int]]) -> Operator[Any]:
    """An operator of two parents that replaces trees by their crossover with the donor's of the same section."""

    def operator(space: Any, rng: np.random.Generator, parents: Sequence[Any]) -> Child[Any]:
        return vary(rng, parents[0], crossover, parents[1], scope=space.settings.scope)

    return operator


def on_trees(
    mutate: Callable[[Any, np.random.Generator, Any], tuple[Any, int]],
    applies: Callable[[Any], object] | None = None,
) -> Operator[Any]:
    """An operator of one parent that mutates trees to which the mutation applies.

    Args:
        mutate: takes the representation and a tree.
        applies: whether a tree can be mutated so; None is all.
    """

    def operator(space: Any, rng: np.random.Generator, parents: Sequence[Any]) -> Child[Any]:
        return vary(rng, parents[0], partial(mutate, space), scope=space.settings.scope, applies=applies)

    return operator


def check_room(most: int | None, sections: Sequence[str], game: str) -> None:
    """Check that the limit of size leaves room for a program of one node in each section.

    Raises:
        UsageError: it does not.
    """
    if most is not None and most < len(sections):
        raise UsageError(f"limits.size = {most}: a program of {game} has at least {len(sections)} nodes")


def place_text(section: str, position: int) -> str:
    """Words for the place at which an operator has changed a program of trees."""
    return f"{section}, node {position}"
