"""Children made by variation operators, which vary one tree or all trees of a program."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np

from gpkit.core.rng import below
from gpkit.genomes.tree import Sections

Scope = Literal["one", "each"]
"""The scope of an operator on trees: one random tree of the program, or each tree in turn."""

Genome = TypeVar("Genome")
AnyProgram = TypeVar("AnyProgram", bound=Sections[Any])


class Child(NamedTuple, Generic[Genome]):
    """A genome that an operator returns, and its changes: the name of each changed part, and the position in it."""

    genome: Genome
    places: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Breeding:
    """The settings for breeding a generation by tournaments.

    Attributes:
        count: the number of children.
        names: the names of the operators; ``sums`` are the running sums of their shares.
        ranks: the indexes of the population, the fittest first.
        root: 1 / the tournament size.
        elites: the number of clones that precede the bred children.
        attempts: the maximum number of attempts to breed a child that is within the limits and differs from its first
            parent.
        tarpeian: the probability that a child larger than ``mean_size`` is doomed.
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
    """A child in a new generation.

    Attributes:
        operator: the name of the operator.
        parents: the indexes of the parents in the population.
        genome, size: the child, and its number of nodes.
        places: the places of the changes, as in ``Child``.
        doomed: whether the child is doomed because of its size.
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
    operator: Callable[..., tuple[object, int]],
    donor: AnyProgram | None = None,
    *,
    scope: Scope = "one",
    applies: Callable[[Any], object] | None = None,
) -> Child[AnyProgram]:
    """Apply an operator to trees of a program.

    Args:
        rng: the random generator for the choice of trees and for the operator.
        program: the parent.
        operator: a function of (rng, tree) or (rng, tree, donor's tree) that returns the child and the position of the
            change.
        donor: the second parent; the operator can change only trees in sections that the donor also has.
        scope: whether to change one of these trees, chosen at random, or each of them. If no tree can be changed, the
            child is the parent.
        applies: returns whether the operator can change a tree; None means all trees.
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
        given = () if donor is None else (donor.parts[names[section]],)
        varied[section], position = operator(rng, trees[section], *given)
        places.append((names[section], position))
    return Child(type(program)(names, tuple(varied)), tuple(places))
