"""Islands: populations that evolve apart, migration around their ring, and brackets that few of them survive."""

from collections.abc import Sequence
from functools import partial

from gpkit.evolution.engine import Parameters, Search, initial, next_generation
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.individual import Genome, Population
from gpkit.evolution.problem import Executor, Lost


def epoch(
    search: Search[Genome],
    population: Population[Genome],
    island: int,
    generation: int,
    length: int,
    executor: Executor,
) -> list[Population[Genome]]:
    """The populations of the ``length`` generations that follow ``generation`` on one island."""
    populations, first = [], island * search.parameters.size
    for number in range(generation + 1, generation + length + 1):
        population = next_generation(search, population, number, executor, first=first)
        populations.append(population)
    return populations


def epochs(
    search: Search[Genome],
    islands: Sequence[Population[Genome]],
    generation: int,
    length: int,
    executor: Executor,
) -> list[list[Population[Genome]]]:
    """An epoch of every island: whole islands in the workers, or a lone island with its batches in them.

    Where an epoch kills its worker again and again, it is repeated with its batches in the workers, so that only the
    genome that does it is lost.
    """
    if len(islands) == 1:
        return [epoch(search, islands[0], 0, generation, length, executor)]
    there = partial(_epochs_of, search, generation, length)
    found = executor.run(there, list(enumerate(islands)), [1.0] * len(islands))
    return [
        epoch(search, islands[island], island, generation, length, executor) if isinstance(one, Lost) else one
        for island, one in enumerate(found)
    ]


def _epochs_of(
    search: Search[Genome],
    generation: int,
    length: int,
    islands: Sequence[tuple[int, Population[Genome]]],
) -> list[list[Population[Genome]]]:
    serial = SerialExecutor()
    return [epoch(search, population, island, generation, length, serial) for island, population in islands]


def first_populations(
    search: Search[Genome], count: int, executor: Executor
) -> tuple[Population[Genome], ...]:
    """Generation 0 of every island."""
    return tuple(initial(search, executor, first=island * search.parameters.size) for island in range(count))


def migrate(
    islands: Sequence[Population[Genome]], parameters: Parameters, migrants: int
) -> tuple[Population[Genome], ...]:
    """The islands after the best of each have replaced the worst of the next; an island does not lose its best."""
    if len(islands) == 1 or migrants == 0:
        return tuple(islands)
    arrivals = [islands[island - 1][:migrants] for island in range(len(islands))]
    return tuple(
        parameters.scheme.rank((*population[: len(population) - migrants], *arriving))
        for population, arriving in zip(islands, arrivals, strict=True)
    )


def winners(islands: Sequence[Population[Genome]], count: int) -> tuple[Population[Genome], ...]:
    """The ``count`` islands whose best is the fittest, in their order; all met the same conditions."""
    ranked = sorted(range(len(islands)), key=lambda island: -islands[island][0].fitness)
    return tuple(islands[island] for island in sorted(ranked[:count]))
