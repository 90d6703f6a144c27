"""The evolutionary breaker, in plain Python: codes that can be the secret are collected over generations, and the guess
that parts them best is evolved, too; ``kernel.evolving`` is the compiled twin. Where there are hardly more candidates
than those collected, rollouts decide between the best guesses (see ``rollout``).

After L. Berghman, D. Goossens and R. Leus, "Efficient solutions for Mastermind using genetic algorithms", 2009, and
J. Merelo and T. Runarsson, "Finding better solutions to the Mastermind puzzle using evolutionary algorithms", 2010: no
list of all codes is needed. Theirs guess one of the codes that they collect; this one may also guess what cannot be the
secret. Both populations vary by the operators of ``genes``, one child at a time. No code is in the
population twice but those that it began with: a population of one code and its neighbours would find no other ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from gpkit.core.rng import Draws, below
from gpkit.games.mastermind import genes as discrete
from gpkit.games.mastermind.codes import Code, is_code
from gpkit.games.mastermind.genes import Domain
from gpkit.games.mastermind.growing import hope_of
from gpkit.games.mastermind.kernel.trees import UNIT
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.parts import fewness, parts, squares, uncertainty
from gpkit.games.mastermind.rollout import Score, total_of
from gpkit.games.mastermind.rules import Turn, feedback
from gpkit.vm.keyed import KeyedDraws


def estimate(sizes: Sequence[int]) -> int:
    """The guesses that parts of these sizes will need, as strategy trees do: see ``growing.hope_of``."""
    return sum(hope_of(size) for size in sizes)


SCORES: Mapping[str, Score] = {
    "parts": (fewness, 1),
    "size": (squares, 1),
    "entropy": (uncertainty, 1),
    "guesses": (estimate, 2 * UNIT),
}
"""Scores of guesses by name; where the penalty decides between equals only, it is the least."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the evolutionary breaker.

    Attributes:
        score: of guesses, one of ``SCORES``.
        population: codes of the population that candidates are collected from.
        collected: how many candidates are collected at most.
        patience: with a candidate in hand, the search ends after so many children that gave no new one.
        children: the search ends after so many children, in any case; at least as many as the population.
        elite: guesses that further ones are evolved from.
        probes: children of the elite.
        rollouts: whether the guess of the elite is taken that needs the fewest guesses when all candidates are
            followed to the end, if fewer were collected than might have been; else it is the one with the best score.
        fresh: the share of children with a new code as donor.
        scramble, swap, next: the shares of children with each mutation, at most 1 together.
    """

    score: str = "guesses"
    population: int = 300
    collected: int = 150
    patience: int = 8000
    children: int = 40_000
    elite: int = 20
    probes: int = 1000
    rollouts: bool = True
    fresh: float = 0.6
    scramble: float = 0.2
    swap: float = 0.3
    next: float = 0.3

    @property
    def mutations(self) -> tuple[float, ...]:
        """Below which draw it is the first mutation, the second, the third."""
        return tuple(accumulate((self.scramble, self.swap, self.next)))


MANY_CODES = 100_000
"""Codes of a game from which on more is searched for every guess."""


def settings_for(rules: Rules, score: str) -> Settings:
    """Settings of a breaker that scores its guesses so.

    A hundred and fifty candidates say too little of the parts that a guess makes of some ten thousand. The scores of
    others look one guess ahead, as published.

    >>> settings_for(Rules(6, 9), "guesses").collected
    1000
    """
    rollouts = score == "guesses"
    if rules.codes < MANY_CODES:
        return Settings(score, rollouts=rollouts)
    return Settings(
        score, collected=1000, patience=20_000, children=200_000, elite=30, probes=3000, rollouts=rollouts
    )


def first_code(rules: Rules) -> Code:
    """First guess: some colours twice, and the others once.

    For five pegs of 8 colours, six of 9, seven of 10 and eight of 12 no first guess tells more on average, in bits.

    >>> first_code(Rules()), first_code(Rules(6, 9)), first_code(Rules(4, 6, repeats=False))
    ((0, 0, 1, 2), (0, 0, 1, 1, 2, 3), (0, 1, 2, 3))
    """
    pairs = max(0, rules.length - 2) // 2 if rules.repeats else 0
    pegs = [*(pair for pair in range(pairs) for _ in range(2)), *range(pairs, rules.length - pairs)]
    return tuple(peg % rules.colours for peg in pegs)


def guess_readable(turns: Sequence[Turn], rules: Rules, settings: Settings, key: int) -> Code:
    """Guess after these turns.

    Args:
        turns: the guesses so far and their answers.
        rules: the rules.
        settings: how codes are evolved.
        key: of the game, at least 0 and below 2^26: the same key and turns, the same guess.
    """
    if not turns:
        return first_code(rules)
    rng = KeyedDraws(key, len(turns))
    population, collected = collect(rng, turns, rules, settings)
    if not collected:
        return min(population, key=lambda code: badness(code, turns))
    if len(collected) <= 2:
        return collected[0]
    elite: list[tuple[Code, int]] = []
    for code in collected:
        offer(elite, code, collected, turns, settings)
    for _ in range(settings.probes):
        parent = elite[below(rng, len(elite))][0]
        child = vary(rng, parent, [code for code, _ in elite], rules, settings)
        if is_code(child, rules) and child not in [code for code, _ in elite]:
            offer(elite, child, collected, turns, settings)
    best = [code for code, _ in sorted(elite, key=lambda member: member[1])]
    if not settings.rollouts or len(collected) == settings.collected:
        return best[0]
    pool = [*collected, *(code for code, _ in elite)]
    return min(best, key=lambda code: total_of(code, collected, pool, SCORES[settings.score]))


def collect(
    rng: Draws, turns: Sequence[Turn], rules: Rules, settings: Settings
) -> tuple[list[Code], list[Code]]:
    """The population at the end, and the codes that would have given all of these answers, in the order of finding."""
    population: list[Code] = []
    collected: list[Code] = []
    since = 0
    for made in range(settings.children):
        if len(collected) == settings.collected or (collected and since == settings.patience):
            break
        since += 1
        if made < settings.population:
            child, worse = create(rng, rules), made
            population.append(child)
        else:
            better, worse = below(rng, settings.population), below(rng, settings.population)
            if badness(population[worse], turns) < badness(population[better], turns):
                better, worse = worse, better
            child = vary(rng, population[better], population, rules, settings)
            if not is_code(child, rules) or child in population:
                continue
            if badness(child, turns) > badness(population[worse], turns):
                continue
        if badness(child, turns) == 0 and child not in collected:
            collected.append(child)
            since = 0
        population[worse] = child
    return population, collected


def create(rng: Draws, rules: Rules) -> Code:
    """A random code."""
    if rules.repeats:
        return discrete.create(rng, discrete.one_alphabet(rules.length, rules.colours))
    return discrete.create(rng, discrete.permutations_of(rules.colours))[: rules.length]


def vary(rng: Draws, parent: Code, population: Sequence[Code], rules: Rules, settings: Settings) -> Code:
    """A child of a parent and one of the population, or a new code; where no colour may be twice, perhaps no code."""
    domain = Domain((rules.colours,) * rules.length)
    fresh = rng.random() < settings.fresh
    donor = create(rng, rules) if fresh else population[below(rng, len(population))]
    child = discrete.two_point(rng, parent, donor, "any")
    chance = rng.random()
    for operator, share in zip(
        (discrete.scramble, discrete.swap, discrete.next_value), settings.mutations, strict=True
    ):
        if chance < share:
            return operator(rng, child, domain)
    return child


def badness(code: Code, turns: Sequence[Turn]) -> int:
    """Distance of the answers that a code would have given from those that were given: 0 if it can be the secret."""
    bad = 0
    for turn in turns:
        would, was = feedback(turn.guess, code), turn.feedback
        bad += abs(would.black - was.black) + abs(would.black + would.white - was.black - was.white)
    return bad


def offer(
    elite: list[tuple[Code, int]],
    code: Code,
    collected: Sequence[Code],
    turns: Sequence[Turn],
    settings: Settings,
) -> None:
    """Add a guess with its score to the elite, which is changed; if there is no room, in place of the worst one."""
    cost, penalty = SCORES[settings.score]
    score = 2 * cost(parts(code, collected)) + (penalty if badness(code, turns) else 0)
    if len(elite) < settings.elite:
        elite.append((code, score))
        return
    worst = max(range(len(elite)), key=lambda place: elite[place][1])
    if score < elite[worst][1]:
        elite[worst] = code, score
