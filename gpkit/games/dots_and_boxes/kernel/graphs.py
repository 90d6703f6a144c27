"""Positions as graphs of strings and coins in the arrays of the compiled matcher.

The readable twins are ``gpkit.games.dots_and_boxes.state_graph`` and ``gpkit.matching.positions``; what the columns of
the arrays mean is in ``gpkit.matching.kernel.layout``.
"""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.games.dots_and_boxes.kernel.boxes import beyond, degree, string_of
from gpkit.matching.kernel import layout as at

NODE_OF, BOXES, FIRST_END, LAST_END, INNER_NUMBER, GROUND_NUMBER, COLUMNS = range(7)
"""Columns of the scratch array ``about``: by box its node; by node its boxes, for a chain the boxes beyond its first
and its last string (or −1 for the ground), the number of its first inner string, and that of its strings to the ground.
"""

CHAIN_DEGREE = 2


@inlined
def walk(drawn, box, last, number, about, path, length, sides, touching):  # type: ignore[no-untyped-def]
    """Follow a chain through a string of a box to its end, and make all boxes on the way those of a node.

    Args:
        drawn: mask.
        box: from which to go.
        last: the mask of the string to go through.
        number: of the node.
        about: int64 (COLUMNS, boxes), changed.
        path: int64 (boxes + 1,), written from ``length`` on: the strings on the way.
        length: the strings that are in ``path``.
        sides, touching: see ``boxes``.

    Returns:
        The strings in ``path``, and the box beyond the last of them: −1 for the ground; for a loop the first box.
    """
    start = box
    while True:
        string = string_of(last)
        path[length] = string
        length += 1
        box = beyond(box, string, touching)
        if box < 0 or box == start or degree(drawn, box, sides) != CHAIN_DEGREE:
            return length, box
        about[NODE_OF, box] = number
        about[BOXES, number] += 1
        last = sides[box] & ~drawn & ~last


