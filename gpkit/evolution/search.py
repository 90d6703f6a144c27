"""Values of a search: its definition, its state, and the hooks that are called on the way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Generic

import numpy as np

from gpkit.core.codec import Count
from gpkit.core.rng import by_share
from gpkit.evolution.fronts import FrontPlan
from gpkit.evolution.individual import Generation, Genome, Individual, Origin, Population, Score
from gpkit.evolution.problem import Problem, Representation
from gpkit.evolution.schemes import Scheme
from gpkit.evolution.summary import Summary
from gpkit.evolution.tables import BloatSettings, IslandsSettings, RefinementSettings

FREE = BloatSettings(penalty=0.0)
"""Size costs nothing."""


def itself(genome: Genome) -> Genome:
    """The genome as it is."""
    return genome


UNREFINED = RefinementSettings(finish=False, simplify=False)
"""Nothing is refined."""


START = "start"
"""The operator of a program to start from, before its name."""


@dataclass(frozen=True, slots=True)
class Start(Generic[Genome]):
    """First generation of a search; without programs it is random.

    Attributes:
        programs: those to start from, with their names.
        share: of the first generation that they are themselves, each of them at least once.
        mutants: share of the others that are mutants of them.
        operators: the operators that make mutants, with their shares; none are all that take one parent.
        attempts: how often a mutant is drawn anew that breaks the limits or equals its program.
    """

    programs: tuple[tuple[str, Genome], ...] = ()
    share: float = 0.0
    mutants: float = 1.0
    operators: tuple[tuple[str, float], ...] = ()
    attempts: int = 1

    def create(
        self, rng: np.random.Generator, space: Representation[Genome], place: int, first: int, size: int
    ) -> tuple[Genome, Origin]:
        """The individual at a place of the first population of an island: its genome, and how it was made.

        Args:
            rng: the source of chance, for this individual alone.
            space: what genomes are.
            place: 0 … ``size`` − 1.
            first: the number of the individual at place 0.
            size: of the population, at least as many as there are programs.
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
        """The operators of one parent that change it, with their shares."""

        def changing(names: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
            return [each for each in names if each[1] and each[0] != "clone" and space.parents(each[0]) == 1]

        return changing(self.operators) or changing([(name, 1.0) for name in space.operators])


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters of evolution, whatever the problem.

    Attributes:
        size: the number of individuals.
        scheme: how one generation follows from another.
        bloat: what keeps programs small.
        attempts: how often a child is drawn anew that breaks the limits or equals its first parent, before it is taken
            as it is, or instead of a breach its parent as a clone.
    """

    size: int
    scheme: Scheme
    bloat: BloatSettings = FREE
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Search(Generic[Genome]):
    """Definition of a search; together with the seed it decides everything.

    Attributes:
        problem: what is to be solved.
        representation: what genomes are.
        parameters: how evolution goes on an island.
        seed: of all chance.
        islands: how many populations, and their migration.
        hall: the most former champions in the hall of fame.
        hall_every: one of them joins after so many generations.
        candidates: how many of the best are compared with the champion after each round.
        refinement: what is done to good genomes.
        front: what is weighed, and how the champion is chosen from the front; None keeps no front.
        fitted: gives a good genome with numbers that suit the problem better, which tuning begins with; itself where
            nothing can compute them.
        written: gives the program by itself that people get of a genome, which may stand for less.
        start: what the first generation is made of.
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
    start: Start[Genome] = field(default_factory=Start)


@dataclass(frozen=True, slots=True)
class Champion(Generic[Genome]):
    """The best individual so far by validation.

    Attributes:
        individual: as it was in its generation.
        score: on the conditions of validation, which are the same for all champions; when the run has ended, on fresh
            ones.
        fitness: that score less the penalty for size.
        generation: when it became champion.
    """

    individual: Individual[Genome]
    score: Score
    fitness: Score
    generation: Generation


@dataclass(frozen=True, slots=True)
class State(Generic[Genome]):
    """Everything that the next round depends on.

    Attributes:
        generation: of the populations.
        islands: the populations of those that are left, each best first.
        champion: the best so far.
        hall: former champions, the oldest first.
        evaluations: individuals so far.
    """

    generation: Generation
    islands: tuple[Population[Genome], ...]
    champion: Champion[Genome]
    hall: tuple[Genome, ...] = ()
    evaluations: Count = 0


@dataclass(frozen=True, slots=True)
class Round(Generic[Genome]):
    """A state, and how it came about: each new generation in numbers, with the populations of all islands, in order.

    Among them are those of islands that are then given up.
    """

    state: State[Genome]
    generations: tuple[tuple[Summary, tuple[Population[Genome], ...]], ...]


OnGeneration = Callable[[Summary, State[Any]], None]
"""Called for every new generation, after it has been stored, with the state at the end of its round."""

Hook = Callable[[], None]
"""Called at one moment of a run."""


def ignore(*_moment: Any) -> None:
    """A callback of any moment that does nothing."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """Callbacks of a run.

    Attributes:
        rehearsal: called before the first game, which may need compiling; by then, names and the folder have been
            checked.
        ended: called instead of ``start`` if the run has already ended and no generations are added.
        start: called once, when the rounds begin and no check can fail any more.
        generation: called for every new generation.
        ending: called when the rounds are over, before the run refines and validates its champion.
        patience: seconds to wait between two writes, so that several generations are stored together; they are also
            stored when the run ends or is interrupted. If this is not 0, ``generation`` may be called before its
            generation is stored.
    """

    rehearsal: Hook = ignore
    ended: Hook = ignore
    start: Hook = ignore
    generation: OnGeneration = ignore
    ending: Hook = ignore
    patience: float = 0.0


PATIENCE = 0.5
"""Patience where nobody looks into the folder in between: storing a short generation takes as long as breeding it."""

QUIET = Hooks()
