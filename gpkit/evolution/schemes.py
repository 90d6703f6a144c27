"""Selectors, which draw parents, and schemes, which determine how children are made and which individuals survive.

A selector is a value with its parameters. Its ``prepare`` reads a population, sorted best first, once and returns a
function that draws one parent's position. Of two equal individuals, the first counts as better. A scheme is also a
value. Its ``prepare`` returns a mating, which draws an operator and the parents' positions for the child with a given
index.
"""

import bisect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from operator import attrgetter
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from gpkit.core.rng import below, by_share
from gpkit.evolution.fronts import pareto_order
from gpkit.evolution.maps import Grid
from gpkit.evolution.problem import Genome, Individual, Population, Representation

Draw = Callable[[np.random.Generator], int]
"""A function that draws the position of one parent."""

AnyIndividual = Individual[Any]


class Selector(Protocol):
    """Draws parents."""

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The function that draws parents from a population, sorted best first."""


@dataclass(frozen=True, slots=True)
class Truncation:
    """Draws uniformly among the best ``share`` of the population (at least one); a share of 1 draws from all of it."""

    share: float

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The function that draws parents from a population, sorted best first."""
        best = max(1, round(self.share * len(population)))
        return lambda rng: below(rng, best)


def fittest_first(population: Sequence[AnyIndividual]) -> list[int]:
    """The positions of a population, fittest first."""
    worth = [-individual.fitness for individual in population]
    return sorted(range(len(worth)), key=worth.__getitem__)


@dataclass(frozen=True, slots=True)
class Tournament:
    """Draws the fittest of ``size`` individuals, which are drawn with replacement.

    The winner is at rank r or worse with probability ((n − r) / n)^size, so a single random number determines it.
    """

    size: int

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The function that draws parents from a population, sorted best first."""
        count, root = len(population), 1.0 / self.size
        place = fittest_first(population)
        return lambda rng: place[int(count * (1.0 - (1.0 - rng.random()) ** root))]


@dataclass(frozen=True, slots=True)
class DoubleTournament:
    """The winners of two tournaments of ``size`` compete; the smaller one wins with probability ``parsimony`` / 2.

    Luke and Panait, "Fighting bloat with nonparametric parsimony pressure", PPSN 2002; ``parsimony`` is their D,
    between 1 (size does not matter) and 2 (the smaller always wins). If their sizes are equal, the one drawn first
    wins.
    """

    size: int
    parsimony: float

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The function that draws parents from a population, sorted best first."""
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
    """Draws in proportion to fitness above ``floor`` (by default the worst fitness), or uniformly if none is above it.

    With a floor of 0, the draw is in proportion to fitness itself. An individual that could not be evaluated is never
    drawn, unless no individual could be evaluated.
    """

    floor: float | None = None

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The function that draws parents from a population, sorted best first."""
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
    """Goes through the cases in random order, and after each keeps only individuals within ``tolerance`` of the best.

    Spector, 2012. The unit of the tolerance is the median absolute deviation (the epsilon-lexicase of La Cava, Spector
    and Danai, GECCO 2016, in its semi-dynamic form: the deviation is over the population, the best is among the
    remaining individuals). A tolerance of 0 is plain lexicase. If several individuals are left at the end, one of them
    is drawn uniformly. With a ``sample``, only this many individuals, drawn with replacement, compete to be a parent;
    with 0, all compete.
    """

    tolerance: float = 0.0
    sample: int = 0

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The function that draws parents from a population, sorted best first; without cases, it uses the fitness."""
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
    """The median absolute deviation of the finite values in a float64 array (individuals,)."""
    finite = values[np.isfinite(values)]
    return float(np.median(np.abs(finite - np.median(finite)))) if len(finite) else 0.0


@dataclass(frozen=True, slots=True)
class ParetoTournament:
    """Draws the better of two individuals in the order of NSGA-II, by their objectives, or by score and small size."""

    def prepare(self, population: Sequence[AnyIndividual]) -> Draw:
        """The function that draws parents from a population."""
        place = pareto_order(population)
        count = len(place)
        return lambda rng: place[min(below(rng, count), below(rng, count))]


Shares = tuple[tuple[str, float], ...]
"""Operators, each with its share of the children; the shares add up to 1."""

ParentCount = Callable[[str], int]
"""The number of parents that an operator takes."""

Mating = Callable[[np.random.Generator, int], tuple[str, list[int]]]
"""A function that draws the operator for the child with a given index, and the positions of its parents."""


