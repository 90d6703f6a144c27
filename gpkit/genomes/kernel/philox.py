"""Uniform numbers of a key in kernels, those of ``gpkit.core.rng.stream``: Philox with four words of 64 bits.

J. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", SC 2011, as numpy has it: ten rounds, the counter
begins at one, and a number is the upper 53 bits of a word.
"""

import numpy as np

from gpkit.core.compiled import inlined

ROUNDS = 10
_FACTORS = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_STEPS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)  # of the key, from round to round
_ONE, _THREE, _ELEVEN, _HALF, _LOW = (np.uint64(each) for each in (1, 3, 11, 32, 0xFFFFFFFF))
_PART = 2.0**-53


@inlined
def start_stream(random, key):  # type: ignore[no-untyped-def]
    """Begin the stream of a key.

    Args:
        random: uint64 (7,), written: how many numbers were drawn, the key, and the last four words.
        key: uint64 (2,).
    """
    random[0] = np.uint64(0)
    random[1], random[2] = key[0], key[1]


@inlined
def next_uniform(random):  # type: ignore[no-untyped-def]
    """The next number of a stream: float64, of [0, 1)."""
    drawn = random[0]
    if drawn & _THREE == np.uint64(0):
        _next_words(random, (drawn >> np.uint64(2)) + _ONE)
    random[0] = drawn + _ONE
    return np.float64(random[np.uint64(3) + (drawn & _THREE)] >> _ELEVEN) * _PART


@inlined
def _next_words(random, counter):  # type: ignore[no-untyped-def]
    """Write the four words of a counter."""
    a, b, c, d = counter, np.uint64(0), np.uint64(0), np.uint64(0)
    first, second = random[1], random[2]
    for _ in range(ROUNDS):
        high, other = _high(_FACTORS[0], a), _high(_FACTORS[1], c)
        a, b, c, d = other ^ b ^ first, _FACTORS[1] * c, high ^ d ^ second, _FACTORS[0] * a
        first += _STEPS[0]
        second += _STEPS[1]
    random[3], random[4], random[5], random[6] = a, b, c, d


@inlined
def _high(x, y):  # type: ignore[no-untyped-def]
    """The upper 64 bits of a product of two words, uint64."""
    low = (x & _LOW) * (y & _LOW)
    one = (x >> _HALF) * (y & _LOW) + (low >> _HALF)
    two = (x & _LOW) * (y >> _HALF) + (one & _LOW)
    return (x >> _HALF) * (y >> _HALF) + (one >> _HALF) + (two >> _HALF)
