"""Monte Carlo tree search in Dots and Boxes: ``gpkit.gamekit.uct``, each choice compiled."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.gamekit.uct import EXPLORATION, SEARCHES
from gpkit.games.dots_and_boxes.arrays import board_of, position
from gpkit.games.dots_and_boxes.kernel import uct
from gpkit.games.dots_and_boxes.kernel.boxes import closed_by
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State

Chooser = Callable[[int, int, int], int]
"""The edge of a player: given the mask of drawn edges, the boxes of whoever is to draw less those of the other, and the
key of the deal."""


@dataclass(frozen=True, slots=True)
class Uct:
    """A player that searches.

    Attributes:
        simulations: before every choice.
    """

    simulations: int


def by_search(player: Uct, rules: Rules) -> Chooser:
    """Choices of a search."""
    board, simulations = board_of(rules), player.simulations
    tree = uct.Tree(
        np.empty((simulations + 1, uct.COLUMNS), dtype=np.int64),
        np.empty((simulations + 1, uct.SHARES)),
        np.array([0.0, *(math.log(number) for number in range(1, simulations + 1))]),
        np.empty(rules.edges + 1, dtype=np.int64),
        EXPLORATION,
        SEARCHES,
    )

    def draw(drawn: int, lead: int, key: int) -> int:
        return int(uct.search(drawn, lead, simulations, key, drawn.bit_count(), board, tree))

    return draw


def searched_edge(player: Uct, state: State, key: int) -> int:
    """The edge that a search draws in a position of the game of a key."""
    return by_search(player, state.board)(position(state), state.lead(state.current_player), key)


def play_by_turns(
    choosers: Sequence[Chooser], keys: NDArray[np.int64], rules: Rules
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play every deal in both seatings, choice by choice; as ``kernel.games.play_deals``.

    Returns:
        The margins of the first player, int64 (deals, 2), and the edges of the last deal's games, int64 (2, edges).
    """
    board = board_of(rules)
    found = np.zeros((len(keys), 2), dtype=np.int64)
    log = np.zeros((2, rules.edges), dtype=np.int64)
    for deal, key in enumerate(keys.tolist()):
        for rotation in range(2):
            drawn, player, margin = 0, rotation, 0
            for turn in range(rules.edges):
                edge = choosers[player](drawn, margin if player == 0 else -margin, key)
                closed = closed_by(drawn, edge, board)
                drawn |= 1 << edge
                log[rotation, turn] = edge
                margin += closed if player == 0 else -closed
                player = player if closed else 1 - player
            found[deal, rotation] = margin
    return found, log
