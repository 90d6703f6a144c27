"""Positions flattened for the matcher, straight from the mask of their drawn edges.

The arrays are those of ``gpkit.matching.positions.flatten`` for the graph of ``state_graph``; and besides, as masks,
the edges of the board that each value of an edge stands for.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import lowest, ones
from gpkit.games.dots_and_boxes.kernel.boxes import beyond, degree
from gpkit.matching.kernel import layout as at
from gpkit.matching.kernel.signature import fill_signature

EMPTY = -1
"""The node of a closed box."""


class Scratch(NamedTuple):
    """Scratch arrays for one position and for the searches in it.

    Attributes:
        node_of: int64 (boxes,): the node of each box, or ``EMPTY``.
        between: int64 (boxes, boxes + 1): masks of the edges between two nodes, of a node to itself, and in the last
            column to the ground; only the rows and columns of nodes that are there mean something.
        nodes, neighbours, ends: of the position, see ``gpkit.matching.kernel.layout``.
        signature: uint64 (WORDS,).
        masks: int64 (MAX_NODES,): by value of an edge the edges of the board, as a mask.
        numbers: int16 (NUMBERS_OF_POSITION,).
        domains, stack: see ``gpkit.matching.kernel.search``.
    """

    node_of: NDArray[np.int64]
    between: NDArray[np.int64]
    nodes: NDArray[np.int16]
    neighbours: NDArray[np.uint64]
    ends: NDArray[np.int16]
    signature: NDArray[np.uint64]
    masks: NDArray[np.int64]
    numbers: NDArray[np.int16]
    domains: NDArray[np.uint64]
    stack: NDArray[np.uint64]


@inlined
def fill_position(drawn, board, scratch):  # type: ignore[no-untyped-def]
    """Write a position into ``scratch``, all but its score; returns the number of its nodes."""
    count = _number_nodes(drawn, board, scratch)
    scratch.numbers[at.OF_LEFT] = _sort_edges(drawn, count, board, scratch)
    ground = scratch.between.shape[1] - 1
    for row in range(count):
        scratch.neighbours[row, :] = at.NONE
        scratch.ends[row, :] = 0
        scratch.ends[row, at.TARGETS : at.TARGETS + at.EDGES] = at.NO_END
        scratch.nodes[row, at.NODE_GROUNDS] = ones(scratch.between[row, ground])
        scratch.ends[row, at.TARGETS] = at.GROUND if scratch.between[row, ground] else at.NO_END
    number = _write_edges(count, scratch)
    for row in range(count):
        if scratch.between[row, ground]:
            scratch.ends[row, at.COUNTS] = scratch.nodes[row, at.NODE_GROUNDS]
            scratch.ends[row, at.NUMBERS] = number
            scratch.masks[number] = scratch.between[row, ground]
            number += 1
    for row in range(count):
        if scratch.nodes[row, at.LENGTH] > 1:
            number = _write_inner(drawn, row, number, board, scratch)
    fill_signature(scratch.nodes, scratch.ends, count, scratch.signature)
    return count


@inlined
def _number_nodes(drawn, board, scratch):  # type: ignore[no-untyped-def]
    """Number the boxes and chains by their lowest box, with their symbols and lengths; returns how many there are."""
    scratch.node_of[:] = EMPTY
    count = 0
    for box in range(board.sides.shape[0]):
        here = degree(drawn, box, board)
        if here == 0 or scratch.node_of[box] != EMPTY:
            continue
        scratch.node_of[box] = count
        length = 0
        if here == 2:
            length = 1
            both = board.sides[box] & ~drawn
            for side in range(2):
                last = both & -both if side == 0 else both & (both - 1)
                other = beyond(box, lowest(last), board)
                while other >= 0 and scratch.node_of[other] == EMPTY and degree(drawn, other, board) == 2:
                    scratch.node_of[other] = count
                    length += 1
                    last = board.sides[other] & ~drawn & ~last
                    other = beyond(other, lowest(last), board)
        scratch.nodes[count, at.SYMBOL] = 4 - here
        scratch.nodes[count, at.LENGTH] = length
        scratch.nodes[count, at.NODE_LOOPS] = 0
        count += 1
    return count


@inlined
def _sort_edges(drawn, count, board, scratch):  # type: ignore[no-untyped-def]
    """Sort the undrawn edges by the nodes that they lie between; returns how many there are."""
    ground = scratch.between.shape[1] - 1
    for row in range(count):
        scratch.between[row, :count] = 0
        scratch.between[row, ground] = 0
    left = 0
    for edge in range(board.touching.shape[0]):
        if drawn >> edge & 1:
            continue
        left += 1
        one = scratch.node_of[board.touching[edge, 0]]
        other = scratch.node_of[board.touching[edge, 1]] if board.touching[edge, 1] >= 0 else ground
        scratch.between[one, other] |= 1 << edge
        if other != one and other != ground:
            scratch.between[other, one] |= 1 << edge
    return left


@inlined
def _write_edges(count, scratch):  # type: ignore[no-untyped-def]
    """Write the edges between nodes; returns the number of values so far. Those inside a chain come later."""
    number = 0
    for low in range(count):
        for high in range(low, count):
            mask = scratch.between[low, high]
            edges = ones(mask)
            if low == high:
                edges = int(edges > 0 and edges == scratch.nodes[low, at.LENGTH])
                scratch.nodes[low, at.NODE_LOOPS] = edges
            if edges == 0:
                continue
            _write_end(low, high, edges, number, scratch)
            if low != high:
                _write_end(high, low, edges, number, scratch)
            scratch.masks[number] = mask
            number += 1
    return number


@inlined
def _write_end(row, other, edges, number, scratch):  # type: ignore[no-untyped-def]
    """Add an end to a node, behind those that it has."""
    slot = 0
    while scratch.ends[row, at.TARGETS + slot] != at.NO_END:
        slot += 1
    scratch.ends[row, at.TARGETS + slot] = other
    scratch.ends[row, at.COUNTS + slot] = edges
    scratch.ends[row, at.NUMBERS + slot] = number
    for more in range(edges):
        scratch.neighbours[row, more] |= at.ONE << np.uint64(other)


@inlined
def _write_inner(drawn, row, number, board, scratch):  # type: ignore[no-untyped-def]
    """Number the edges inside a chain from its first end on; returns the number of values so far."""
    if scratch.nodes[row, at.NODE_LOOPS]:
        scratch.ends[row, at.INNER] = scratch.ends[row, at.NUMBERS]
        return number
    length = scratch.nodes[row, at.LENGTH]
    target = scratch.ends[row, at.TARGETS]
    alike = scratch.ends[row, at.TARGETS + 1] == at.NO_END
    values = length // 2 if alike else length - 1
    scratch.ends[row, at.INNER] = number
    for place in range(values):
        scratch.masks[number + place] = 0
    last = scratch.between[row, target if target >= 0 else scratch.between.shape[1] - 1]
    last &= -last
    edge = lowest(last)
    box = board.touching[edge, 0]
    if scratch.node_of[box] != row:
        box = board.touching[edge, 1]
    for place in range(1, length):
        last = board.sides[box] & ~drawn & ~last
        scratch.masks[number + (min(place, length - place) if alike else place) - 1] |= last
        box = beyond(box, lowest(last), board)
    return number + values
