"""Compiled positions: the boxes, runs, classes and values of a board, and the graphs for matching rules.

In all kernels of the game, ``drawn`` is the mask of the drawn edges, and ``board`` is a ``BoardArrays``.

In the final endgame, no box can be taken, and every open box has two undrawn sides, so only chains and loops are left.
The player to draw has to give away a chain or a loop. The opponent can take the whole chain or loop, and then has to
give away the next one. Alternatively, the opponent can leave the last two boxes of a chain of at least three, or the
last four of a loop of at least four; then the first player also has to give away the next one. (A player gives away a
chain of two by drawing the edge between its boxes, so the opponent cannot leave any of it. Loops of two or three exist
only among coins.) It is best to give away the shortest chain or the shortest loop (Buzzard and Ciere, "Playing Simple
Loony Dots and Boxes Endgames Optimally", 2014). The value therefore depends only on the lengths, and the kernel
computes it starting with the longest chains and loops.

``classes`` is a ``Classes``, and ``values`` is float64 (classes, 2, 2 · boxes + 1): the expected result of player 0, 1
for a win and ½ for a tie. The indices of ``values`` are the class, the player to draw, and the lead of player 0 plus
``boxes``; only leads that the closed boxes allow are written. ``first`` and ``second`` are int64 (classes, leads): the
edges from which player 0 and player 1 choose, indexed by the player's lead plus ``boxes``; the shape is (classes, 1) if
the lead does not matter. The kernel computes results from the last class to the first.

The kernel builds the arrays of graphs directly from the mask of drawn edges. These arrays equal the flattened graph
from ``rule_lists``. For each value of an edge, the kernel also writes the mask of the board's edges that have this
value.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Flags, Ints
from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.shared import lowest, ones
from gpkit.matching.kernel import search as at
from gpkit.matching.kernel.search import fill_domains, fill_signature, images, may_match


class BoardArrays(NamedTuple):
    """The arrays of a board for the kernels.

    Attributes:
        sides: int64 (boxes,): the mask of edges for each box.
        touching: int64 (edges, 2): the boxes of each edge; the second box is -1 at the border.
        others: int64 (edges, 2): for both boxes of each edge, the mask of the box's other three edges. At the border,
            the mask contains an edge that does not exist on any board, so no box is closed there.
    """

    sides: Ints
    touching: Ints
    others: Ints


@inlined
def degree(drawn, box, board):  # type: ignore[no-untyped-def]
    """The number of undrawn sides of a box, 0 to 4."""
    return ones(board.sides[box] & ~drawn)


@inlined
def beyond(box, edge, board):  # type: ignore[no-untyped-def]
    """The box on the other side of a box's edge, or -1 for the ground."""
    return board.touching[edge, 0] + board.touching[edge, 1] - box


@inlined
def run_from(drawn, box, board):  # type: ignore[no-untyped-def]
    """The run of boxes that can be taken one after the other, starting with a capturable box.

    Args:
        drawn, board: see the description of the module.
        box: a box with one undrawn side.

    Returns:
        The number of boxes, their undrawn edges as a mask, and the capturable box at the other end, or -1 if that end
        is open and leads to the ground or to a box of degree 3 or 4.
    """
    length = 1
    last = board.sides[box] & ~drawn
    edges = last
    while True:
        box = beyond(box, lowest(last), board)
        if box < 0:
            return length, edges, -1
        count = degree(drawn, box, board)
        if count == 1:
            return length + 1, edges, box
        if count > 2:
            return length, edges, -1
        length += 1
        last = board.sides[box] & ~drawn & ~last
        edges |= last


@inlined
def chain_through(drawn, edge, board):  # type: ignore[no-untyped-def]
    """The chain or loop that an edge belongs to, in a position where no box can be taken.

    Returns:
        The number of boxes, 0 if no box of the edge has degree 2; the mask of their undrawn edges; and the mask of
        inner edges, with a box of degree 2 on both sides.
    """
    length = 0
    edges, inner = 1 << edge, 0
    for side in range(2):
        box, last = board.touching[edge, side], edge
        while box >= 0 and degree(drawn, box, board) == 2:
            length += 1
            last = lowest(board.sides[box] & ~drawn & ~(1 << last))
            if last == edge:
                return length, edges, edges
            edges |= 1 << last
            box = beyond(box, last, board)
    for each in range(board.touching.shape[0]):
        one, other = board.touching[each, 0], board.touching[each, 1]
        if edges >> each & 1 and other >= 0 and degree(drawn, one, board) == degree(drawn, other, board) == 2:
            inner |= 1 << each
    return length, edges, inner


