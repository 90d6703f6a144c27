"""Portable keyed random numbers: a pure function of integer words, the same in Python, compiled code and Lua.

The function is a Feistel cipher on two halves of 26 bits; its round function takes the middle bits of a square (after
Widynski, "Squares: a fast counter-based RNG", 2020). Every intermediate value is an integer below 2^53, so doubles
represent it exactly.
"""

from dataclasses import dataclass

HALF = 1 << 26
WEYL = 0x278DDE7  # odd, about 2^26 divided by the golden ratio: the step of the round keys
ROUNDS = 8

CHANCES = HALF - 2
"""The number for the chance steps of a plan, in place of the number of a decision."""


def keyed_word_readable(key: int, left: int, right: int) -> int:
    """The reference implementation of ``keyed_word`` with integers; each argument is at least 0 and below 2^26."""
    for _ in range(ROUNDS):
        key = (key + WEYL) % HALF
        x = (right + key) % HALF
        left, right = right, (left + x * x // 8192) % HALF
    return left * HALF + right


def keyed_uniform_readable(key: int, left: int, right: int) -> float:
    """The reference implementation of ``keyed_uniform``: the word from ``keyed_word_readable``, divided by 2^52."""
    return keyed_word_readable(key, left, right) / (1 << 52)


@dataclass(slots=True)
class KeyedDraws:
    """A ``gpkit.core.rng.Draws`` that returns the numbers of ``keyed_uniform`` for one key and one ``left``, in order.

    Attributes:
        key, left: arguments of ``keyed_uniform``, at least 0 and below 2^26.
        drawn: the number of random numbers drawn so far, below 2^26.
    """

    key: int
    left: int
    drawn: int = 0

    def random(self) -> float:
        """The next number, in [0, 1)."""
        self.drawn += 1
        return keyed_uniform_readable(self.key, self.left, self.drawn - 1)