class Scheme(ABC):
    """A scheme makes each generation from the previous one.

    Attributes:
        shares: the operators in use.
        parents_stay: whether parents compete with their children for a place in the next generation.
    """

    __slots__ = ()
    parents_stay: ClassVar[bool] = False
    shares: Shares

    @abstractmethod
    def prepare(self, population: Sequence[Individual[Genome]], size: int, parents: ParentCount) -> Mating:
        """The mating that makes ``size`` children from a population sorted best first."""

    @property
    def tournaments(self) -> tuple[int, int] | None:
        """The size of the tournaments that draw all parents, and the number of elites; None without such tournaments.

        If the result is not None, compiled code may breed a whole generation in one call.
        """
        return None

    def rank(self, individuals: Sequence[Individual[Genome]]) -> Population[Genome]:
        """The individuals, best first: by fitness, unless a scheme has another order."""
        return by_fitness(individuals)

    def survivors(self, individuals: Sequence[Individual[Genome]], size: int) -> Population[Genome]:
        """The individuals of the next generation, best first; most schemes return ``size`` of them."""
        return self.rank(individuals)[:size]

    def joined(
        self, population: Population[Genome], newcomers: Sequence[Individual[Genome]]
    ) -> Population[Genome]:
        """The population after newcomers have replaced its worst members."""
        return self.rank((*population[: len(population) - len(newcomers)], *newcomers))

    def room(self, size: int) -> tuple[int, int]:
        """The minimum and maximum size of a population with this many children."""
        return size, size

    def behaviour(
        self, individual: Individual[Genome], _representation: Representation[Genome]
    ) -> tuple[float, ...]:
        """The behaviour of an individual that was just evaluated, as the problem returned it."""
        return individual.behaviour


def by_fitness(individuals: Sequence[Individual[Genome]]) -> Population[Genome]:
    """The individuals, fittest first; individuals with equal fitness keep their order."""
    return tuple(sorted(individuals, key=attrgetter("fitness"), reverse=True))


def apportion(size: int, shares: Sequence[float]) -> list[int]:
    """Whole numbers in proportion to the shares that add up to ``size``; the largest remainders are rounded up.

    >>> apportion(10, [0.1, 0.45, 0.225, 0.225])
    [1, 5, 2, 2]
    """
    total = sum(shares)
    exact = [size * share / total for share in shares]
    counts = [int(quota) for quota in exact]
    by_remainder = sorted(range(len(counts)), key=lambda k: counts[k] - exact[k])
    for k in by_remainder[: size - sum(counts)]:
        counts[k] += 1
    return counts


@dataclass(frozen=True, slots=True)
class Article(Scheme):
    """The scheme of Hansson, "Light Introduction to Genetic Programming", 2013, section Evolution.

    The population is sorted by fitness, and each operator applies once to each of the best share · size individuals.
    The second parent of a crossover is drawn uniformly, from the same best individuals (if ``mates`` is top) or from
    all. The article only states that this parent has proved useful.
    """

    shares: Shares
    mates: Literal["top", "all"] = "top"

    def prepare(self, population: Sequence[Individual[Genome]], size: int, parents: ParentCount) -> Mating:
        """The mating that makes ``size`` children from a population sorted best first."""
        counts = apportion(size, [share for _, share in self.shares])
        ends = list(accumulate(counts))
        names = [name for name, _ in self.shares]

        def mating(rng: np.random.Generator, index: int) -> tuple[str, list[int]]:
            kind = bisect.bisect_right(ends, index)
            place = (index - (ends[kind] - counts[kind])) % len(population)
            places = [place]
            among = min(len(population), max(2, counts[kind])) if self.mates == "top" else len(population)
            for _ in range(parents(names[kind]) - 1):
                other = below(rng, max(1, among - 1))
                places.append((other + (other >= place)) % len(population))
            return names[kind], places

        return mating


@dataclass(frozen=True, slots=True)
class Generational(Scheme):
    """The best ``elites`` are cloned; every other child draws its operator by share and its parents by the selector."""

    shares: Shares
    selector: Selector
    elites: int = 0

    @property
    def tournaments(self) -> tuple[int, int] | None:
        """The size of tournaments, and the number of elites; None unless the selector is a ``Tournament``."""
        return (self.selector.size, self.elites) if isinstance(self.selector, Tournament) else None

    def prepare(self, population: Sequence[Individual[Genome]], size: int, parents: ParentCount) -> Mating:
        """The mating that makes ``size`` children from a population sorted best first."""
        return drawn_mating(self.shares, self.selector, population, parents, self.elites)


