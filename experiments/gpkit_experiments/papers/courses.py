"""Courses: what populations were like in some generations of a run. No champion is chosen, nothing is stored."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Generic

from gpkit.evolution.individual import Genome, Population
from gpkit.evolution.loop import initial, next_generation
from gpkit.evolution.problem import Executor
from gpkit.evolution.search import Search
from gpkit_experiments.papers.paper import Watch, ignore


@dataclass(frozen=True, slots=True)
class Course(Generic[Genome]):
    """One run.

    Attributes:
        seed: of the run.
        sizes: the mean number of nodes in every generation, from generation 0 on.
        populations: the populations of the generations that were asked for, each best first.
    """

    seed: int
    sizes: tuple[float, ...]
    populations: dict[int, Population[Genome]]


def follow(
    search: Search[Genome], generations: Collection[int], executor: Executor, watch: Watch = ignore
) -> Course[Genome]:
    """The course of a search on one island up to the last of these generations.

    A shorter run of the same seed is the beginning of a longer one, so one course has the populations of all lengths.
    """
    assert search.islands.count == 1
    sizes: list[float] = []
    populations = {}
    for generation, population in enumerate(populations_of(search, max(generations), executor)):
        sizes.append(sum(individual.size for individual in population) / len(population))
        if generation in generations:
            populations[generation] = population
        watch(f"generation {generation} of {max(generations)}, mean size {sizes[-1]:.1f}")
    return Course(search.seed, tuple(sizes), populations)


def populations_of(search: Search[Genome], last: int, executor: Executor) -> Iterator[Population[Genome]]:
    """The populations of a search on one island, of the generations 0 to ``last``, each made when it is asked for."""
    population = initial(search, executor)
    yield population
    for generation in range(1, last + 1):
        population = next_generation(search, population, generation, executor)
        yield population


def fittest(population: Population[Genome], count: int) -> list[Genome]:
    """The genomes of the fittest individuals, the best first, no two alike; at most ``count``."""
    return _distinct(population)[:count]


def middling(population: Population[Genome], count: int) -> list[Genome]:
    """The genomes around the median of fitness, no two alike, of ``count`` different ones (or all) from the middle."""
    genomes = _distinct(population)
    start = max(0, (len(genomes) - count) // 2)
    return genomes[start : start + count]


def _distinct(population: Population[Genome]) -> list[Genome]:
    return list(dict.fromkeys(individual.genome for individual in population))
