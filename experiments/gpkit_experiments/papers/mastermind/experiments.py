"""The source's five experiments, what it says of each, and the readings of what it leaves open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from gpkit.core.rng import stream
from gpkit.evolution.individual import Genome, Individual, Population
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
from gpkit_experiments.papers.mastermind.genes import Cuts, Domain, Genes, create, one_alphabet
from gpkit_experiments.papers.mastermind.representation import DiscreteRepresentation, Mutating, chains
from gpkit_experiments.papers.mastermind.secret import Secret, highest
from gpkit_experiments.papers.paper import Claim, above, below, exact

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
