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


class Room(NamedTuple):
    """Room for one position and for the searches in it.

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
def fill_position(drawn, board, room):  # type: ignore[no-untyped-def]
    """Write a position into ``room``, all but its score; returns the number of its nodes."""
    count = _number_nodes(drawn, board, room)
    room.numbers[at.OF_LEFT] = _sort_edges(drawn, count, board, room)
    ground = room.between.shape[1] - 1
    for row in range(count):
        room.neighbours[row, :] = at.NONE
        room.ends[row, :] = 0
        room.ends[row, at.TARGETS : at.TARGETS + at.EDGES] = at.NO_END
        room.nodes[row, at.NODE_GROUNDS] = ones(room.between[row, ground])
        room.ends[row, at.TARGETS] = at.GROUND if room.between[row, ground] else at.NO_END
    number = _write_edges(count, room)
    for row in range(count):
        if room.between[row, ground]:
            room.ends[row, at.COUNTS] = room.nodes[row, at.NODE_GROUNDS]
            room.ends[row, at.NUMBERS] = number
            room.masks[number] = room.between[row, ground]
            number += 1
    for row in range(count):
        if room.nodes[row, at.LENGTH] > 1:
            number = _write_inner(drawn, row, number, board, room)
    fill_signature(room.nodes, room.ends, count, room.signature)
    return count


@inlined
def _number_nodes(drawn, board, room):  # type: ignore[no-untyped-def]
    """Number the boxes and chains by their lowest box, with their symbols and lengths; returns how many there are."""
    room.node_of[:] = EMPTY
    count = 0
    for box in range(board.sides.shape[0]):
        here = degree(drawn, box, board)
        if here == 0 or room.node_of[box] != EMPTY:
            continue
        room.node_of[box] = count
        length = 0
        if here == 2:
            length = 1
            both = board.sides[box] & ~drawn
            for side in range(2):
                last = both & -both if side == 0 else both & (both - 1)
                other = beyond(box, lowest(last), board)
                while other >= 0 and room.node_of[other] == EMPTY and degree(drawn, other, board) == 2:
                    room.node_of[other] = count
                    length += 1
                    last = board.sides[other] & ~drawn & ~last
                    other = beyond(other, lowest(last), board)
        room.nodes[count, at.SYMBOL] = 4 - here
        room.nodes[count, at.LENGTH] = length
        room.nodes[count, at.NODE_LOOPS] = 0
        count += 1
    return count


@inlined
def _sort_edges(drawn, count, board, room):  # type: ignore[no-untyped-def]
    """Sort the undrawn edges by the nodes that they lie between; returns how many there are."""
    ground = room.between.shape[1] - 1
    for row in range(count):
        room.between[row, :count] = 0
        room.between[row, ground] = 0
    left = 0
    for edge in range(board.touching.shape[0]):
        if drawn >> edge & 1:
            continue
        left += 1
        one = room.node_of[board.touching[edge, 0]]
        other = room.node_of[board.touching[edge, 1]] if board.touching[edge, 1] >= 0 else ground
        room.between[one, other] |= 1 << edge
        if other != one and other != ground:
            room.between[other, one] |= 1 << edge
    return left


@inlined
def _write_edges(count, room):  # type: ignore[no-untyped-def]
    """Write the edges between nodes; returns the number of values so far. Those inside a chain come later."""
    number = 0
    for low in range(count):
        for high in range(low, count):
            mask = room.between[low, high]
            edges = ones(mask)
            if low == high:
                edges = int(edges > 0 and edges == room.nodes[low, at.LENGTH])
                room.nodes[low, at.NODE_LOOPS] = edges
            if edges == 0:
                continue
            _write_end(low, high, edges, number, room)
            if low != high:
                _write_end(high, low, edges, number, room)
            room.masks[number] = mask
            number += 1
    return number


@inlined
def _write_end(row, other, edges, number, room):  # type: ignore[no-untyped-def]
    """Add an end to a node, behind those that it has."""
    slot = 0
    while room.ends[row, at.TARGETS + slot] != at.NO_END:
        slot += 1
    room.ends[row, at.TARGETS + slot] = other
    room.ends[row, at.COUNTS + slot] = edges
    room.ends[row, at.NUMBERS + slot] = number
    for more in range(edges):
        room.neighbours[row, more] |= at.ONE << np.uint64(other)


@inlined
def _write_inner(drawn, row, number, board, room):  # type: ignore[no-untyped-def]
    """Number the edges inside a chain from its first end on; returns the number of values so far."""
    if room.nodes[row, at.NODE_LOOPS]:
        room.ends[row, at.INNER] = room.ends[row, at.NUMBERS]
        return number
    length = room.nodes[row, at.LENGTH]
    target = room.ends[row, at.TARGETS]
    alike = room.ends[row, at.TARGETS + 1] == at.NO_END
    values = length // 2 if alike else length - 1
    room.ends[row, at.INNER] = number
    for place in range(values):
        room.masks[number + place] = 0
    last = room.between[row, target if target >= 0 else room.between.shape[1] - 1]
    last &= -last
    edge = lowest(last)
    box = board.touching[edge, 0]
    if room.node_of[box] != row:
        box = board.touching[edge, 1]
    for place in range(1, length):
        last = board.sides[box] & ~drawn & ~last
        room.masks[number + (min(place, length - place) if alike else place) - 1] |= last
        box = beyond(box, lowest(last), board)
    return number + values
