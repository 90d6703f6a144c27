"""Children that operators make, and variation of programs of several trees: which of them an operator acts on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np

from gpkit.core.rng import below
from gpkit.genomes.tree import Sections

Scope = Literal["one", "each"]
"""Scope of an operator on trees: one tree of the program, chosen at random, or each of them in turn."""

Genome = TypeVar("Genome")
AnyProgram = TypeVar("AnyProgram", bound=Sections[Any])


class Child(NamedTuple, Generic[Genome]):
    """A genome that an operator made, and for every part that it acted on the name and the position of the change."""

    genome: Genome
    places: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Breeding:
    """Mating by tournaments, of a whole generation.

    Attributes:
        count: children.
        names: of the operators; sums: the running sums of their shares.
        ranks: the places of the population from the fittest on.
        root: 1 / the size of a tournament.
        elites: so many of the population are cloned before others are drawn.
        attempts: how often a child is drawn that breaks the limits or equals its first parent.
        tarpeian: the chance that dooms a child that is larger than ``mean_size``.
    """

    count: int
    names: tuple[str, ...]
    sums: tuple[float, ...]
    ranks: tuple[int, ...]
    root: float
    elites: int
    attempts: int
    tarpeian: float
    mean_size: float


class Bred(NamedTuple, Generic[Genome]):
    """A child of a generation.

    Attributes:
        operator: its name.
        parents: their places in the population.
        genome, size: the child, and its nodes.
        places: of the change, as of ``Child``.
        doomed: whether its size dooms it.
    """

    operator: str
    parents: tuple[int, ...]
    genome: Genome
    size: int
    places: tuple[tuple[str, int], ...]
    doomed: bool


def vary(
    rng: np.random.Generator,
    program: AnyProgram,
    operator: Callable[..., tuple[Any, int]],
    donor: AnyProgram | None = None,
    *,
    scope: Scope = "one",
    applies: Callable[[Any], object] | None = None,
) -> Child[AnyProgram]:
    """Apply an operator to trees of a program.

    Args:
        rng: the source of chance, for the choice and for the operator.
        program: the parent.
        operator: a tree, and that of the donor in the same section if there is one, to the child and the position
            where it changed.
        donor: another parent: only trees whose section it has, too, can be acted on.
        scope: one of these trees, all equally likely, or each. With none, the child is the parent.
        applies: whether the operator has something to do with a tree; None is all.
    """
    names, trees = program.names, program.trees
    sections: Sequence[int] = range(len(trees))
    if applies is not None:
        sections = [section for section in sections if applies(trees[section])]
    elif donor is not None and donor.names != names:
        sections = [section for section in sections if names[section] in donor.names]
    if not sections:
        return Child(program)
    varied, places = list(trees), []
    for section in sections if scope == "each" else [sections[below(rng, len(sections))]]:
        given = () if donor is None else (donor.tree(names[section]),)
        varied[section], position = operator(rng, trees[section], *given)
        places.append((names[section], position))
    return Child(type(program)(names, tuple(varied)), tuple(places))
