"""Rehearsal of fleets of one's own: of several, the one that hard-coded players need the most shots to clear.

Beyond J. Bridon and others, who pre-train shots against hard-coded players, and fleets against none. Weights of squares
cannot say what costs such players most: ships that touch, whose hits they take for one ship.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import sums_of, turns_at
from gpkit.games.battleship.fleets import Placements
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.options import Rules
from gpkit.playing.players import player_of_name, player_of_program, program_of_name

FOLLOWERS = ("hunt", "density")
"""Opponents that rehearse beside the corrected Figure 8."""


@cache
def rehearsing() -> tuple[Player, ...]:
    """Hard-coded players that sink what they hit."""
    corrected = player_of_program(
        program_of_name("corrected", GAME), GAME, "corrected", {"sunk": "reset", "target": "checkerboard"}
    )
    return (corrected, *(player_of_name(name, GAME) for name in FOLLOWERS))


def hardest(fleets: Sequence[Placements], rules: Rules, games: int) -> Placements:
    """The fleet that takes the most shots; every player counts alike, by its standard deviation over the fleets.

    Args:
        fleets: at least one.
        rules: the board and the fleet.
        games: of each player against each fleet; they are the same for all fleets.
    """
    total = np.zeros(len(fleets))
    for player in rehearsing():
        shots = shots_needed(fleets, player, rules, games)
        total += (shots - shots.mean()) / (shots.std() or 1.0)
    return fleets[int(total.argmax())]


def shots_needed(
    fleets: Sequence[Placements], player: Player, rules: Rules, games: int
) -> NDArray[np.float64]:
    """By fleet the mean number of shots until it is cleared: float64 (fleets,)."""
    sums = np.stack([[sums_of(fleet, rules)] * 2 for fleet in fleets]).repeat(games, axis=0)
    keys = np.tile(np.arange(games), len(fleets))
    shots = np.array(turns_at(sums, player, keys, rules)).reshape(len(fleets), games)
    return np.asarray(shots.mean(axis=1))
