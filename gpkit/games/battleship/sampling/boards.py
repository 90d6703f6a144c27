"""Whole boards by the compiled sampler, with what its samples were worth."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.fleets import Placements, fleet_squares
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.sampling.kernel import samples as at
from gpkit.games.battleship.sampling.sampler import BACKTRACKS, Method


@dataclass(frozen=True, slots=True)
class Tally:
    """Samples by what became of them.

    Attributes:
        drawn: all of them.
        inconsistent: those that leave a hit out.
        dropped: those that were given up.
        popped: how often a ship was taken up again.
    """

    drawn: int = 0
    inconsistent: int = 0
    dropped: int = 0
    popped: int = 0

    @property
    def share_inconsistent(self) -> float:
        """Share of samples that leave a hit out."""
        return self.inconsistent / max(self.drawn, 1)


class Cleared(NamedTuple):
    """Shots that a board took, and the samples drawn for them."""

    shots: int
    tally: Tally


class Shot(NamedTuple):
    """A shot: the square, by square the votes for it, and the samples drawn."""

    square: int
    votes: NDArray[np.int64]
    tally: Tally


def clear_board(fleet: Placements, method: Method, rules: Rules, number: int, key: int) -> Cleared:
    """Shoot at a fleet until the last of its squares is hit.

    Args:
        fleet: the placements of the ships.
        method: how the source is read.
        rules: the board and the fleet.
        number: of samples at each turn.
        key: of the player's shots, 26 bits.
    """
    board = np.zeros(rules.squares, np.int8)
    board[sorted(fleet_squares(fleet, rules))] = 1
    known = np.zeros(rules.squares, np.int8)
    tally = np.zeros(at.COUNTS, np.int64)
    plan = _plan(method, rules, number, key)
    shots, _ = at.shoot(board, known, plan, 0, rules.squares, _scratch(rules), tally)
    return Cleared(int(shots), Tally(*tally.tolist()))


def next_shot(
    known: NDArray[np.int8], turn: int, method: Method, rules: Rules, number: int, key: int
) -> Shot:
    """The square that the samples name.

    Args:
        known: int8 (squares,): ``UNSHOT``, ``MISS`` or ``HIT`` of the kernel.
        turn: the turns taken.
        method, rules, number, key: as of ``clear_board``.
    """
    scratch = _scratch(rules)
    tally = np.zeros(at.COUNTS, np.int64)
    nothing = np.zeros(rules.squares, np.int8)
    plan = _plan(method, rules, number, key)
    _, square = at.shoot(nothing, known.copy(), plan, turn, turn + 1, scratch, tally)
    return Shot(int(square), scratch.votes, Tally(*tally.tolist()))


def _plan(method: Method, rules: Rules, number: int, key: int) -> NDArray[np.int64]:
    plan = np.zeros(at.LENGTHS + len(rules.fleet), np.int64)
    plan[at.WIDTH], plan[at.HEIGHT] = rules.width, rules.height
    plan[at.APART] = not method.room(rules).touch
    plan[at.REQUIRED] = method.hits == "required"
    plan[at.SAMPLES], plan[at.BACKTRACKS], plan[at.KEY] = number, BACKTRACKS, key
    plan[at.LENGTHS :] = rules.fleet
    return plan


def _scratch(rules: Rules) -> at.Scratch:
    lengths, ships, locations = len(set(rules.fleet)), len(rules.fleet), 2 * rules.squares
    return at.Scratch(
        np.empty((lengths, locations), np.int16),
        np.empty((lengths, max(rules.fleet) + 2), np.int64),
        np.empty((ships, locations), np.int16),
        np.empty((at.FACTS, ships), np.int64),
        np.empty(rules.squares, np.int16),
        np.empty(rules.squares, np.int64),
    )
