"""A portable keyed random number: a pure function of integer words, the same in Python, compiled code and Lua.

It is a Feistel cipher on two halves of 26 bits whose round function takes the middle of a square (after Widynski,
"Squares: a fast counter-based RNG", 2020), so that every intermediate value is a whole number below 2^53 and plain
doubles compute it exactly.
"""

from dataclasses import dataclass

from gpkit.core.compiled import inlined

HALF = 1 << 26
WEYL = 0x278DDE7  # odd, about 2^26 times the golden section: the step of the round keys
ROUNDS = 8

CHANCES = HALF - 2
"""Instead of the number of a decision, that of the chances of a plan."""


def keyed_word_readable(key: int, left: int, right: int) -> int:
    """Reference for ``keyed_word``, on plain integers; each argument is at least 0 and below 2^26."""
    for _ in range(ROUNDS):
        key = (key + WEYL) % HALF
        x = (right + key) % HALF
        left, right = right, (left + x * x // 8192) % HALF
    return left * HALF + right


def keyed_uniform_readable(key: int, left: int, right: int) -> float:
    """Reference for ``keyed_uniform``: the word as a part of 2^52; arguments as of ``keyed_word_readable``."""
    return keyed_word_readable(key, left, right) / (1 << 52)


@dataclass(slots=True)
class KeyedDraws:
    """The numbers of ``keyed_uniform`` for one key and one ``left``, one after the other: ``gpkit.core.rng.Draws``.

    Attributes:
        key, left: at least 0 and below 2^26.
        drawn: how many were drawn; below 2^26.
    """

    key: int
    left: int
    drawn: int = 0

    def random(self) -> float:
        """The next one, of [0, 1)."""
        self.drawn += 1
        return keyed_uniform_readable(self.key, self.left, self.drawn - 1)


@inlined
def keyed_word(key, left, right):  # type: ignore[no-untyped-def]
    """52 random bits for the key and the counter (left, right): int64 of at least 0 and below 2^52."""
    for _ in range(ROUNDS):
        key = (key + WEYL) & (HALF - 1)
        x = (right + key) & (HALF - 1)
        left, right = right, (left + (x * x >> 13)) & (HALF - 1)
    return (left << 26) | right


@inlined
def keyed_uniform(key, left, right):  # type: ignore[no-untyped-def]
    """A uniform double of [0, 1) with 52 random bits."""
    return keyed_word(key, left, right) * (1.0 / (1 << 52))
