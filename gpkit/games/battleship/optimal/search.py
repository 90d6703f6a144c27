"""Optimal play by the compiled search: the best shot, and the fewest misses that a shooter can expect."""

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.games.battleship.optimal.beliefs import HIT, MISS, Fleets
from gpkit.games.battleship.optimal.kernel.beliefs import LANES, OPENED, PRIME, Problem, Sight, Table
from gpkit.games.battleship.optimal.kernel.search import FRAME, MOVE, NO_ROOM, Stack, search

MOST_FLEETS = 20_000

ENOUGH = 1 << 15
"""More fleets than there ever are: where more sequences of answers are possible, their number does not matter."""

Ints = NDArray[np.int64]


class Best(NamedTuple):
    """Best shot in a belief.

    Attributes:
        square: to shoot at; the first one that was found.
        misses: that are still to come, summed over the fleets of the belief.
    """

    square: int
    misses: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of the searches in one list of fleets; each of them adds to it.

    Attributes:
        fleets: that are possible before the first shot.
        problem: the same, as the kernel reads them.
        table: beliefs that were met.
    """

    fleets: Fleets
    problem: Problem
    table: Table

    @classmethod
    def of(cls, fleets: Fleets, places: int) -> "Memory":
        """An empty one for so many beliefs, a power of two; it takes 20 bytes for each."""
        keys = np.zeros((places, 2), dtype=np.int64)
        empty = np.full(places, -1, dtype=np.int32)
        return cls(fleets, problem_of(fleets), Table(keys, empty, np.zeros(2, dtype=np.int64)))

    @property
    def opened(self) -> int:
        """Number of beliefs that were searched so far, each as often as it was."""
        return int(self.table.counts[OPENED])

    def best(self, belief: int, shot: int) -> Best | None:
        """The best shot, at square −1 if none is left to hit; None if the memory is too small to find it.

        Args:
            belief: the set of fleets that are possible.
            shot: the set of squares that were shot.
        """
        members = np.array([n for n in range(len(self.fleets.fleets)) if belief >> n & 1], dtype=np.int64)
        stack, sight = _scratch(len(members), self.fleets)
        stack.shot[:] = [shot >> square & 1 for square in range(self.fleets.squares)]
        problem = self.problem._replace(
            fleets=self.problem.fleets[members], unions=self.problem.unions[members]
        )
        misses = int(search(problem, stack, sight, self.table))
        return None if misses == NO_ROOM else Best(int(stack.frames[0, MOVE]), misses)

    def misses(self, belief: int, shot: int, square: int) -> int | None:
        """The misses to come, summed over a belief, with a shot at this square; None as of ``best``."""
        total = 0
        for answer, after in self.fleets.answers(belief, shot, square).items():
            total += after.bit_count() if answer == MISS else 0
            best = self.best(after, shot | 1 << square)
            if best is None:
                return None
            total += best.misses
        return total


def expected_shots(fleets: Fleets, misses: int) -> Fraction:
    """The expected number of shots if there are so many misses in all fleets together."""
    return fleets.to_hit + Fraction(misses, len(fleets.fleets))


def problem_of(fleets: Fleets) -> Problem:
    """The fleets as the kernel reads them."""
    longest = max(len(ship.squares) for ship in fleets.ships)
    ships = np.full((len(fleets.ships), longest), -1, dtype=np.int16)
    for number, ship in enumerate(fleets.ships):
        ships[number, : len(ship.squares)] = ship.squares
    unions: dict[frozenset[int], int] = {}
    covered = [frozenset(s for ship in fleet for s in fleets.ships[ship].squares) for fleet in fleets.fleets]
    return Problem(
        np.array(fleets.fleets, dtype=np.int16),
        ships,
        np.array([ship.answer for ship in fleets.ships], dtype=np.int16),
        np.array([unions.setdefault(squares, len(unions)) for squares in covered], dtype=np.int16),
        _tokens(fleets, longest),
        _ways(fleets.to_hit, fleets.squares),
        np.array([fleets.separable], dtype=np.int64),
    )


def _ways(hits: int, misses: int) -> Ints:
    """Number of sequences of answers in which a hit is last: int64 (hits + 1, misses + 1), at most ``ENOUGH``."""
    rows = [[min(comb(m + h - 1, m), ENOUGH) for m in range(misses + 1)] for h in range(1, hits + 1)]
    return np.array([[1] + [0] * misses, *rows], dtype=np.int64)


def _tokens(fleets: Fleets, longest: int) -> Ints:
    """The token of each part of each ship under each symmetry, as of ``Problem``.

    It depends on its squares and on what is announced of the ship; where nothing is, it is the product of one for each
    square.
    """
    rng = stream(0, "beliefs")
    drawn: dict[tuple[int, tuple[int, ...]], Ints] = {}
    tokens = np.ones((len(fleets.symmetries), LANES, len(fleets.ships), 1 << longest), dtype=np.int64)
    for row, image in zip(tokens, fleets.symmetries, strict=True):
        for number, ship in enumerate(fleets.ships):
            for mask in range(1, 1 << len(ship.squares)):
                left = sorted(image[square] for k, square in enumerate(ship.squares) if mask >> k & 1)
                for part in [(square,) for square in left] if ship.answer == HIT else [tuple(left)]:
                    key = (ship.answer, part)
                    if key not in drawn:
                        drawn[key] = rng.integers(1, PRIME, size=LANES)
                    row[:, number, mask] = row[:, number, mask] * drawn[key] % PRIME
    return tokens


def _scratch(count: int, fleets: Fleets) -> tuple[Stack, Sight]:
    """Scratch of a search in so many fleets."""
    squares, depth = fleets.squares, fleets.squares + 2
    answers = 1 + max(HIT, *(ship.answer for ship in fleets.ships))

    def zeros(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.int64)

    stack = Stack(
        frames=zeros(depth, FRAME),
        members=np.zeros((depth, count), dtype=np.int16),
        moves=zeros(depth, squares, 2),
        groups=zeros(depth, answers + 1, 2),
        shot=np.zeros(squares, dtype=np.int8),
    )
    sight = Sight(
        left=zeros(count, len(fleets.fleets[0])),
        counts=zeros(squares, answers),
        covered=zeros(squares),
        both=zeros(squares, squares),
        classes=zeros(squares),
        afloat=zeros(answers),
        seen=zeros(len(fleets.fleets)),
        row=zeros(squares),
        case=zeros(squares),
        sums=zeros(LANES),
        key=zeros(2),
    )
    return stack, sight
