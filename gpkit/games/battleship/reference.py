"""The reference agent that the authors of the Monte Carlo agent for Battleships compare theirs with (section IV).

It shoots along diagonals of a pattern database, in three colours one after the other, and then at random at the gaps.
Once it has found a ship it shoots at all squares beside its hits until the ship has sunk. The source's Figure 2 leaves
the squares of the database open: here of every four rising diagonals, the longest among the first, two diagonals apart
are green and blue, the one after green is red, and the fourth is a gap.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.aiming import squares_beside
from gpkit.games.battleship.fleets import surroundings
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, announced
from gpkit.vm.keyed import keyed_uniform_readable

COLOURS = (0, 2, 1)
"""Green, blue and red: the diagonals of each, counted from the longest one on, modulo ``PERIOD``."""

PERIOD = 4


@dataclass(frozen=True, slots=True)
class ReferenceAgent:
    """The pattern database, then the neighbours of hits.

    Attributes:
        told: what it makes of a ship that sinks: ``hits``: nothing; ``sinkings``: its neighbours are of no more
            interest; ``halo``: where ships may not touch, nothing can lie on them.
    """

    told: Literal["hits", "sinkings", "halo"] = "sinkings"

    def _shot(self, board: Board, key: int) -> int:
        """The next neighbour of a hit, the first hit first; else of the database; else one of the gaps by the key."""
        done = finished(board) if self.told != "hits" else frozenset()
        barred = surroundings(sorted(done), board.rules) if self.told == "halo" else frozenset()
        is_open = [known == "unshot" and square not in barred for square, known in enumerate(board.known)]
        hits = [shot.square for shot in board.shots if shot.hit and shot.square not in done]
        near = chain.from_iterable(squares_beside(hit, board.rules) for hit in hits)
        for square in (*near, *database(board.rules.width, board.rules.height)):
            if is_open[square]:
                return square
        gaps = [square for square, free in enumerate(is_open) if free]
        gaps = gaps or [square for square, known in enumerate(board.known) if known == "unshot"]
        return gaps[int(keyed_uniform_readable(key, board.turns, 0) * len(gaps))]

    def chances(self, board: Board, number: int, key: int) -> NDArray[np.float64]:
        """It reckons with no chances: the squares that are left share what is left of ships, float64 (squares,)."""
        known = np.array(board.known)
        hits = (known == "open") | (known == "sunk")
        unshot = known == "unshot"
        share = (sum(board.rules.fleet) - hits.sum()) / max(unshot.sum(), 1)
        return np.asarray(np.where(unshot, share, hits.astype(float)))

    def consider(self, board: Board, number: int, key: int) -> tuple[int, NDArray[np.float64]]:
        """The square, and chances, float64 (squares,), that do not lead to it."""
        return self._shot(board, key), self.chances(board, number, key)


def finished(board: Board) -> frozenset[int]:
    """The hits that the shooter takes for those of ships that sank: nothing more is to be found beside them.

    If it is told which ship sank, its squares; if only that one did, the hits that hang together with that shot.
    """
    if board.rules.announce == "ship":
        return frozenset(square for square, known in enumerate(board.known) if known == "sunk")
    found: set[int] = set()
    hits: set[int] = set()
    for shot in board.shots:
        if shot.hit:
            hits.add(shot.square)
            if announced(shot, board.rules) is not None:
                found |= _together(shot.square, hits, board.rules)
    return frozenset(found)


def _together(square: int, hits: set[int], rules: Rules) -> set[int]:
    """The hits that hang together with one of them, side by side."""
    found, edge = {square}, [square]
    while edge:
        beside = [each for each in squares_beside(edge.pop(), rules) if each in hits and each not in found]
        found.update(beside)
        edge += beside
    return found


@lru_cache(maxsize=64)
def database(width: int, height: int) -> tuple[int, ...]:
    """The squares of the pattern database, diagonal by diagonal, colour by colour.

    >>> database(3, 3)
    (2, 4, 6, 0, 8, 5, 7)
    """
    longest = (width + height - 2) // 2
    sums = range(width + height - 1)
    diagonals = [each for colour in COLOURS for each in sums if (each - longest) % PERIOD == colour]
    places = ((row, each - row) for each in diagonals for row in range(height))
    return tuple(row * width + column for row, column in places if 0 <= column < width)


REFERENCE = ReferenceAgent()
"""The reference as the source tells it: until the ship is sunk."""

HITS_ALONE = ReferenceAgent("hits")
"""The reference if it is not told that ships sink."""

HALO = ReferenceAgent("halo")
"""The reference if it knows that nothing lies beside a ship that sank."""
