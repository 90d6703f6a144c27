"""A generation in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import median
from typing import Any

from gpkit.core.codec import Count, Known
from gpkit.evolution.individual import TARPEIAN, Generation, Population


@dataclass(frozen=True, slots=True)
class Summary:
    """One generation, all islands together.

    Attributes:
        generation: which one.
        best, median: fitness.
        best_score: the score of the fittest, without penalty.
        size: the mean number of nodes.
        best_size: that of the fittest.
        individuals: all of them.
        diversity: different genomes among all, 0 to 1.
        trials: games played, equal genomes counted once.
        lost: individuals that could not be evaluated because they always killed their worker.
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
    """A generation in numbers."""
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
