"""The loop of evolution, from the whole run down to one child: read it from top to bottom.

``evolve`` opens the folder and the workers, ``run_search`` does rounds until a rule says stop, ``advance`` computes the
next state from the last one, and ``next_generation`` the next population. A round is a pure function of the state
before it. Every child has its own random stream, keyed by the seed of the run, the generation and its index, so that
neither the number of workers nor a resume can change it.
"""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.files import same_folder
from gpkit.core.rng import Streams
from gpkit.core.settings import to_data
from gpkit.core.timeouts import TimeUp, limited
from gpkit.core.work_folder import Description, is_run
from gpkit.evolution.dominance import fronts, points_of, weigher
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.fronts import Front
from gpkit.evolution.individual import (
    STRIDE,
    TARPEIAN,
    WORST,
    Evaluation,
    Genome,
    Individual,
    Origin,
    Population,
)
from gpkit.evolution.own_parts import Callbacks
from gpkit.evolution.pools import executor_for
from gpkit.evolution.problem import CHOICE, FINAL, Breeder, Child, Executor, Lost
from gpkit.evolution.refinement import refine
from gpkit.evolution.run_folder import (
    KIND,
    Diary,
    RunResult,
    champion_header,
    check_folder,
    front_table,
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
    State,
    itself,
)
from gpkit.evolution.setup import Run, Stop, first_of, stop_of
from gpkit.evolution.summary import Summary, summarise
from gpkit.evolution.tables import STEPS
from gpkit.genomes.program_operators import Breeding

INTERRUPTED = "Ctrl+C"
"""The reason that a run reports if it was interrupted."""

RARELY = (100_000, 50, 50)
"""The least thresholds of Python's collector of cycles during a run; one that is switched off stays so."""

FIT_SECONDS = 1e-3
"""The expected time of fitting the constants of a newcomer, for making batches."""

Key = Callable[[Any], Any]
"""Gives equal genomes the same key."""