@dataclass(frozen=True, slots=True)
class Pairs(Scheme):
    """The best ``elites`` are cloned, and every pair of them has one child by each operator; no parent is drawn.

    This is the scheme of Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing
    and Placement Strategies", section III.B: ten genes have 45 children by crossover, and another 45 that are also
    mutated.
    """

    shares: Shares
    elites: int

    @property
    def size(self) -> int:
        """The number of individuals in a generation."""
        return self.elites + len(self.shares) * (self.elites * (self.elites - 1) // 2)

    def prepare(self, population: Sequence[Individual[Genome]], size: int, parents: ParentCount) -> Mating:
        """The mating that makes all children of a population sorted best first: clones, then pairs by operator."""
        assert size == self.size, "all pairs have their children"
        assert all(parents(name) == 2 for name, _ in self.shares), "a pair has two parents"
        pairs = [list(pair) for pair in combinations(range(self.elites), 2)]

        def mating(_rng: np.random.Generator, index: int) -> tuple[str, list[int]]:
            if index < self.elites:
                return "clone", [index]
            operator, pair = divmod(index - self.elites, len(pairs))
            return self.shares[operator][0], pairs[pair]

        return mating


@dataclass(frozen=True, slots=True)
class Plus(Scheme):
    """(μ + λ): parents and as many children compete under the same conditions, and the better half survives.

    The ``order`` is fitness or pareto; for pareto, ``alike`` determines which programs count as copies. With pareto and
    ``ParetoTournament``, this is NSGA-II on the individuals' objectives, or on score and size if they have none.
    """

    shares: Shares
    selector: Selector
    order: Literal["fitness", "pareto"] = "fitness"
    alike: float = 0.0
    parents_stay = True

    @property
    def tournaments(self) -> tuple[int, int] | None:
        """The size of tournaments, and 0 elites; None unless the selector is a ``Tournament``."""
        return (self.selector.size, 0) if isinstance(self.selector, Tournament) else None

    def prepare(self, population: Sequence[Individual[Genome]], size: int, parents: ParentCount) -> Mating:
        """The mating that makes ``size`` children from a population sorted best first."""
        return drawn_mating(self.shares, self.selector, population, parents)

    def rank(self, individuals: Sequence[Individual[Genome]]) -> Population[Genome]:
        """The individuals, best first."""
        if self.order == "fitness":
            return by_fitness(individuals)
        return tuple(individuals[place] for place in pareto_order(individuals, self.alike))


@dataclass(frozen=True, slots=True)
class MapElites(Scheme):
    """The fittest individual of each cell of a behaviour map survives; all survivors are equally likely as parents.

    Mouret and Clune, "Illuminating search spaces by mapping elites", arXiv 1504.04909, 2015. The population is the
    archive: it has one individual for each filled cell, no matter how many children a generation has.
    """

    shares: Shares
    grid: Grid
    parents_stay = True

    def prepare(self, population: Sequence[Individual[Genome]], size: int, parents: ParentCount) -> Mating:
        """The mating that makes ``size`` children from an archive."""
        return drawn_mating(self.shares, Truncation(1.0), population, parents)

    def rank(self, individuals: Sequence[Individual[Genome]]) -> Population[Genome]:
        """The fittest individual of each cell, best first."""
        return self.grid.elites(individuals)

    def survivors(self, individuals: Sequence[Individual[Genome]], size: int) -> Population[Genome]:
        """The fittest individual of each cell, best first, regardless of ``size``."""
        return self.grid.elites(individuals)

    def joined(
        self, population: Population[Genome], newcomers: Sequence[Individual[Genome]]
    ) -> Population[Genome]:
        """The archive after newcomers have entered their cells."""
        return self.grid.elites((*population, *newcomers))

    def room(self, size: int) -> tuple[int, int]:
        """The minimum and the maximum size of an archive: one individual, and one individual for each cell."""
        return 1, self.grid.cells

    def behaviour(
        self, individual: Individual[Genome], representation: Representation[Genome]
    ) -> tuple[float, ...]:
        """The behaviour of an individual that was just evaluated, on the axes of the map."""
        return self.grid.behaviour(individual, representation)


def drawn_mating(
    shares: Shares,
    selector: Selector,
    population: Sequence[Individual[Genome]],
    parents: ParentCount,
    elites: int = 0,
) -> Mating:
    """A mating that clones this many elites, and draws the operators by share and the parents by the selector."""
    cloned = min(elites, len(population))
    sums = list(accumulate(share for _, share in shares))
    names = [name for name, _ in shares]
    counts = [parents(name) for name in names]
    draw = selector.prepare(population)

    def mating(rng: np.random.Generator, index: int) -> tuple[str, list[int]]:
        if index < cloned:
            return "clone", [index]
        kind = by_share(rng, sums)
        return names[kind], [draw(rng) for _ in range(counts[kind])]

    return mating
