"""Boards that samples of fleets clear: whole games of ``gpkit.games.battleship.agents`` in one call."""

from typing import NamedTuple

import numpy as np

from gpkit.games.battleship.agents import Method, Tally, plan_of, scratch_of
from gpkit.games.battleship.kernel import samples as at
from gpkit.games.battleship.rules import BattleshipRules, Placements, fleet_squares


class Cleared(NamedTuple):
    """Shots that a board took, and the samples drawn for them."""

    shots: int
    tally: Tally


def clear_board(fleet: Placements, method: Method, rules: BattleshipRules, number: int, key: int) -> Cleared:
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
    plan = plan_of(method, rules, number, key)
    shots, _ = at.shoot(board, known, plan, 0, rules.squares, scratch_of(rules), tally)
    return Cleared(int(shots), Tally(*tally.tolist()))


def share_inconsistent(tally: Tally) -> float:
    """Share of samples that leave a hit out."""
    return tally.inconsistent / max(tally.drawn, 1)
