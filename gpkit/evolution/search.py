"""The values that describe a search: its definition, its state, and the hooks that gpkit calls during the search.

``Summary`` holds the statistics of a generation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import attrgetter
from statistics import median
from typing import Any, Generic

import numpy as np

from gpkit.core.codec import Count, Known
from gpkit.core.rng import by_share
from gpkit.evolution.config import BloatSettings, IslandsSettings, RefinementSettings
from gpkit.evolution.fronts import FrontPlan
from gpkit.evolution.problem import (
    TARPEIAN,
    Generation,
    Genome,
    Genome_co,
    Individual,
    Origin,
    Population,
    Problem,
    Representation,
    Score,
)
from gpkit.evolution.schemes import Scheme


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics of a generation over all islands.

    Attributes:
        generation: the generation's number.
        best, median: the best and the median fitness.
        best_score: the score of the fittest individual, without the penalty.
        size: the mean number of nodes.
        best_size: the size of the fittest individual.
        individuals: the number of individuals.
        diversity: the share of distinct genomes, 0 to 1.
        trials: the number of games; the games of equal genomes count only once.
        lost: the number of individuals that gpkit could not evaluate because they always killed their worker.
    """

    generation: Generation
    best: Known
    best_score: Known
    median: Known
    size: Known
    best_size: Count
    individuals: Count
    diversity: Known
    trials: Count
    lost: Count


def summarise(generation: int, islands: Sequence[Population[Any]]) -> Summary:
    """The statistics of a generation."""
    everybody = [individual for population in islands for individual in population]
    fittest = max(everybody, key=attrgetter("fitness"))
    distinct = {individual.genome: individual.trials for individual in everybody}
    return Summary(
        generation=generation,
        best=fittest.fitness,
        best_score=fittest.score,
        median=median(individual.fitness for individual in everybody),
        size=sum(individual.size for individual in everybody) / len(everybody),
        best_size=fittest.size,
        individuals=len(everybody),
        diversity=len(distinct) / len(everybody),
        trials=sum(distinct.values()),
        lost=sum(individual.note not in ("", TARPEIAN) for individual in everybody),
    )


FREE = BloatSettings(penalty=0.0)
"""The settings without any penalty for the size of programs."""


def itself(genome: Genome) -> Genome:
    """The genome, unchanged."""
    return genome


UNREFINED = RefinementSettings(finish=False, simplify=False)
"""Settings without refinement."""


START = "start"
"""The word that comes before a start program's name in an origin."""


