"""The belief-state agent as a player: it shoots where most samples have a part of a ship."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.rules import Board
from gpkit.games.battleship.sampling.boards import Shot, next_shot
from gpkit.games.battleship.sampling.kernel import samples as at
from gpkit.games.battleship.sampling.sampler import Method

SAMPLES = 100
"""Samples at each turn, if nothing is said: the larger number of the source."""


@dataclass(frozen=True, slots=True)
class SamplingAgent:
    """Agent that samples what its shots have told it.

    Attributes:
        method: how the source is read.
    """

    method: Method = field(default_factory=Method)

    def choose(self, board: Board, number: int, key: int) -> int:
        """The unshot square with most votes of ``number`` samples, 0 for ``SAMPLES``."""
        return self._shot(board, number, key).square

    def chances(self, board: Board, number: int, key: int) -> NDArray[np.float64]:
        """By square the share of samples with a ship there, 0 or 1 where it is known: float64 (squares,).

        If all samples were given up, it is the share of unshot squares that must be of ships.
        """
        return _chances(board, self._shot(board, number, key))

    def consider(self, board: Board, number: int, key: int) -> tuple[int, NDArray[np.float64]]:
        """The square and the shares, of the same samples."""
        shot = self._shot(board, number, key)
        return shot.square, _chances(board, shot)

    def _shot(self, board: Board, number: int, key: int) -> Shot:
        return next_shot(_known(board), board.turns, self.method, board.rules, number or SAMPLES, key)


def _chances(board: Board, shot: Shot) -> NDArray[np.float64]:
    known = _known(board)
    complete = shot.tally.drawn - shot.tally.dropped
    if complete:
        shares = shot.votes / complete
    else:
        left = sum(board.rules.fleet) - int((known == at.HIT).sum())
        shares = np.full(len(known), left / max(int((known == at.UNSHOT).sum()), 1))
    return np.where(known == at.UNSHOT, np.minimum(shares, 1.0), known == at.HIT)


def _known(board: Board) -> NDArray[np.int8]:
    """Knowledge of squares, as the kernel reads it: int8 (squares,)."""
    return np.array([_NUMBERS[known] for known in board.known], dtype=np.int8)


_NUMBERS = {"unshot": at.UNSHOT, "miss": at.MISS, "open": at.HIT, "sunk": at.HIT}

MCS = SamplingAgent()
"""The source's agent, with samples that observe the rules."""

FLAWED = SamplingAgent(Method(touching="ignored"))
"""The source's agent, nearer to what it has published."""

MENDED = SamplingAgent(Method(hits="required"))
"""The agent that the source wishes for: no sample leaves a hit out."""
