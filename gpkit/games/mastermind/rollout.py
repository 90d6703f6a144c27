"""Rollouts of guesses, in plain Python; ``kernel.rollout`` is the compiled twin.

A guess is judged by the guesses that all candidates need in the end when it comes first and what comes later is chosen
by a score that looks one guess ahead (the rollout algorithm: D. Bertsekas, J. Tsitsiklis and C. Wu, "Rollout algorithms
for combinatorial optimization", 1997).
"""

from collections.abc import Sequence

from gpkit.games.mastermind.codes import Code
from gpkit.games.mastermind.parts import Cost, divide, parts

Score = tuple[Cost, int]
"""Score of guesses: the cost of the parts that one makes, and its penalty, in halves, if it cannot be the secret."""


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

    >>> from gpkit.games.mastermind.parts import fewness
    >>> choice([(0, 1), (0, 2), (0, 3)], [(1, 2)], (fewness, 1))
    (1, 2)
    """
    if len(left) <= 2:
        return left[0]
    cost, penalty = score
    guesses = (*left, *pool)
    return min(guesses, key=lambda guess: 2 * cost(parts(guess, left)) + penalty * (guess not in left))
