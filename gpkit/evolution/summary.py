"""A generation in numbers."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from statistics import median
from typing import Any, Self

from gpkit.core.json_values import member, number, whole
from gpkit.evolution.engine import TARPEIAN
from gpkit.evolution.individual import Population


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

    generation: int
    best: float
    best_score: float
    median: float
    size: float
    best_size: int
    individuals: int
    diversity: float
    trials: int
    lost: int

    def to_json(self) -> dict[str, Any]:
        """The fields, with None for what is not finite."""
        return {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in asdict(self).items()
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The summary of the fields, among others; NaN stands for what was not finite.

        Raises:
            ValueError: a field is missing, or is neither a number nor null.
        """
        read: dict[Any, Callable[[Any], Any]] = {
            int: whole,
            float: lambda value: math.nan if value is None else number(value),
        }
        return cls(**{each.name: read[each.type](member(data, each.name)) for each in fields(cls)})


def summarise(generation: int, islands: Sequence[Population[Any]]) -> Summary:
    """A generation in numbers."""
    everybody = [individual for population in islands for individual in population]
    fittest = max(everybody, key=lambda individual: individual.fitness)
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
