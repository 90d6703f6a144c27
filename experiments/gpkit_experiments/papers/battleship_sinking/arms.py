"""The source's loop of evolution, and what is changed of it, arm by arm."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gpkit.evolution.config import Config
from gpkit.evolution.search import Search
from gpkit.genomes.linear import LinearProgram
from gpkit.genomes.program_operators import Child
from gpkit.languages.sinking.forms.evolution import LinearRepresentation, Settings
from gpkit_experiments.papers.controls import by_chance

SOURCE, CHANCE, LARGE, MUTATED, TOP, ANYWHERE = (
    "from random programs",
    "from random programs, parents by chance",
    "from random programs, five times as many",
    "from random programs, half of the blocks mutated",
    "from random programs, half no-ops, which fill their block from below",
    "from random programs, half no-ops, which lie anywhere",
)

NO_OP = "Nop"


class Sparse(LinearRepresentation):
    """Programs of which half of the random lines are no-ops."""

    def __init__(self, space: LinearRepresentation) -> None:
        words = [word for word in space.domain.words if word != NO_OP]
        domain = replace(space.domain, words=(*words, *[NO_OP] * len(words)))
        super().__init__(domain, space.primitives, space.settings, space.max_size)


class AtTop(Sparse):
    """The same with all instructions at the top of their block, after every operation."""

    def create(self, rng: np.random.Generator, index: int) -> LinearProgram:
        """A random program."""
        return settled(super().create(rng, index))

    def vary(
        self, rng: np.random.Generator, operator: str, parents: Sequence[LinearProgram]
    ) -> Child[LinearProgram]:
        """The child that an operator makes of its parents."""
        child = super().vary(rng, operator, parents)
        return child._replace(genome=settled(child.genome))


SPACES: Mapping[str, type[Sparse]] = {TOP: AtTop, ANYWHERE: Sparse}
"""Other spaces of programs than the game's own, by arm."""


def settled(program: LinearProgram) -> LinearProgram:
    """The program with the no-ops of every block behind its instructions."""
    blocks = [tuple(sorted(block, key=lambda word: word == NO_OP)) for block in program.blocks]
    return LinearProgram(program.names, tuple(blocks))


def in_space(search: Search[LinearProgram], space: type[Sparse] | None) -> Search[LinearProgram]:
    """The search among the programs of another space; None is its own."""
    assert isinstance(search.representation, LinearRepresentation)
    return search if space is None else replace(search, representation=space(search.representation))


def _mutated(config: Config) -> Config:
    assert isinstance(config.representation, Settings)
    return replace(config, representation=replace(config.representation, rate=0.5))


def _larger(config: Config) -> Config:
    return replace(
        config,
        population=replace(config.population, size=5 * config.population.size),
        scheme=replace(config.scheme, elites=5 * config.scheme.elites),
    )


ARMS: Mapping[str, Callable[[Config], Config]] = {
    SOURCE: lambda config: config,
    CHANCE: by_chance,
    LARGE: _larger,
    MUTATED: _mutated,
    TOP: lambda config: config,
    ANYWHERE: lambda config: config,
    "from the corrected Figure 8": lambda config: replace(
        config, population=replace(config.population, start=("corrected",))
    ),
}
"""The source's loop, and what is changed of it."""
