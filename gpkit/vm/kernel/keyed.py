"""The compiled versions of the functions in ``gpkit.vm.keyed``."""

from gpkit.core.compiled import inlined
from gpkit.vm.keyed import HALF, ROUNDS, WEYL


@inlined
def keyed_word(key, left, right):  # type: ignore[no-untyped-def]
    """A random word of 52 bits for the key and the counter (left, right): int64, at least 0 and below 2^52."""
    for _ in range(ROUNDS):
        key = (key + WEYL) & (HALF - 1)
        x = (right + key) & (HALF - 1)
        left, right = right, (left + (x * x >> 13)) & (HALF - 1)
    return (left << 26) | right


@inlined
def keyed_uniform(key, left, right):  # type: ignore[no-untyped-def]
    """A uniform random double in [0, 1) with 52 random bits."""
    return keyed_word(key, left, right) * (1.0 / (1 << 52))