@inlined
def closed_by(drawn, edge, board):  # type: ignore[no-untyped-def]
    """The number of boxes that an edge closes, 0 to 2.

    Args:
        drawn: the mask of drawn edges, without this edge.
        edge: the number of the edge.
        board: see ``boxes``.
    """
    first, second = board.others[edge, 0], board.others[edge, 1]
    return int((drawn & first) == first) + int((drawn & second) == second)


@kernel
def solve(board, values):  # type: ignore[no-untyped-def]
    """Write the value of every position, from the last to the first.

    Args:
        board: see ``boxes``.
        values: int8 (2^edges,), output: for each mask, the boxes that the player to draw gets from this position on,
            minus the opponent's, if both play perfectly.
    """
    edges = board.others.shape[0]
    values[values.shape[0] - 1] = 0
    for drawn in range(values.shape[0] - 2, -1, -1):
        best = -128
        for edge in range(edges):
            bit = 1 << edge
            if not drawn & bit:
                closed, after = closed_by(drawn, edge, board), values[drawn | bit]
                best = max(best, closed + after if closed > 0 else -after)
        values[drawn] = best


CHAINS, LOOPS, KINDS = range(3)
"""The rows of ``lengths``."""

MOST = 100
"""A number larger than any value."""

OF_CHAIN, OF_LOOP = 4, 8
"""The cost of leaving the last two boxes of a chain, or the last four of a loop, to the other player."""

SHORT, SHORT_LOOP = 2, 3
"""The maximum lengths of a chain and a loop of which a player cannot leave any boxes."""


@inlined
def is_only_chains(drawn, board):  # type: ignore[no-untyped-def]
    """Whether every open box has two undrawn sides, in a position where no box can be taken."""
    box, boxes = 0, board.sides.shape[0]
    while box < boxes and degree(drawn, box, board) <= 2:
        box += 1
    return box == boxes


@inlined
def list_lengths(drawn, board, lengths):  # type: ignore[no-untyped-def]
    """List the lengths of chains and loops in a position that contains nothing else.

    Args:
        drawn, board: see ``boxes``.
        lengths: int64 (KINDS, boxes), output: the lengths of the chains and of the loops, both in ascending order.

    Returns:
        The number of chains and the number of loops.
    """
    chains, loops = 0, 0
    left = ((1 << board.touching.shape[0]) - 1) & ~drawn
    while left:
        length, edges, inner = chain_through(drawn, lowest(left), board)
        left &= ~edges
        kind = LOOPS if edges == inner else CHAINS
        place = loops if kind == LOOPS else chains
        while place > 0 and lengths[kind, place - 1] > length:
            lengths[kind, place] = lengths[kind, place - 1]
            place -= 1
        lengths[kind, place] = length
        loops += kind == LOOPS
        chains += kind == CHAINS
    return chains, loops


@inlined
def value_of_lengths(lengths, chains, loops, values):  # type: ignore[no-untyped-def]
    """The value of chains and loops for the player to draw.

    Args:
        lengths, chains, loops: see ``list_lengths``.
        values: int64 (at least loops + 1,), scratch space: the value of the remaining chains and loops, indexed by the
            number of shortest loops that have been removed.
    """
    for chain in range(chains, -1, -1):
        for loop in range(loops, -1, -1):
            best = 0 if chain == chains and loop == loops else -MOST
            if chain < chains:
                length, rest = lengths[CHAINS, chain], values[loop]
                left = length - OF_CHAIN - rest if length > SHORT else -MOST
                best = max(best, -max(length + rest, left))
            if loop < loops:
                length, rest = lengths[LOOPS, loop], values[loop + 1]
                left = length - OF_LOOP - rest if length > SHORT_LOOP else -MOST
                best = max(best, -max(length + rest, left))
            values[loop] = best
    return values[0]


NONE = -1
"""The number that indicates an edge that is already drawn, or an empty place of a table, instead of a class."""

MASK = (1 << 62) - 1
"""Signatures have only 62 bits, so they are equal as machine words and as Python integers."""

FACTORS = (0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9, 0x14D049BB133111EB)


