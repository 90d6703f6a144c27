"""The compiled breakers that look one guess ahead, as strategies: ``breakers`` says what they mean."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.games.mastermind.breakers import COSTS
from gpkit.games.mastermind.codes import number_of_code
from gpkit.games.mastermind.kernel import breakers as compiled
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Turn
from gpkit.games.mastermind.tables import all_bits

_HOW: Mapping[str, int] = {
    "knuth": compiled.LARGEST,
    "irving": compiled.ADDED,
    "entropy": compiled.ADDED,
    "kooi": compiled.MOST,
}


@dataclass(frozen=True, slots=True)
class Lookahead:
    """A breaker of ``breakers.COSTS``, compiled.

    Attributes:
        name: which one.
        rules: the rules.
        first: the number of the code that it guesses first, whatever it costs; −1 for the one of least cost.
    """

    name: str
    rules: Rules
    first: int = -1

    def __call__(self, turns: tuple[Turn, ...], left: NDArray[np.int32]) -> int:
        """The number of the code to guess; see ``exact.Strategy``."""
        if not turns and self.first >= 0:
            return self.first
        if len(left) <= 2:  # the first one is alone, or parts them: nothing costs less
            return int(left[0])
        rules, bits = self.rules, all_bits(self.rules)
        is_first = len(left) == rules.codes
        return int(
            compiled.choose(
                left,
                first_guesses(rules) if is_first else left,
                left[:0] if is_first else all_numbers(rules),
                bits,
                _HOW[self.name],
                steps(self.name, rules.codes),
                np.empty((len(left), bits.shape[1]), dtype=np.int64),
                np.empty(rules.answers, dtype=np.int32),
            )
        )


@lru_cache(maxsize=8)
def steps(name: str, most: int) -> NDArray[np.int64]:
    """By how much a cost grows when a part of each size below ``most`` gets one more: int64 (most,), read-only.

    The largest part is no sum, and needs none.
    """
    costs = [0] + [COSTS[name]([size]) for size in range(1, most + 1)]
    return _constant(np.diff(np.array(costs, dtype=np.int64)))


@cache
def first_guesses(rules: Rules) -> NDArray[np.int32]:
    """The first code of every kind: no other first guess can do what these cannot.

    Codes are of one kind if places and colours can be exchanged so that one becomes the other. int32 (kinds,),
    ascending.

    >>> [int(number) for number in first_guesses(Rules(3, 3))]
    [0, 1, 5]
    """
    kinds = [
        tuple(colour for colour, count in enumerate(counts) for _ in range(count))
        for counts in _counts(rules.length, rules.length if rules.repeats else 1, rules.colours)
    ]
    return _constant(np.array(sorted(number_of_code(code, rules) for code in kinds), dtype=np.int32))


def _counts(pegs: int, most: int, colours: int) -> list[tuple[int, ...]]:
    """The ways to give pegs to colours, at most so many to each, never more to a later one."""
    if pegs == 0 or colours == 0:
        return [] if pegs else [()]
    return [
        (count, *rest)
        for count in range(min(pegs, most), 0, -1)
        for rest in _counts(pegs - count, count, colours - 1)
    ]


@lru_cache(maxsize=4)
def all_numbers(rules: Rules) -> NDArray[np.int32]:
    """The numbers of all codes: int32 (codes,), read-only."""
    return _constant(np.arange(rules.codes, dtype=np.int32))


def _constant(table: NDArray[Any]) -> NDArray[Any]:
    table.setflags(write=False)
    return table
