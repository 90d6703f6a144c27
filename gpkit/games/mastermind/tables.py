"""Codes as the kernels read them: pegs in arrays, and rows of bits."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.kernel.feedback import WORD
from gpkit.games.mastermind.options import Rules

LISTED = 1 << 20
"""Games of more codes have no list of them."""


@lru_cache(maxsize=4)
def all_codes(rules: Rules) -> NDArray[np.int8]:
    """The codes in the order of their numbers: int8 (codes, length), read-only."""
    assert rules.codes <= LISTED, "there are too many codes to be listed"
    if rules.repeats:
        shape = (rules.colours,) * rules.length
        pegs = np.stack(np.unravel_index(np.arange(rules.codes), shape), axis=1)
    else:
        pegs = np.array([code_of_number(number, rules) for number in range(rules.codes)])
    return _constant(pegs.astype(np.int8))


def bits_of(codes: "NDArray[np.int8] | Iterable[Code]", rules: Rules) -> NDArray[np.int64]:
    """Codes, (codes, length), as rows of bits: int64 (codes, 2 · words), see ``kernel.feedback``."""
    pegs = np.asarray(codes, dtype=np.int64).reshape(-1, rules.length)
    words = -(-rules.length * rules.colours // WORD)
    bits = np.zeros((len(pegs), 2 * words), dtype=np.int64)
    rows = np.arange(len(pegs))
    met = np.zeros((len(pegs), rules.colours), dtype=np.int64)
    for place in range(rules.length):
        colour = pegs[:, place]
        for half, bit in (
            (0, place * rules.colours + colour),
            (1, colour * rules.length + met[rows, colour]),
        ):
            bits[rows, half * words + bit // WORD] |= 1 << bit % WORD
        met[rows, colour] += 1
    return bits


@lru_cache(maxsize=4)
def all_bits(rules: Rules) -> NDArray[np.int64]:
    """All codes as rows of bits, read-only."""
    bits = bits_of(all_codes(rules), rules)
    bits.setflags(write=False)
    return bits


def _constant(table: NDArray[np.int8]) -> NDArray[np.int8]:
    table.setflags(write=False)
    return table
