"""Placements of the ships of a board as sets of bits: which of them can lie beside which, and which cover a square."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.belief.kernel.bits import WORD
from gpkit.games.battleship.fleets import is_on_board, squares_of, surroundings
from gpkit.games.battleship.options import Rules

Bits = NDArray[np.int64]
"""Sets of placements: int64 (..., words), ``WORD`` placements a word."""

_POWERS = 1 << np.arange(WORD, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Geometry:
    """All placements of ships, those of one length after those of a longer one.

    The placements of a length begin at the first bit of a word; between them and the next length are numbers of no
    placement. All arrays are read-only.

    Attributes:
        lengths: the different lengths of ships, the longest first.
        counts: int64 (lengths,): the ships of each length.
        firsts: int64 (lengths + 1,): the first word of each length, and the number of words.
        placements: int64 (numbers,): the placement of each number, −1 if there is none.
        sizes: int64 (numbers,): its length, 0 if there is none.
        covers: bool (numbers, squares): whether it covers a square.
        cells: int64 (2, cells): the same as pairs of a number and a square, by number.
        through: int64 (squares, words): the placements that cover each square.
        apart: int64 (numbers, words): the placements that can lie beside each one.
    """

    lengths: tuple[int, ...]
    counts: NDArray[np.int64]
    firsts: NDArray[np.int64]
    placements: NDArray[np.int64]
    sizes: NDArray[np.int64]
    covers: NDArray[np.bool_]
    cells: NDArray[np.int64]
    through: Bits
    apart: Bits


def sums_by_square(weights: NDArray[np.float64], board: Geometry) -> NDArray[np.float64]:
    """Sums of the weights of the placements that cover each square, added in the order of their numbers.

    A matrix product would add them in the order of this machine, and where other programs run, its threads wait for
    each other much longer than the sums take.

    Args:
        weights: float64 (rows, numbers).
        board: the placements.

    Returns:
        float64 (rows, squares).
    """
    numbers, squares = board.cells
    rows, size = len(weights), board.covers.shape[1]
    places = squares + size * np.arange(rows)[:, None]
    sums = np.bincount(places.ravel(), weights[:, numbers].ravel(), rows * size).astype(np.float64)
    return sums.reshape(rows, size)


def bits_of(members: NDArray[np.bool_]) -> Bits:
    """Sets of numbers, bool (..., words · WORD), as bits: int64 (..., words)."""
    words: Bits = members.reshape(*members.shape[:-1], -1, WORD) @ _POWERS
    return words


@lru_cache(maxsize=16)
def geometry_of(width: int, height: int, fleet: tuple[int, ...], touch: bool) -> Geometry:
    """The placements of a fleet's ships on a board."""
    rules = Rules(width=width, height=height, fleet=fleet, touch=touch)
    lengths = tuple(sorted(set(fleet), reverse=True))
    placements: list[int] = []
    sizes: list[int] = []
    firsts = [0]
    for length in lengths:
        found = [
            placement
            for placement in range(2 * rules.squares)
            if is_on_board(placement, length, rules) and not (length == 1 and placement & 1)
        ]
        gap = -len(found) % WORD
        placements += found + [-1] * gap
        sizes += [length] * len(found) + [0] * gap
        firsts.append(len(placements) // WORD)
    covers = np.zeros((len(placements), rules.squares), dtype=np.bool_)
    around = np.zeros_like(covers)
    for number, (placement, size) in enumerate(zip(placements, sizes, strict=True)):
        squares = squares_of(placement, size, rules) if size else ()
        covers[number, list(squares)] = True
        around[number, list(surroundings(squares, rules))] = True
    beside = around.astype(np.float32) @ covers.T.astype(np.float32) == 0.0
    exists = np.array(sizes) > 0
    arrays = (
        np.array([fleet.count(length) for length in lengths]),
        np.array(firsts),
        np.array(placements),
        np.array(sizes),
        covers,
        np.stack(np.nonzero(covers)),
        bits_of(np.ascontiguousarray(covers.T)),
        bits_of(beside & exists),
    )
    for array in arrays:
        array.flags.writeable = False
    return Geometry(lengths, *arrays)
