"""The source's five experiments, the readings of what it leaves open, and their runs and curves."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, prod
from typing import Any, Literal

from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import (
    STRIDE,
    Evaluation,
    Executor,
    Genome,
    Individual,
    Population,
    Problem,
    none_lost,
)
from gpkit.evolution.schemes import (
    Generational,
    Mating,
    ParentCount,
    Roulette,
    Scheme,
    Selector,
    Shares,
    by_fitness,
    drawn_mating,
)
from gpkit.evolution.search import Parameters, Search
from gpkit.games.mastermind.rules import Feedback, feedback
from gpkit.show.chart import WIDE, Series, chart
from gpkit_experiments.papers.courses import populations_of
from gpkit_experiments.papers.mastermind.representation import (
    Cuts,
    DiscreteRepresentation,
    Domain,
    Genes,
    Mutating,
    chains,
    create,
    one_alphabet,
)
from gpkit_experiments.papers.paper import Claim, above, below, exact


def fitness(answer: Feedback) -> int:
    """The fitness of what was answered so: the source's equation (3), after T. Kalisker and D. Camens, GECCO 2003.

    Twice the black pegs, the white ones, and the numbers below how many they are together. It orders answers by black
    and white pegs together, then by black ones, and gives each a number of its own: ``Feedback.number``.
    """
    together = answer.black + answer.white
    return 2 * answer.black + answer.white + sum(range(1, together))


def highest(length: int) -> int:
    """The fitness of the secret itself: 14 for four pegs, 20 for five."""
    return fitness(Feedback(length, 0))


@dataclass(frozen=True, slots=True)
class Secret(Problem[Genes]):
    """Find a code by asking for the fitness of others; every individual is a question.

    This is search with an oracle, not the game, in which whoever guesses chooses few guesses by what was answered.
    """

    code: Genes

    def evaluate(
        self, genomes: Sequence[Genes], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The fitness of the genomes; nothing else matters."""
        return [Evaluation(float(fitness(feedback(genes, self.code)))) for genes in genomes]


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Ceiling of a random first population whose individuals may be put in any order but keep their pegs.

    Attributes:
        fitness: the mean of the highest fitness that one of them can come to, over all secrets.
        complete: the share of populations with an individual that has all pegs of the secret.
    """

    fitness: float
    complete: float


def ceiling(domain: Domain, population: int) -> Ceiling:
    """The ceiling of ``population`` random codes of one alphabet, exactly.

    Scrambling and swapping keep the pegs of a code. So without crossover nothing that they lead to shares more pegs
    with the secret than the best of the first population, and its fitness is at most that of so many black pegs.
    """
    length, colours = len(domain), domain.sizes[0]
    mean, complete = 0.0, 0.0
    for counts, secrets in _kinds(length, colours).items():
        codes = _codes_by_shared_pegs(counts, length)
        up_to = [below / colours**length for below in accumulate(codes)]
        chances = [0.0, *(share**population for share in up_to)]
        weight = secrets / colours**length
        for pegs in range(length + 1):
            mean += weight * highest(pegs) * (chances[pegs + 1] - chances[pegs])
        complete += weight * (1.0 - chances[length])
    return Ceiling(mean, complete)


def _kinds(length: int, colours: int) -> Counter[tuple[int, ...]]:
    """Numbers of codes by their pegs of each colour, whichever colours these are."""
    kinds: Counter[tuple[int, ...]] = Counter()
    for code in combinations_with_replacement(range(colours), length):
        counts = tuple(sorted(code.count(colour) for colour in range(colours)))
        kinds[counts] += factorial(length) // prod(map(factorial, counts))
    return kinds


def _codes_by_shared_pegs(counts: Sequence[int], length: int) -> list[int]:
    """Numbers of codes that share 0, 1, … ``length`` pegs with a code that has so many pegs of each colour."""
    ways = Counter({(0, 0): 1})
    for own in counts:
        more: Counter[tuple[int, int]] = Counter()
        for (used, shared), number in ways.items():
            for pegs in range(length - used + 1):
                more[used + pegs, shared + min(own, pegs)] += number * comb(length - used, pegs)
        ways = more
    return [ways[length, shared] for shared in range(length + 1)]


POPULATION = 40
GENERATIONS = 150

Measure = Literal["best fitness at the end", "share of runs that find the secret"]


@dataclass(frozen=True, slots=True)
class Statement:
    """Published statement on an experiment, and the claim that is tested."""

    measure: Measure
    published: str
    claim: Claim


@dataclass(frozen=True, slots=True)
class Experiment:
    """One of the source's experiments.

    Attributes:
        name: in a few words.
        figure: the number of its figure in the source.
        domain: the codes.
        mutations: with their shares.
        statements: what the source says of it.
    """

    name: str
    figure: int
    domain: Domain
    mutations: Shares
    statements: tuple[Statement, ...]

    @property
    def highest(self) -> int:
        """The fitness of the secret."""
        return highest(len(self.domain))

    @property
    def codes(self) -> int:
        """The number of codes."""
        return int(self.domain.sizes[0] ** len(self.domain))


CLASSIC, SUPER = one_alphabet(4, 6), one_alphabet(5, 8)

MEAN: Measure = "best fitness at the end"
FOUND: Measure = "share of runs that find the secret"

AT_RANDOM_FOUND = 0.99056
"""Share of runs in which as many random codes as a run has are enough for the secret of the classic game."""

AT_RANDOM_SUPER = 18.118
"""Mean of the best fitness among as many random codes in the super game."""

MARGIN = 0.25
"""A mean fitness is above another by so much, or the difference does not matter."""

CLOSE = 1.0
"""Runs tend to a fitness from which their mean is not farther below."""

EXPERIMENTS = (
    Experiment(
        "classic, all mutations",
        9,
        CLASSIC,
        (("scramble", 0.3), ("swap", 0.3), ("next", 0.4)),
        (Statement(FOUND, "almost always 14", above((AT_RANDOM_FOUND + 1.0) / 2)),),
    ),
    Experiment(
        "super, scramble alone",
        10,
        SUPER,
        (("scramble", 1.0),),
        (Statement(MEAN, "tends not to exceed 14", Claim(exact(14.0 - CLOSE), exact(14.0))),),
    ),
    Experiment(
        "super, swap alone",
        11,
        SUPER,
        (("swap", 1.0),),
        (Statement(MEAN, "tends to no more than 15", Claim(exact(14.0 - CLOSE), exact(15.0))),),
    ),
    Experiment(
        "super, next colour alone",
        12,
        SUPER,
        (("next", 1.0),),
        (
            Statement(MEAN, "exceeds 16", above(AT_RANDOM_SUPER + MARGIN)),
            Statement(FOUND, "rarely reaches 20", below(0.2)),
        ),
    ),
    Experiment(
        "super, all mutations",
        13,
        SUPER,
        (("scramble", 0.2), ("swap", 0.1), ("next", 0.7)),
        (Statement(FOUND, "reaches 20 most of the times", above(0.5)),),
    ),
)


def _percent(scramble: int, swap: int, following: int) -> Shares:
    """Mutations by their shares in percent."""
    return (("scramble", scramble / 100), ("swap", swap / 100), ("next", following / 100))


WITHOUT_ORDER = Experiment("super, without scramble and swap", 0, SUPER, (("next", 0.7),), ())
"""The last experiment with nothing in the place of the mutations of order."""

OTHER_SHARES = tuple(
    Experiment(f"{scramble} / {swap} / {following}", 0, SUPER, _percent(scramble, swap, following), ())
    for scramble, swap, following in ((30, 30, 40), (10, 20, 70), (10, 5, 85))
)
"""The last experiment with other shares: those of the classic one, with more swaps, with more next colours."""

LARGER = tuple(
    Experiment(
        f"{length} pegs of {colours} colours", 0, one_alphabet(length, colours), EXPERIMENTS[-1].mutations, ()
    )
    for length, colours in ((6, 9), (8, 12))
)
"""The last experiment in larger spaces."""

CLAIMS = sum(len(experiment.statements) for experiment in EXPERIMENTS)


@dataclass(frozen=True, slots=True)
class Reading:
    """Reading of the source: decisions on what it leaves open.

    Attributes:
        crossover: the share of children that go through the two-point crossover.
        mutating: a child goes through one of the mutations by their shares, or through each with that probability.
        cuts: where the crossover cuts.
        elite: the best parent takes the place of a child that is not made, or that of the worst child.
        roulette: in proportion to fitness, or to what of it is above the worst of the population.
    """

    crossover: float = 1.0
    mutating: Mutating = "one"
    cuts: Cuts = "inner"
    elite: Literal["unmade", "worst"] = "unmade"
    roulette: Literal["fitness", "above worst"] = "fitness"


WITH = Reading()
"""Reading by the text: crossover is always applied."""

WITHOUT = replace(WITH, crossover=0.0)

MAIN: Mapping[str, Reading] = {"with crossover": WITH, "without crossover": WITHOUT}

PAIR = 2.0 / POPULATION

VARIANTS: Mapping[str, Reading] = {
    "with crossover, of one pair in a generation": replace(WITH, crossover=PAIR),
    "with crossover, cut at the ends, too": replace(WITH, cuts="any"),
    **{
        f"{name}, {words}": reading
        for name, base in MAIN.items()
        for words, reading in (
            ("each mutation at its own rate", replace(base, mutating="each")),
            ("elite in place of the worst child", replace(base, elite="worst")),
            ("roulette above the worst", replace(base, roulette="above worst")),
        )
    },
}
"""The other readings, each of which differs from one with or without crossover in one thing."""


def secret_of(domain: Domain, seed: int) -> Genes:
    """The secret of a run."""
    return create(stream(seed, "secret"), domain)


@dataclass(frozen=True, slots=True)
class Preserving(Scheme):
    """Children replace their parents, but the best ``elites`` parents take the places of the worst children.

    So every child is drawn, and a parent stays only where it is fitter than one of them; the elites of ``Generational``
    stand in the places of children that are not made. A child of equal fitness goes before a parent.
    """

    shares: Shares
    selector: Selector
    elites: int = 1
    parents_stay = True

    def prepare(self, population: Sequence[Individual[Any]], size: int, parents: ParentCount) -> Mating:
        """The mating for ``size`` children of a population sorted best first."""
        return drawn_mating(self.shares, self.selector, population, parents)

    def rank(self, individuals: Sequence[Individual[Genome]]) -> Population[Genome]:
        """The individuals of the latest generation and the best of the others, fittest first."""
        latest = max(individual.generation for individual in individuals)
        children = [individual for individual in individuals if individual.generation == latest]
        others = [individual for individual in individuals if individual.generation != latest]
        return by_fitness([*children, *by_fitness(others)[: self.elites]])


def search_of(experiment: Experiment, reading: Reading, seed: int) -> Search[Genes]:
    """One run of an experiment. Runs of a seed have the same secret and the same first population in every reading."""
    shares = chains(("two-point", reading.crossover), experiment.mutations, reading.mutating)
    selector = Roulette(0.0 if reading.roulette == "fitness" else None)
    scheme: Scheme = (
        Generational(shares, selector, elites=1)
        if reading.elite == "unmade"
        else Preserving(shares, selector, elites=1)
    )
    return Search(
        Secret(secret_of(experiment.domain, seed)),
        DiscreteRepresentation(experiment.domain, reading.cuts),
        Parameters(POPULATION, scheme),
        seed,
    )


SECONDS = 0.0007
"""The expected work of a generation."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run.

    Attributes:
        best: the fitness of the best individual of every generation, from generation 0 on; it never falls.
        mean: that of all individuals, as far as the run was followed: to the end, or until the secret was found.
        questions: individuals evaluated up to the first that is the secret, or all of them.
        codes: how many different codes are among them; with the rest of the generation in which the secret was found.
    """

    best: tuple[float, ...]
    mean: tuple[float, ...]
    questions: int
    codes: int

    @property
    def generations(self) -> int:
        """The generations up to the one in which the best is found; all of them if it is found in the last."""
        return 1 + self.best.index(self.best[-1])


def trial(
    experiment: Experiment, reading: Reading, seed: int, generations: int, *, to_the_end: bool
) -> Trial:
    """One run; one that is not followed to the end stops when it finds the secret, as its best stays what it is."""
    search = search_of(experiment, reading, seed)
    best: list[float] = []
    mean: list[float] = []
    asked: set[Genes] = set()
    questions = 0
    for generation, population in enumerate(populations_of(search, generations, SerialExecutor())):
        was_found = bool(best) and best[-1] == experiment.highest
        best.append(population[0].fitness)
        mean.append(sum(individual.fitness for individual in population) / len(population))
        if not was_found:
            asked.update([individual.genome for individual in population])
            questions += _questions(population, experiment.highest)
        if best[-1] == experiment.highest and not to_the_end:
            best += best[-1:] * (generations - generation)
            break
    return Trial(tuple(best), tuple(mean), questions, len(asked))


def _questions(population: Population[Genes], highest: int) -> int:
    """The individuals of a new generation up to the first that is the secret, or all."""
    if population[0].fitness < highest:
        return POPULATION
    return 1 + min(i.number % STRIDE for i in population if i.fitness == highest)


def trials(
    experiment: Experiment,
    reading: Reading,
    seeds: Sequence[int],
    generations: int,
    followed: int,
    executor: Executor,
) -> list[Trial]:
    """The runs of these seeds, the first ``followed`` of them to the end."""
    work = partial(_trials, experiment, reading, generations)
    items = [(seed, number < followed) for number, seed in enumerate(seeds)]
    return none_lost(executor.run(work, items, [SECONDS * generations] * len(items)))


def _trials(
    experiment: Experiment, reading: Reading, generations: int, items: Sequence[tuple[int, bool]]
) -> list[Trial]:
    return [trial(experiment, reading, seed, generations, to_the_end=end) for seed, end in items]


def so_far(values: Sequence[float]) -> list[float]:
    """The mean of the values up to each of them.

    On the bests of all generations this is the source's off-line curve, equation (4), and on the means of the
    populations its on-line curve, equation (5). As they are printed both add up the value at t in place of those at i.

    >>> so_far([3.0, 5.0, 10.0])
    [3.0, 4.0, 6.0]
    """
    return [total / count for count, total in enumerate(accumulate(values), start=1)]


@dataclass(frozen=True, slots=True)
class Curve:
    """One of the curves of an experiment: by generation the mean over runs, with its interval."""

    name: str
    intervals: tuple[Interval, ...]

    @property
    def series(self) -> Series:
        """The curve as a line of a chart, with its band."""
        points = tuple((float(k), i.mean) for k, i in enumerate(self.intervals))
        return Series(self.name, points, tuple((i.low, i.high) for i in self.intervals))


def curve(name: str, runs: Sequence[Sequence[float]], highest: float) -> Curve:
    """The mean of curves of single runs."""
    support = (0.0, highest)
    return Curve(name, tuple(mean_interval(values, support=support) for values in zip(*runs, strict=True)))


def curves(experiment: Experiment, found: Sequence[Trial]) -> tuple[Curve, ...]:
    """The source's three curves; the on-line one is of the trials that were followed to the end."""
    followed = [one.mean for one in found if len(one.mean) == len(one.best)]
    top = float(experiment.highest)
    return (
        curve("best so far", [one.best for one in found], top),
        curve("off-line", [so_far(one.best) for one in found], top),
        curve("on-line", [so_far(mean) for mean in followed], top),
    )


def curves_csv(drawn: Sequence[Curve]) -> str:
    """The curves as comma-separated values: a row for each generation, for each curve its mean and interval."""
    names = [one.name.replace(" ", "_").replace("-", "") for one in drawn]
    rows = [",".join(["generation", *(f"{name},{name}_low,{name}_high" for name in names)])]
    for generation, intervals in enumerate(zip(*(one.intervals for one in drawn), strict=True)):
        cells = [f"{i.mean:.4f},{i.low:.4f},{i.high:.4f}" for i in intervals]
        rows.append(",".join([str(generation), *cells]))
    return "\n".join(rows) + "\n"


def curves_svg(title: str, drawn: Sequence[Curve]) -> str:
    """The curves as an SVG document."""
    return chart(title, [one.series for one in drawn], x="generation", y="fitness", zero=True, width=WIDE)
