"""The interfaces of the evolution engine: problem, representation and executor. The interfaces do not depend on games.

The module also defines the individuals of a population, with their fitness and origin.

Individuals are named tuples, because a generation makes thousands of them, and making a frozen dataclass takes four
times as long.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from gpkit.core.codec import LARGEST, Codec, Count, Range, Real, as_number, codec, write_real
from gpkit.core.errors import GpkitError
from gpkit.genomes.program_operators import Bred, Breeding
from gpkit.genomes.program_operators import Child as Child

Genome = TypeVar("Genome", bound=Hashable)
Genome_co = TypeVar("Genome_co", bound=Hashable, covariant=True)

STRIDE = 1_000_000
"""Individual ``index`` of generation ``g`` has the number ``g * STRIDE + index``."""

WORST = -math.inf
"""The fitness of a genome that could not be evaluated."""

TARPEIAN = "tarpeian"
"""The note of an individual that got the worst fitness, without an evaluation, because it was too large.

Poli, "A simple but theoretically-motivated method to control bloat", 2003.
"""

MAX_GENERATION = LARGEST // STRIDE - 1
"""The last generation whose individuals have numbers that fit into a database."""

Generation = Annotated[int, Range(0, MAX_GENERATION)]

GENERATION: Codec[int] = codec(Generation)

Score = Annotated[
    float, Codec(write_real, lambda value: WORST if value == write_real(WORST) else as_number(value))
]
"""A number, or ``WORST``."""

Place = tuple[str, Annotated[int, Range(-LARGEST, LARGEST)]]
"""The name of a part of a program, and a position in that part."""


class Evaluation(NamedTuple):
    """The evaluation of one genome by a problem.

    Attributes:
        score: higher is better; NaN counts as the worst.
        cases: the scores on parts of the problem (opponents, blocks of deals, rows), for lexicase selection.
        note: the reason for a missing score; otherwise empty.
        trials: the number of games played, if the problem plays games.
        objectives: the values of a problem with several objectives, all to be maximised; ``score`` is one of them.
            The tuple is empty if there is only the score.
        behaviour: numbers that describe the genome's behaviour, for maps of behaviour.
    """

    score: Real
    cases: tuple[Real, ...] = ()
    note: str = ""
    trials: Count = 0
    objectives: tuple[Real, ...] = ()
    behaviour: tuple[Real, ...] = ()


class Origin(NamedTuple):
    """The origin of a genome: the operator and the parents that made it.

    Attributes:
        operator: the name of the operator; ``create`` for an individual of the first generation.
        parents: the numbers of the parents; the operator changed the first one.
        places: for every changed part of the genome, the part's name and the position in the child.
    """

    operator: str
    parents: tuple[Count, ...] = ()
    places: tuple[Place, ...] = ()


class Individual(NamedTuple, Generic[Genome_co]):
    """One member of a population.

    Attributes:
        number: generation · ``STRIDE`` + index; unique in a run.
        genome: the value that operators vary and that the problem evaluates.
        size: the number of nodes (or instructions) of the genome.
        origin: the operator and the parents that made the individual.
        score: the result of the problem; higher is better.
        fitness: the score minus the penalty for size, as selection uses it.
        cases: the scores on parts of the problem.
        note: the reason for the worst score; otherwise empty.
        trials: the number of games on which the score is based, if the problem plays games.
        objectives: the values of a problem with several objectives; empty if there is only the score.
        behaviour: numbers that describe the genome's behaviour and give its position in a map of behaviour.
    """

    number: Count
    genome: Genome_co
    size: Count
    origin: Origin
    score: Score = WORST
    fitness: Score = WORST
    cases: tuple[Real, ...] = ()
    note: str = ""
    trials: Count = 0
    objectives: tuple[Real, ...] = ()
    behaviour: tuple[Real, ...] = ()

    @property
    def generation(self) -> int:
        """The generation in which the individual was born."""
        return self.number // STRIDE

    def evaluated(
        self, evaluation: "Evaluation | Individual[Hashable]", penalty: float
    ) -> "Individual[Genome_co]":
        """The individual with the results of an evaluation; its fitness is the score minus ``penalty``.

        ``evaluation`` may also be an individual with an equal genome, whose results are then copied.
        """
        score = WORST if math.isnan(evaluation.score) else evaluation.score
        return Individual(
            self.number,
            self.genome,
            self.size,
            self.origin,
            score,
            score - penalty,
            evaluation.cases,
            evaluation.note,
            evaluation.trials,
            evaluation.objectives,
            evaluation.behaviour,
        )


Population = tuple[Individual[Genome], ...]
"""Individuals, best first."""


Item = TypeVar("Item")
Result = TypeVar("Result")
Genome_contra = TypeVar("Genome_contra", contravariant=True)

Work = Callable[[Sequence[Item]], Sequence[Result]]
"""A pure function of a batch that returns one result for each item, independently of the other items."""

CHOICE = 0
"""The validation occasion on which newcomers compete with the champion."""

FINAL = -1
"""The validation occasion at the end of a run, which played no part in earlier choices."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The result for an item whose evaluation killed its worker repeatedly."""

    reason: str