class Classes(NamedTuple):
    """All classes of a board in ascending order of the number of drawn edges, from the empty board to the full board.

    Attributes:
        positions: int64 (classes,): the mask of drawn edges of one position for each class.
        successors: int32 (classes, edges): the class after drawing an edge in that position, or −1 if the edge is
            already drawn.
        closed: int8 (classes, edges): the number of boxes that the edge closes.
        done: int8 (classes,): the number of closed boxes.
        legal: int64 (classes,): the mask of the edges that are not drawn.
    """

    positions: Ints
    successors: NDArray[np.int32]
    closed: NDArray[np.int8]
    done: NDArray[np.int8]
    legal: Ints


@inlined
def mixed(number):  # type: ignore[no-untyped-def]
    """A 62-bit hash of a number (a shortened version of the finisher of SplitMix64)."""
    number = (int(number) * FACTORS[0]) & MASK
    number = ((number ^ (number >> 30)) * FACTORS[1]) & MASK
    number = ((number ^ (number >> 27)) * FACTORS[2]) & MASK
    return number ^ (number >> 31)


@inlined
def components(drawn, found, board):  # type: ignore[no-untyped-def]
    """Write the mask of connected boxes for each box.

    Args:
        drawn, board: see ``boxes``.
        found: int64 (boxes,), output.
    """
    for box in range(found.shape[0]):
        found[box] = 1 << box
    more = True
    while more:
        more = False
        for box in range(found.shape[0]):
            left = board.sides[box] & ~drawn
            reached = found[box]
            while left:
                other = beyond(box, lowest(left), board)
                left &= left - 1
                if other >= 0:
                    reached |= found[other]
            more |= reached != found[box]
            found[box] = reached


@inlined
def different(colours):  # type: ignore[no-untyped-def]
    """The number of different colours in the first row of ``colours``, int64 (2, boxes)."""
    count = 0
    for box in range(colours.shape[1]):
        other = 0
        while colours[0, other] != colours[0, box]:
            other += 1
        count += other == box
    return count


@inlined
def signature(drawn, colours, board):  # type: ignore[no-untyped-def]
    """A number that is the same for positions with equal graphs.

    The first colour of a box depends on its undrawn sides and on the size of its component. Further rounds add the
    colours of the boxes across its undrawn sides, until a round distinguishes no further boxes. Tests compare the
    number with the exact ``gpkit.genomes.graph``: on boards of up to 3x3 boxes, different graphs always have different
    numbers.

    Args:
        drawn, board: see ``boxes``.
        colours: int64 (2, boxes), scratch space.
    """
    boxes = board.sides.shape[0]
    components(drawn, colours[1], board)
    for box in range(boxes):
        colours[0, box] = mixed(8 * ones(colours[1, box]) + degree(drawn, box, board) + 1)
    before, now = 0, different(colours)
    while now > before:
        for box in range(boxes):
            colours[1, box] = mixed(int(colours[0, box]))
        for box in range(boxes):
            left = board.sides[box] & ~drawn
            total = 0
            while left:
                other = beyond(box, lowest(left), board)
                left &= left - 1
                total += 1 if other < 0 else colours[1, other]
            colours[0, box] = mixed(int(colours[0, box]) + 3 * (total & MASK))
        before, now = now, different(colours)
    total = 0
    for box in range(boxes):
        if board.sides[box] & ~drawn:
            total = (total + int(colours[0, box])) & MASK
    return total


@kernel
def build(board, colours, keys, numbers, known, positions, successors, closed):  # type: ignore[no-untyped-def]
    """List all classes by the number of drawn edges, with the successors of each class.

    Args:
        board: see ``boxes``.
        colours: int64 (2, boxes), scratch space.
        keys: int64 (places,), all ``NONE``, where the number of places is a power of two; output: the signatures.
        numbers: int32 (places,), output: the class of each signature.
        known: int32 (2^edges,), all ``NONE``; output: the classes found, by mask, so the kernel examines each position
            only once.
        positions: int64 (classes,), output: a position of each class.
        successors: int32 (classes, edges), output: the class after drawing an edge in that position, or ``NONE``.
        closed: int8 (classes, edges), output: the number of boxes that the edge closes.

    Returns:
        The number of classes, or −1 if there is not enough room.
    """
    edges = board.touching.shape[0]
    places = keys.shape[0]
    count = 1
    positions[0] = 0
    number = 0
    while number < count:
        drawn = positions[number]
        for edge in range(edges):
            if drawn >> edge & 1:
                successors[number, edge] = NONE
                closed[number, edge] = 0
                continue
            after = drawn | 1 << edge
            if known[after] == NONE:
                key = signature(after, colours, board)
                place = key & (places - 1)
                while keys[place] != NONE and keys[place] != key:
                    place = (place + 1) & (places - 1)
                if keys[place] == NONE:
                    if count == positions.shape[0]:
                        return -1
                    keys[place] = key
                    numbers[place] = count
                    positions[count] = after
                    count += 1
                known[after] = numbers[place]
            successors[number, edge] = known[after]
            closed[number, edge] = closed_by(drawn, edge, board)
        number += 1
    return count


