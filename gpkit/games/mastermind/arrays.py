"""Codes as the kernels read them: numbers and pegs in arrays, and rows of bits."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.games.mastermind.codes import Code, code_of_number, number_of_code
from gpkit.games.mastermind.kernel.feedback import WORD
from gpkit.games.mastermind.options import Rules

LISTED = 1 << 20
"""Games of more codes have no list of them."""


@lru_cache(maxsize=4)
def all_numbers(rules: Rules) -> NDArray[np.int32]:
    """The numbers of all codes: int32 (codes,), read-only."""
    return for_reading(np.arange(rules.codes, dtype=np.int32))


@lru_cache(maxsize=4)
def first_guesses(rules: Rules) -> NDArray[np.int32]:
    """The first code of every kind: no other first guess can do what these cannot.

    Codes are of one kind if places and colours can be exchanged so that one becomes the other. int32 (kinds,),
    ascending.

    >>> [int(number) for number in first_guesses(Rules(3, 3))]
    [0, 1, 5]
    """
    ordered = (combinations_with_replacement if rules.repeats else combinations)(
        range(rules.colours), rules.length
    )
    counted = ((code, [code.count(colour) for colour in range(rules.colours)]) for code in ordered)
    kinds = [code for code, counts in counted if counts == sorted(counts, reverse=True)]
    return for_reading(np.array([number_of_code(code, rules) for code in kinds], dtype=np.int32))


@lru_cache(maxsize=4)
def all_codes(rules: Rules) -> NDArray[np.int8]:
    """The codes in the order of their numbers: int8 (codes, length), read-only."""
    assert rules.codes <= LISTED, "there are too many codes to be listed"
    if rules.repeats:
        pegs = np.indices((rules.colours,) * rules.length).reshape(rules.length, -1).T
    else:
        pegs = np.array([code_of_number(number, rules) for number in range(rules.codes)])
    return for_reading(pegs.astype(np.int8))


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
    """All codes as rows of bits: int64 (codes, 2 · words), read-only."""
    return for_reading(bits_of(all_codes(rules), rules))