@dataclass(frozen=True, slots=True)
class Start(Generic[Genome]):
    """The first generation of a search; without start programs, it is random.

    Attributes:
        programs: the programs to start from, with their names.
        share: the share of the first generation that consists of copies of these programs, each at least once.
        mutants: the share of the remaining individuals that are mutants of these programs.
        operators: the operators that make mutants, with their shares; by default, all operators that take one parent.
        attempts: the maximum number of tries if mutants break the limits or equal their program.
    """

    programs: tuple[tuple[str, Genome], ...] = ()
    share: float = 0.0
    mutants: float = 1.0
    operators: tuple[tuple[str, float], ...] = ()
    attempts: int = 1

    def create(
        self, rng: np.random.Generator, space: Representation[Genome], place: int, first: int, size: int
    ) -> tuple[Genome, Origin]:
        """The genome and the origin of the individual at a position in an island's first population.

        Args:
            rng: the random generator, for this individual only.
            space: the representation of genomes.
            place: the position of the individual, from 0 to ``size`` − 1.
            first: the number of the individual at place 0.
            size: the size of the population, at least the number of programs.
        """
        count = len(self.programs)
        copies = max(count, round(self.share * size)) if count else 0
        if not count or place >= copies + round(self.mutants * (size - copies)):
            return space.create(rng, first + place), Origin("create")
        name, genome = self.programs[place % count]
        if place >= copies:
            operators = self._mutations(space)
            sums = list(accumulate(share for _, share in operators))
            for _ in range(self.attempts if operators else 0):
                operator = operators[by_share(rng, sums) if len(sums) > 1 else 0][0]
                made = space.vary(rng, operator, [genome])
                if space.admits(made.genome) and made.genome != genome:
                    return made.genome, Origin(operator, (first + place % count,), made.places)
        return genome, Origin(f"{START} {name}")

    def _mutations(self, space: Representation[Genome]) -> Sequence[tuple[str, float]]:
        """The operators that change one parent, with their shares."""

        def changing(names: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
            return [each for each in names if each[1] and each[0] != "clone" and space.parents(each[0]) == 1]

        return changing(self.operators) or changing([(name, 1.0) for name in space.operators])


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters of evolution for any problem.

    Attributes:
        size: the number of individuals.
        scheme: the scheme that makes each generation from the previous one.
        bloat: the settings that keep programs small.
        attempts: the maximum number of tries if children break the limits or equal their first parent. After that,
            gpkit accepts an equal child, and replaces a child that breaks the limits by a clone of the parent.
    """

    size: int
    scheme: Scheme
    bloat: BloatSettings = FREE
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Search(Generic[Genome]):
    """The definition of a search; with its seed, it determines the whole run.

    Attributes:
        problem: the problem to solve.
        representation: the representation of genomes.
        parameters: the parameters of evolution on an island.
        seed: the seed of all random numbers.
        islands: the number of populations, and their migration.
        hall: the maximum number of former champions in the hall of fame.
        hall_every: the number of generations after which a champion joins the hall.
        candidates: the number of best individuals that are compared with the champion after each round.
        refinement: the settings that refine good genomes.
        front: the objectives, and how the champion is chosen from the front; None means no front.
        fitted: returns a good genome with better constants, from which tuning starts, or the same genome if there are
            none.
        written: returns the complete program for users; a genome may omit parts of it.
        finished: returns the champion for users, from its written program.
        start: the first generation.
        renewed: whether scores are valid for one generation only; if so, the champion is validated again after each
            round.
    """

    problem: Problem[Genome]
    representation: Representation[Genome]
    parameters: Parameters
    seed: int
    islands: IslandsSettings = field(default_factory=IslandsSettings)
    hall: int = 0
    hall_every: int = 1
    candidates: int = 1
    refinement: RefinementSettings = UNREFINED
    front: FrontPlan | None = None
    fitted: Callable[[Any], Any] = itself
    written: Callable[[Any], Any] = itself
    finished: Callable[[Any], Any] = itself
    start: Start[Genome] = field(default_factory=Start)
    renewed: bool = False


@dataclass(frozen=True, slots=True)
class Champion(Generic[Genome_co]):
    """The best individual so far, by validation.

    Attributes:
        individual: the individual as it was in its generation.
        score: its score in validation, under the same conditions for all champions, or, after the end of the run, its
            score under fresh conditions.
        fitness: the score minus the penalty for size.
        generation: the generation in which the individual became champion.
    """

    individual: Individual[Genome_co]
    score: Score
    fitness: Score
    generation: Generation


@dataclass(frozen=True, slots=True)
class SearchState(Generic[Genome_co]):
    """All the data on which the next round depends.

    Attributes:
        generation: the generation of the populations.
        islands: the populations of the remaining islands, best first.
        champion: the best individual so far.
        hall: former champions, oldest first.
        evaluations: the number of individuals evaluated so far.
    """

    generation: Generation
    islands: tuple[Population[Genome_co], ...]
    champion: Champion[Genome_co]
    hall: tuple[Genome_co, ...] = ()
    evaluations: Count = 0


@dataclass(frozen=True, slots=True)
class Round(Generic[Genome]):
    """A state and the new generations before it, in order, each with its statistics and the populations of all islands.

    The populations include those of islands that do not continue.
    """

    state: SearchState[Genome]
    generations: tuple[tuple[Summary, tuple[Population[Genome], ...]], ...]


OnGeneration = Callable[[Summary, SearchState[Any]], None]
"""A callback for every new generation, called after it has been stored, with the state at the end of its round."""

Hook = Callable[[], None]
"""A callback without arguments for one moment of a run."""


def ignore(*_moment: object) -> None:
    """A callback that does nothing and can serve as any hook."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """The callbacks of a run, and the caller's settings for ending it.

    Attributes:
        rehearsal: called after the checks of names and of the folder, and before the first game, which may need
            compilation.
        ended: called instead of ``start`` if the run has already ended and no generations will be added.
        start: called once, after all checks and before the first round.
        generation: called for every new generation.
        ending: called when the rounds are over, before the run refines and validates its champion.
        patience: the minimum number of seconds between two writes; gpkit stores the generations in between together, at
            the latest when the run ends or is interrupted. If this is not 0, ``generation`` may be called before its
            generation is stored.
        stop: a stopping rule that comes before the rules of the configuration, such as a time limit.
        limit: the user's time limit, and the time after which gpkit abandons the run, in seconds.
        keeps: whether an interrupt ends the run but keeps the result so far, as the time limit does.
        arguments: the command line, to store with the run.
    """

    rehearsal: Hook = ignore
    ended: Hook = ignore
    start: Hook = ignore
    generation: OnGeneration = ignore
    ending: Hook = ignore
    patience: float = 0.0
    stop: Callable[[SearchState[Any]], str | None] | None = None
    limit: tuple[float, float] | None = None
    keeps: bool = False
    arguments: Sequence[str] = ()


PATIENCE = 0.5
"""The ``patience`` of runs whose folder nobody watches; storing a short generation takes as long as breeding it."""

QUIET = Hooks()