def none_lost(results: Sequence[Result | Lost]) -> list[Result]:
    """Return the results, if none of them was lost.

    Raises:
        GpkitError: a result was lost.
    """
    for result in results:
        if isinstance(result, Lost):
            raise GpkitError(f"workers died again and again: {result.reason}")
    return [result for result in results if not isinstance(result, Lost)]


def with_lost(results: Sequence[Evaluation | Lost]) -> list[Evaluation]:
    """The evaluations, with the worst evaluation in place of each lost one."""
    return [Evaluation(WORST, note=each.reason) if isinstance(each, Lost) else each for each in results]


class Executor(Protocol):
    """Applies a pure function to items, in this process or elsewhere, always with the same results."""

    @property
    def workers(self) -> int:
        """The number of batches that run at the same time."""

    def run(
        self, function: Work[Item, Result], items: Sequence[Item], seconds: Sequence[float]
    ) -> list[Result | Lost]:
        """The results, in the order of the items.

        Args:
            function: the function to apply; both the function and the items can be sent to another process.
            items: the arguments, one for each call.
            seconds: the expected time for each item, used to plan batches.
        """


class Problem(Protocol[Genome_contra]):
    """A problem for evolution to solve, which evaluates and validates genomes.

    A derived class only needs to define the evaluation of genomes. By default, the problem is the same in every
    generation and in validation, and former champions have no effect.
    """

    __slots__ = ()

    @property
    def changes(self) -> bool:
        """Whether a genome may score differently in another generation; if so, survivors are evaluated again."""
        return False

    def evaluate(
        self, genomes: Sequence[Genome_contra], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """Evaluate the genomes of one generation, under the same conditions for all of them.

        Raises:
            NotImplementedError: the problem does not define this method.
        """
        raise NotImplementedError

    def validate(
        self, genomes: Sequence[Genome_contra], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """Evaluate genomes under conditions that occur in no generation, to choose among a few good genomes.

        Args:
            genomes: the candidates.
            seed: the seed of the run.
            occasion: ``CHOICE``, ``FINAL``, or the number of a round of tuning, from 1; the same occasion always has
                the same conditions.
            executor: evaluates the genomes.
        """
        return self.evaluate(genomes, seed, occasion, executor)

    def facing(self, hall: Sequence[Genome_contra]) -> Self:
        """The problem, with former champions added as opponents; unchanged if it has no opponents."""
        return self


class Representation(Protocol[Genome]):
    """A representation of genomes: their creation, variation, size and text."""

    @property
    def operators(self) -> Sequence[str]:
        """The names of the operators, including ``clone``."""

    def parents(self, operator: str) -> int:
        """The number of parents that an operator takes: 1 or 2."""

    def create(self, rng: np.random.Generator, index: int) -> Genome:
        """A random genome with this index in the first generation."""

    def vary(self, rng: np.random.Generator, operator: str, parents: Sequence[Genome]) -> Child[Genome]:
        """The child that an operator makes from its parents."""

    def breed(
        self, keys: NDArray[np.uint64], parents: Sequence[Genome], mating: Breeding
    ) -> list[Bred[Genome]] | None:
        """All children of a generation, made in one call as if one by one; None if the representation cannot do this.

        Args:
            keys: uint64 (children, 2), the keys of the children's random streams.
            parents: the genomes of the population.
            mating: the plan for making the children, with their number.
        """

    def size(self, genome: Genome) -> int:
        """The size of a genome: its number of nodes or instructions."""

    def admits(self, genome: Genome) -> bool:
        """Whether a genome respects the limits on size and depth."""

    @property
    def suffix(self) -> str:
        """The file suffix of programs in this representation, including the dot."""

    def print(self, genome: Genome, header: Mapping[str, str] | None = None) -> str:
        """The genome as canonical text, after a header of comments ``key: value``."""

    def parse(self, text: str) -> Genome:
        """Parse a genome; ``parse(print(genome)) == genome``."""

    def tweak(self, rng: np.random.Generator, genome: Genome, step: float) -> Genome:
        """A similar genome, for tuning, or the same genome if nothing can be tuned; ``step`` decreases from 1."""

    def simplify(self, genome: Genome) -> Genome:
        """A genome that makes the same decisions and may be smaller."""