WIN, TIE, LOSS = 1.0, 0.5, 0.0


@inlined
def finish(values):  # type: ignore[no-untyped-def]
    """Write the results of the last class, in which the board is full."""
    last, boxes = values.shape[0] - 1, values.shape[2] // 2
    for player in range(2):
        for lead in range(values.shape[2]):
            values[last, player, lead] = WIN if lead > boxes else LOSS if lead < boxes else TIE


@inlined
def following(number, player, lead, edge, classes, values):  # type: ignore[no-untyped-def]
    """The expected result after a player has drawn an edge."""
    after, gained = classes.successors[number, edge], classes.closed[number, edge]
    if gained == 0:
        return values[after, 1 - player, lead]
    return values[after, player, lead + gained if player == 0 else lead - gained]


@inlined
def average(number, player, lead, mask, classes, values):  # type: ignore[no-untyped-def]
    """The expected result if a player draws any edge of a mask, all equally likely."""
    total, count = 0.0, 0
    for edge in range(classes.successors.shape[1]):
        if mask >> edge & 1:
            total += following(number, player, lead, edge, classes, values)
            count += 1
    return total / count


@inlined
def chosen(number, player, lead, first, second, values):  # type: ignore[no-untyped-def]
    """The edges from which a player chooses; ``lead`` is the lead of player 0 plus the number of boxes."""
    if player == 0:
        return first[number, lead if first.shape[1] > 1 else 0]
    return second[number, values.shape[2] - 1 - lead if second.shape[1] > 1 else 0]


@kernel
def play_policies(classes, first, second, values):  # type: ignore[no-untyped-def]
    """Write the expected results of two policies; if ``first`` has no columns, player 0 plays optimally.

    Args:
        classes, first, second: see the description of the module.
        values: output; see the description of the module.
    """
    finish(values)
    boxes = values.shape[2] // 2
    for number in range(values.shape[0] - 2, -1, -1):
        for player in range(2):
            for lead in range(boxes - classes.done[number], boxes + classes.done[number] + 1, 2):
                value = LOSS
                if player == 0 and first.shape[1] == 0:
                    for edge in range(classes.successors.shape[1]):
                        if classes.successors[number, edge] >= 0:
                            value = max(value, following(number, 0, lead, edge, classes, values))
                else:
                    mask = chosen(number, player, lead, first, second, values)
                    value = average(number, player, lead, mask, classes, values)
                values[number, player, lead] = value


EMPTY = -1
"""The number that indicates a closed box, instead of a node."""


class PositionScratch(NamedTuple):
    """Scratch arrays for one position and for the searches in it.

    Attributes:
        node_of: int64 (boxes,): the node of each box, or ``EMPTY``.
        between: int64 (boxes, boxes + 1): masks of the edges between two nodes, from a node to itself and, in the last
            column, to the ground. Only the rows and columns of existing nodes are valid.
        nodes, neighbours, ends: arrays of the position; see ``gpkit.matching.kernel.search``.
        signature: uint64 (WORDS,).
        masks: int64 (MAX_NODES,): for each value of an edge, the mask of the board's edges.
        numbers: int16 (NUMBERS_OF_POSITION,).
        domains, stack: see ``gpkit.matching.kernel.search``.
    """

    node_of: Ints
    between: Ints
    nodes: NDArray[np.int16]
    neighbours: NDArray[np.uint64]
    ends: NDArray[np.int16]
    signature: NDArray[np.uint64]
    masks: Ints
    numbers: NDArray[np.int16]
    domains: NDArray[np.uint64]
    stack: NDArray[np.uint64]


