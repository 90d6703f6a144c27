"""Partition of the candidates by the answer that each would give to a guess, in plain Python.

Strategies that look one guess ahead differ in what they count: see the costs.
"""

import math
from collections.abc import Callable, Iterable, Sequence

from gpkit.games.mastermind.codes import Code
from gpkit.games.mastermind.kernel.programs import SCALE
from gpkit.games.mastermind.rules import feedback

Cost = Callable[[Sequence[int]], int]
"""Cost of being left with parts of these sizes; whole numbers, so that equal is equal."""


def parts(guess: Code, left: Iterable[Code]) -> tuple[int, ...]:
    """Sizes of the parts of these candidates that give the same answer to a guess, for each answer that one gives.

    >>> sorted(parts((0, 0), [(0, 0), (0, 1), (1, 0), (1, 1)]))
    [1, 1, 2]
    """
    return tuple(map(len, divide(guess, left)))


def divide(guess: Code, left: Iterable[Code]) -> list[list[Code]]:
    """The candidates that give the same answer to a guess, for each answer that one gives."""
    found: dict[int, list[Code]] = {}
    for code in left:
        found.setdefault(feedback(guess, code).number, []).append(code)
    return list(found.values())


def squares(sizes: Sequence[int]) -> int:
    """The candidates that are left on average, times all of them.

    Irving, "Towards an optimum Mastermind strategy", 1978.
    """
    return sum(size * size for size in sizes)


def uncertainty(sizes: Sequence[int]) -> int:
    """Uncertainty after the answer, in bits for each candidate (Neuwirth, "Some strategies", 1982)."""
    return sum(uncertainty_of(size) for size in sizes)


def uncertainty_of(size: int) -> int:
    """``size · log2 size`` in parts of ``SCALE``, rounded, so that sums are exact."""
    return round(size * math.log2(size) * SCALE) if size else 0


def fewness(sizes: Sequence[int]) -> int:
    """As many parts as possible (Kooi, "Yet another Mastermind strategy", 2005)."""
    return -len(sizes)
