"""Code breakers of the game's own that no program says: random, by a strategy tree, and evolutionary.

The random breaker guesses any candidate, all equally likely. The evolutionary breaker collects codes that can be the
secret over generations, and evolves guesses, too, after L. Berghman, D. Goossens and R. Leus, "Efficient solutions for
Mastermind using genetic algorithms", 2009, and J. Merelo and T. Runarsson, "Finding better solutions to the Mastermind
puzzle using evolutionary algorithms", 2010: no list of all codes is needed. Theirs guess one of the codes that they
collect; this one may also guess what cannot be the secret. It is compiled (``kernel.evolving``);
``gpkit_experiments.readable.breaker`` says in plain Python what it means.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import accumulate
from types import MappingProxyType
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.core.errors import UsageError
from gpkit.gamekit.game import Expected
from gpkit.games.mastermind.arrays import LISTED, all_codes, all_numbers, bits_of
from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.exact import Distribution, Strategy, codes_left, distribution
from gpkit.games.mastermind.kernel import evolving as at
from gpkit.games.mastermind.kernel.chance import LEVEL, ChanceScratch, expected_guesses
from gpkit.games.mastermind.kernel.rollout import ADDED, MOST, Rollout, Scoring
from gpkit.games.mastermind.options import VARIANTS, Rules
from gpkit.games.mastermind.parts import Cost, fewness, squares, uncertainty
from gpkit.games.mastermind.programs import codes_of
from gpkit.games.mastermind.rules import Turn
from gpkit.games.mastermind.trees import follow_tree, tree_of_variant
from gpkit.vm.keyed import keyed_word_readable

FOLLOWED = 1296
"""Games of more codes have too many courses for all of them to be followed."""


def expected_mean(rules: Rules) -> float:
    """The expected guesses for a secret, all secrets and all choices being equally likely.

    Raises:
        UsageError: there are too many codes.
    """
    check_followed(rules)
    levels, codes = rules.guesses, rules.codes
    total = expected_guesses(
        all_numbers(rules),
        0,
        rules.colours,
        codes_of(rules).given,
        all_codes(rules),
        ChanceScratch(
            np.zeros((levels, codes), dtype=np.int32),
            np.zeros((levels, codes), dtype=np.int32),
            np.zeros((levels, rules.answers + 1), dtype=np.int32),
            np.zeros((levels, LEVEL), dtype=np.int64),
            np.zeros(levels),
        ),
    )
    return float(total) / codes


def check_followed(rules: Rules) -> None:
    """Check that all courses of a game can be followed.

    Raises:
        UsageError: there are too many codes.
    """
    if rules.codes > FOLLOWED:
        raise UsageError(
            f"consistent-random is exact for up to {FOLLOWED:,} codes, but here there are {rules.codes:,}: "
            "leave --exact out to sample its games"
        )


def guess_by_chance(turns: Sequence[Turn], key: int, rules: Rules) -> Code:
    """Any code that can be the secret after these turns, all equally likely.

    Args:
        turns: the guesses so far.
        key: of the game, at least 0 and below 2^26: the same key and turns, the same guess.
        rules: the rules.

    Raises:
        UsageError: there are too many codes to be listed.
    """
    if rules.codes > LISTED:
        raise UsageError(
            f"consistent-random lists all codes, and {rules.codes:,} are too many: at most {LISTED:,}"
        )
    left = codes_left(turns, rules)
    return code_of_number(int(left[keyed_word_readable(key, len(turns), 0) * len(left) >> 52]), rules)


UNIT = 1 << 16
"""One guess, in estimates."""

START, DOUBLING = 1.21, 0.27
"""Cost in guesses of each of several candidates: at the least, and more each time that they are twice as many.