@inlined
def find_nodes(drawn, about, paths, sides, touching):  # type: ignore[no-untyped-def]
    """Number the nodes of a position by the lowest box of each.

    Args:
        drawn: mask.
        about: int64 (COLUMNS, boxes), written.
        paths: int64 (boxes, boxes + 2), written: by node that is a chain of k boxes its k + 1 strings from one end to
            the other, of a loop k; its last column is how many.
        sides, touching: see ``boxes``.

    Returns:
        How many nodes there are.
    """
    boxes = sides.shape[0]
    count = 0
    for box in range(boxes):
        about[NODE_OF, box] = -1
    for box in range(boxes):
        left = sides[box] & ~drawn
        if left == 0 or about[NODE_OF, box] >= 0:
            continue
        about[NODE_OF, box] = count
        about[BOXES, count] = 1
        paths[count, boxes + 1] = 0
        if degree(drawn, box, sides) == CHAIN_DEGREE:
            path = paths[count]
            low = left & -left
            length, end = walk(drawn, box, low, count, about, path, 0, sides, touching)
            about[FIRST_END, count] = about[LAST_END, count] = end
            if end != box:
                for k in range(length // 2):
                    path[k], path[length - 1 - k] = path[length - 1 - k], path[k]
                length, end = walk(drawn, box, left ^ low, count, about, path, length, sides, touching)
                about[LAST_END, count] = end
            path[boxes + 1] = length
        count += 1
    return count


@inlined
def join_nodes(drawn, count, about, strings, sides, touching):  # type: ignore[no-untyped-def]
    """Count the strings between the nodes of a position.

    Args:
        drawn: mask.
        count: of the nodes.
        about: int64 (COLUMNS, boxes), see ``find_nodes``.
        strings: int64 (boxes, boxes + 1), written: by two nodes the strings between them, 1 for a loop; in column
            ``count`` those to the ground.
        sides, touching: see ``boxes``.
    """
    for one in range(count):
        for other in range(count + 1):
            strings[one, other] = 0
    for string in range(touching.shape[0]):
        if drawn >> string & 1:
            continue
        one = about[NODE_OF, touching[string, 0]]
        if touching[string, 1] < 0:
            strings[one, count] += 1
            continue
        other = about[NODE_OF, touching[string, 1]]
        if one != other:
            strings[one, other] += 1
            strings[other, one] += 1
    for node in range(count):
        box = about[FIRST_END, node]
        if about[BOXES, node] > 1 and box >= 0 and about[NODE_OF, box] == node:
            strings[node, node] = 1


@inlined
def number_strings(drawn, count, about, paths, strings, numbers, values, touching):  # type: ignore[no-untyped-def]
    """Number the values of the strings of a position: edges, strings to the ground, inner strings of chains.

    Args:
        drawn, count, about, paths, strings, touching: see ``find_nodes`` and ``join_nodes``.
        numbers: int64 (boxes, boxes), written: by two nodes the number of the strings between them.
        values: int8 (strings,), written: by string of the board the number of its value, −1 if it is drawn.
    """
    boxes = about.shape[1]
    number = 0
    for low in range(count):
        for high in range(low, count):
            if strings[low, high]:
                numbers[low, high] = numbers[high, low] = number
                number += 1
    for node in range(count):
        about[GROUND_NUMBER, node] = number
        number += strings[node, count] > 0
    for string in range(touching.shape[0]):
        values[string] = -1
        if not drawn >> string & 1:
            one = about[NODE_OF, touching[string, 0]]
            if touching[string, 1] < 0:
                values[string] = about[GROUND_NUMBER, one]
            else:
                values[string] = numbers[one, about[NODE_OF, touching[string, 1]]]
    for node in range(count):
        about[INNER_NUMBER, node] = number
        length = paths[node, boxes + 1] - 1
        if length < 2 or strings[node, node]:
            continue
        first, last = about[FIRST_END, node], about[LAST_END, node]
        first = about[NODE_OF, first] if first >= 0 else -1
        last = about[NODE_OF, last] if last >= 0 else -1
        for k in range(1, length):
            place = min(k, length - k) if first == last else k if first < last else length - k
            values[paths[node, k]] = number + place - 1
        number += length // 2 if first == last else length - 1


@inlined
def write_rows(count, degrees, about, paths, strings, numbers, row, nodes, neighbours, ends):  # type: ignore[no-untyped-def]
    """Write the rows of a position in the arrays of the matcher.

    Args:
        count, about, paths, strings, numbers: see ``number_strings``.
        degrees: int64 (boxes,): by node the undrawn sides of its boxes.
        row: the first row to write.
        nodes, neighbours, ends: see ``gpkit.matching.positions.Positions``; written.
    """
    boxes = about.shape[1]
    for node in range(count):
        here = row + node
        is_chain = degrees[node] == CHAIN_DEGREE
        nodes[here, at.SYMBOL] = 4 - degrees[node]
        nodes[here, at.LENGTH] = about[BOXES, node] if is_chain else 0
        nodes[here, at.NODE_GROUNDS] = strings[node, count]
        nodes[here, at.NODE_LOOPS] = strings[node, node]
        for k in range(at.STRINGS):
            neighbours[here, k] = at.NONE
        for k in range(at.END_SLOTS):
            ends[here, k] = 0
        for k in range(at.STRINGS):
            ends[here, at.TARGETS + k] = at.NO_END
        slot = 0
        if strings[node, count]:
            ends[here, at.TARGETS] = at.GROUND
            ends[here, at.COUNTS] = strings[node, count]
            ends[here, at.NUMBERS] = about[GROUND_NUMBER, node]
            slot = 1
        for other in range(count):
            if strings[node, other]:
                ends[here, at.TARGETS + slot] = other
                ends[here, at.COUNTS + slot] = strings[node, other]
                ends[here, at.NUMBERS + slot] = numbers[node, other]
                slot += 1
                for k in range(strings[node, other]):
                    neighbours[here, k] |= at.ONE << np.uint64(other)
        if is_chain and paths[node, boxes + 1] > 2:
            loop = strings[node, node] > 0
            ends[here, at.INNER] = numbers[node, node] if loop else about[INNER_NUMBER, node]


@inlined
def write_graph(drawn, sides, touching, about, paths, strings, numbers, degrees, row, nodes, neighbours, ends, values):  # type: ignore[no-untyped-def]  # fmt: skip
    """Write a position that is not the end in the arrays of the matcher; returns the number of its nodes.

    Args:
        drawn: mask.
        sides, touching: see ``boxes``.
        about, paths, strings, numbers, degrees: int64, scratch; see ``find_nodes``, ``join_nodes``, ``number_strings``
            and ``write_rows``.
        row, nodes, neighbours, ends: see ``write_rows``.
        values: see ``number_strings``.
    """
    count = find_nodes(drawn, about, paths, sides, touching)
    for box in range(sides.shape[0]):
        if about[NODE_OF, box] >= 0:
            degrees[about[NODE_OF, box]] = degree(drawn, box, sides)
    join_nodes(drawn, count, about, strings, sides, touching)
    number_strings(drawn, count, about, paths, strings, numbers, values, touching)
    write_rows(count, degrees, about, paths, strings, numbers, row, nodes, neighbours, ends)
    return count


@kernel
def write_graphs(  # type: ignore[no-untyped-def]
    positions,
    sides,
    touching,
    about,
    paths,
    strings,
    numbers,
    degrees,
    starts,
    nodes,
    neighbours,
    ends,
    values,
):
    """Write many positions in the arrays of the matcher.

    Args:
        positions: int64 (positions,): masks of drawn strings, none of them all.
        sides, touching: see ``boxes``.
        about, paths, strings, numbers, degrees: see ``write_graph``.
        starts: int64 (positions + 1,), written: the first row of each position, and the end.
        nodes, neighbours, ends: see ``write_rows``; there is room for a node for each box of each position.
        values: int8 (positions, strings): see ``number_strings``.
    """
    starts[0] = 0
    for number in range(positions.shape[0]):
        row = starts[number]
        count = write_graph(
            positions[number], sides, touching, about, paths, strings, numbers, degrees, row, nodes, neighbours, ends,
            values[number],
        )  # fmt: skip
        starts[number + 1] = row + count
