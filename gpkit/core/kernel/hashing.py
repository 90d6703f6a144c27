"""Hashes of words, for tables in kernels."""

import numpy as np

from gpkit.core.compiled import inlined

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@inlined
def mixed_with(mixed, word):  # type: ignore[no-untyped-def]
    """The hash of words, uint64, and one more, uint64; that of none is any number, such as 0."""
    mixed = (mixed ^ word) * _FACTOR
    return mixed ^ (mixed >> _SHIFT)
