"""Scores of guesses, and the evolutionary breaker of Mastermind, in plain Python: what the kernels mean.

In ``gpkit.games.mastermind.kernel.players`` codes that can be the secret are collected over generations, and the guess
that parts them best is evolved, too. Both populations vary by the operators of ``papers.mastermind.representation``,
one child at a time. No code is in the population twice but those that it began with: a population of one code and its
neighbours would find no other ones.

Where there are hardly more candidates than those collected, rollouts decide between the best guesses. A guess is judged
by the guesses that all candidates need in the end when it comes first and what comes later is chosen by a score that
looks one guess ahead (the rollout algorithm: D. Bertsekas, J. Tsitsiklis and C. Wu, "Rollout algorithms for
combinatorial optimization", 1997).
"""

import math
from collections.abc import Callable, Iterable, Sequence

from gpkit.core.rng import Draws, below
from gpkit.games.mastermind.kernel.programs import NOTHING_TO_CHOOSE
from gpkit.games.mastermind.players import SCORES, EvolutionarySettings, Score, first_code
from gpkit.games.mastermind.rules import (
    Code,
    MastermindRules,
    Turn,
    code_of_number,
    divide,
    feedback,
    is_code,
    is_consistent,
    parts,
)
from gpkit.games.mastermind.sensors import sense
from gpkit.vm.keyed import KeyedDraws
from gpkit_experiments.papers.mastermind import representation as discrete
from gpkit_experiments.papers.mastermind.representation import Domain

Utility = Callable[[dict[str, float], int], float]
"""The value of a guess, given its sensors and the number of its code; NaN is below anything."""


def candidates(turns: Iterable[Turn], rules: MastermindRules) -> tuple[Code, ...]:
    """The codes that would have given all of these answers, in the order of their numbers."""
    turns = tuple(turns)
    codes = (code_of_number(number, rules) for number in range(rules.codes))
    return tuple(code for code in codes if is_consistent(code, turns))


def choose(left: Sequence[Code], turns: Sequence[Turn], rules: MastermindRules, utility: Utility) -> Code:
    """The code of the highest value; see ``primitives`` for equal ones, and for what needs no choice.

    Args:
        left: the codes that can still be the secret, at least one, in the order of their numbers.
        turns: the guesses so far.
        rules: the rules.
        utility: the program.
    """
    if len(left) <= NOTHING_TO_CHOOSE:
        return left[0]
    can_be = set(left)
    codes = [code_of_number(number, rules) for number in range(rules.codes)]
    best, highest = left[0], -math.inf
    for possible in (True, False):
        for number, code in enumerate(codes):
            if (code in can_be) == possible:
                value = utility(sense(code, left, turns, rules), number)
                if value > highest:
                    best, highest = code, value
    return best


def guess_readable(
    turns: Sequence[Turn], rules: MastermindRules, settings: EvolutionarySettings, key: int
) -> Code:
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
    rng: Draws, turns: Sequence[Turn], rules: MastermindRules, settings: EvolutionarySettings
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


def create(rng: Draws, rules: MastermindRules) -> Code:
    """A random code."""
    if rules.repeats:
        return discrete.create(rng, discrete.one_alphabet(rules.length, rules.colours))
    return discrete.create(rng, discrete.permutations_of(rules.colours))[: rules.length]


def vary(
    rng: Draws,
    parent: Code,
    population: Sequence[Code],
    rules: MastermindRules,
    settings: EvolutionarySettings,
) -> Code:
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
    settings: EvolutionarySettings,
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


def total_of(guess: Code, left: Sequence[Code], pool: Sequence[Code], score: Score) -> int:
    """The total of guesses over these candidates if this one comes first.

    Args:
        guess: the guess.
        left: the candidates.
        pool: what may be guessed later, beside the candidates that are left then.
        score: what chooses among them.
    """
    total = len(left)
    for part in divide(guess, left):
        if part != [guess]:
            total += total_of(choice(part, pool, score), part, pool, score)
    return total


def choice(left: Sequence[Code], pool: Sequence[Code], score: Score) -> Code:
    """The guess with the least score over these candidates, the first of equals; they come before the pool.

    >>> from gpkit.games.mastermind.rules import fewness
    >>> choice([(0, 1), (0, 2), (0, 3)], [(1, 2)], (fewness, 1))
    (1, 2)
    """
    if len(left) <= 2:
        return left[0]
    cost, penalty = score
    guesses = (*left, *pool)
    return min(guesses, key=lambda guess: 2 * cost(parts(guess, left)) + penalty * (guess not in left))
