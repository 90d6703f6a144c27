"""Monte Carlo tree search on masks: ``gpkit.games.uct`` for Dots and Boxes; see ``boxes`` for ``board``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import one_of
from gpkit.games.dots_and_boxes.kernel.rules import closed_by
from gpkit.vm.keyed import keyed_uniform

EDGE, MOVER, NEWEST, OLDER, TRIED, VISITS, COLUMNS = range(7)
"""Columns of nodes: the edge that led there and who drew it; the child that was added last, and the sibling that was
added before; the mask of the edges of all children; and the simulations that passed."""

NO_NODE = -1


class Tree(NamedTuple):
    """Scratch arrays of a search.

    Attributes:
        nodes: int64 (simulations + 1, COLUMNS).
        totals: float64 (simulations + 1,): what movers got.
        logs: float64 (simulations + 1,): natural logarithms of whole numbers, that of 0 unused.
        path: int64 (edges + 1,).
        exploration: weight of the second part of the bound.
        counter: of the keyed random numbers of the first turn.
    """

    nodes: NDArray[np.int64]
    totals: NDArray[np.float64]
    logs: NDArray[np.float64]
    path: NDArray[np.int64]
    exploration: float
    counter: int


@inlined
def _clear(node, edge, mover, older, tree):  # type: ignore[no-untyped-def]
    """Write a node that no simulation has passed."""
    tree.nodes[node, EDGE] = edge
    tree.nodes[node, MOVER] = mover
    tree.nodes[node, NEWEST] = NO_NODE
    tree.nodes[node, OLDER] = older
    tree.nodes[node, TRIED] = 0
    tree.nodes[node, VISITS] = 0
    tree.totals[node] = 0.0


@inlined
def _add(node, edge, mover, parent, tree):  # type: ignore[no-untyped-def]
    """Add a child to a node."""
    _clear(node, edge, mover, tree.nodes[parent, NEWEST], tree)
    tree.nodes[parent, NEWEST] = node
    tree.nodes[parent, TRIED] |= 1 << edge


@inlined
def _highest_bound(node, tree):  # type: ignore[no-untyped-def]
    """The child of the highest upper confidence bound; of equal ones the one added last."""
    log = tree.logs[tree.nodes[node, VISITS]]
    best, found = -1.0, NO_NODE
    child = tree.nodes[node, NEWEST]
    while child != NO_NODE:
        visits = tree.nodes[child, VISITS]
        bound = tree.totals[child] / visits + tree.exploration * np.sqrt(log / visits)
        if bound > best:
            best, found = bound, child
        child = tree.nodes[child, OLDER]
    return found


@inlined
def _most_visits(tree):  # type: ignore[no-untyped-def]
    """The edge of the root's child that was tried most often; of several that of the highest mean, then the lowest."""
    most, mean, found = 0, 0.0, 0
    child = tree.nodes[0, NEWEST]
    while child != NO_NODE:
        visits, edge = tree.nodes[child, VISITS], tree.nodes[child, EDGE]
        here = tree.totals[child] / visits
        if visits > most or (visits == most and (here > mean or (here == mean and edge < found))):
            most, mean, found = visits, here, edge
        child = tree.nodes[child, OLDER]
    return found


@kernel
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
    numbers, used = 0, 1
    _clear(0, NO_NODE, NO_NODE, NO_NODE, tree)
    for _ in range(simulations):
        position, ahead, player = drawn, lead, 0
        node, length, in_tree = 0, 1, True
        tree.path[0] = 0
        while position != everything:
            if in_tree and tree.nodes[node, TRIED] == everything & ~position:
                node = _highest_bound(node, tree)
                edge = tree.nodes[node, EDGE]
                tree.path[length] = node
                length += 1
            else:
                tried = tree.nodes[node, TRIED] if in_tree else 0
                edge = one_of(
                    everything & ~position & ~tried, keyed_uniform(key, tree.counter + turn, numbers)
                )
                numbers += 1
                if in_tree:
                    _add(used, edge, player, node, tree)
                    tree.path[length] = used
                    length += 1
                    used += 1
                    in_tree = False
            closed = closed_by(position, edge, board)
            position |= 1 << edge
            ahead += closed if player == 0 else -closed
            if closed == 0:
                player = 1 - player
        share = 0.5 + 0.5 * float(int(ahead > 0) - int(ahead < 0))
        for place in range(length):
            passed = tree.path[place]
            tree.nodes[passed, VISITS] += 1
            tree.totals[passed] += share if tree.nodes[passed, MOVER] == 0 else 1.0 - share
    return _most_visits(tree)
