"""Positions as graphs of strings and coins in the arrays of the compiled matcher, and rule lists that act in them.

The arrays are made straight from the mask of the drawn edges, and are those that flattening the graph of
``state_graph`` gives; and besides, as masks, the edges of the board that each value of an edge stands for.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest, ones
from gpkit.games.dots_and_boxes.kernel.boxes import beyond, degree
from gpkit.matching.kernel import layout as at
from gpkit.matching.kernel.search import fill_domains, fill_signature, images, may_match

EMPTY = -1
"""The node of a closed box."""


class PositionScratch(NamedTuple):
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


DRAWN = -1
"""Instead of the number of an edge's value."""


class Graphs(NamedTuple):
    """The graphs of positions of a board, and what its edges are in them.

    Attributes:
        positions: as the matcher reads them.
        values: int8 (positions, edges): by edge of the board the number of its value, as
            ``gpkit.matching.edges.edges`` numbers them, or ``DRAWN``.
    """

    positions: at.Positions
    values: NDArray[np.int8]


@inlined
def copy_rows(rows, count, target, first):  # type: ignore[no-untyped-def]
    """Copy so many rows of an array into another one of equal columns, from row ``first`` on."""
    for row in range(count):
        for column in range(rows.shape[1]):
            target[first + row, column] = rows[row, column]


@kernel
def write_graphs(masks, board, scratch, graphs):  # type: ignore[no-untyped-def]
    """Write the graphs of positions one after another.

    Args:
        masks: int64 (positions,): of the drawn edges, none of them all.
        board, scratch: see ``boxes`` and ``positions.Scratch``.
        graphs: written; there is room for a node for each box of each position.
    """
    positions, values = graphs
    positions.starts[0] = 0
    for number in range(masks.shape[0]):
        row = positions.starts[number]
        count = fill_position(masks[number], board, scratch)
        copy_rows(scratch.nodes, count, positions.nodes, row)
        copy_rows(scratch.neighbours, count, positions.neighbours, row)
        copy_rows(scratch.ends, count, positions.ends, row)
        for word in range(scratch.signature.shape[0]):
            positions.signatures[number, word] = scratch.signature[word]
        left = scratch.numbers[at.OF_LEFT]
        positions.left[number] = left
        for edge in range(values.shape[1]):
            values[number, edge] = DRAWN
        value = 0
        while left > 0:
            for edge in range(values.shape[1]):
                if scratch.masks[value] >> edge & 1:
                    values[number, edge] = value
                    left -= 1
            value += 1
        positions.starts[number + 1] = row + count


NO_RULE = -1
"""Instead of a rule: none matches."""


class Lists(NamedTuple):
    """The rules of one or several lists, one after another.

    Attributes:
        imaging, absent: int16, rows of searches, see ``gpkit.matching.kernel.layout``.
        signatures: uint64 (WORDS, rules).
        joined: bool (rules,): whether a rule has the precedence of the one before it.
    """

    imaging: NDArray[np.int16]
    absent: NDArray[np.int16]
    signatures: NDArray[np.uint64]
    joined: NDArray[np.bool_]


@inlined
def images_of(rule, lists, scratch):  # type: ignore[no-untyped-def]
    """The edges that a rule proposes in the position that is in ``scratch``, as a mask; 0 if it may not act."""
    if not may_match(scratch.signature, lists.signatures[0, rule], lists.signatures[1, rule]):
        return 0
    values = images(
        lists.imaging[rule],
        lists.absent,
        scratch.nodes,
        scratch.neighbours,
        scratch.ends,
        0,
        scratch.numbers,
        scratch,
    )
    found = 0
    for number in range(at.MAX_NODES):
        if values >> np.uint64(number) == at.NONE:
            break
        if values >> np.uint64(number) & at.ONE:
            found |= scratch.masks[number]
    return found


@inlined
def set_position(drawn, board, scratch):  # type: ignore[no-untyped-def]
    """Write a position into ``scratch`` with what each kind of node can be there, all but its score."""
    count = fill_position(drawn, board, scratch)
    fill_domains(scratch.nodes, 0, count, scratch.domains)


@inlined
def acting(begin, end, lead, lists, scratch):  # type: ignore[no-untyped-def]
    """The first rule of a list that may act in the position that is in ``scratch``, and what its group proposes.

    Args:
        begin, end: the rules of the list among ``lists``, half open.
        lead: boxes of whoever is to draw less those of the other.
        lists, scratch: see ``Lists`` and ``positions.Scratch``.

    Returns:
        The number of the rule, and the mask of what it and the rules of its precedence propose; ``NO_RULE`` and 0 if
        none may act.
    """
    scratch.numbers[at.OF_SCORE] = lead
    rule, found = NO_RULE, 0
    for number in range(begin, end):
        if found and not lists.joined[number]:
            break
        mask = images_of(number, lists, scratch)
        if mask and not found:
            rule = number
        found |= mask
    return rule, found


@kernel
def choose(positions, leads, board, lists, scratch, masks, chosen):  # type: ignore[no-untyped-def]
    """Choose the edges, and the acting rule, of a rule list in many positions with many leads.

    Args:
        positions: int64 (positions,): masks of drawn edges.
        leads: int64 (leads,): boxes of whoever is to draw less those of the other.
        board, lists, scratch: see ``boxes``, ``Lists`` and ``positions.Scratch``.
        masks: int64 (positions, leads), written: the edges among which the list chooses, all of them where no rule
            matches; 0 where the board is full.
        chosen: int16 (positions, leads), written: the rule that acts, the first of several, or ``NO_RULE``.
    """
    full = (1 << board.touching.shape[0]) - 1
    for number in range(positions.shape[0]):
        drawn = positions[number]
        set_position(drawn, board, scratch)
        for column in range(leads.shape[0]):
            rule, found = acting(0, lists.imaging.shape[0], leads[column], lists, scratch)
            masks[number, column] = full & ~drawn if rule == NO_RULE else found
            chosen[number, column] = rule


@kernel
def propose(positions, leads, board, lists, scratch, masks):  # type: ignore[no-untyped-def]
    """List the edges that each of many rules proposes in many positions.

    Args:
        positions: int64 (positions,): masks of drawn edges.
        leads: int64 (positions,): boxes of whoever is to draw less those of the other.
        board, lists, scratch: see ``boxes``, ``Lists`` and ``positions.Scratch``.
        masks: int64 (positions, rules), written: the edges that the rule proposes, 0 where it may not act.
    """
    for number in range(positions.shape[0]):
        set_position(positions[number], board, scratch)
        scratch.numbers[at.OF_SCORE] = leads[number]
        for rule in range(masks.shape[1]):
            masks[number, rule] = images_of(rule, lists, scratch)
