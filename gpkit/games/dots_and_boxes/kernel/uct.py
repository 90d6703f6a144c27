"""Monte Carlo tree search on masks: ``gpkit.gamekit.uct`` for Dots and Boxes; see ``boxes`` for ``board``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import one_of
from gpkit.games.dots_and_boxes.kernel.boxes import closed_by
from gpkit.vm.keyed import keyed_uniform

EDGE, MOVER, NEWEST, OLDER, UNTRIED, VISITS, COLUMNS = range(7)
"""Columns of nodes: the edge that led there and who drew it; the child that was added last, and the sibling that was
added before; the mask of the edges without a child; and the simulations that passed."""

TOTAL, PROVED, SHARES = range(3)
"""Columns of shares of 0 to 1: the sum of what movers got, and what the searching player gets, or ``UNPROVED``."""

NO_NODE = -1
UNPROVED = -1.0


class Tree(NamedTuple):
    """Scratch arrays of a search.

    Attributes:
        nodes: int64 (simulations + 1, COLUMNS).
        shares: float64 (simulations + 1, SHARES).
        logs: float64 (simulations + 1,): natural logarithms of whole numbers, that of 0 unused.
        path: int64 (edges + 1,).
        exploration: weight of the second part of the bound.
        counter: of the keyed random numbers of the first turn.
    """

    nodes: NDArray[np.int64]
    shares: NDArray[np.float64]
    logs: NDArray[np.float64]
    path: NDArray[np.int64]
    exploration: float
    counter: int


@inlined
def _clear(node, edge, mover, older, untried, tree):  # type: ignore[no-untyped-def]
    """Write a node that no simulation has passed."""
    tree.nodes[node, EDGE] = edge
    tree.nodes[node, MOVER] = mover
    tree.nodes[node, NEWEST] = NO_NODE
    tree.nodes[node, OLDER] = older
    tree.nodes[node, UNTRIED] = untried
    tree.nodes[node, VISITS] = 0
    tree.shares[node, TOTAL] = 0.0
    tree.shares[node, PROVED] = UNPROVED


@inlined
def _own(share, player):  # type: ignore[no-untyped-def]
    """The share of a player, by that of the searching one, who is player 0 here."""
    return share if player == 0 else 1.0 - share


@inlined
def _highest_bound(node, tree):  # type: ignore[no-untyped-def]
    """The child of the highest upper confidence bound; of equal ones the one added last."""
    log = tree.logs[tree.nodes[node, VISITS]]
    best, found = -1.0, NO_NODE
    child = tree.nodes[node, NEWEST]
    while child != NO_NODE:
        visits, proved = tree.nodes[child, VISITS], tree.shares[child, PROVED]
        if proved == UNPROVED:
            bound = tree.shares[child, TOTAL] / visits + tree.exploration * np.sqrt(log / visits)
        else:
            bound = _own(proved, tree.nodes[child, MOVER])
        if bound > best:
            best, found = bound, child
        child = tree.nodes[child, OLDER]
    return found


@inlined
def _prove(node, tree):  # type: ignore[no-untyped-def]
    """Prove the result of a node from those of its children, if it follows; returns whether it does."""
    best, mover = UNPROVED, 0
    known = tree.nodes[node, UNTRIED] == 0
    child = tree.nodes[node, NEWEST]
    while child != NO_NODE:
        proved = tree.shares[child, PROVED]
        if proved == UNPROVED:
            known = False
        else:
            mover = tree.nodes[child, MOVER]
            best = max(best, _own(proved, mover))
        child = tree.nodes[child, OLDER]
    if best == 1.0 or (known and best != UNPROVED):
        tree.shares[node, PROVED] = _own(best, mover)
    return tree.shares[node, PROVED] != UNPROVED


@inlined
def _chosen(tree):  # type: ignore[no-untyped-def]
    """The edge of the best child of the root; see ``gpkit.gamekit.uct.choose``."""
    share, most, mean, found = UNPROVED, 0, 0.0, 0
    child = tree.nodes[0, NEWEST]
    while child != NO_NODE:
        proved, visits, edge = tree.shares[child, PROVED], tree.nodes[child, VISITS], tree.nodes[child, EDGE]
        here, its = (0.5 if proved == UNPROVED else proved), tree.shares[child, TOTAL] / visits
        if (here, visits, its, -edge) > (share, most, mean, -found):
            share, most, mean, found = here, visits, its, edge
        child = tree.nodes[child, OLDER]
    return found


@inlined
def search(drawn, lead, simulations, key, turn, board, tree):  # type: ignore[no-untyped-def]
    """The edge that the player to draw chooses.

    Args:
        drawn: not all edges.
        lead: boxes of whoever is to draw less those of the other.
        simulations: at least 1.
        key: of the deal.
        turn: number of edges that are drawn.
        board, tree: see above.
    """
    everything = (1 << board.others.shape[0]) - 1
    numbers, used, simulation = 0, 1, 0
    _clear(0, NO_NODE, NO_NODE, NO_NODE, everything & ~drawn, tree)
    while simulation < simulations and tree.shares[0, PROVED] == UNPROVED:
        position, ahead, player = drawn, lead, 0
        node, length, in_tree = 0, 1, True
        tree.path[0] = 0
        while position != everything and tree.shares[node, PROVED] == UNPROVED:
            untried = tree.nodes[node, UNTRIED] if in_tree else everything & ~position
            if untried == 0:
                node = _highest_bound(node, tree)
                edge = tree.nodes[node, EDGE]
            else:
                edge = one_of(untried, keyed_uniform(key, tree.counter + turn, numbers))
                numbers += 1
                if in_tree:
                    left = everything & ~position & ~(1 << edge)
                    _clear(used, edge, player, tree.nodes[node, NEWEST], left, tree)
                    tree.nodes[node, NEWEST] = used
                    tree.nodes[node, UNTRIED] ^= 1 << edge
                    node = used
                    used += 1
            if in_tree:
                tree.path[length] = node
                length += 1
                in_tree = untried == 0
            closed = closed_by(position, edge, board)
            position |= 1 << edge
            ahead += closed if player == 0 else -closed
            if closed == 0:
                player = 1 - player
        share = tree.shares[node, PROVED]
        if share == UNPROVED:
            share = 0.5 + 0.5 * float(int(ahead > 0) - int(ahead < 0))
            if tree.nodes[node, UNTRIED] == 0:
                tree.shares[node, PROVED] = share
        for place in range(length):
            tree.nodes[tree.path[place], VISITS] += 1
            tree.shares[tree.path[place], TOTAL] += _own(share, tree.nodes[tree.path[place], MOVER])
        place = length - 2
        while place >= 0 and tree.shares[node, PROVED] != UNPROVED and _prove(tree.path[place], tree):
            place -= 1
        simulation += 1
    return _chosen(tree)


search_alone = kernel(search)
"""``search`` for callers from outside."""
