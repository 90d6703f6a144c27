"""Common parts of program representations, and operators on several trees, built from operators on one tree."""

from collections.abc import Callable, Mapping, Sequence, Sized
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.evolution import parts
from gpkit.evolution.parts import register, table_of
from gpkit.genomes.program_operators import Bred, Breeding, Child, vary

Program = TypeVar("Program", bound=Sized)

Operator = Callable[[Any, np.random.Generator, Sequence[Program]], Child[Program]]
"""A function of a representation whose ``settings`` have a ``scope``, a random generator and the parents."""


def shipped_operators(
    language: str, shipped: Mapping[str, tuple[int, Operator[Any]]]
) -> Mapping[str, parts.Part]:
    """Register the operators in ``shipped``, and return all registered operators of the language by name."""
    for name, (count, apply) in shipped.items():
        register("operator", name, parts.Operator(count, apply), language=language)
    return table_of("operator", language)


class Operated(Generic[Program]):
    """The methods of a ``gpkit.evolution.problem.Representation`` that follow from its operators and programs."""

    __slots__ = ()

    table: ClassVar[Mapping[str, parts.Part]]
    """All registered operators, by name."""

    without: ClassVar[Sequence[str]] = ()
    """The names of operators that these programs do not support."""

    @property
    def operators(self) -> tuple[str, ...]:
        """The names of the operators, except external operators."""
        return tuple(
            [name for name, part in self.table.items() if not part.version and name not in self.without]
        )

    def parents(self, operator: str) -> int:
        """The number of parents that an operator takes."""
        return int(self.table[operator].value.parents)

    def vary(self, rng: np.random.Generator, operator: str, parents: Sequence[Program]) -> Child[Program]:
        """The child that an operator makes from its parents."""
        made: Child[Program] = self.table[operator].value.apply(self, rng, parents)
        return made

    def breed(
        self, keys: NDArray[np.uint64], parents: Sequence[Program], mating: Breeding
    ) -> list[Bred[Program]] | None:
        """Always None, because the operators make the children of a generation one by one.

        Args:
            keys: uint64 (children, 2), the keys of the children's random streams.
            parents: the genomes of the population.
            mating: how many children there are, and how to make them.
        """
        return None

    def size(self, genome: Program) -> int:
        """The number of nodes, lines or steps in all parts together."""
        return len(genome)


def drawn(draw: Callable[[int], Program], admits: Callable[[Program], bool], levels: int) -> Program:
    """A random program within the limits; after every ten failed tries, ``draw`` omits one more level."""
    for flatter in range(levels):
        for _ in range(10):
            program = draw(flatter)
            if admits(program):
                return program
    return program


def clone(_: object, __: np.random.Generator, parents: Sequence[Program]) -> Child[Program]:
    """The parent, unchanged."""
    return Child(parents[0])


def crossing(crossover: Callable[[np.random.Generator, Any, Any], tuple[Any, int]]) -> Operator[Any]:
    """An operator with two parents that crosses trees with the donor's trees of the same section."""

    def operator(space: Any, rng: np.random.Generator, parents: Sequence[Any]) -> Child[Any]:
        return vary(rng, parents[0], crossover, parents[1], scope=space.settings.scope)

    return operator


def on_trees(
    mutate: Callable[[Any, np.random.Generator, Any], tuple[Any, int]],
    applies: Callable[[Any], object] | None = None,
) -> Operator[Any]:
    """An operator with one parent that mutates trees to which the mutation applies.

    Args:
        mutate: takes the representation and a tree.
        applies: returns whether a tree can be mutated this way; None means that all trees can.
    """

    def operator(space: Any, rng: np.random.Generator, parents: Sequence[Any]) -> Child[Any]:
        return vary(rng, parents[0], partial(mutate, space), scope=space.settings.scope, applies=applies)

    return operator


def check_room(most: int | None, sections: Sequence[str], game: str) -> None:
    """Check that the size limit leaves room for a program with one node in each section.

    Raises:
        UsageError: the limit is too small.
    """
    if most is not None and most < len(sections):
        raise UsageError(f"limits.size = {most}: a program of {game} has at least {len(sections)} nodes")


def place_text(section: str, position: int) -> str:
    """A description of the position at which an operator has changed a program of trees."""
    return f"{section}, node {position}"
