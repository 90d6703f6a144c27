"""The seams of the engine: what a problem, a representation and an executor are to it. No game is assumed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import GpkitError
from gpkit.evolution.individual import WORST, Evaluation, Genome
from gpkit.genomes.program_operators import Bred, Breeding
from gpkit.genomes.program_operators import Child as Child

Item = TypeVar("Item")
Result = TypeVar("Result")
Genome_contra = TypeVar("Genome_contra", contravariant=True)

Work = Callable[[Sequence[Item]], Sequence[Result]]
"""Pure function of a batch, with one result for each item whatever else is in the batch."""

CHOICE = 0
"""The occasion on which newcomers compete with the champion."""

FINAL = -1
"""The occasion at the end of a run, on which nothing has been chosen before."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Stands for the result of an item whose evaluation killed its worker again and again."""

    reason: str


def none_lost(results: Sequence[Result | Lost]) -> list[Result]:
    """The results, where each of them is needed.

    Raises:
        GpkitError: one was lost.
    """
    for result in results:
        if isinstance(result, Lost):
            raise GpkitError(f"workers died again and again: {result.reason}")
    return [result for result in results if not isinstance(result, Lost)]


def with_lost(results: Sequence[Evaluation | Lost]) -> list[Evaluation]:
    """The evaluations, with the worst for what was lost."""
    return [Evaluation(WORST, note=each.reason) if isinstance(each, Lost) else each for each in results]


class Executor(Protocol):
    """Runs a pure function over items, here or elsewhere; the answer does not depend on where."""

    @property
    def workers(self) -> int:
        """Number of batches that run at the same time."""

    def run(
        self, function: Work[Item, Result], items: Sequence[Item], seconds: Sequence[float]
    ) -> list[Result | Lost]:
        """The results of the items, in their order.

        Args:
            function: what is done; it and the items can be sent to another process.
            items: what to work on.
            seconds: the expected work of each item, from which batches are made.
        """


class Problem(Protocol[Genome_contra]):
    """Problem that evolution is to solve: the evaluation and validation of genomes.

    A problem derived from it is the same in every generation and in validation, whoever the former champions are, and
    says only how genomes are evaluated.
    """

    __slots__ = ()

    @property
    def changes(self) -> bool:
        """Whether a genome may score differently in another generation, so that survivors are evaluated again."""
        return False

    def evaluate(
        self, genomes: Sequence[Genome_contra], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes of one generation, under the same conditions for all of them.

        Raises:
            NotImplementedError: a problem has to define it.
        """
        raise NotImplementedError

    def validate(
        self, genomes: Sequence[Genome_contra], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """Evaluations under conditions that no generation meets, to choose among a few good genomes.

        Args:
            genomes: the candidates.
            seed: the seed of the run.
            occasion: the same occasion has the same conditions: ``CHOICE``, ``FINAL``, and from 1 on the rounds of
                tuning.
            executor: where to evaluate.
        """
        return self.evaluate(genomes, seed, occasion, executor)

    def facing(self, hall: Sequence[Genome_contra]) -> Self:
        """The problem with former champions as further opposition; itself where that means nothing."""
        return self


@runtime_checkable
class Breeder(Protocol):
    """Further function of representations that make the children of a generation in one call."""

    def breed(
        self, keys: NDArray[np.uint64], parents: Sequence[Any], mating: Breeding
    ) -> list[Bred[Any]] | None:
        """The children that the operators would make one by one; None where it cannot make these.

        Args:
            keys: uint64 (children, 2), of the random streams of the children.
            parents: the genomes of the population.
            mating: how many children there are, and how they come about.
        """


class Representation(Protocol[Genome]):
    """Representation of genomes: their creation, variation, size and text."""

    @property
    def operators(self) -> Sequence[str]:
        """The names of the operators; ``clone`` is among them."""

    def parents(self, operator: str) -> int:
        """Number of parents that an operator takes: 1 or 2."""

    def create(self, rng: np.random.Generator, index: int) -> Genome:
        """A random genome, the one of this index in the first generation."""

    def vary(self, rng: np.random.Generator, operator: str, parents: Sequence[Genome]) -> Child[Genome]:
        """The child that an operator makes of its parents."""

    def size(self, genome: Genome) -> int:
        """Size of a genome: its nodes or instructions."""

    def admits(self, genome: Genome) -> bool:
        """Whether a genome keeps the limits of size and depth."""

    @property
    def suffix(self) -> str:
        """File suffix of such programs, including the dot."""

    def print(self, genome: Genome, header: Mapping[str, str] | None = None) -> str:
        """The genome as canonical text, after a header of comments ``key: value``."""

    def parse(self, text: str) -> Genome:
        """The genome of a text; ``parse(print(genome)) == genome``."""

    def tweak(self, rng: np.random.Generator, genome: Genome, step: float) -> Genome:
        """A genome nearby, for tuning; ``step`` is from 1 downwards. The genome itself if nothing can be tuned."""

    def simplify(self, genome: Genome) -> Genome:
        """An equal genome, perhaps smaller, that decides everything alike."""
