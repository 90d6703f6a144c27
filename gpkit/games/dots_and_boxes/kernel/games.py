"""Whole games between players, policies of the ladder or rule lists, every deal in both seatings in one call."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import kernel
from gpkit.core.kernel.masks import one_of
from gpkit.games.dots_and_boxes.kernel.opponents import allowed
from gpkit.games.dots_and_boxes.kernel.rule_lists import acting, set_position
from gpkit.games.dots_and_boxes.kernel.rules import closed_by
from gpkit.vm.keyed import keyed_uniform

POLICY, BEGIN, END, PLAYER = range(4)
"""Columns of players: the policy, see ``opponents``, or ``BY_RULES``; then the rules of the list, half open."""

BY_RULES = -1


class Perfect(NamedTuple):
    """Tables of perfect players, see ``opponents.allowed``."""

    values: NDArray[np.int8]
    rest: NDArray[np.int8]


@kernel
def play_deals(keys, players, board, perfect, lists, scratch, log, margins):  # type: ignore[no-untyped-def]
    """Play every deal in both seatings.

    Args:
        keys: int64 (deals,), of at least 0 and below 2^26: they decide between edges that a player likes equally.
        players: int64 (2, PLAYER).
        board: see ``boxes``.
        perfect: what perfect players look up.
        lists, scratch: see ``rule_lists.Lists`` and ``positions.Scratch``.
        log: int64 (2, edges), written: the edges of the last deal's games in order.
        margins: int64 (deals, 2), written: by how many boxes player 0 is ahead in the end, where it draws first, and
            where it draws second.
    """
    edges = board.others.shape[0]
    for deal in range(keys.shape[0]):
        for rotation in range(2):
            drawn, player, margin = 0, rotation, 0
            for turn in range(edges):
                policy = players[player, POLICY]
                mask = 0
                if policy == BY_RULES:
                    set_position(drawn, board, scratch)
                    lead = margin if player == 0 else -margin
                    _, mask = acting(players[player, BEGIN], players[player, END], lead, lists, scratch)
                    if mask == 0:
                        mask = (1 << edges) - 1 & ~drawn
                else:
                    mask = allowed(policy, drawn, board, perfect.values, perfect.rest)
                edge = one_of(mask, keyed_uniform(keys[deal], turn, 0))
                closed = closed_by(drawn, edge, board)
                drawn |= 1 << edge
                log[rotation, turn] = edge
                margin += closed if player == 0 else -closed
                if closed == 0:
                    player = 1 - player
            margins[deal, rotation] = margin
