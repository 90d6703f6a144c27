"""The built-in code breakers that are not programs: a random, a tree-based, and evolutionary ones.

The random breaker guesses a candidate chosen uniformly at random. The evolutionary breaker collects possible secrets
over generations and also evolves guesses, after L. Berghman, D. Goossens and R. Leus, "Efficient solutions for
Mastermind using genetic algorithms", 2009, and J. Merelo and T. Runarsson, "Finding better solutions to the Mastermind
puzzle using evolutionary algorithms", 2010. The evolutionary breaker does not need a list of all codes. The published
breakers guess one of the codes that they collect; this breaker may also guess a code that cannot be the secret. The
breaker is compiled (``kernel.players``); ``gpkit_experiments.readable.mastermind`` is its version in plain Python.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Ints, for_reading
from gpkit.core.errors import GpkitError, UsageError
from gpkit.gamekit.game import Expected
from gpkit.games.mastermind.board import feedback_of_text
from gpkit.games.mastermind.kernel import players as at
from gpkit.games.mastermind.kernel.players import ADDED, LEVEL, MOST, expected_guesses
from gpkit.games.mastermind.programs import codes_of
from gpkit.games.mastermind.rules import (
    LISTED,
    VARIANTS,
    Code,
    Cost,
    Distribution,
    Feedback,
    MastermindRules,
    Strategy,
    Turn,
    all_codes,
    all_numbers,
    bits_of,
    code_of_number,
    code_of_text,
    code_text,
    codes_left,
    distribution,
    fewness,
    number_of_code,
    squares,
    uncertainty,
)
from gpkit.vm.keyed import keyed_word_readable

FOLDER = Path(__file__).parent / "strategies"
"""The folder of text files with strategy trees that a search found, one for each of ``rules.VARIANTS``."""

MAX_DEPTH = 99
"""The maximum depth of a tree in a file, counted in answers."""


@dataclass(frozen=True, slots=True)
class StrategyTree:
    """A strategy for the rest of a game.

    Attributes:
        guess: the code to guess.
        after: the tree after each answer, in the order of the answers. After an answer without a tree, the player
            guesses the first possible secret, which is optimal if at most two are left.
    """

    guess: Code
    after: tuple[tuple[Feedback, "StrategyTree"], ...] = ()


def follow_tree(
    tree: StrategyTree | None, rules: MastermindRules, turns: tuple[Turn, ...], left: NDArray[np.int32]
) -> int:
    """The number of the code that a tree guesses, or of the first code left if the tree has no guess for these turns.

    Args:
        tree: the tree of the whole game, or None if there is no tree.
        rules: the rules.
        turns: the guesses so far.
        left: int32 (left,): the numbers of the codes that can be the secret, in ascending order.
    """
    for turn in turns:
        tree = dict(tree.after).get(turn.feedback) if tree is not None and tree.guess == turn.guess else None
    return int(left[0]) if tree is None else number_of_code(tree.guess, rules)


_Node = tuple[Code, dict[Feedback | None, "_Node"]]
"""A guess, with the next guess after each answer; a tree's first guess has the key None."""


def tree_of_text(text: str, rules: MastermindRules) -> StrategyTree:
    """The tree that a file's text describes; empty lines and lines that begin with # are skipped.

    Raises:
        UsageError: the text does not describe a tree; the message quotes the line.
    """
    first: dict[Feedback | None, _Node] = {}
    way: list[_Node] = []  # the path from the first guess to that of the last line
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            depth, answer, guess = _row(line, len(way), rules)
            beside = way[depth - 1][1] if depth else first
            if answer in beside:
                raise UsageError("each answer can appear only once, and only one guess comes first")
        except GpkitError as error:
            raise UsageError(f"line {number} of the tree, `{line.strip()[:40]}`: {error}") from error
        beside[answer] = guess, {}
        way[depth:] = [beside[answer]]
    if not first:
        example = code_text(tuple(place % rules.colours for place in range(rules.length)), rules)
        raise UsageError(f"the text has no tree; its first line must be a guess, such as `{example}`")
    return _sorted_tree(way[0])


