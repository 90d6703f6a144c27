"""The loop of evolution, from the whole run down to a single child, in the order in which to read this file.

``evolve`` opens the folder and the workers, ``run_search`` repeats rounds until a stopping rule applies, ``advance``
computes the next state from the current one, and ``next_generation`` computes the next population. Each round is a pure
function of the previous state. Every child has its own random stream, keyed by the seed of the run, the generation and
the child's index, so neither the number of workers nor resuming the run can change the child.

Good genomes are refined by simplification and by local search around them.
"""

import gc
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.core.files import same_folder
from gpkit.core.rng import Streams, stream
from gpkit.core.settings import to_data
from gpkit.core.timeouts import TimeUp, limited
from gpkit.core.work_folder import Description, is_run
from gpkit.evolution.config import STEPS
from gpkit.evolution.executors import SerialExecutor, executor_for
from gpkit.evolution.fronts import FrontTable, fronts, points_of, weigher
from gpkit.evolution.own_parts import Callbacks
from gpkit.evolution.problem import (
    CHOICE,
    FINAL,
    STRIDE,
    TARPEIAN,
    WORST,
    Child,
    Evaluation,
    Executor,
    Genome,
    Individual,
    Lost,
    Origin,
    Population,
)
from gpkit.evolution.run_folder import (
    KIND,
    Diary,
    RunResult,
    champion_header,
    check_folder,
    open_diary,
    reached_generation,
    state_digest,
)
from gpkit.evolution.schemes import by_fitness, fittest_first
from gpkit.evolution.search import (
    QUIET,
    UNREFINED,
    Champion,
    Hooks,
    Parameters,
    Round,
    Search,
    SearchState,
    Summary,
    itself,
    summarise,
)
from gpkit.evolution.setup import Stop, Subject, first_of, stop_of
from gpkit.genomes.program_operators import Breeding

OCCASIONS = 10_000
"""The number of validation occasions that one refinement may use, which is more than twice its number of rounds."""


def refine(
    search: Search[Genome], genome: Genome, place: int, executor: Executor
) -> Iterator[tuple[str, Genome]]:
    """Refine a genome; yield the name and the result of each step that changed it.

    Args:
        search: the search; its settings choose the steps, and tuning validates genomes with its problem.
        genome: the genome to refine.
        place: the number of this refinement in the run.
        executor: the executor that validates genomes.
    """
    if search.refinement.simplify:
        simple = search.representation.simplify(genome)
        if simple != genome and search.representation.admits(simple):
            yield "simplify", simple
            genome = simple
    fitted = search.fitted(genome)
    tuned = tune(search, fitted if search.representation.admits(fitted) else genome, place, executor)
    if tuned != genome:
        yield "tune", tuned


def tune(search: Search[Genome], genome: Genome, place: int, executor: Executor) -> Genome:
    """A better genome nearby, found by local search.

    In each round, the incumbent and its variants are scored under the same conditions; each round has new conditions.
    The best one becomes the incumbent. If the settings require it, the best few first compete with the incumbent again,
    because some of the many variants are merely lucky. After a round without progress, the steps are halved.
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


INTERRUPTED = "Ctrl+C"
"""The reason that a run reports when an interrupt has ended it."""

RARELY = (100_000, 50, 50)
"""The minimum thresholds of Python's garbage collector during a run; a disabled collector stays disabled."""

FIT_SECONDS = 1e-3
"""The expected time in seconds to fit the constants of a newcomer, used to plan batches."""

Key = Callable[[Any], Any]
"""A function that returns the same key for equal genomes."""