As seen in trees of five pegs and eight colours.
"""

Score = tuple[Cost, int]
"""Score of guesses: the cost of the parts that one makes, and its penalty, in halves, if it cannot be the secret."""


def hope_of(size: int) -> int:
    """An estimate of the total of guesses over so many candidates, in parts of ``UNIT``."""
    return round(UNIT * size * (START + DOUBLING * math.log2(size))) if size > 1 else UNIT * size


def estimate(sizes: Sequence[int]) -> int:
    """The guesses that parts of these sizes will need, as strategy trees do: see ``hope_of``."""
    return sum(hope_of(size) for size in sizes)


SCORES: Mapping[str, Score] = {
    "parts": (fewness, 1),
    "size": (squares, 1),
    "entropy": (uncertainty, 1),
    "guesses": (estimate, 2 * UNIT),
}
"""Scores of guesses by name; where the penalty decides between equals only, it is the least."""


@dataclass(frozen=True, slots=True)
class EvolutionarySettings:
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


def settings_for(rules: Rules, score: str) -> EvolutionarySettings:
    """Settings of a breaker that scores its guesses so.

    A hundred and fifty candidates say too little of the parts that a guess makes of some ten thousand. The scores of
    others look one guess ahead, as published.

    >>> settings_for(Rules(6, 9), "guesses").collected
    1000
    """
    few = EvolutionarySettings(score, rollouts=score == "guesses")
    if rules.codes < MANY_CODES:
        return few
    return replace(few, collected=1000, patience=20_000, children=200_000, elite=30, probes=3000)


def first_code(rules: Rules) -> Code:
    """First guess: some colours twice, and the others once.

    For five pegs of 8 colours, six of 9, seven of 10 and eight of 12 no first guess tells more on average, in bits.

    >>> first_code(Rules()), first_code(Rules(6, 9)), first_code(Rules(4, 6, repeats=False))
    ((0, 0, 1, 2), (0, 0, 1, 1, 2, 3), (0, 1, 2, 3))
    """
    pairs = max(0, rules.length - 2) // 2 if rules.repeats else 0
    pegs = [*(pair for pair in range(pairs) for _ in range(2)), *range(pairs, rules.length - pairs)]
    return tuple(peg % rules.colours for peg in pegs)


def evolved_guess(turns: Sequence[Turn], rules: Rules, settings: EvolutionarySettings, key: int) -> Code:
    """Guess after these turns; see ``gpkit_experiments.readable.breaker.guess_readable``, which gives the same code."""
    if not turns:
        return first_code(rules)
    assert settings.children >= settings.population, "the search begins with a whole population"
    cost, penalty = SCORES[settings.score]
    facts = np.zeros(at.FACTS, dtype=np.int64)
    facts[[at.KEY, at.TURN, at.COLOURS, at.REPEATS]] = key, len(turns), rules.colours, rules.repeats
    facts[[at.POPULATION, at.COLLECTED]] = settings.population, settings.collected
    facts[[at.PATIENCE, at.CHILDREN]] = settings.patience, settings.children
    facts[[at.ELITE, at.PROBES, at.ROLLOUTS]] = settings.elite, settings.probes, settings.rollouts
    answers = [(turn.feedback.black, turn.feedback.black + turn.feedback.white) for turn in turns]
    asked = bits_of([turn.guess for turn in turns], rules)
    count = settings.population + settings.collected + settings.elite + 2
    rows = at.CodeRows(
        np.empty((count, rules.length), dtype=np.int64),
        np.empty((count, asked.shape[1]), dtype=np.int64),
        np.empty(count, dtype=np.int64),
    )
    row = at.guess(
        asked,
        np.array(answers, dtype=np.int64),
        Scoring(
            MOST if cost is fewness else ADDED,
            penalty,
            increments(settings.score, settings.collected),
            np.empty(rules.answers, dtype=np.int32),
        ),
        at.Breeding(
            facts,
            np.array((settings.fresh, *settings.mutations)),
            np.empty(1, dtype=np.int64),
            np.empty(rules.colours, dtype=np.int64),
        ),
        rows,
        Rollout(
            np.empty((settings.collected, asked.shape[1]), dtype=np.int64),
            np.empty(settings.collected, dtype=np.int64),
            np.empty(settings.collected, dtype=np.int64),
            np.empty(settings.collected, dtype=np.int64),
            np.empty(rules.answers + 1, dtype=np.int64),
            np.empty((settings.collected, 2), dtype=np.int64),
        ),
    )
    return tuple(rows.pegs[row].tolist())


@lru_cache(maxsize=8)
def increments(score: str, most: int) -> NDArray[np.int64]:
    """By how much a cost grows when a part of each size below ``most`` gets one more: int64 (most,), read-only."""
    cost = SCORES[score][0]
    costs = np.array([0, *(cost([size]) for size in range(1, most + 1))], dtype=np.int64)
    return for_reading(costs[1:] - costs[:-1])


Guess = Callable[[tuple[Turn, ...], int, Rules], Code]
"""Function for the guess after these turns, in the game of a key, which is at least 0 and below 2^26."""


def _refuse_exact(rules: Rules) -> NoReturn:
    raise UsageError("the evolutionary breakers draw random numbers: leave --exact out to sample their games")


@dataclass(frozen=True, slots=True)
class Breaker:
    """A code breaker.

    Attributes:
        title: what it does in a few words.
        guess: what it guesses.
        expect: what it reaches over all secrets.
        check_exact: raises a UsageError where that is not known.
        plays: whether it can break codes by these rules.
    """

    title: str
    guess: Guess
    expect: Callable[[Rules], Expected] = _refuse_exact
    check_exact: Callable[[Rules], None] = _refuse_exact
    plays: Callable[[Rules], bool] = lambda _: True


def expected_of(found: Distribution) -> Expected:
    """Expected result of a strategy that draws nothing at random."""
    return Expected(
        (float(found.mean),),
        {
            "secrets": sum(found.secrets) + found.lost,
            "most": found.most,
            "lost": found.lost,
            "distribution": list(found.secrets[: found.most]),
        },
    )


def _tree(variant: str, name: str, title: str) -> Breaker:
    """The breaker that follows the strategy tree of a variant."""
    meant = Rules.from_options(VARIANTS[variant])

    def plays(rules: Rules) -> bool:
        return (rules.length, rules.colours, rules.repeats) == (meant.length, meant.colours, meant.repeats)

    def check(rules: Rules) -> None:
        if not plays(rules):
            raise UsageError(
                f"{name} knows the {variant} game only: --rules variant={variant}, that is length={meant.length} "
                f"colours={meant.colours}"
            )

    def strategy(rules: Rules) -> Strategy:
        check(rules)
        return partial(follow_tree, tree_of_variant(variant), rules)

    def guess(turns: tuple[Turn, ...], _key: int, rules: Rules) -> Code:
        return code_of_number(strategy(rules)(turns, codes_left(turns, rules)), rules)

    return Breaker(
        title, guess, lambda rules: expected_of(distribution(strategy(rules), rules)), check, plays
    )


def _evolve(score: str, turns: tuple[Turn, ...], key: int, rules: Rules) -> Code:
    """The guess of a breaker that evolves guesses by a score (one of ``SCORES``)."""
    return evolved_guess(turns, rules, settings_for(rules, score), key)


BREAKERS: Mapping[str, Breaker] = MappingProxyType(
    {
        "consistent-random": Breaker(
            "guesses any code that can be the secret, all equally likely",
            guess_by_chance,
            lambda rules: Expected((expected_mean(rules),)),
            check_followed,
        ),
        "optimal": _tree("classic", "optimal", "follows an optimal strategy tree of the classic game"),
        "beam": _tree("super", "beam", "follows a strategy tree of the super game, found by beam search"),
        "evolutionary": Breaker(
            "evolves guesses that need few further ones, in games of any size", partial(_evolve, "guesses")
        ),
        "evolutionary-parts": Breaker(
            "evolves guesses with many possible answers", partial(_evolve, "parts")
        ),
        "evolutionary-size": Breaker("evolves guesses that leave few codes", partial(_evolve, "size")),
        "evolutionary-entropy": Breaker(
            "evolves guesses that give much information", partial(_evolve, "entropy")
        ),
    }
)
