"""Monte Carlo tree search in Dots and Boxes: ``gpkit.games.uct``, compiled."""

import math
from dataclasses import dataclass

import numpy as np

from gpkit.games.dots_and_boxes.arrays import board_of, position
from gpkit.games.dots_and_boxes.kernel import uct
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.uct import EXPLORATION, SEARCHES


@dataclass(frozen=True, slots=True)
class Uct:
    """A player that searches.

    Attributes:
        simulations: before every choice.
    """

    simulations: int


def tree_for(simulations: int, rules: Rules) -> uct.Tree:
    """Scratch arrays for searches of so many simulations."""
    logs = np.array([0.0, *(math.log(number) for number in range(1, simulations + 1))])
    return uct.Tree(
        np.empty((simulations + 1, uct.COLUMNS), dtype=np.int64),
        np.empty(simulations + 1),
        logs,
        np.empty(rules.edges + 1, dtype=np.int64),
        EXPLORATION,
        SEARCHES,
    )


def searched_edge(player: Uct, state: State, key: int) -> int:
    """The edge that a search draws in a position of the game of a key."""
    tree = tree_for(player.simulations, state.rules)
    lead, turn = state.lead(state.current_player), len(state.drawn)
    board = board_of(state.rules)
    return int(uct.search(position(state), lead, player.simulations, key, turn, board, tree))
