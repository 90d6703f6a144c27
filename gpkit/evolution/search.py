"""Values of a search: its definition, where it stands, and what is called on the way."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic

from gpkit.core.codec import Count
from gpkit.evolution.fronts import FrontPlan
from gpkit.evolution.individual import Generation, Genome, Individual, Population, Score
from gpkit.evolution.problem import Problem, Representation
from gpkit.evolution.schemes import Scheme
from gpkit.evolution.start import Start
from gpkit.evolution.summary import Summary
from gpkit.evolution.tables import BloatSettings, IslandsSettings, RefinementSettings

FREE = BloatSettings(penalty=0.0)
"""Size costs nothing."""


def itself(genome: Genome) -> Genome:
    """The genome as it is."""
    return genome


UNREFINED = RefinementSettings(finish=False, simplify=False)
"""Nothing is refined."""


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
        score: on the conditions of validation, which are the same for all champions.
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
