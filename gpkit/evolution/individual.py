"""Individuals of a population, with their fitness and origin.

They are named tuples, as a generation makes thousands of them and a frozen dataclass takes four times as long.
"""

import math
from collections.abc import Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

Genome = TypeVar("Genome", bound=Hashable)

STRIDE = 1_000_000
"""Individual ``index`` of generation ``g`` has the number ``g * STRIDE + index``."""

WORST = -math.inf
"""The fitness of what could not be evaluated."""


class Evaluation(NamedTuple):
    """Evaluation of one genome by a problem.

    Attributes:
        score: higher is better; NaN counts as the worst.
        cases: the scores on parts of the problem (opponents, blocks of deals, rows), for lexicase selection.
        note: empty, or why there is no score.
        trials: how many games were played, where there are games.
        objectives: what a problem of several objectives measured, all to be maximised; ``score`` is one of them. Empty
            where the score is all there is.
        behaviour: how the genome behaves, in numbers, for maps of behaviour.
    """

    score: float
    cases: tuple[float, ...] = ()
    note: str = ""
    trials: int = 0
    objectives: tuple[float, ...] = ()
    behaviour: tuple[float, ...] = ()


class Origin(NamedTuple):
    """Origin of a genome: the operator and the parents that made it.

    Attributes:
        operator: its name; ``create`` for an individual of the first generation.
        parents: the numbers of the parents; the first is the one that was changed.
        places: for every part of the genome that was changed its name and the position in the child.
    """

    operator: str
    parents: tuple[int, ...] = ()
    places: tuple[tuple[str, int], ...] = ()


class Individual(NamedTuple, Generic[Genome]):
    """One member of a population.

    Attributes:
        number: generation · ``STRIDE`` + index; unique in a run.
        genome: the value that operators vary and the problem evaluates.
        size: the number of nodes (or instructions) of the genome.
        origin: how it was made.
        score: what the problem measured; higher is better.
        fitness: the score less the penalty for size: what selection goes by.
        cases: the scores on parts of the problem.
        note: empty, or why the score is the worst.
        trials: how many games the score rests on, where there are games.
        objectives: what a problem of several objectives measured; empty where the score is all there is.
        behaviour: how the genome behaves, in numbers: its place in a map of behaviour.
    """

    number: int
    genome: Genome
    size: int
    origin: Origin
    score: float = WORST
    fitness: float = WORST
    cases: tuple[float, ...] = ()
    note: str = ""
    trials: int = 0
    objectives: tuple[float, ...] = ()
    behaviour: tuple[float, ...] = ()

    @property
    def generation(self) -> int:
        """The generation in which it appeared."""
        return self.number // STRIDE

    @property
    def evaluation(self) -> Evaluation:
        """Evaluation of its genome."""
        return Evaluation(self.score, self.cases, self.note, self.trials, self.objectives, self.behaviour)

    def evaluated(self, evaluation: Evaluation, penalty: float) -> "Individual[Genome]":
        """The individual with an evaluation; ``penalty`` is taken off its score."""
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
"""Individuals, the best first."""


def by_fitness(individuals: Sequence[Individual[Genome]]) -> Population[Genome]:
    """The individuals, fittest first; those of equal fitness keep their order."""
    return tuple(sorted(individuals, key=lambda individual: -individual.fitness))
