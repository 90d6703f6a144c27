"""Individuals of a population, with their fitness and origin.

They are named tuples, as a generation makes thousands of them and a frozen dataclass takes four times as long.
"""

import math
from collections.abc import Hashable
from typing import Annotated, Generic, NamedTuple, TypeVar

from gpkit.core.codec import LARGEST, Codec, Count, Range, Real, as_number, codec, write_real

Genome = TypeVar("Genome", bound=Hashable)

STRIDE = 1_000_000
"""Individual ``index`` of generation ``g`` has the number ``g * STRIDE + index``."""

WORST = -math.inf
"""The fitness of what could not be evaluated."""

TARPEIAN = "tarpeian"
"""The note of an individual that was given the worst fitness, unevaluated, for being large.

R. Poli, "A simple but theoretically-motivated method to control bloat", 2003.
"""

MAX_GENERATION = LARGEST // STRIDE - 1
"""The last generation whose individuals have numbers that a database holds."""

Generation = Annotated[int, Range(0, MAX_GENERATION)]

GENERATION: Codec[int] = codec(Generation)

Score = Annotated[
    float, Codec(write_real, lambda value: WORST if value == write_real(WORST) else as_number(value))
]
"""A number, or ``WORST``."""

Place = tuple[str, Annotated[int, Range(-LARGEST, LARGEST)]]
"""The name of a part of a program, and a position in that part."""


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

    score: Real
    cases: tuple[Real, ...] = ()
    note: str = ""
    trials: Count = 0
    objectives: tuple[Real, ...] = ()
    behaviour: tuple[Real, ...] = ()


class Origin(NamedTuple):
    """Origin of a genome: the operator and the parents that made it.

    Attributes:
        operator: its name; ``create`` for an individual of the first generation.
        parents: the numbers of the parents; the first is the one that was changed.
        places: for every part of the genome that was changed its name and the position in the child.
    """

    operator: str
    parents: tuple[Count, ...] = ()
    places: tuple[Place, ...] = ()


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

    number: Count
    genome: Genome
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
        """The generation in which it appeared."""
        return self.number // STRIDE

    def evaluated(
        self, evaluation: "Evaluation | Individual[Genome]", penalty: float
    ) -> "Individual[Genome]":
        """The individual with the results of an evaluation; its fitness is the score less ``penalty``.

        ``evaluation`` may also be an individual with an equal genome, whose results are copied.
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
"""Individuals, the best first."""
