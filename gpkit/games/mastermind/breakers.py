"""Code breakers, in plain Python: what to guess when these codes are left; ``kernel.breakers`` is the compiled twin.

Those that look one guess ahead sort the candidates into parts by the answer that each would give, and want parts that
leave little to be found. Any code may be guessed, also one that cannot be the secret. Of codes that are equally good,
one that can be the secret is preferred, then the first in the order of numbers: Knuth's own rule.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Turn, feedback, is_consistent
from gpkit.vm.keyed import keyed_word_readable

Cost = Callable[[Sequence[int]], int]
"""How bad it is to be left with parts of these sizes; whole numbers, so that equal is equal."""

LOGARITHM_BITS = 32
"""Logarithms are rounded to so many bits behind the point."""


def candidates(turns: Iterable[Turn], rules: Rules) -> tuple[Code, ...]:
    """The codes that would have given all of these answers, in the order of their numbers."""
    turns = tuple(turns)
    codes = (code_of_number(number, rules) for number in range(rules.codes))
    return tuple(code for code in codes if is_consistent(code, turns))


def parts(guess: Code, left: Iterable[Code]) -> tuple[int, ...]:
    """How many of these candidates give the same answer to a guess, for each answer that one of them gives.

    >>> sorted(parts((0, 0), [(0, 0), (0, 1), (1, 0), (1, 1)]))
    [1, 1, 2]
    """
    return tuple(Counter(feedback(guess, code) for code in left).values())


def largest(sizes: Sequence[int]) -> int:
    """The candidates that are left in the worst case (Knuth, "The computer as Master Mind", 1976)."""
    return max(sizes)


def squares(sizes: Sequence[int]) -> int:
    """The candidates that are left on average, times all of them.

    Irving, "Towards an optimum Mastermind strategy", 1978.
    """
    return sum(size * size for size in sizes)


def uncertainty(sizes: Sequence[int]) -> int:
    """What is not known after the answer, in bits for each candidate, scaled (Neuwirth, "Some strategies", 1982)."""
    return sum(uncertainty_of(size) for size in sizes)


def uncertainty_of(size: int) -> int:
    """``size · log2 size`` times 2^``LOGARITHM_BITS``, rounded."""
    return round(size * math.log2(size) * 2**LOGARITHM_BITS) if size else 0


def fewness(sizes: Sequence[int]) -> int:
    """As many parts as possible (Kooi, "Yet another Mastermind strategy", 2005)."""
    return -len(sizes)


COSTS: Mapping[str, Cost] = {
    "knuth": largest,
    "irving": squares,
    "entropy": uncertainty,
    "kooi": fewness,
}
"""The breakers that look one guess ahead."""


def best_guess(name: str, left: Sequence[Code], rules: Rules) -> Code:
    """What a breaker of ``COSTS`` guesses.

    Args:
        name: of the breaker.
        left: the candidates, at least one.
        rules: the rules.
    """
    can_be = set(left)

    def badness(number: int) -> tuple[int, bool, int]:
        code = code_of_number(number, rules)
        return COSTS[name](parts(code, left)), code not in can_be, number

    return code_of_number(min(range(rules.codes), key=badness), rules)


def first_guess(left: Sequence[Code]) -> Code:
    """The first candidate (Shapiro, "Playing Mastermind logically", 1983)."""
    return left[0]


def random_guess(left: Sequence[Code], key: int, turn: int) -> Code:
    """Any candidate, all equally likely.

    Args:
        left: the candidates.
        key: of the game, at least 0 and below 2^26.
        turn: how many guesses were made.
    """
    return left[keyed_word_readable(key, turn, 0) * len(left) >> 52]