def evolve(
    run: Subject,
    where: object = 1,
    *,
    folder: Path | None = None,
    resume: bool = False,
    hooks: Hooks = QUIET,
) -> RunResult[Any]:
    """Run the evolution, and return its result, or the result so far if a time limit or an interrupt ends the run.

    Args:
        run: the subject, whose configuration determines the run; if the subject is a fit, its rows have been read.
        where: the argument for ``executor_for``, or an executor that it returned; the choice does not affect the
            result.
        folder: the folder in which to store the run; None means that nothing is stored.
        resume: whether to continue the run in the folder; its configuration must be the same, except for ``stop``.
        hooks: called during the run.

    Raises:
        UsageError: a name in the configuration does not exist, rules, dialect and opponents are not compatible, or the
            configuration differs from the one in the folder (nothing is stored in these cases); or the time runs out
            before the first generation.
        CheckpointError: the folder is in use, is not empty, belongs to no run, is damaged, or cannot be written.
        KeyboardInterrupt: an interrupt ends the run, which keeps no results or has none yet.
    """
    last: list[SearchState[Any]] = []
    limit = hooks.limit
    try:
        with same_folder(), limited(limit and limit[1]), executor_for(where) as executor:
            search, (rule, heard) = run.search(), rule_and_hooks(run, hooks, last)
            with _stored(run, search, folder, resume, heard) as diary:
                return run_search(search, executor, rule, diary=diary, hooks=heard)
    except TimeUp:
        reason = f"{limit[0] if limit else 0:g} seconds"
        if not last and (folder is None or not is_run(folder) or reached_generation(folder) is None):
            raise UsageError(f"timed out: the first generation takes longer than {reason}") from None
    except KeyboardInterrupt:
        reason = INTERRUPTED
        if not (hooks.keeps and last):
            raise
    search, state = replace(run.search(), refinement=UNREFINED), None if folder is not None else last[0]
    with _stored(run, search, folder, True) as diary:
        return run_search(search, SerialExecutor(), lambda _: reason, diary=diary, state=state)


def run_search(
    search: Search[Genome],
    executor: Executor,
    stop: Stop,
    *,
    diary: Diary[Genome] | None = None,
    hooks: Hooks = QUIET,
    state: SearchState[Genome] | None = None,
) -> RunResult[Genome]:
    """Search until a stopping rule applies.

    If an exception interrupts a round, for example because external scores are missing, the round has no effect, and
    the search can continue from the previous state.

    Args:
        search: the search.
        executor: evaluates genomes; it does not affect the result.
        stop: called after every round.
        diary: the diary that stores the run; None means that nothing is stored.
        hooks: called during the search.
        state: the state to continue from; None starts a new search, or continues from the diary's last state.

    Raises:
        CheckpointError: the folder of the run is damaged or cannot be written.
    """
    if diary is not None and state is None:
        state = diary.restore()
        if state is not None and (reason := stop(state)) and (result := diary.ended(state, reason)):
            hooks.ended()
            return result
        diary.go_on(state)
    hooks.start()
    with rare_collections():
        while state is None or (reason := stop(state)) is None:
            done = begin(search, executor) if state is None else advance(search, state, executor)
            state = done.state
            if diary is not None:
                diary.write(done)
            for summary, _ in done.generations:
                hooks.generation(summary, state)
        hooks.ending()
        front, members, programs = last_front(search, state, executor)
        chosen = None if front is None or front.chosen is None else members[front.chosen]
        champion = finish(search, state, executor, chosen)
        sha256 = state_digest(state, search.representation)
        result = RunResult(state, champion, reason, sha256, front, programs)
        if diary is not None:
            diary.write_end(result)
    return result


@contextmanager
def rare_collections() -> Iterator[None]:
    """Collect garbage rarely, because populations have no unreachable cycles and each collection traverses them all."""
    before = gc.get_threshold()
    if gc.isenabled() and before[0]:
        gc.set_threshold(*map(max, before, RARELY))
    try:
        yield
    finally:
        gc.set_threshold(*before)


def begin(search: Search[Genome], executor: Executor) -> Round[Genome]:
    """Generation 0."""
    count = search.islands.count
    size = search.parameters.size
    islands = tuple(initial(search, executor, first=island * size) for island in range(count))
    champion = choose_champion(search, None, islands, 0, executor)
    state = SearchState(0, islands, champion, (), evaluations=count * size)
    return Round(state, ((summarise(0, islands), islands),))


def advance(search: Search[Genome], state: SearchState[Genome], executor: Executor) -> Round[Genome]:
    """Run the next round: one generation, or an epoch of several generations if there are several islands.

    The round ends with migration, refinement of the best individuals, and, at the end of a bracket, the choice of the
    islands that continue.
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
        [(summarise(number, each), each) for number, each in enumerate(history, state.generation + 1)]
    )
    left = winners(islands, search.islands.left(generation))
    return Round(SearchState(generation, left, champion, hall, evaluations), generations)


# Islands: populations that evolve apart, migration around their ring, and brackets that few of them survive.


def epoch(
    search: Search[Genome],
    population: Population[Genome],
    island: int,
    generation: int,
    length: int,
    executor: Executor,
) -> list[Population[Genome]]:
    """The populations of one island in the ``length`` generations that follow ``generation``."""
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
    """Run an epoch on every island: workers get whole islands, but a single island spreads its batches over workers.

    If an epoch kills its worker repeatedly, gpkit repeats it with only its batches in the workers, so that only the
    genome that kills the worker is lost.
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
    """The islands after migration: copies of the best individuals of each island replace the worst of the next."""
    if len(islands) == 1 or migrants == 0:
        return tuple(islands)
    arrivals = [islands[island - 1][:migrants] for island in range(len(islands))]
    return tuple(
        parameters.scheme.joined(population, arriving)
        for population, arriving in zip(islands, arrivals, strict=True)
    )


