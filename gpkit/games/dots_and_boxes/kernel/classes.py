"""Positions collapsed to classes of equal graphs of strings and coins, and the game on these classes."""

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest, ones
from gpkit.games.dots_and_boxes.kernel.boxes import beyond, degree
from gpkit.games.dots_and_boxes.kernel.rules import closed_by

NONE = -1
"""In place of a class: the edge is drawn already, or the place of a table is empty."""

MASK = (1 << 62) - 1
"""Signatures are numbers of 62 bits, so that they are the same in machine words and in Python's integers."""

FACTORS = (0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9, 0x14D049BB133111EB)


@inlined
def mixed(number):  # type: ignore[no-untyped-def]
    """A number of 62 bits that looks random (the finisher of SplitMix64, shortened)."""
    number = (int(number) * FACTORS[0]) & MASK
    number = ((number ^ (number >> 30)) * FACTORS[1]) & MASK
    number = ((number ^ (number >> 27)) * FACTORS[2]) & MASK
    return number ^ (number >> 31)


@inlined
def components(drawn, found, board):  # type: ignore[no-untyped-def]
    """Write the masks of the boxes that each box is connected with; returns the boxes of the largest component.

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
    largest = 0
    for box in range(found.shape[0]):
        largest = max(largest, ones(found[box]))
    return largest


@inlined
def refine(drawn, colours, board):  # type: ignore[no-untyped-def]
    """Colour each box anew by its colour and those across its undrawn sides; see ``signature``."""
    for box in range(board.sides.shape[0]):
        colours[1, box] = mixed(int(colours[0, box]))
    for box in range(board.sides.shape[0]):
        left = board.sides[box] & ~drawn
        total = 0
        while left:
            other = beyond(box, lowest(left), board)
            left &= left - 1
            total += 1 if other < 0 else colours[1, other]
        colours[0, box] = mixed(int(colours[0, box]) + 3 * (total & MASK))


@inlined
def signature(drawn, colours, board):  # type: ignore[no-untyped-def]
    """A number that is the same for positions of equal graphs.

    Boxes are coloured by their undrawn sides and by the size of their component, then again by the colours across their
    undrawn sides, as often as the largest component has boxes: after that, colours that are equal remain so. That it
    differs for all others is checked for boards of up to 3x3 boxes by the tests, with ``gpkit.genomes.graph_order``,
    which is exact.

    Args:
        drawn, board: see ``boxes``.
        colours: int64 (2, boxes), scratch.
    """
    boxes = board.sides.shape[0]
    rounds = components(drawn, colours[1], board)
    for box in range(boxes):
        colours[0, box] = mixed(8 * ones(colours[1, box]) + degree(drawn, box, board) + 1)
    for _ in range(rounds):
        refine(drawn, colours, board)
    total = 0
    for box in range(boxes):
        if board.sides[box] & ~drawn:
            total = (total + int(colours[0, box])) & MASK
    return total


@kernel
def build(board, colours, keys, numbers, positions, successors, closed):  # type: ignore[no-untyped-def]
    """List all classes, by the number of drawn edges, with what follows upon each.

    Args:
        board: see ``boxes``.
        colours: int64 (2, boxes), scratch.
        keys: int64 (places,), all ``NONE``, a power of two of them; written: signatures.
        numbers: int32 (places,), written: the class of each signature.
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
            successors[number, edge] = numbers[place]
            closed[number, edge] = closed_by(drawn, edge, board)
        number += 1
    return count
