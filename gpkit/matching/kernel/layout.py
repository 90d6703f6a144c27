"""Memory layout of the kernels' flat arrays."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Positions(NamedTuple):
    """The graphs of many positions, one after another.

    Attributes:
        starts: int64 (positions + 1,): the first row of each in ``nodes``, ``neighbours`` and ``ends``, and the end.
        nodes: int16 (nodes, NODE).
        neighbours: uint64 (nodes, EDGES): column m has a bit for each node with over m edges to this one.
        ends: int16 (nodes, END_SLOTS): where the edges of a node lead, for up to four different ends.
        signatures: uint64 (positions, WORDS).
        left: int16 (positions,): the edges left to draw.
    """

    starts: NDArray[np.int64]
    nodes: NDArray[np.int16]
    neighbours: NDArray[np.uint64]
    ends: NDArray[np.int16]
    signatures: NDArray[np.uint64]
    left: NDArray[np.int16]


class SearchScratch(NamedTuple):
    """Scratch arrays of a search.

    Attributes:
        domains: uint64 (kinds,).
        stack: uint64 (STACK, places + 1).
    """

    domains: NDArray[np.uint64]
    stack: NDArray[np.uint64]


MAX_NODES = 64
"""Nodes of a position are the bits of a number; so are its edges, by their value. Chains are no longer either."""

SYMBOL, LENGTH, NODE_GROUNDS, NODE_LOOPS, NODE = range(5)
"""Columns of nodes: the number of the symbol in ``gpkit.genomes.graph.SYMBOLS``, the length, edges to the ground and
to itself."""

EDGES = 4
"""The most edges of a node, and so between two nodes."""

TARGETS, COUNTS, NUMBERS, INNER, END_SLOTS = 0, 4, 8, 12, 13
"""Columns of ends, by end: the node or ``GROUND``, the edges, the number of their value. ``INNER``: that of the
edge after the first end of a chain."""

NO_END = -3
"""Target of an end that is not there; not less than it are ``GROUND`` and ``WILD``."""

# kinds: what a rule may ask of a single node; a number below KINDS for boxes of each symbol with at least so many
# grounds and loops, and from KINDS on for chains of each length: LENGTH_KINDS each
GROUND_KINDS, LOOP_KINDS, CHAIN = 5, 3, 2
KINDS = 4 * GROUND_KINDS * LOOP_KINDS

CHAIN_LOOP, CHAIN_KINDS = 3, 4
"""A chain has at least 0, 1 or 2 grounds, or it is a loop."""

LENGTH_KINDS = 2 * CHAIN_KINDS
"""Exactly this long, or at least."""

# rules: int16 (rules, PLACES + PLACE · places + CONDITION · conditions): a search, a node of the rule at each place
SIZE, PREFIX, OTHER, OFFSET, GROUNDS, LOOPS = range(6)
"""Number of places, 0 for a rule that can match nowhere; number of those that decide about the action's image; where
its other node is, a place, ``GROUND`` or ``WILD`` (its node is at place 0); its offset; the grounds and loops that the
rule has at its node."""

CONDITIONS, EARLY, ALL, ABSENT, PRESENT, PLACES = range(6, 12)
"""Start of the conditions; number of those that ask for no length, which come first; number of all; where those
searches begin and end in ``absent``, an array of such rows, that must find nothing."""

KIND, LINKS, PLACE = 0, 1, 5
"""At a place: what is asked of its node, and its links to earlier places, the lowest first."""

NO_LINK = 0
"""Instead of a link, which is 1 + EDGES · place + edges − 1."""

SIGN, KINDS_OF_SIDES, VALUES_OF_SIDES, CONDITION = 0, 1, 3, 5
"""Of a condition: the number of its sign, and of the left and the right side the kind and the value."""

SIGNS = ("<", "<=", "=", "!=", ">", ">=")
BELOW, AT_MOST, EQUAL, UNEQUAL, ABOVE, AT_LEAST = range(len(SIGNS))
QUANTITIES = ("length", "number", "score", "left")
LENGTH_OF, NUMBER, SCORE, LEFT_TO_DRAW = range(4)
"""Kinds of sides; the value of ``LENGTH_OF`` is a place."""

OF_SCORE, OF_LEFT, NUMBERS_OF_POSITION = range(3)
"""Columns of numbers, int16 (positions, NUMBERS_OF_POSITION): boxes of whoever is to draw less those of the other, and
the edges left to draw."""

CHOICES = 1 << 20
"""After so many choices of a node a search ends, as if there were nothing more to find. In a position of at most nine
nodes, as 3x3 boxes have, no search makes more: 9 + 9 · 8 + ... + 9! are fewer."""

# stack: uint64 (STACK, places + 1): of the search at each depth the candidates left, the nodes taken, the node chosen
LEFT, TAKEN, CHOSEN, STACK = range(4)

# signatures: uint64 (WORDS, rules) or (positions, WORDS): counts of three bits, each below a bit that is free
WORDS = 2
FIELD, FIELDS, MOST = 4, 32, 7
GUARD = np.uint64(0x8888888888888888)

# fields of signatures: symbols from 0 on, chains by exact length and by being longer, then what follows
LENGTHS = 4
"""Chains are counted by their exact length up to here, and by being longer than 1, 2, 3 and this."""

OF_LENGTH, OF_LONGER, WITH_GROUNDS, PAIRS, JOINED_TWICE, LOOP_FIELD, GROUND_FIELD = 4, 8, 12, 19, 28, 30, 31
"""``WITH_GROUNDS``: two fields a symbol; ``PAIRS``: as ``PAIR_NUMBERS`` counts; ``JOINED_TWICE``: to a q, to a t."""

NO_PAIR = -1
PAIR_NUMBERS = np.array(
    [[0, 1, 2, 3], [1, 4, 5, 6], [2, 5, NO_PAIR, 7], [3, 6, 7, 8]],
    dtype=np.int64,
)
"""By the symbols of two nodes the number of their pair; two chains never touch."""
PAIR_NUMBERS.setflags(write=False)

NONE, ONE = np.uint64(0), np.uint64(1)

_MODULUS = 67
BIT_NUMBERS = np.zeros(_MODULUS, dtype=np.uint8)
"""By a power of two modulo 67 its exponent: no two of the 64 are the same."""
for _bit in range(64):
    BIT_NUMBERS[pow(2, _bit, _MODULUS)] = _bit
BIT_NUMBERS.setflags(write=False)
MODULUS = np.uint64(_MODULUS)

GROUND, WILD = -1, -2
"""Instead of a node, as in ``gpkit.genomes.graph``."""
