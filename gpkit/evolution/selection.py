"""Selectors: how parents are drawn from a population.

A selector is a value with its parameters. ``prepare`` looks at a population once, best first, and gives a function that
draws the place of one parent from it; equal individuals are told apart by their place, the first is the better.
"""

import bisect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Protocol

import numpy as np

from gpkit.core.rng import below
from gpkit.evolution.dominance import pareto_order
from gpkit.evolution.individual import Individual

Draw = Callable[[np.random.Generator], int]
"""Draws the place of one parent."""

AnyIndividual = Individual[Any]


class Selector(Protocol):
    """Draws parents."""

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The draw from one population, sorted best first."""


@dataclass(frozen=True, slots=True)
class Truncation:
    """Uniform among the best ``share`` of the population (at least one); a share of 1 is pure chance."""

    share: float

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The draw from one population, sorted best first."""
        best = max(1, round(self.share * len(population)))
        return lambda rng: below(rng, best)


def fittest_first(population: Sequence[AnyIndividual]) -> list[int]:
    """The places of a population from the fittest on."""
    worth = [-individual.fitness for individual in population]
    return sorted(range(len(worth)), key=worth.__getitem__)


@dataclass(frozen=True, slots=True)
class Tournament:
    """The fittest of ``size`` individuals drawn with replacement.

    The winner is at rank r or worse with probability ((n − r) / n)^size, so one random number gives it.
    """

    size: int

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The draw from one population, sorted best first."""
        count, root = len(population), 1.0 / self.size
        place = fittest_first(population)
        return lambda rng: place[int(count * (1.0 - (1.0 - rng.random()) ** root))]


@dataclass(frozen=True, slots=True)
class DoubleTournament:
    """Two winners of tournaments of ``size`` meet, and the smaller of them wins with probability ``parsimony`` / 2.

    S. Luke and L. Panait, "Fighting bloat with nonparametric parsimony pressure", PPSN 2002; ``parsimony`` is their D,
    between 1 (size does not matter) and 2 (the smaller always wins). Of equal sizes the first drawn wins.
    """

    size: int
    parsimony: float

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The draw from one population, sorted best first."""
        draw = Tournament(self.size).prepare(population)
        sizes = [individual.size for individual in population]
        smaller_wins = self.parsimony / 2.0

        def draw_twice(rng: np.random.Generator) -> int:
            first, second = draw(rng), draw(rng)
            small, large = (second, first) if sizes[second] < sizes[first] else (first, second)
            if sizes[small] == sizes[large]:
                return first
            return small if rng.random() < smaller_wins else large

        return draw_twice


@dataclass(frozen=True, slots=True)
class Roulette:
    """In proportion to fitness above the ``floor``, by default the worst of the population; uniform if none is above.

    With a floor of 0 this is selection in proportion to fitness itself. An individual that could not be evaluated is
    never drawn, unless none could.
    """

    floor: float | None = None

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The draw from one population, sorted best first."""
        finite = [i.fitness for i in population if math.isfinite(i.fitness)]
        low = min(finite, default=0.0) if self.floor is None else self.floor
        weights = [max(0.0, i.fitness - low) if math.isfinite(i.fitness) else 0.0 for i in population]
        sums = list(accumulate(weights))
        count, total = len(population), sums[-1]
        if not (total > 0.0 and math.isfinite(total)):
            equal = [place for place, i in enumerate(population) if math.isfinite(i.fitness)] or list(
                range(count)
            )
            return lambda rng: equal[below(rng, len(equal))]
        last = max(place for place, weight in enumerate(weights) if weight > 0.0)
        return lambda rng: min(bisect.bisect_right(sums, rng.random() * total), last)


@dataclass(frozen=True, slots=True)
class Lexicase:
    """Case by case in random order, only those within ``tolerance`` of the best on the case stay.

    L. Spector, 2012; with a tolerance in medians of absolute deviation (the epsilon-lexicase of W. La Cava,
    L. Spector and K. Danai, GECCO 2016, semi-dynamic: the deviation over the population, the best among those still
    in). A tolerance of 0 is plain lexicase. Who is left at the end is drawn uniformly. With a ``sample`` only so many
    individuals compete for each parent, drawn with replacement; with 0 the whole population does.
    """

    tolerance: float = 0.0
    sample: int = 0

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The draw from one population, sorted best first; without cases a case is the fitness."""
        count = len(population)
        width = max(len(individual.cases) for individual in population)
        rows = [
            i.cases if len(i.cases) == width and width else (i.fitness,) * max(1, width) for i in population
        ]
        cases = np.nan_to_num(np.array(rows, dtype=np.float64).T, nan=-np.inf, posinf=np.inf, neginf=-np.inf)
        epsilon = self.tolerance * np.array([_absolute_deviation(case) for case in cases])

        def draw(rng: np.random.Generator) -> int:
            left = np.arange(count) if not self.sample else (rng.random(self.sample) * count).astype(np.intp)
            for case in rng.permutation(len(cases)):
                values = cases[case, left]
                left = left[values >= values.max() - epsilon[case]]
                if len(left) == 1:
                    break
            return int(left[below(rng, len(left))])

        return draw


def _absolute_deviation(values: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """The median distance to the median, over the finite values: float64 (individuals,)."""
    finite = values[np.isfinite(values)]
    return float(np.median(np.abs(finite - np.median(finite)))) if len(finite) else 0.0


@dataclass(frozen=True, slots=True)
class ParetoTournament:
    """The better of two by the order of NSGA-II: on their objectives, or on strength (the score) and smallness."""

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The draw from one population."""
        place = pareto_order(population)
        count = len(place)
        return lambda rng: place[min(below(rng, count), below(rng, count))]
