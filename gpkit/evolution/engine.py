"""Selection, crossover and mutation of one generation, as a pure function of its arguments.

Every child has its own random stream, keyed by the seed of the run, the generation and its index, so that neither the
number of workers nor a resume can change it. The engine stops nothing, logs nothing and stores nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Generic

from gpkit.core.rng import Streams
from gpkit.evolution.dominance import weigher
from gpkit.evolution.fronts import FrontPlan
from gpkit.evolution.individual import STRIDE, WORST, Evaluation, Genome, Individual, Origin, Population
from gpkit.evolution.problem import Breeder, Child, Executor, Problem, Representation
from gpkit.evolution.schemes import Scheme
from gpkit.evolution.selection import fittest_first
from gpkit.evolution.start import Start
from gpkit.evolution.tables import BloatSettings, IslandsSettings, RefinementSettings
from gpkit.genomes.program_operators import Breeding

TARPEIAN = "tarpeian"
"""The note of an individual that was given the worst fitness, unevaluated, for being large.

R. Poli, "A simple but theoretically-motivated method to control bloat", 2003.
"""

FREE = BloatSettings(penalty=0.0)
"""Size costs nothing."""


def itself(genome: Genome) -> Genome:
    """The genome as it is."""
    return genome


Key = Callable[[Any], Any]
"""Gives equal genomes the same key."""

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


def initial(search: Search[Genome], executor: Executor, *, first: int = 0) -> Population[Genome]:
    """Generation 0, evaluated, the best first; ``first`` is the index of its first individual (islands count on)."""
    representation, individuals = search.representation, []
    streams, size = Streams(search.seed, "create"), search.parameters.size
    for place in range(size):
        genome, origin = search.start.create(streams(first + place), representation, place, first, size)
        individuals.append(Individual(first + place, genome, representation.size(genome), origin))
    evaluated = evaluate(search, individuals, {}, 0, executor)
    return search.parameters.scheme.survivors(evaluated, size)


def next_generation(
    search: Search[Genome],
    population: Population[Genome],
    generation: int,
    executor: Executor,
    *,
    first: int = 0,
) -> Population[Genome]:
    """The population of ``generation``, evaluated, the best first.

    Args:
        search: what is searched, with the problem as it is now.
        population: that of the generation before, the best first.
        generation: its number, from 1.
        executor: where genomes are evaluated; it cannot change the result.
        first: the index of the first child among all children of the generation (islands count on).
    """
    scheme = search.parameters.scheme
    bred = _bred_together(search, population, generation, first)
    children = _bred_alone(search, population, generation, first) if bred is None else bred
    key: Key = itself if bred is None else id  # equal genomes that were bred together are the same
    competitors = [*children, *population] if scheme.parents_stay else children
    still_known = () if search.problem.changes else population
    known = {key(i.genome): i for i in still_known if i.note != TARPEIAN}
    evaluated = evaluate(search, competitors, known, generation, executor, key=key)
    return scheme.survivors(evaluated, search.parameters.size)


def evolved(search: Search[Genome], generations: int, executor: Executor) -> Population[Genome]:
    """The population after so many generations, evaluated, the best first."""
    population = initial(search, executor)
    for generation in range(1, generations + 1):
        population = next_generation(search, population, generation, executor)
    return population


def offspring(
    search: Search[Genome], population: Population[Genome], generation: int, *, first: int = 0
) -> list[Individual[Genome]]:
    """The children of a population in the order of their indices, not yet evaluated."""
    bred = _bred_together(search, population, generation, first)
    return _bred_alone(search, population, generation, first) if bred is None else bred


def _bred_alone(
    search: Search[Genome], population: Population[Genome], generation: int, first: int
) -> list[Individual[Genome]]:
    """The children made one by one."""
    representation, parameters = search.representation, search.parameters
    mating = parameters.scheme.prepare(population, parameters.size, representation.parents)
    mean_size = sum(individual.size for individual in population) / len(population)
    assert parameters.attempts >= 1
    streams = Streams(search.seed, "child", generation)

    def child(index: int) -> Individual[Genome]:
        rng = streams(first + index)
        for _ in range(parameters.attempts):
            operator, places = mating(rng, index)
            parents = [population[place] for place in places]
            made = representation.vary(rng, operator, [parent.genome for parent in parents])
            admitted = operator == "clone" or representation.admits(made.genome)
            if admitted and (operator == "clone" or made.genome != parents[0].genome):
                break
        if not admitted:
            operator, parents, made = "clone", parents[:1], Child(parents[0].genome)
        size = representation.size(made.genome)
        doomed = operator != "clone" and size > mean_size and rng.random() < parameters.bloat.tarpeian
        origin = Origin(operator, tuple([parent.number for parent in parents]), made.places)
        number = generation * STRIDE + first + index
        return Individual(number, made.genome, size, origin, note=TARPEIAN if doomed else "")

    return [child(index) for index in range(parameters.size)]


def _bred_together(
    search: Search[Genome], population: Population[Genome], generation: int, first: int
) -> list[Individual[Genome]] | None:
    """The children that ``offspring`` makes one by one, of a representation that makes them together; else None."""
    scheme, parameters = search.parameters.scheme, search.parameters
    if scheme.tournaments is None or not isinstance(search.representation, Breeder):
        return None
    size, elites = scheme.tournaments
    mating = Breeding(
        count=parameters.size,
        names=tuple([name for name, _ in scheme.shares]),
        sums=tuple(accumulate(share for _, share in scheme.shares)),
        ranks=tuple(fittest_first(population)),
        root=1.0 / size,
        elites=min(elites, len(population)),
        attempts=parameters.attempts,
        tarpeian=parameters.bloat.tarpeian,
        mean_size=sum(individual.size for individual in population) / len(population),
    )
    keys = Streams(search.seed, "child", generation).keys(first, parameters.size)
    bred = search.representation.breed(keys, [individual.genome for individual in population], mating)
    if bred is None:
        return None
    numbers, born = [individual.number for individual in population], generation * STRIDE + first
    return [
        Individual(
            born + index,
            child.genome,
            child.size,
            Origin(child.operator, tuple([numbers[place] for place in child.parents]), child.places),
            note=TARPEIAN if child.doomed else "",
        )
        for index, child in enumerate(bred)
    ]


def evaluate(
    search: Search[Genome],
    individuals: Sequence[Individual[Genome]],
    known: Mapping[Any, Individual[Genome]],
    generation: int,
    executor: Executor,
    *,
    key: Key = itself,
) -> list[Individual[Genome]]:
    """The individuals with their evaluations, in their order; equal genomes are evaluated once.

    ``known`` holds individuals whose evaluations still hold, by the keys of their genomes, which are the genomes unless
    a cheaper one is given; individuals that carry the note ``tarpeian`` get the worst fitness.
    """
    doomed = Evaluation(WORST, note=TARPEIAN)
    living = {key(i.genome): i.genome for i in individuals if i.note != TARPEIAN}
    unknown = {name: genome for name, genome in living.items() if name not in known}
    genomes = list(unknown.values())
    found = search.problem.evaluate(genomes, search.seed, generation, executor) if genomes else []
    fresh = dict(zip(unknown, found, strict=True))
    cost = search.parameters.bloat.cost
    objectives = () if search.front is None else search.front.objectives
    weighed_of = weigher(objectives, {} if search.front is None else search.front.own)

    def evaluated(individual: Individual[Genome]) -> Individual[Genome]:
        if individual.note == TARPEIAN:
            return individual.evaluated(doomed, cost(individual.size))
        name = key(individual.genome)
        new = fresh.get(name)
        if new is None:
            same = known[name]
            if same is individual:
                return individual
            return individual.evaluated(same.evaluation, cost(individual.size))
        found = individual.evaluated(new, cost(individual.size))
        weighed = weighed_of(found) if objectives else found.objectives
        behaviour = search.parameters.scheme.behaviour(found, search.representation)
        is_same = weighed is found.objectives and behaviour is found.behaviour
        return found if is_same else found._replace(objectives=weighed, behaviour=behaviour)

    return [evaluated(individual) for individual in individuals]
