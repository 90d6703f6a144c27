"""The problem of the source: a hidden code, and an oracle that says of every individual how near it is."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, prod
from typing import Self

from gpkit.evolution.individual import Evaluation
from gpkit.evolution.problem import Executor
from gpkit.games.mastermind.rules import Feedback, feedback
from gpkit_experiments.papers.mastermind.genes import Domain, Genes


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
class Secret:
    """Find a code by asking for the fitness of others; every individual is a question.

    This is search with an oracle, not the game, in which whoever guesses chooses few guesses by what was answered.
    """

    code: Genes
    changes: bool = field(default=False, init=False)

    def evaluate(
        self, genomes: Sequence[Genes], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The fitness of the genomes; nothing else matters."""
        return [Evaluation(float(fitness(feedback(genes, self.code)))) for genes in genomes]

    def validate(
        self, genomes: Sequence[Genes], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The same."""
        return self.evaluate(genomes, seed, occasion, executor)

    def facing(self, hall: Sequence[Genes]) -> Self:
        """The same: a code has no opponents."""
        return self


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
