"""Positions collapsed to classes of equal graphs of strings and coins, and exact results of games on these classes.

In all of this file ``classes`` is a ``Classes``, and ``values`` float64 (classes, 2, 2 · boxes + 1): by class, player
to draw and lead of player 0 plus ``boxes`` the expected result of player 0, 1 for a win and ½ for a tie, written for
the leads that so many closed boxes allow. ``first`` and ``second`` are int64 (classes, leads), the edges among which
player 0 and player 1 choose, by the lead that each has itself, plus ``boxes``; or (classes, 1) if they are the same
with every lead. Results are found from the last class to the first.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest, ones
from gpkit.games.dots_and_boxes.kernel.boxes import beyond, closed_by, degree

NONE = -1
"""Instead of a class: the edge is drawn already, or the place of a table is empty."""

MASK = (1 << 62) - 1
"""Signatures are numbers of 62 bits, so that they are the same in machine words and in Python's integers."""

FACTORS = (0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9, 0x14D049BB133111EB)


class Classes(NamedTuple):
    """All classes of a board, by the number of drawn edges: the first is the empty board, the last one the end.

    Attributes:
        positions: int64 (classes,): the mask of the drawn edges of one position of each.
        successors: int32 (classes, edges): the class after drawing an edge in that position, −1 if it is drawn.
        closed: int8 (classes, edges): how many boxes drawing it closes.
        done: int8 (classes,): how many boxes are closed.
        legal: int64 (classes,): the mask of the edges that are not drawn.
    """

    positions: NDArray[np.int64]
    successors: NDArray[np.int32]
    closed: NDArray[np.int8]
    done: NDArray[np.int8]
    legal: NDArray[np.int64]


@inlined
def mixed(number):  # type: ignore[no-untyped-def]
    """A number of 62 bits that looks random (the finisher of SplitMix64, shortened)."""
    number = (int(number) * FACTORS[0]) & MASK
    number = ((number ^ (number >> 30)) * FACTORS[1]) & MASK
    number = ((number ^ (number >> 27)) * FACTORS[2]) & MASK
    return number ^ (number >> 31)


@inlined
def components(drawn, found, board):  # type: ignore[no-untyped-def]
    """Write the masks of the boxes that each box is connected with.

    Args:
        drawn, board: see ``boxes``.
        found: int64 (boxes,), written.
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
    """The number of different colours in the first row, int64 (2, boxes)."""
    count = 0
    for box in range(colours.shape[1]):
        other = 0
        while colours[0, other] != colours[0, box]:
            other += 1
        count += other == box
    return count


@inlined
def signature(drawn, colours, board):  # type: ignore[no-untyped-def]
    """A number that is the same for positions of equal graphs.

    Boxes are coloured by their undrawn sides and by the size of their component, then again by the colours across their
    undrawn sides, until that tells no more boxes apart: after that, colours that are equal remain so. That it
    differs for all others is checked for boards of up to 3x3 boxes by the tests, with ``gpkit.genomes.graph_order``,
    which is exact.

    Args:
        drawn, board: see ``boxes``.
        colours: int64 (2, boxes), scratch.
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
    """List all classes, by the number of drawn edges, with what follows upon each.

    Args:
        board: see ``boxes``.
        colours: int64 (2, boxes), scratch.
        keys: int64 (places,), all ``NONE``, a power of two of them; written: signatures.
        numbers: int32 (places,), written: the class of each signature.
        known: int32 (2^edges,), all ``NONE``; written: by mask the classes that were found, so that a position which
            follows upon several is looked at once.
        positions: int64 (classes,), written: a position of each class.
        successors: int32 (classes, edges), written: the class after drawing an edge in that position, or ``NONE``.
        closed: int8 (classes, edges), written: the boxes that drawing it closes.

    Returns:
        The number of classes; −1 if there are more than there is room for.
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
    """The expected result when a player draws any edge of a mask, all equally likely."""
    total, count = 0.0, 0
    for edge in range(classes.successors.shape[1]):
        if mask >> edge & 1:
            total += following(number, player, lead, edge, classes, values)
            count += 1
    return total / count


@inlined
def chosen(number, player, lead, first, second, values):  # type: ignore[no-untyped-def]
    """The edges among which a player chooses; the lead is that of player 0, plus the number of boxes."""
    if player == 0:
        return first[number, lead if first.shape[1] > 1 else 0]
    return second[number, values.shape[2] - 1 - lead if second.shape[1] > 1 else 0]


@kernel
def play_policies(classes, first, second, values):  # type: ignore[no-untyped-def]
    """The expected result of one policy against another; of the best possible player 0 where ``first`` has no columns.

    Args:
        classes, first, second: see above.
        values: see above; written.
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
