"""Facts of a shooter, and the placements of ships that agree with them as sets of bits: the question of the kernels.

Facts are all that the answers to shots say about the fleet, whatever the order of the shots was. They are read from the
shots and what was announced alone, and not from ``Board.known``, which guesses the squares of a ship that sank where
ships touch.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.fleets import placements_of, squares_of, surroundings
from gpkit.games.battleship.kernel.counting import WORD, Question, Ships, ShipStack
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, announced


@dataclass(frozen=True, slots=True, order=True)
class Sinking:
    """A ship that sank, as it was announced.

    Attributes:
        square: where the last shot at it hit.
        length: of the ship; 0 if that is not told.
        within: the squares hit until then, that one included, ascending: the ship lies within them.
    """

    square: int
    length: int
    within: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Knowledge of a shooter about a fleet.

    Attributes:
        rules: the rules.
        missed: the squares where no ship lies, ascending.
        hit: the squares where one lies, ascending.
        sinkings: those announced, ascending.
    """

    rules: Rules
    missed: tuple[int, ...] = ()
    hit: tuple[int, ...] = ()
    sinkings: tuple[Sinking, ...] = ()

    @classmethod
    def of(cls, board: Board) -> "Facts":
        """The facts that the shots at a board have told."""
        missed, hit, sinkings = set[int](), set[int](), []
        for shot in board.shots:
            if shot.known or shot.square < 0:
                continue
            (hit if shot.hit else missed).add(shot.square)
            told = announced(shot, board.rules)
            if told is not None:
                sinkings.append(Sinking(shot.square, told, tuple(sorted(hit))))
        return cls(board.rules, tuple(sorted(missed)), tuple(sorted(hit)), tuple(sorted(sinkings)))

    @property
    def unshot(self) -> tuple[int, ...]:
        """The squares that were not shot at, ascending."""
        shot = {*self.missed, *self.hit}
        return tuple(square for square in range(self.rules.squares) if square not in shot)


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
        placements: int64 (numbers,): the placement of each number, −1 if there is none.
        sizes: int64 (numbers,): its length, 0 if there is none.
        covers: bool (numbers, squares): whether it covers a square.
        cells: int64 (2, cells): the same as pairs of a number and a square, by number.
        through: int64 (squares, words): the placements that cover each square.
        ships: for the kernels the first word of each length and the number of words, int64 (lengths + 1,), and the
            placements that can lie beside each one, int64 (numbers, words).
    """

    lengths: tuple[int, ...]
    counts: NDArray[np.int64]
    placements: NDArray[np.int64]
    sizes: NDArray[np.int64]
    covers: NDArray[np.bool_]
    cells: NDArray[np.int64]
    through: Bits
    ships: Ships


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
    """Sets of numbers, bool (..., words · WORD), as bits: int64 of shape (..., words)."""
    words: Bits = members.reshape(*members.shape[:-1], -1, WORD) @ _POWERS
    return words


@lru_cache(maxsize=16)
def geometry(rules: Rules) -> Geometry:
    """The placements of the ships of these rules."""
    lengths = tuple(sorted(set(rules.fleet), reverse=True))
    placements: list[int] = []
    sizes: list[int] = []
    firsts = [0]
    for length in lengths:
        found = placements_of(length, rules)
        gap = -len(found) % WORD
        placements += [*found, *[-1] * gap]
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
        np.array([rules.fleet.count(length) for length in lengths]),
        np.array(placements),
        np.array(sizes),
        covers,
        np.stack(np.nonzero(covers)),
        bits_of(np.ascontiguousarray(covers.T)),
    )
    ships = Ships(np.array(firsts), bits_of(beside & exists))
    for array in (*arrays, *ships):
        array.flags.writeable = False
    return Geometry(lengths, *arrays, ships)


def question_of(facts: Facts) -> Question:
    """The placements that agree with some facts.

    A fleet agrees with the facts if its ships lie beside each other, cover every hit, and each of them agrees by
    itself: it covers no miss; if it lies within the hits, and sinkings are told, then one was told of its last square;
    if it covers the square of a sinking, it lies within the hits until then and has the length that was told.
    """
    board = geometry(facts.rules)
    through = board.through
    missed = np.bitwise_or.reduce(through[list(facts.missed)], axis=0, initial=0)
    told = [sinking.square for sinking in facts.sinkings]
    sunk = np.bitwise_or.reduce(through[told], axis=0, initial=0)
    free = bits_of(board.sizes > 0) & ~missed & ~sunk
    if facts.rules.announce != "hit":
        free &= ~_within(facts.hit, board)
    reasons = []
    for sinking in facts.sinkings:
        others = [square for square in told if square != sinking.square]
        reason = through[sinking.square] & _within(sinking.within, board)
        reason &= ~np.bitwise_or.reduce(through[others], axis=0, initial=0)
        if sinking.length:
            reason &= bits_of(board.sizes == sinking.length)
        reasons.append(reason)
    rest = sorted(set(facts.hit) - set(told))
    squares = [*told, *rest]
    any_reason = np.bitwise_or.reduce([free, *reasons], axis=0)
    reasons += [through[square] & any_reason for square in rest]
    table, covering = np.array(reasons, dtype=np.int64), through[squares]
    return Question(board.counts, free, *(each.reshape(-1, through.shape[1]) for each in (table, covering)))


def _within(squares: tuple[int, ...], board: Geometry) -> Bits:
    """The placements that lie within some squares."""
    covered = board.covers[:, list(squares)].sum(axis=1)
    return bits_of((covered == board.sizes) & (board.sizes > 0))


def zeros(*shape: int) -> NDArray[np.int64]:
    """Scratch arrays: int64 of a shape."""
    return np.zeros(shape, dtype=np.int64)


def stack_of(rules: Rules) -> ShipStack:
    """Scratch arrays for a search."""
    board = geometry(rules)
    depth, words, lengths = len(rules.fleet) + 2, board.ships.apart.shape[1], len(board.lengths)
    return ShipStack(
        zeros(depth, words), zeros(depth, words), zeros(depth, lengths), *(zeros(depth) for _ in range(4))
    )
