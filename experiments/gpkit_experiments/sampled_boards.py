"""Boards cleared with samples of fleets: whole games of ``gpkit.games.battleship.agents`` in one call."""

from typing import NamedTuple

import numpy as np

from gpkit.games.battleship.agents import Method, Tally, plan_of, scratch_of
from gpkit.games.battleship.kernel import samples as at
from gpkit.games.battleship.rules import BattleshipRules, Placements, fleet_squares


class Cleared(NamedTuple):
    """The number of shots that a board took, and the samples drawn for these shots."""

    shots: int
    tally: Tally


def clear_board(fleet: Placements, method: Method, rules: BattleshipRules, number: int, key: int) -> Cleared:
    """Shoot at a fleet until the last of its squares is hit.

    Args:
        fleet: the placements of the ships.
        method: the interpretation of the source.
        rules: the board and the fleet.
        number: the number of samples at each turn.
        key: the key for the player's shots, 26 bits.
    """
    board = np.zeros(rules.squares, np.int8)
    board[sorted(fleet_squares(fleet, rules))] = 1
    known = np.zeros(rules.squares, np.int8)
    tally = np.zeros(at.COUNTS, np.int64)
    plan = plan_of(method, rules, number, key)
    shots, _ = at.shoot(board, known, plan, 0, rules.squares, scratch_of(rules), tally)
    return Cleared(int(shots), Tally(*tally.tolist()))


def share_inconsistent(tally: Tally) -> float:
    """The share of samples that do not cover every hit."""
    return tally.inconsistent / max(tally.drawn, 1)