def _row(line: str, deepest: int, rules: MastermindRules) -> tuple[int, Feedback | None, Code]:
    """The depth of a line, the answer at its beginning, and the guess after it.

    Raises:
        UsageError: the line is not valid, or is indented too far.
    """
    found = re.fullmatch(r"( *)(?:(\d+b\d+w) +)?(\S+) *", line)
    if found is None:
        raise UsageError("expected an answer and a guess, such as `1b0w 1123`")
    depth = len(found[1])
    if depth > min(deepest, MAX_DEPTH):
        raise UsageError(f"it starts with {depth} spaces, expected at most {min(deepest, MAX_DEPTH)}")
    if (depth > 0) != (found[2] is not None):
        raise UsageError("every guess except the first needs an answer in front, such as `1b0w`")
    return depth, feedback_of_text(found[2], rules) if found[2] else None, code_of_text(found[3], rules)


def _sorted_tree(node: _Node) -> StrategyTree:
    """The tree that begins with a node, with its branches sorted by answer."""
    guess, after = node
    known = sorted((answer.number, answer) for answer in after if answer is not None)
    return StrategyTree(guess, tuple((answer, _sorted_tree(after[answer])) for _, answer in known))


@cache
def tree_of_variant(name: str) -> StrategyTree:
    """The strategy tree for a variant in ``rules.VARIANTS``; its file states the number of guesses that it needs.

    The tree of the classic game is optimal: no strategy needs fewer than 5625 guesses for all 1296 codes (Koyama and
    Lai, "An optimal Mastermind strategy", 1993).
    """
    return tree_of_text(
        (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), MastermindRules.from_options(VARIANTS[name])
    )


FOLLOWED = 1296
"""The maximum number of codes of a game for which gpkit follows every possible course."""


def expected_mean(rules: MastermindRules) -> float:
    """The expected number of guesses for a secret, if all secrets and all choices are equally likely.

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
        np.zeros((levels, codes), dtype=np.int32),
        np.zeros((levels, codes), dtype=np.int32),
        np.zeros((levels, rules.answers + 1), dtype=np.int32),
        np.zeros((levels, LEVEL), dtype=np.int64),
        np.zeros(levels),
    )
    return float(total) / codes


def check_followed(rules: MastermindRules) -> None:
    """Check that gpkit can follow every possible course of a game.

    Raises:
        UsageError: there are too many codes.
    """
    if rules.codes > FOLLOWED:
        raise UsageError(
            f"consistent-random is exact for up to {FOLLOWED:,} codes, but this game has {rules.codes:,}: "
            "leave --exact out to sample its games"
        )


def guess_by_chance(turns: Sequence[Turn], key: int, rules: MastermindRules) -> Code:
    """A random code that can be the secret after these turns; all such codes have the same probability.

    Args:
        turns: the guesses so far.
        key: the key of the game, from 0 to 2^26 − 1; the same key and turns give the same guess.
        rules: the rules.

    Raises:
        UsageError: there are too many codes to list.
    """
    if rules.codes > LISTED:
        raise UsageError(
            f"consistent-random lists all codes, and {rules.codes:,} are too many: at most {LISTED:,}"
        )
    left = codes_left(turns, rules)
    return code_of_number(int(left[keyed_word_readable(key, len(turns), 0) * len(left) >> 52]), rules)


UNIT = 1 << 16
"""The number of units of one guess, in estimates."""

START, DOUBLING = 1.21, 0.27
"""The cost in guesses for each of several candidates: a base cost, and an increase each time the number of candidates
doubles.