def winners(islands: Sequence[Population[Genome]], count: int) -> tuple[Population[Genome], ...]:
    """The ``count`` islands with the fittest individuals, in their order; all islands had the same conditions."""
    if count >= len(islands):
        return tuple(islands)
    fittest = [max(individual.fitness for individual in population) for population in islands]
    ranked = sorted(range(len(islands)), key=lambda island: -fittest[island])
    return tuple(islands[island] for island in sorted(ranked[:count]))


# One generation: its children, made and evaluated.


def initial(search: Search[Genome], executor: Executor, *, first: int = 0) -> Population[Genome]:
    """The evaluated individuals of generation 0, best first; ``first`` is the first one's index across all islands."""
    evaluated = evaluate(search, created(search, first=first), {}, 0, executor)
    return search.parameters.scheme.survivors(evaluated, search.parameters.size)


def created(search: Search[Genome], *, first: int = 0) -> list[Individual[Genome]]:
    """The individuals of generation 0, before they are evaluated."""
    representation, individuals = search.representation, []
    streams, size = Streams(search.seed, "create"), search.parameters.size
    for place in range(size):
        genome, origin = search.start.create(streams(first + place), representation, place, first, size)
        individuals.append(Individual(first + place, genome, representation.size(genome), origin))
    return individuals


