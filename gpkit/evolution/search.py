"""The search: rounds of generations with islands, champions and a hall of fame, each a pure function of the last state.

Whoever calls ``advance`` decides when to stop, and what to log and to store.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic

from gpkit.core.codec import Count
from gpkit.core.rng import stream
from gpkit.evolution.dominance import fronts, points_of
from gpkit.evolution.engine import Parameters, Search, evaluate, initial, next_generation
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.fronts import Front
from gpkit.evolution.individual import (
    STRIDE,
    WORST,
    Generation,
    Genome,
    Individual,
    Origin,
    Population,
    Score,
)
from gpkit.evolution.problem import CHOICE, FINAL, Executor, Lost
from gpkit.evolution.summary import Summary, summarise
from gpkit.evolution.tables import STEPS

OCCASIONS = 10_000
"""Occasions of validation that one refinement may use: more than twice its rounds."""


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


def begin(search: Search[Genome], executor: Executor) -> Round[Genome]:
    """Generation 0."""
    count = search.islands.count
    size = search.parameters.size
    islands = tuple(initial(search, executor, first=island * size) for island in range(count))
    champion = choose_champion(search, None, islands, 0, executor)
    state = State(0, islands, champion, (), evaluations=count * size)
    return Round(state, ((summarise(0, islands), islands),))


def advance(search: Search[Genome], state: State[Genome], executor: Executor) -> Round[Genome]:
    """The next round: one generation, or with several islands an epoch of them and what follows it.

    That is migration, refinement of the best, and at the end of a bracket that only its winners continue.
    """
    facing = replace(search, problem=search.problem.facing(state.hall))
    length = search.islands.interval if len(state.islands) > 1 else 1
    found = epochs(facing, state.islands, state.generation, length, executor)
    generation = state.generation + length
    islands = migrate([history[-1] for history in found], search.parameters, search.islands.migrants)
    if _due(search.refinement.every, state.generation, generation):
        islands = tuple(
            _with_refined(search, facing, population, generation, island, executor)
            for island, population in enumerate(islands)
        )
    champion = choose_champion(search, state.champion, islands, generation, executor)
    hall = state.hall
    if search.hall and _due(search.hall_every, state.generation, generation):
        hall = joined(hall, champion.individual.genome, search.hall)
    evaluations = state.evaluations + length * len(islands) * search.parameters.size
    history = [tuple(populations[k] for populations in found) for k in range(length)]
    history[-1] = islands
    generations = tuple(
        [
            (summarise(number, populations), populations)
            for number, populations in enumerate(history, state.generation + 1)
        ]
    )
    left = winners(islands, search.islands.left(generation))
    return Round(State(generation, left, champion, hall, evaluations), generations)


# Islands: populations that evolve apart, migration around their ring, and brackets that few of them survive.


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


def migrate(
    islands: Sequence[Population[Genome]], parameters: Parameters, migrants: int
) -> tuple[Population[Genome], ...]:
    """The islands after the best of each have replaced the worst of the next; an island does not lose its best."""
    if len(islands) == 1 or migrants == 0:
        return tuple(islands)
    arrivals = [islands[island - 1][:migrants] for island in range(len(islands))]
    return tuple(
        parameters.scheme.joined(population, arriving)
        for population, arriving in zip(islands, arrivals, strict=True)
    )


def winners(islands: Sequence[Population[Genome]], count: int) -> tuple[Population[Genome], ...]:
    """The ``count`` islands whose best is the fittest, in their order; all met the same conditions."""
    fittest = [max(individual.fitness for individual in population) for population in islands]
    ranked = sorted(range(len(islands)), key=lambda island: -fittest[island])
    return tuple(islands[island] for island in sorted(ranked[:count]))


# Champions.


def _due(every: int | None, before: int, now: int) -> bool:
    return every is not None and before // every < now // every


def joined(hall: Sequence[Genome], champion: Genome, size: int) -> tuple[Genome, ...]:
    """The hall of fame after a champion joined, without the oldest if it is full; a member does not join again."""
    return tuple(hall) if champion in hall else (*hall, champion)[-size:]


def choose_champion(
    search: Search[Genome],
    champion: Champion[Genome] | None,
    islands: Sequence[Population[Genome]],
    generation: int,
    executor: Executor,
) -> Champion[Genome]:
    """The old champion, or the one of the fittest newcomers that beats it in validation."""
    everybody = sorted((i for population in islands for i in population), key=lambda i: -i.fitness)
    newcomers: dict[Any, Individual[Genome]] = {}
    for individual in everybody:
        if len(newcomers) == search.candidates:
            break
        if champion is None or individual.genome != champion.individual.genome:
            newcomers.setdefault(individual.genome, individual)
    found = search.problem.validate(list(newcomers), search.seed, CHOICE, executor) if newcomers else []
    for individual, evaluation in zip(newcomers.values(), found, strict=True):
        validated = individual.evaluated(evaluation, search.parameters.bloat.cost(individual.size))
        if champion is None or validated.fitness > champion.fitness:
            champion = Champion(individual, validated.score, validated.fitness, generation)
    assert champion is not None
    return champion


def _with_refined(
    search: Search[Genome],
    facing: Search[Genome],
    population: Population[Genome],
    generation: int,
    island: int,
    executor: Executor,
) -> Population[Genome]:
    """The population with what became of its fittest, and of newcomers, instead of its worst."""
    fittest = max(population, key=lambda each: each.fitness)  # not the first, in the Pareto order
    islands, parent = search.islands.count, fittest.number
    room = STEPS + search.refinement.newcomers
    first = generation * STRIDE + islands * search.parameters.size + room * island
    made: list[tuple[str, Genome, int]] = []
    for name, genome in refine(search, fittest.genome, 1 + generation * islands + island, executor):
        made.append((name, genome, parent))
        parent = first + len(made) - 1
    born = [i for i in population if i.generation == generation and i.score > WORST and i is not fittest]
    born = born[: min(search.refinement.newcomers, len(population) // 4)]
    made += [("tune", fitted, number) for fitted, number in _fitted_newcomers(search, born, executor)]
    newcomers = [
        Individual(first + number, genome, search.representation.size(genome), Origin(name, (parent,)))
        for number, (name, genome, parent) in enumerate(made[: len(population) - 1])
    ]
    return search.parameters.scheme.joined(population, evaluate(facing, newcomers, {}, generation, executor))


FIT_SECONDS = 1e-3
"""The expected time of fitting the constants of a newcomer, for making batches."""


def _fitted_newcomers(
    search: Search[Genome], born: Sequence[Individual[Genome]], executor: Executor
) -> list[tuple[Genome, int]]:
    """Newcomers with constants that fit better: the genomes, and the numbers of those that they were made of."""
    if not born:
        return []
    genomes = [newcomer.genome for newcomer in born]
    found = executor.run(partial(_fitted_all, search.fitted), genomes, [FIT_SECONDS] * len(born))
    return [
        (fitted, newcomer.number)
        for newcomer, fitted in zip(born, found, strict=True)
        if not isinstance(fitted, Lost) and fitted != newcomer.genome and search.representation.admits(fitted)
    ]


def _fitted_all(fitted: Callable[[Any], Any], genomes: Sequence[Any]) -> list[Any]:
    return [fitted(genome) for genome in genomes]


def last_front(search: Search[Genome], state: State[Genome], executor: Executor) -> Front[Genome] | None:
    """The front of the populations and the champion, all validated; None where nothing is weighed."""
    if search.front is None:
        return None
    everybody = [i for population in state.islands for i in population if i.score > WORST]
    ranks = fronts(points_of(everybody))
    champion = state.champion.individual
    genomes = {champion.genome: champion}
    for individual, rank in zip(everybody, ranks, strict=True):
        if rank == 0:
            genomes.setdefault(individual.genome, individual)
    found = search.problem.validate(list(genomes), search.seed, CHOICE, executor)
    cost = search.parameters.bloat.cost
    there = [i.evaluated(one, cost(i.size)) for i, one in zip(genomes.values(), found, strict=True)]
    front = search.front.front([*zip(genomes.values(), there, strict=True)], champion.genome)
    programs = [search.written(one.individual.genome) for one in front.members]
    return front.with_sizes([search.representation.size(program) for program in programs])


def finish(
    search: Search[Genome], state: State[Genome], executor: Executor, front: Front[Genome] | None = None
) -> Champion[Genome]:
    """The champion, refined where that makes it better, with its score on fresh conditions.

    The champion, also that of a front, was chosen as the best of many on the conditions of validation, so its score
    there is flattering; here it meets conditions that nobody has met, and so does what became of it.
    """
    champion, generation = state.champion.individual, state.champion.generation
    if front is not None and front.chosen is not None:
        champion = front.members[front.chosen].individual
        generation = generation if champion == state.champion.individual else champion.generation
    contenders = [champion]
    if search.refinement.finish:
        steps = refine(search, champion.genome, 0, executor)
        contenders += [
            Individual(
                champion.number,
                genome,
                search.representation.size(genome),
                Origin(name, (champion.number,)),
            )
            for name, genome in steps
        ]
    found = search.problem.validate([i.genome for i in contenders], search.seed, FINAL, executor)
    cost = search.parameters.bloat.cost
    results = [i.evaluated(one, cost(i.size)) for i, one in zip(contenders, found, strict=True)]
    best = max(range(len(results)), key=lambda k: (results[k].fitness, k))
    chosen = contenders[best]
    whole = search.written(chosen.genome)
    if whole != chosen.genome:
        size, origin = search.representation.size(whole), Origin("write", (chosen.number,))
        chosen = Individual(chosen.number, whole, size, origin)
    return Champion(chosen, results[best].score, results[best].fitness, generation)


# Refinement of one good genome: simplification, and a local search around it.


def refine(
    search: Search[Genome], genome: Genome, place: int, executor: Executor
) -> list[tuple[str, Genome]]:
    """Refine a genome; returns each step that changed it, by name, with its result.

    Args:
        search: its refinement says what is done; tuning validates genomes by its problem.
        genome: the one to refine.
        place: tells this refinement from the others of the run.
        executor: where to validate.
    """
    steps = []
    if search.refinement.simplify:
        simple = search.representation.simplify(genome)
        if simple != genome and search.representation.admits(simple):
            steps.append(("simplify", simple))
            genome = simple
    fitted = search.fitted(genome)
    tuned = tune(search, fitted if search.representation.admits(fitted) else genome, place, executor)
    if tuned != genome:
        steps.append(("tune", tuned))
    return steps


def tune(search: Search[Genome], genome: Genome, place: int, executor: Executor) -> Genome:
    """A better genome nearby, found by a local search.

    In each round the incumbent and its variants meet the same conditions, which are fresh in the next round; the best
    goes on, or whoever is best when the best of them meet it once more: among many variants some are only lucky. The
    steps are half as large after a round without progress.
    """
    refinement, representation, seed = search.refinement, search.representation, search.seed
    step = 1.0
    for number in range(refinement.rounds):
        rng = stream(seed, "tune", place, number)
        variants = [representation.tweak(rng, genome, step) for _ in range(refinement.candidates)]
        candidates = [each for each in dict.fromkeys([genome, *variants]) if representation.admits(each)]
        if len(candidates) == 1:
            break
        occasion = 1 + place * OCCASIONS + number
        found = search.problem.validate(candidates, seed, occasion, executor)
        ranked = sorted(range(len(candidates)), key=lambda k: (-found[k].score, k))
        best = ranked[0]
        if refinement.confirm and best:
            finalists = [0, *(k for k in ranked if k)][: refinement.confirm + 1]
            again = search.problem.validate(
                [candidates[k] for k in finalists], seed, occasion + OCCASIONS // 2, executor
            )
            best = finalists[max(range(len(finalists)), key=lambda k: (again[k].score, -k))]
        if best == 0:
            step *= 0.5
        genome = candidates[best]
    return genome