These numbers come from strategy trees for five pegs and eight colours.
"""

Score = tuple[Cost, int]
"""A score of guesses: the cost of a guess's parts, and the penalty, in halves, for a guess that cannot be the
secret."""


def hope_of(size: int) -> int:
    """An estimate of the total number of guesses over ``size`` candidates, in units of 1 / ``UNIT`` guess."""
    return round(UNIT * size * (START + DOUBLING * math.log2(size))) if size > 1 else UNIT * size


def estimate(sizes: Sequence[int]) -> int:
    """An estimate of the number of guesses that parts of these sizes need; see ``hope_of``."""
    return sum(hope_of(size) for size in sizes)


SCORES: Mapping[str, Score] = {
    "parts": (fewness, 1),
    "size": (squares, 1),
    "entropy": (uncertainty, 1),
    "guesses": (estimate, 2 * UNIT),
}
"""The scores of guesses by name. A penalty of 1 (half a unit) decides only between guesses of equal cost."""


@dataclass(frozen=True, slots=True)
class EvolutionarySettings:
    """The settings of the evolutionary breaker.

    Attributes:
        score: the name of the score of guesses in ``SCORES``.
        population: the size of the population from which the search collects candidates.
        collected: the maximum number of candidates to collect.
        patience: once a candidate is found, the search ends after this many children without a new candidate.
        children: the search always ends after this many children, which must be at least the size of the population.
        elite: the number of guesses from which the search evolves further guesses.
        probes: the number of children of the elite.
        rollouts: whether, with fewer than ``collected`` candidates, the breaker plays all candidates to the end, and
            takes the guess of the elite that needs the fewest guesses. Otherwise, the breaker takes the guess with the
            best score.
        fresh: the share of children with a new code as donor.
        scramble, swap, next: the shares of children with each mutation; their sum is at most 1.
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
        """The upper limits of the uniform random number that select the first, the second and the third mutation."""
        return tuple(accumulate((self.scramble, self.swap, self.next)))


MANY_CODES = 100_000
"""The minimum number of codes for which the breaker searches longer for every guess."""


def settings_for(rules: MastermindRules, score: str) -> EvolutionarySettings:
    """The settings of a breaker with this score of guesses.

    With many codes, 150 candidates are too few for estimating the parts of a guess, so the breaker collects more. Only
    the score ``guesses`` uses rollouts; the other scores look one guess ahead, as published.

    >>> settings_for(MastermindRules(6, 9), "guesses").collected
    1000
    """
    few = EvolutionarySettings(score, rollouts=score == "guesses")
    if rules.codes < MANY_CODES:
        return few
    return replace(few, collected=1000, patience=20_000, children=200_000, elite=30, probes=3000)


def first_code(rules: MastermindRules) -> Code:
    """The first guess, which contains some colours twice and others once.

    For five pegs of 8 colours, six of 9, seven of 10 and eight of 12, no other first guess provides more information on
    average.

    >>> tuple(first_code(MastermindRules(*each)) for each in ((), (6, 9), (4, 6, False)))
    ((0, 0, 1, 2), (0, 0, 1, 1, 2, 3), (0, 1, 2, 3))
    """
    pairs = max(0, rules.length - 2) // 2 if rules.repeats else 0
    pegs = [*(pair for pair in range(pairs) for _ in range(2)), *range(pairs, rules.length - pairs)]
    return tuple(peg % rules.colours for peg in pegs)