def next_generation(
    search: Search[Genome],
    population: Population[Genome],
    generation: int,
    executor: Executor,
    *,
    first: int = 0,
) -> Population[Genome]:
    """The evaluated population of ``generation``, best first.

    Args:
        search: the search, with the current problem.
        population: the population of the previous generation, best first.
        generation: the number of the new generation, from 1.
        executor: evaluates genomes; it does not affect the result.
        first: the index of the first child among the children of all islands in this generation.
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
    """The evaluated population after this many generations, best first."""
    population = initial(search, executor)
    for generation in range(1, generations + 1):
        population = next_generation(search, population, generation, executor)
    return population


def _bred_alone(
    search: Search[Genome], population: Population[Genome], generation: int, first: int
) -> list[Individual[Genome]]:
    """The children, made one by one."""
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
    """The same children as ``_bred_alone`` returns, but made in one call; None if this is not possible."""
    scheme, parameters = search.parameters.scheme, search.parameters
    if scheme.tournaments is None:
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
    known: Mapping[object, Individual[Genome]],
    generation: int,
    executor: Executor,
    *,
    key: Key = itself,
) -> list[Individual[Genome]]:
    """The individuals with their evaluations, in order; equal genomes are evaluated once.

    ``known`` maps the keys of genomes to individuals whose evaluations are still valid. ``key`` makes a key from a
    genome; by default, the key is the genome itself. Individuals with the note ``tarpeian`` get the worst fitness.
    """
    doomed = Evaluation(WORST, note=TARPEIAN)
    living = {key(i.genome): i.genome for i in individuals if i.note != TARPEIAN}
    unknown = {name: genome for name, genome in living.items() if name not in known}
    genomes = list(unknown.values())
    found = search.problem.evaluate(genomes, search.seed, generation, executor) if genomes else []
    fresh = dict(zip(unknown, found, strict=True))
    cost = search.parameters.bloat.cost
    front = search.front
    weighed_of = None if front is None or not front.objectives else weigher(front.objectives, front.own)

    def evaluated(individual: Individual[Genome]) -> Individual[Genome]:
        if individual.note == TARPEIAN:
            return individual.evaluated(doomed, cost(individual.size))
        name = key(individual.genome)
        new = fresh.get(name)
        if new is None:
            same = known[name]
            return individual if same is individual else individual.evaluated(same, cost(individual.size))
        found = individual.evaluated(new, cost(individual.size))
        weighed = found.objectives if weighed_of is None else weighed_of(found)
        behaviour = search.parameters.scheme.behaviour(found, search.representation)
        is_same = weighed is found.objectives and behaviour is found.behaviour
        return found if is_same else found._replace(objectives=weighed, behaviour=behaviour)

    return [evaluated(individual) for individual in individuals]


# Champions.


def _due(every: int | None, before: int, now: int) -> bool:
    return every is not None and before // every < now // every


def joined(hall: Sequence[Genome], champion: Genome, size: int) -> tuple[Genome, ...]:
    """The hall of fame after a champion joins; if it is full, the oldest member leaves, and no champion joins twice."""
    return tuple(hall) if champion in hall else (*hall, champion)[-size:]


def choose_champion(
    search: Search[Genome],
    champion: Champion[Genome] | None,
    islands: Sequence[Population[Genome]],
    generation: int,
    executor: Executor,
) -> Champion[Genome]:
    """The old champion, or the best of the fittest newcomers if this one beats the old champion in validation.

    If scores are recomputed, the old champion is validated again.
    """
    everybody = by_fitness([i for population in islands for i in population])
    newcomers: dict[Any, Individual[Genome]] = {}
    for individual in everybody:
        if len(newcomers) == search.candidates:
            break
        if champion is None or individual.genome != champion.individual.genome:
            newcomers.setdefault(individual.genome, individual)
    old = [champion.individual] if champion is not None and search.renewed else []
    contenders = [*old, *newcomers.values()]
    found = _validated(search, contenders, CHOICE, executor) if contenders else []
    if old and champion is not None:
        champion = replace(champion, score=found[0].score, fitness=found[0].fitness)
    for individual, validated in zip(newcomers.values(), found[len(old) :], strict=True):
        if champion is None or validated.fitness > champion.fitness:
            champion = Champion(individual, validated.score, validated.fitness, generation)
    assert champion is not None
    return champion


def _validated(
    search: Search[Genome], individuals: Sequence[Individual[Genome]], occasion: int, executor: Executor
) -> list[Individual[Genome]]:
    """The individuals, reevaluated under the conditions of validation."""
    found = search.problem.validate([i.genome for i in individuals], search.seed, occasion, executor)
    cost = search.parameters.bloat.cost
    return [i.evaluated(one, cost(i.size)) for i, one in zip(individuals, found, strict=True)]


def _with_refined(
    search: Search[Genome],
    facing: Search[Genome],
    population: Population[Genome],
    generation: int,
    island: int,
    executor: Executor,
) -> Population[Genome]:
    """The population after refinement: refined forms of its fittest and of newcomers replace its worst members."""
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


def _fitted_newcomers(
    search: Search[Genome], born: Sequence[Individual[Genome]], executor: Executor
) -> list[tuple[Genome, int]]:
    """Newcomers with better constants, as new genomes with the numbers of their parents."""
    if not born:
        return []
    genomes = [newcomer.genome for newcomer in born]
    found = executor.run(partial(_fitted_all, search.fitted), genomes, [FIT_SECONDS] * len(born))
    return [
        (fitted, newcomer.number)
        for newcomer, fitted in zip(born, found, strict=True)
        if not isinstance(fitted, Lost) and fitted != newcomer.genome and search.representation.admits(fitted)
    ]


def _fitted_all(fitted: Callable[[Any], Any], genomes: Sequence[object]) -> list[Any]:
    return [fitted(genome) for genome in genomes]


def last_front(
    search: Search[Genome], state: SearchState[Genome], executor: Executor
) -> tuple[FrontTable | None, list[Individual[Genome]], tuple[Genome, ...]]:
    """The front of the populations and the champion, after validation; None if the search has no front.

    Programs that a program without a cost dominates before validation are left out. With the front come its members as
    they were in their generations, and as complete programs for users.
    """
    plan = search.front
    if plan is None:
        return None, [], ()
    everybody = [i for population in state.islands for i in population if i.score > WORST]
    points, champion, written = points_of(everybody), state.champion.individual, cache(search.written)
    cost = cache(lambda genome: plan.cost(written(genome)))
    best: list[Individual[Genome]] = []
    costless = np.empty((0, points.shape[1]))
    for place in np.argsort(fronts(points), kind="stable").tolist():
        point, individual = points[place], everybody[place]
        if not ((costless >= point).all(axis=1) & (costless > point).any(axis=1)).any():
            best.append(individual)
            if not cost(individual.genome):
                costless = np.vstack([costless, point])
    genomes = {champion.genome: champion}
    for individual in best:
        genomes.setdefault(individual.genome, individual)
    candidates, space = [*genomes.values()], search.representation
    there = _validated(search, candidates, CHOICE, executor)
    programs = [written(genome) for genome in genomes]
    sized = [one._replace(size=space.size(program)) for one, program in zip(there, programs, strict=True)]
    table, places = plan.front([*zip(candidates, sized, strict=True)], champion.genome, programs, space)
    return table, [candidates[place] for place in places], tuple(programs[place] for place in places)


def finish(
    search: Search[Genome],
    state: SearchState[Genome],
    executor: Executor,
    chosen: Individual[Genome] | None = None,
) -> Champion[Genome]:
    """The champion, refined if this makes it better, with its score under fresh conditions.

    Any champion, including that of a front, is the best of many under the conditions of validation, so its validation
    score is too optimistic. This function scores the champion and its refined versions under new conditions.
    """
    champion, generation = state.champion.individual, state.champion.generation
    if chosen not in (None, champion):
        champion, generation = chosen, chosen.generation
    contenders = [champion]
    if search.refinement.finish:
        contenders += [
            Individual(
                champion.number,
                genome,
                search.representation.size(genome),
                Origin(name, (champion.number,)),
            )
            for name, genome in refine(search, champion.genome, 0, executor)
        ]
    results = _validated(search, contenders, FINAL, executor)
    best = max(range(len(results)), key=lambda k: (results[k].fitness, k))
    found = contenders[best]
    whole = search.finished(search.written(found.genome))
    if whole != found.genome:
        size, origin = search.representation.size(whole), Origin("write", (found.number,))
        found = Individual(found.number, whole, size, origin)
    return Champion(found, results[best].score, results[best].fitness, generation)


# The ends of a run: its folder, its rules, its result.


@contextmanager
def _stored(
    run: Subject,
    search: Search[Any],
    folder: Path | None,
    resume: bool,
    hooks: Hooks = QUIET,
) -> Iterator[Diary[Any] | None]:
    """The diary in a folder, opened only after all checks that can fail; None if there is no folder.

    One of the checks evaluates a random program, which shows whether the opponents, the dialect and the rules fit.
    """
    if folder is None:
        yield None
        return
    description = description_of(run, run.versions, hooks.arguments)
    check_folder(folder, description, resume=resume)
    hooks.rehearsal()
    if (
        rehearsal := getattr(search.problem, "rehearsal", None)
    ) is not None:  # a small version of the problem
        genome = search.representation.create(stream(search.seed, "create", 0), 0)
        rehearsal.evaluate([genome], 0, 0, SerialExecutor())
    with open_diary(
        search, folder.absolute(), description, run.header, resume=resume, patience=hooks.patience
    ) as diary:
        yield diary


def description_of(run: Subject, versions: Mapping[str, str], arguments: Sequence[str] = ()) -> Description:
    """The description of a run that is stored in its folder."""
    return Description(KIND, to_data(run.config), run.config.seed, versions, tuple(arguments))


def rule_and_hooks(
    run: Subject, hooks: Hooks, last: list[SearchState[Any]] | None = None
) -> tuple[Stop, Hooks]:
    """The rule that ends a run, and its hooks, including the callbacks that its configuration names.

    The callbacks get the champion as a program.

    Args:
        run: the run; its configuration names rules and callbacks.
        hooks: called before the callbacks; the rule in the hooks comes before the rules of the configuration.
        last: receives the state after the last round.

    Raises:
        UsageError: there is no such rule or callback.
    """
    config, wrap = run.config, run.own.wrap
    callbacks = Callbacks(config.stop.callbacks, run.own) if config.stop.callbacks else None
    given: list[Stop] = [
        *([] if hooks.stop is None else [hooks.stop]),
        *run.own.rules,
        *([] if callbacks is None else [callbacks.stop]),
    ]

    def generation(summary: Summary, state: SearchState[Hashable]) -> None:
        if last is not None:
            last[:] = [state]
        hooks.generation(summary, state)
        if callbacks is not None:
            genome, header = state.champion.individual.genome, champion_header(state.champion, run.header)
            callbacks.generation(summary, genome if wrap is None else wrap(genome, run.language, header))

    return first_of(*given, stop_of(config.stop, run.own)), replace(
        hooks,
        generation=generation,
        patience=hooks.patience if callbacks is None and not run.own.rules else 0.0,
    )
