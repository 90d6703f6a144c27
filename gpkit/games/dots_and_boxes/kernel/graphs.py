"""Many positions as graphs of strings and coins in the arrays of the compiled matcher."""

from gpkit.core.compiled import inlined, kernel
from gpkit.games.dots_and_boxes.kernel.positions import fill_position

DRAWN = -1
"""In place of the number of a string's value."""


@inlined
def copy_rows(rows, count, target, first):  # type: ignore[no-untyped-def]
    """Copy so many rows of an array into another one of equal columns, from row ``first`` on."""
    for row in range(count):
        for column in range(rows.shape[1]):
            target[first + row, column] = rows[row, column]


@kernel
def write_graphs(positions, board, room, starts, nodes, neighbours, ends, signatures, values):  # type: ignore[no-untyped-def]
    """Write positions one after another.

    Args:
        positions: int64 (positions,): masks of drawn strings, none of them all.
        board, room: see ``positions``.
        starts: int64 (positions + 1,), written: the first row of each position, and the end.
        nodes, neighbours, ends: see ``gpkit.matching.positions.Positions``; written. There is room for a node for each
            box of each position.
        signatures: uint64 (positions, WORDS), written.
        values: int8 (positions, strings), written: by string of the board the number of its value, or ``DRAWN``.
    """
    starts[0] = 0
    for number in range(positions.shape[0]):
        row = starts[number]
        count = fill_position(positions[number], board, room)
        copy_rows(room.nodes, count, nodes, row)
        copy_rows(room.neighbours, count, neighbours, row)
        copy_rows(room.ends, count, ends, row)
        for word in range(signatures.shape[1]):
            signatures[number, word] = room.signature[word]
        left = 0
        for string in range(values.shape[1]):
            values[number, string] = DRAWN
            left += not positions[number] >> string & 1
        value = 0
        while left > 0:
            for string in range(values.shape[1]):
                if room.masks[value] >> string & 1:
                    values[number, string] = value
                    left -= 1
            value += 1
        starts[number + 1] = row + count
