"""Small kernels that other kernels use: choices by value, hashes of words, and sets as masks.

A choice by value takes the first candidate with the highest value. Hash tables in kernels use the hashes of words.

A set is a mask: an int64 of at least 0, in which bit i is 1 if the number i is in the set.
"""

import numpy as np

from gpkit.core.compiled import inlined


@inlined
def is_higher(value, best):  # type: ignore[no-untyped-def]
    """Whether a float is above the best one so far; NaN is below every number, and a best of NaN means "none yet".

    The test contains no branch, because the processor would often mispredict it.
    """
    return (value > best) | ((best != best) & (value == value))


_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@inlined
def mixed_with(mixed, word):  # type: ignore[no-untyped-def]
    """The hash (uint64) of a sequence of words after one more word (uint64); start with any number, such as 0."""
    mixed = (mixed ^ word) * _FACTOR
    return mixed ^ (mixed >> _SHIFT)


@inlined
def ones(mask):  # type: ignore[no-untyped-def]
    """Population count: the number of set bits of a mask (the compiler turns this loop into one instruction)."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inlined
def lowest(mask):  # type: ignore[no-untyped-def]
    """The number of the lowest set bit; the mask must not be 0."""
    return ones((mask & -mask) - 1)


@inlined
def nth(mask, n):  # type: ignore[no-untyped-def]
    """The number of the n-th lowest set bit, with n from 0."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


@inlined
def one_of(mask, u):  # type: ignore[no-untyped-def]
    """The number of a random set bit (each is equally likely) for a uniform u in [0, 1); the mask must not be 0."""
    return nth(mask, int(u * ones(mask)))
