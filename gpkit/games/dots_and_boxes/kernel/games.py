"""Whole games between players, policies of the ladder or rule lists, every deal in both seatings in one call."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import one_of
from gpkit.games.dots_and_boxes.kernel.opponents import allowed
from gpkit.games.dots_and_boxes.kernel.rule_lists import acting, set_position
from gpkit.games.dots_and_boxes.kernel.rules import closed_by
from gpkit.games.dots_and_boxes.kernel.uct import searched
from gpkit.vm.keyed import keyed_uniform

POLICY, BEGIN, END, SIMULATIONS, PLAYER = range(5)
"""Columns of players: the policy, see ``opponents``, or ``BY_RULES`` or ``BY_SEARCH``; the rules of the list, half
open; the simulations of the search."""

BY_RULES, BY_SEARCH = -1, -2


class Perfect(NamedTuple):
    """Tables of perfect players, see ``opponents.allowed``."""

    values: NDArray[np.int8]
    rest: NDArray[np.int8]


@inlined
def choices_in(drawn, lead, player, board, perfect, lists, scratch):  # type: ignore[no-untyped-def]
    """The mask of the edges among which a policy or a rule list chooses.

    Args:
        drawn: not all edges.
        lead: boxes of whoever is to draw less those of the other.
        player: int64 (PLAYER,), not ``BY_SEARCH``.
        board, perfect, lists, scratch: see ``play_deals``.
    """
    if player[POLICY] != BY_RULES:
        return allowed(player[POLICY], drawn, board, perfect.values, perfect.rest)
    set_position(drawn, board, scratch)
    _, mask = acting(player[BEGIN], player[END], lead, lists, scratch)
    return mask if mask != 0 else (1 << board.others.shape[0]) - 1 & ~drawn


@kernel
def play_deals(keys, players, board, perfect, lists, scratch, log, margins):  # type: ignore[no-untyped-def]
    """Play every deal in both seatings.

    Args:
        keys: int64 (deals,), of at least 0 and below 2^26: they decide between edges that a player likes equally.
        players: int64 (2, PLAYER), none of them ``BY_SEARCH``.
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
                lead = margin if player == 0 else -margin
                mask = choices_in(drawn, lead, players[player], board, perfect, lists, scratch)
                edge = one_of(mask, keyed_uniform(keys[deal], turn, 0))
                closed = closed_by(drawn, edge, board)
                drawn |= 1 << edge
                log[rotation, turn] = edge
                margin += closed if player == 0 else -closed
                if closed == 0:
                    player = 1 - player
            margins[deal, rotation] = margin


@kernel
def play_searching(keys, players, board, perfect, lists, scratch, tree, log, margins):  # type: ignore[no-untyped-def]
    """Play as ``play_deals``, players ``BY_SEARCH`` among them.

    Args:
        keys, board, perfect, lists, scratch, log, margins: see there.
        players: int64 (2, PLAYER).
        tree: see ``uct.Tree``.
    """
    edges = board.others.shape[0]
    for deal in range(keys.shape[0]):
        for rotation in range(2):
            drawn, player, margin = 0, rotation, 0
            for turn in range(edges):
                lead = margin if player == 0 else -margin
                if players[player, POLICY] == BY_SEARCH:
                    edge = searched(drawn, lead, players[player, SIMULATIONS], keys[deal], turn, board, tree)
                else:
                    mask = choices_in(drawn, lead, players[player], board, perfect, lists, scratch)
                    edge = one_of(mask, keyed_uniform(keys[deal], turn, 0))
                closed = closed_by(drawn, edge, board)
                drawn |= 1 << edge
                log[rotation, turn] = edge
                margin += closed if player == 0 else -closed
                if closed == 0:
                    player = 1 - player
            margins[deal, rotation] = margin
