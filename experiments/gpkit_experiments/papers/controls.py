"""Controls: evolution from which selection was taken, so that whatever still rises is no merit of selection."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, Self

from gpkit.core.rng import stream
from gpkit.evolution.config import Config
from gpkit.evolution.individual import Evaluation, Genome
from gpkit.evolution.problem import Executor, Problem


@dataclass(frozen=True, slots=True)
class Shuffled(Generic[Genome]):
    """A problem that gives the right evaluations to the wrong genomes, in every generation anew."""

    problem: Problem[Genome]

    @property
    def changes(self) -> bool:
        """Survivors are evaluated again: another genome's luck is not kept."""
        return True

    def evaluate(
        self, genomes: Sequence[Genome], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes, in random order."""
        found = self.problem.evaluate(genomes, seed, generation, executor)
        order = stream(seed, "shuffle", generation).permutation(len(found))
        return [found[place] for place in order]

    def validate(
        self, genomes: Sequence[Genome], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The true evaluations."""
        return self.problem.validate(genomes, seed, occasion, executor)

    def facing(self, hall: Sequence[Genome]) -> Self:
        """The same with former champions as further opposition."""
        return type(self)(self.problem.facing(hall))


def by_chance(config: Config) -> Config:
    """The configuration with the same operators and parents drawn uniformly from the whole population."""
    return replace(
        config,
        scheme=replace(config.scheme, name="generational", elites=0),
        selection=replace(config.selection, name="truncation", share=1.0),
    )


def without(config: Config, operator: str) -> Config:
    """The configuration without one operator; the others take over its share in proportion."""
    return replace(
        config, operators={name: share for name, share in config.operators.items() if name != operator}
    )