def evolved_guess(
    turns: Sequence[Turn], rules: MastermindRules, settings: EvolutionarySettings, key: int
) -> Code:
    """The guess after these turns; ``gpkit_experiments.readable.mastermind.guess_readable`` returns the same."""
    if not turns:
        return first_code(rules)
    assert settings.children >= settings.population, "the search begins with a whole population"
    cost, penalty = SCORES[settings.score]
    facts = [
        *(key, len(turns), rules.colours, rules.repeats, settings.population, settings.collected),
        *(settings.patience, settings.children, settings.elite, settings.probes, settings.rollouts),
    ]
    answers = [(turn.feedback.black, turn.feedback.black + turn.feedback.white) for turn in turns]
    asked = bits_of([turn.guess for turn in turns], rules)
    count = settings.population + settings.collected + settings.elite + 2
    rows = (
        np.empty((count, rules.length), dtype=np.int64),
        np.empty((count, asked.shape[1]), dtype=np.int64),
        np.empty(count, dtype=np.int64),
    )
    row = at.guess(
        asked,
        np.array(answers, dtype=np.int64),
        (
            MOST if cost is fewness else ADDED,
            penalty,
            increments(settings.score, settings.collected),
            np.empty(rules.answers, dtype=np.int32),
        ),
        (
            np.array(facts, dtype=np.int64),
            np.array((settings.fresh, *settings.mutations)),
            np.empty(1, dtype=np.int64),
            np.empty(rules.colours, dtype=np.int64),
        ),
        rows,
        (
            np.empty((settings.collected, asked.shape[1]), dtype=np.int64),
            np.empty(settings.collected, dtype=np.int64),
            np.empty(settings.collected, dtype=np.int64),
            np.empty(settings.collected, dtype=np.int64),
            np.empty(rules.answers + 1, dtype=np.int64),
            np.empty((settings.collected, 2), dtype=np.int64),
        ),
    )
    return tuple(rows[0][row].tolist())


@lru_cache(maxsize=8)
def increments(score: str, most: int) -> Ints:
    """The increase in a cost if a part of each size below ``most`` gets one more code: int64 (most,), read-only."""
    cost = SCORES[score][0]
    costs = np.array([0, *(cost([size]) for size in range(1, most + 1))], dtype=np.int64)
    return for_reading(costs[1:] - costs[:-1])


Guess = Callable[[tuple[Turn, ...], int, MastermindRules], Code]
"""A function that returns the guess after some turns in the game with a key from 0 to 2^26 − 1."""


def _refuse_exact(rules: MastermindRules) -> NoReturn:
    raise UsageError("the evolutionary breakers draw random numbers: leave --exact out to sample their games")


@dataclass(frozen=True, slots=True)
class Breaker:
    """A code breaker.

    Attributes:
        title: a short description.
        guess: a function that returns the breaker's guess.
        expect: a function that returns the breaker's expected result over all secrets.
        check_exact: a function that raises UsageError if this result cannot be computed.
        plays: a function that returns whether the breaker can break codes under these rules.
    """

    title: str
    guess: Guess
    expect: Callable[[MastermindRules], Expected] = _refuse_exact
    check_exact: Callable[[MastermindRules], None] = _refuse_exact
    plays: Callable[[MastermindRules], bool] = lambda _: True


def expected_of(found: Distribution) -> Expected:
    """The expected result of a strategy without random numbers."""
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
    meant = MastermindRules.from_options(VARIANTS[variant])

    def plays(rules: MastermindRules) -> bool:
        return (rules.length, rules.colours, rules.repeats) == (meant.length, meant.colours, meant.repeats)

    def check(rules: MastermindRules) -> None:
        if not plays(rules):
            raise UsageError(
                f"{name} plays only the {variant} game: --rules variant={variant}, that is length={meant.length} "
                f"colours={meant.colours}"
            )

    def strategy(rules: MastermindRules) -> Strategy:
        check(rules)
        return partial(follow_tree, tree_of_variant(variant), rules)

    def guess(turns: tuple[Turn, ...], _key: int, rules: MastermindRules) -> Code:
        return code_of_number(strategy(rules)(turns, codes_left(turns, rules)), rules)

    return Breaker(
        title, guess, lambda rules: expected_of(distribution(strategy(rules), rules)), check, plays
    )


def _evolve(score: str, turns: tuple[Turn, ...], key: int, rules: MastermindRules) -> Code:
    """The guess of a breaker that evolves its guesses; ``score`` is one of ``SCORES``."""
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