@inlined
def fill_position(drawn, board, scratch):  # type: ignore[no-untyped-def]
    """Write a position without its score into ``scratch``; returns the number of nodes."""
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
    """Number the boxes and chains by their lowest boxes, and write their symbols and lengths; returns their count."""
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
    """Sort the undrawn edges by the nodes that they connect; returns the number of undrawn edges."""
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
    """Write the edges between nodes; returns the number of values so far. Edges inside chains are numbered later."""
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
    """Append an end to the ends of a node."""
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
    """Number the edges inside a chain, starting at its first end; returns the number of values so far."""
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
"""The number that indicates a drawn edge, instead of the number of a value."""


class Graphs(NamedTuple):
    """The graphs of positions of a board, and the values of the board's edges in them.

    Attributes:
        positions: the positions in the format of the matcher.
        values: int8 (positions, edges): for each edge of the board, the number of its value, as in
            ``gpkit.matching.plan.edges``, or ``DRAWN``.
    """

    positions: at.Positions
    values: NDArray[np.int8]


@inlined
def copy_rows(rows, count, target, first):  # type: ignore[no-untyped-def]
    """Copy the first ``count`` rows of an array into another one of the same width, starting at row ``first``."""
    for row in range(count):
        for column in range(rows.shape[1]):
            target[first + row, column] = rows[row, column]


@kernel
def write_graphs(masks, board, scratch, graphs):  # type: ignore[no-untyped-def]
    """Write the graphs of positions one after another.

    Args:
        masks: int64 (positions,): the masks of drawn edges, in which at least one edge is undrawn.
        board, scratch: see ``BoardArrays`` and ``PositionScratch``.
        graphs: output, with room for one node per box and position.
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
"""The number that indicates that no rule matches."""


class Lists(NamedTuple):
    """The rules of one or more lists, one after another.

    Attributes:
        imaging, absent: int16: rows of searches; see ``gpkit.matching.kernel.search``.
        signatures: uint64 (WORDS, rules).
        joined: bool (rules,): whether a rule has the same precedence as the rule before it.
    """

    imaging: NDArray[np.int16]
    absent: NDArray[np.int16]
    signatures: NDArray[np.uint64]
    joined: Flags


@inlined
def images_of(rule, lists, scratch):  # type: ignore[no-untyped-def]
    """The mask of the edges that a rule proposes in the position in ``scratch``, or 0 if the rule may not act."""
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
    """Write a position without its score into ``scratch``, with the nodes that each kind of node can match."""
    fill_domains(scratch.nodes, 0, fill_position(drawn, board, scratch), scratch.domains)


@inlined
def acting(begin, end, lead, lists, scratch):  # type: ignore[no-untyped-def]
    """The first rule of a list that may act in the position in ``scratch``, and the proposals of its group.

    Args:
        begin, end: the range of the list's rules in ``lists``, excluding ``end``.
        lead: the number of boxes of the player to draw minus the opponent's.
        lists, scratch: see ``Lists`` and ``PositionScratch``.

    Returns:
        The number of the rule, and the mask of the edges that it and others of its precedence propose; ``NO_RULE`` and
        0 if no rule may act.
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
    """Write the edges from which a rule list chooses, and the rule that acts, for many positions and leads.

    Args:
        positions: int64 (positions,): masks of drawn edges.
        leads: int64 (leads,): possible numbers of boxes of the player to draw minus the opponent's.
        board, lists, scratch: see ``BoardArrays``, ``Lists`` and ``PositionScratch``.
        masks: int64 (positions, leads), output: the edges from which the list chooses: all undrawn edges if no rule
            matches, and 0 for a full board.
        chosen: int16 (positions, leads), output: the first rule that acts, or ``NO_RULE``.
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
    """Write the edges that each rule proposes in many positions.

    Args:
        positions: int64 (positions,): masks of drawn edges.
        leads: int64 (positions,): the number of boxes of the player to draw minus the opponent's.
        board, lists, scratch: see ``BoardArrays``, ``Lists`` and ``PositionScratch``.
        masks: int64 (positions, rules), output: the edges that each rule proposes, 0 where it may not act.
    """
    for number in range(positions.shape[0]):
        set_position(positions[number], board, scratch)
        scratch.numbers[at.OF_SCORE] = leads[number]
        for rule in range(masks.shape[1]):
            masks[number, rule] = images_of(rule, lists, scratch)
