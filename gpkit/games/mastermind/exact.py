"""Exact number of guesses of a strategy for every secret at once: parts of candidates, not games, are followed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.games.mastermind.arrays import LISTED, all_bits, all_numbers
from gpkit.games.mastermind.codes import code_of_number, number_of_code
from gpkit.games.mastermind.kernel.feedback import answers
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Feedback, Turn

Strategy = Callable[[tuple[Turn, ...], NDArray[np.int32]], int]
"""Strategy: the number of the code to guess after these turns, by the numbers of the candidates, ascending. It
must not draw anything at random."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """For how many secrets a strategy needs how many guesses.

    Attributes:
        secrets: by number of guesses, from 1, the secrets that are found with so many.
        lost: those that are not found with the guesses that are allowed.
    """

    secrets: tuple[int, ...]
    lost: int = 0

    @property
    def total(self) -> int:
        """All guesses over all secrets; one that is lost costs one guess more than are allowed."""
        return sum(guesses * count for guesses, count in enumerate((*self.secrets, self.lost), start=1))

    @property
    def mean(self) -> Fraction:
        """The guesses for a secret, on average."""
        return Fraction(self.total, sum(self.secrets) + self.lost)

    @property
    def most(self) -> int:
        """The guesses for the secret that needs most of them, among those that are found."""
        return max((guesses for guesses, count in enumerate(self.secrets, start=1) if count), default=0)


def distribution(strategy: Strategy, rules: Rules) -> Distribution:
    """Distribution of the strategy's guesses over every secret of a game whose codes can be listed."""
    found = np.zeros(rules.guesses, dtype=np.int64)
    _follow(strategy, (), all_numbers(rules), found, rules)
    return Distribution(tuple(found.tolist()), rules.codes - int(found.sum()))


def distribution_of(guesses: NDArray[np.int32], rules: Rules) -> Distribution:
    """The distribution of the guesses for every secret, int32 (codes,); one more than are allowed means lost."""
    counts = np.bincount(guesses, minlength=rules.guesses + 2).tolist()
    return Distribution(tuple(counts[1:-1]), counts[-1])


def _follow(
    strategy: Strategy,
    turns: tuple[Turn, ...],
    left: NDArray[np.int32],
    found: NDArray[np.int64],
    rules: Rules,
) -> None:
    """Add to ``found`` the secrets among these candidates, by number of guesses less one."""
    guess = strategy(turns, left)
    for answer, part in split(guess, left, rules):
        if answer == rules.answers - 1:
            found[len(turns)] += 1
        elif len(turns) + 1 < rules.guesses:
            turn = Turn(code_of_number(guess, rules), Feedback.of_number(answer))
            _follow(strategy, (*turns, turn), part, found, rules)


def split(guess: int, left: NDArray[np.int32], rules: Rules) -> list[tuple[int, NDArray[np.int32]]]:
    """The candidates, int32 (codes,), by the answer that each gives to a guess; both ascending."""
    bits = all_bits(rules)
    given = np.empty((1, len(left)), dtype=np.int16)
    answers(bits[guess : guess + 1], for_reading(bits[left]), given)
    order = np.argsort(given[0], kind="stable")
    cuts = np.flatnonzero(np.diff(given[0][order])) + 1
    return [(int(given[0][part[0]]), left[part]) for part in np.split(order, cuts)]


def codes_left(turns: Sequence[Turn], rules: Rules) -> NDArray[np.int32]:
    """The codes that would have given all of these answers: int32 (left,), ascending; for codes that can be listed."""
    left = all_numbers(rules)
    for turn in turns:
        parts = split(number_of_code(turn.guess, rules), left, rules) if len(left) else []
        left = next((part for answer, part in parts if answer == turn.feedback.number), left[:0])
    return left


def count_left(turns: Sequence[Turn], rules: Rules) -> int | None:
    """The number of ``codes_left``; None where codes cannot be listed."""
    return len(codes_left(turns, rules)) if rules.codes <= LISTED else None
