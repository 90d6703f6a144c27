"""Signatures of positions from their flat arrays, as ``gpkit.matching.signature`` makes them from graphs; their use."""

import numpy as np

from gpkit.core.compiled import inlined
from gpkit.matching.kernel import layout as at


@inlined
def fill_signature(nodes, ends, count, signature):  # type: ignore[no-untyped-def]
    """Count what a position has.

    Args:
        nodes: int16 (nodes, NODE).
        ends: int16 (nodes, END_SLOTS).
        count: the nodes of the position, from row 0 on.
        signature: uint64 (WORDS,), written.
    """
    signature[:] = at.NONE
    for row in range(count):
        symbol, grounds = nodes[row, at.SYMBOL], nodes[row, at.NODE_GROUNDS]
        _add(signature, symbol, 1)
        _add(signature, at.GROUND_FIELD, grounds)
        for k in range(min(grounds, 2)):
            _add(signature, at.WITH_GROUNDS + 2 * symbol + k, 1)
        if symbol == at.CHAIN:
            length = nodes[row, at.LENGTH]
            if length <= at.LENGTHS:
                _add(signature, at.OF_LENGTH + length - 1, 1)
            for longer in range(min(length - 1, at.LENGTHS)):
                _add(signature, at.OF_LONGER + longer, 1)
            _add(signature, at.LOOP_FIELD, nodes[row, at.NODE_LOOPS])
        for end in range(at.EDGES):
            other = ends[row, at.TARGETS + end]
            if other > row:
                edges = ends[row, at.COUNTS + end]
                beyond = nodes[other, at.SYMBOL]
                pair = at.PAIR_NUMBERS[symbol, beyond]
                if pair != at.NO_PAIR:
                    _add(signature, at.PAIRS + pair, edges)
                if edges > 1 and (symbol == at.CHAIN) != (beyond == at.CHAIN):
                    _add(signature, at.JOINED_TWICE + min(symbol, beyond), 1)


@inlined
def may_match(signature, one, two):  # type: ignore[no-untyped-def]
    """Whether a position has no less of anything that is counted than a rule asks for.

    Args:
        signature: uint64 (WORDS,), of the position.
        one, two: the words of the signature of the rule.
    """
    return ((signature[0] | at.GUARD) - one) & ((signature[1] | at.GUARD) - two) & at.GUARD == at.GUARD


@inlined
def _add(signature, field, count):  # type: ignore[no-untyped-def]
    """Add to a field, which holds at most ``MOST``."""
    word, place = field // (at.FIELDS // at.WORDS), np.uint64(at.FIELD * (field % (at.FIELDS // at.WORDS)))
    most = np.uint64(at.MOST)
    there = (signature[word] >> place) & most
    signature[word] += min(np.uint64(count), most - there) << place
