"""Signatures of positions from the arrays of the matcher; ``gpkit.matching.signature`` is the readable twin."""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.matching.kernel import layout as at

LENGTHS = 4
"""Chains are counted by their exact length up to here, and by being longer than 1, 2, 3 and this."""

OF_LENGTH = 4
LONGER = OF_LENGTH + LENGTHS
GROUNDED = LONGER + LENGTHS
PAIRED = GROUNDED + 7
DOUBLE = PAIRED + 9
LOOP = DOUBLE + 2
GROUND_STRINGS = LOOP + 1
"""Where the fields begin, in their order."""

BOX_PAIRS = 4
"""Fields of pairs that begin with q, with t: qq, qt, ql, qx, then tt, tl, tx."""


@inlined
def pair_field(one, other):  # type: ignore[no-untyped-def]
    """The field of the strings between nodes of two symbols, the lower first; −1 for two chains."""
    if one == 0:
        return PAIRED + other
    if one == 1:
        return PAIRED + BOX_PAIRS + other - 1
    if one == at.CHAIN:
        return -1 if other == at.CHAIN else PAIRED + BOX_PAIRS + 3
    return PAIRED + BOX_PAIRS + 4


@inlined
def add_node(row, nodes, counts):  # type: ignore[no-untyped-def]
    """Count a node by itself.

    Args:
        row: of the node.
        nodes: int16 (nodes, NODE).
        counts: int64 (FIELDS,), added to.
    """
    symbol, length, grounds = nodes[row, at.SYMBOL], nodes[row, at.LENGTH], nodes[row, at.NODE_GROUNDS]
    counts[symbol] += 1
    if symbol == at.CHAIN:
        if length <= LENGTHS:
            counts[OF_LENGTH + length - 1] += 1
        for k in range(min(LENGTHS, length - 1)):
            counts[LONGER + k] += 1
    for k in range(min(grounds, 2)):
        if symbol < 3 or k == 0:
            counts[GROUNDED + 2 * symbol + k] += 1
    counts[GROUND_STRINGS] += grounds
    counts[LOOP] += nodes[row, at.NODE_LOOPS]


@inlined
def add_edges(first, row, last, nodes, neighbours, counts):  # type: ignore[no-untyped-def]
    """Count the strings between a node and later ones of the position, whose rows are ``first`` to ``last``, half open.

    Args:
        first, row, last: rows; ``row`` is that of the node.
        nodes: int16 (nodes, NODE).
        neighbours: uint64 (nodes, STRINGS).
        counts: int64 (FIELDS,), added to.
    """
    for there in range(row + 1, last):
        bit = at.ONE << np.uint64(there - first)
        strings = 0
        while strings < at.STRINGS and neighbours[row, strings] & bit:
            strings += 1
        if strings == 0:
            continue
        one = min(nodes[row, at.SYMBOL], nodes[there, at.SYMBOL])
        other = max(nodes[row, at.SYMBOL], nodes[there, at.SYMBOL])
        field = pair_field(one, other)
        if field >= 0:
            counts[field] += strings
        if strings > 1 and one < at.CHAIN and other == at.CHAIN:
            counts[DOUBLE + one] += 1


@inlined
def sign(first, last, nodes, neighbours, counts, words):  # type: ignore[no-untyped-def]
    """Write the signature of a position.

    Args:
        first, last: its rows, half open.
        nodes, neighbours: see above.
        counts: int64 (FIELDS,), scratch.
        words: uint64 (WORDS,), written.
    """
    counts[:] = 0
    for row in range(first, last):
        add_node(row, nodes, counts)
        add_edges(first, row, last, nodes, neighbours, counts)
    fields = at.FIELDS // at.WORDS
    for word in range(at.WORDS):
        words[word] = at.NONE
        for field in range(fields):
            count = min(counts[word * fields + field], at.MOST)
            words[word] |= np.uint64(count) << np.uint64(at.FIELD * field)


@kernel
def sign_all(starts, nodes, neighbours, counts, signatures):  # type: ignore[no-untyped-def]
    """Write the signatures of many positions.

    Args:
        starts: int64 (positions + 1,): the first row of each position, and the end.
        nodes, neighbours, counts: see ``sign``.
        signatures: uint64 (positions, WORDS), written.
    """
    for number in range(signatures.shape[0]):
        sign(starts[number], starts[number + 1], nodes, neighbours, counts, signatures[number])
