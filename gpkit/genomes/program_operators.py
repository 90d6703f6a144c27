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

TreeOperator = Callable[[np.random.Generator, int], tuple[Any, int]]
"""Takes the number of a tree of the parent, and gives its child and the position where that changed."""


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
    operator: TreeOperator,
    *,
    scope: Scope = "one",
    candidates: Sequence[int] | None = None,
) -> Child[AnyProgram]:
    """Apply an operator to trees of a program.

    Args:
        rng: the source of chance, for the choice and for the operator.
        program: the parent.
        operator: what happens to a tree.
        scope: one of the candidates, all equally likely, or each.
        candidates: the numbers of the trees that may be acted on; all when None. With none, the child is the parent.
    """
    names, trees = program.names, program.trees
    candidates = range(len(trees)) if candidates is None else candidates
    if not candidates:
        return Child(program)
    if scope == "one":
        section = candidates[below(rng, len(candidates))]
        tree, position = operator(rng, section)
        changed = (*trees[:section], tree, *trees[section + 1 :])
        return Child(type(program)(names, changed), ((names[section], position),))
    varied, places = list(trees), []
    for section in candidates:
        varied[section], position = operator(rng, section)
        places.append((names[section], position))
    return Child(type(program)(names, tuple(varied)), tuple(places))


def shared_sections(program: Sections[Any], donor: Sections[Any]) -> Sequence[int]:
    """The numbers of the trees of ``program`` whose section the donor has too: only those can cross over."""
    return [section for section, name in enumerate(program.names) if name in donor.names]
