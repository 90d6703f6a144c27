"""Hard-coded players, and the shots that programs need for given fleets."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import TargetAnswers, sums_of, turns_at
from gpkit.games.battleship.fleets import Placements
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.sinkers import shooter_of
from gpkit.games.battleship.options import Rules
from gpkit.genomes.linear import LinearProgram
from gpkit.playing.players import player_of_name, player_of_program, program_of_name, shipped_player
from gpkit_experiments.papers.battleship_adaptive.study import Floats

CORRECTED = program_of_name("corrected", GAME)


def opponent_of(shooter: str, placement: str) -> Player:
    """A hard-coded player; ``corrected`` is Figure 8 with its faults mended and targets on a checkerboard."""
    if shooter == "corrected":
        header = {"sunk": "reset", "target": "checkerboard", "placement": placement}
        return player_of_program(CORRECTED, GAME, f"corrected:{placement}", header)
    if shooter in (*GAME.programs, *GAME.builtins):
        return player_of_name(f"{shooter}:{placement}", GAME)
    return replace(shipped_player(shooter, GAME), name=f"{shooter}:{placement}", placement=placement)


def doubled(fleets: Sequence[Placements] | NDArray[np.int64], rules: Rules) -> Floats:
    """Fleets as ``turns_at`` takes them."""
    return np.stack([[sums_of(tuple(fleet), rules)] * 2 for fleet in np.asarray(fleets).tolist()])


def shots(
    answers: TargetAnswers, fleets: NDArray[np.int64], rules: Rules, program: LinearProgram = CORRECTED
) -> Floats:
    """The number of shots of a program at each fleet, of corrected Figure 8 if none is named: float64 (fleets,)."""
    player = shooter_of(program, answers)
    return np.array(turns_at(doubled(fleets, rules), player, np.arange(len(fleets)), rules, answers))