def evolve(
    run: Run[Any],
    where: Executor | str = "1",
    *,
    folder: Path | None = None,
    resume: bool = False,
    stop: Stop | None = None,
    hooks: Hooks = QUIET,
    arguments: Sequence[str] = (),
    limit: tuple[float, float] | None = None,
    keeps: bool = False,
) -> RunResult[Any]:
    """The result of a run; the result so far if a time limit or an interrupt ends it.

    Args:
        run: its configuration decides the course; if it is a fit, its rows have been read.
        where: an executor that evaluates programs, or ``workers`` of ``executor_for``; neither can change the result.
        folder: where the run is stored; None stores nothing.
        resume: go on with the run in the folder; the configuration must be its own, but for ``stop``.
        stop: a rule before those of the configuration, such as a time limit.
        hooks: called on the way.
        arguments: the command line, to be stored.
        limit: the seconds that the person gave, and the seconds after which the run is abandoned.
        keeps: whether an interrupt, like the time limit, ends the run but keeps the result so far.

    Raises:
        UsageError: a name in the configuration does not exist, rules, dialect and opponents do not go together, or the
            configuration differs from that of the run in the folder (nothing is stored in these cases); or the time is
            over before the first generation.
        CheckpointError: the folder is in use, not empty, not of a run, damaged, or cannot be written.
        KeyboardInterrupt: an interrupt came, and ``keeps`` is False or there is no result yet.
    """
    last: list[State[Any]] = []
    try:
        workers = executor_for(where) if isinstance(where, str) else nullcontext(where)
        with same_folder(), limited(limit and limit[1]), workers as executor:
            search, (rule, heard) = run.search(), attended(run, stop, hooks, last)
            with _stored(run, search, folder, resume, heard, arguments) as diary:
                return run_search(search, executor, rule, diary=diary, hooks=heard)
    except TimeUp:
        reason = f"{limit[0] if limit else 0:g} seconds"
        if not last and (folder is None or not is_run(folder) or reached_generation(folder) is None):
            raise UsageError(f"timed out: the first generation takes longer than {reason}") from None
    except KeyboardInterrupt:
        reason = INTERRUPTED
        if not (keeps and last):
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
    state: State[Genome] | None = None,
) -> RunResult[Genome]:
    """Search until a rule says stop.

    A round that an exception breaks off, for example because scores from elsewhere are missing, changes nothing: the
    search can continue from the state before it.

    Args:
        search: what is searched and how.
        executor: where genomes are evaluated; it cannot change the result.
        stop: looked at after every round.
        diary: where the run is stored; None stores nothing.
        hooks: called on the way.
        state: where the search goes on; None begins one, or goes on where the diary ends.

    Raises:
        CheckpointError: the folder of the run is damaged, or the file system refuses.
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
        result = _result(search, state, reason, executor)
        if diary is not None:
            diary.write_end(result)
    return result


@contextmanager
def rare_collections() -> Iterator[None]:
    """Rare searches for cycles of dead objects: a population has none, and each would walk through all of it."""
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
        [(summarise(number, each), each) for number, each in enumerate(history, state.generation + 1)]
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
    if count >= len(islands):
        return tuple(islands)
    fittest = [max(individual.fitness for individual in population) for population in islands]
    ranked = sorted(range(len(islands)), key=lambda island: -fittest[island])
    return tuple(islands[island] for island in sorted(ranked[:count]))


# One generation: its children, made and evaluated.


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
    """The children that ``_bred_alone`` would make, bred in one call; None if this is not possible."""
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
    front = search.front
    weighed_of = None if front is None or not front.objectives else weigher(front.objectives, front.own)

    def evaluated(individual: Individual[Genome]) -> Individual[Genome]:
        if individual.note == TARPEIAN:
            return individual.evaluated(doomed, cost(individual.size))
        name = key(individual.genome)
        new = fresh.get(name)
        if new is None:
            same = known[name]
            if same is individual:
                return individual
            return individual.evaluated(same, cost(individual.size))
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
    everybody = by_fitness([i for population in islands for i in population])
    newcomers: dict[Any, Individual[Genome]] = {}
    for individual in everybody:
        if len(newcomers) == search.candidates:
            break
        if champion is None or individual.genome != champion.individual.genome:
            newcomers.setdefault(individual.genome, individual)
    found = _validated(search, list(newcomers.values()), CHOICE, executor) if newcomers else []
    for individual, validated in zip(newcomers.values(), found, strict=True):
        if champion is None or validated.fitness > champion.fitness:
            champion = Champion(individual, validated.score, validated.fitness, generation)
    assert champion is not None
    return champion


def _validated(
    search: Search[Genome], individuals: Sequence[Individual[Genome]], occasion: int, executor: Executor
) -> list[Individual[Genome]]:
    """The individuals, evaluated under the conditions of validation."""
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
    there = _validated(search, list(genomes.values()), CHOICE, executor)
    front = search.front.front([*zip(genomes.values(), there, strict=True)], champion.genome)
    members = tuple(replace(one, program=search.written(one.individual.genome)) for one in front.members)
    sizes = [search.representation.size(one.program) for one in members]
    return replace(front, members=members).with_sizes(sizes)


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
    chosen = contenders[best]
    whole = search.written(chosen.genome)
    if whole != chosen.genome:
        size, origin = search.representation.size(whole), Origin("write", (chosen.number,))
        chosen = Individual(chosen.number, whole, size, origin)
    return Champion(chosen, results[best].score, results[best].fitness, generation)


# The ends of a run: its folder, its rules, its result.


@contextmanager
def _stored(
    run: Run[Any],
    search: Search[Any],
    folder: Path | None,
    resume: bool,
    hooks: Hooks = QUIET,
    arguments: Sequence[str] = (),
) -> Iterator[Diary[Any] | None]:
    """The diary in a folder, opened after all checks that can fail; None without a folder."""
    if folder is None:
        yield None
        return
    description = description_of(run, run.versions, arguments)
    check_folder(folder, description, resume=resume)
    hooks.rehearsal()
    run.rehearse(search)
    with open_diary(
        search, folder.absolute(), description, run.header, resume=resume, patience=hooks.patience
    ) as diary:
        yield diary


def description_of(run: Run[Any], versions: Mapping[str, str], arguments: Sequence[str] = ()) -> Description:
    """The description of a run for its folder."""
    return Description(KIND, to_data(run.config), run.config.seed, versions, tuple(arguments))


def attended(
    run: Run[Any], stop: Stop | None, hooks: Hooks, last: list[State[Any]] | None = None
) -> tuple[Stop, Hooks]:
    """The rule that ends a run, and its hooks, with the callbacks that its configuration names.

    These are given the champion as a program.

    Args:
        run: whose configuration names rules and callbacks.
        stop: a rule before those of the configuration.
        hooks: called before the callbacks.
        last: is given the state after the last round.

    Raises:
        UsageError: there is no such rule or callback.
    """
    config, wrap = run.config, run.own.wrap
    callbacks = Callbacks(config.stop.callbacks, run.own) if config.stop.callbacks else None
    given: list[Stop] = [
        *([] if stop is None else [stop]),
        *run.own.rules,
        *([] if callbacks is None else [callbacks.stop]),
    ]

    def generation(summary: Summary, state: State[Any]) -> None:
        if last is not None:
            last[:] = [state]
        hooks.generation(summary, state)
        if callbacks is not None:
            genome, header = state.champion.individual.genome, champion_header(state.champion, run.header)
            callbacks.generation(summary, genome if wrap is None else wrap(genome, run.language, header))

    patience = hooks.patience if callbacks is None else 0.0
    return first_of(*given, stop_of(config.stop, run.own)), replace(
        hooks, generation=generation, patience=patience
    )


def _result(
    search: Search[Genome], state: State[Genome], reason: str, executor: Executor
) -> RunResult[Genome]:
    front = last_front(search, state, executor)
    return RunResult(
        state,
        finish(search, state, executor, front),
        reason,
        state_digest(state, search.representation),
        None if front is None else front_table(front, search.representation),
        () if front is None else tuple(one.program for one in front.members),
    )
