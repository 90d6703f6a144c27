"""Compiled search for the places in a position where the graph of a rule matches.

A search places the nodes of a rule in the order that its plan defines. A search can resume where it stopped, so the
same code determines whether there is an embedding and finds all images of the action. To find all images, the nodes
that determine the image come first (the prefix), and after every embedding, the search continues with the next choice
for the prefix. Most rules need no search, because the signature of the position excludes them. The signature is
computed from flat arrays here, but is the same as in ``gpkit.matching.plan``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Ints
from gpkit.core.compiled import inlined


class Positions(NamedTuple):
    """The graphs of many positions, one after another.

    Attributes:
        starts: int64 (positions + 1,): the first row of each position in ``nodes``, ``neighbours`` and ``ends``, and
            the end of the last position.
        nodes: int16 (nodes, NODE).
        neighbours: uint64 (nodes, EDGES): column m has a bit for each node with more than m edges to this one.
        ends: int16 (nodes, END_SLOTS): the targets of the edges of each node, for up to four different ends.
        signatures: uint64 (positions, WORDS).
        left: int16 (positions,): the number of edges left to draw.
    """

    starts: Ints
    nodes: NDArray[np.int16]
    neighbours: NDArray[np.uint64]
    ends: NDArray[np.int16]
    signatures: NDArray[np.uint64]
    left: NDArray[np.int16]


class SearchScratch(NamedTuple):
    """Scratch arrays for a search.

    Attributes:
        domains: uint64 (kinds,).
        stack: uint64 (STACK, places + 1).
    """

    domains: NDArray[np.uint64]
    stack: NDArray[np.uint64]


MAX_NODES = 64
"""The maximum number of nodes and of edge values in a position (the bits of a number), and the maximum chain length."""

SYMBOL, LENGTH, NODE_GROUNDS, NODE_LOOPS, NODE = range(5)
"""The columns of nodes: the number of the symbol in ``gpkit.genomes.graph.SYMBOLS``, the length, the edges to the
ground, and the edges to the node itself."""

EDGES = 4
"""The maximum number of edges of a node, and therefore between two nodes."""

TARGETS, COUNTS, NUMBERS, INNER, END_SLOTS = 0, 4, 8, 12, 13
"""The columns of ends. Each end has a target (a node or ``GROUND``), its edges, and the number of their value.
``INNER`` is the number of the value of the edge after a chain's first end."""

NO_END = -3
"""The target of a missing end, which is less than ``GROUND`` and ``WILD``."""

# kinds: the requirements that a rule can have for a single node; numbers below KINDS are for boxes of each symbol with
# at least a given number of grounds and loops, and numbers from KINDS on are for chains, LENGTH_KINDS for each length
GROUND_KINDS, LOOP_KINDS, CHAIN = 5, 3, 2
KINDS = 4 * GROUND_KINDS * LOOP_KINDS

CHAIN_LOOP, CHAIN_KINDS = 3, 4
"""The kinds of chains of one length: with at least 0, 1 or 2 edges to the ground, or a loop."""

LENGTH_KINDS = 2 * CHAIN_KINDS
"""The number of kinds for each length, which is required exactly or as a minimum."""

# rules: int16 (rules, PLACES + PLACE · places + CONDITION · conditions): a search, a node of the rule at each place
SIZE, PREFIX, OTHER, OFFSET, GROUNDS, LOOPS = range(6)
"""The first columns of a rule: the number of places, 0 for a rule that matches nowhere; the number of places that
determine the action's image; the action's other node, as a place, ``GROUND`` or ``WILD`` (its node is at place 0); its
offset; and the grounds and loops at its node."""

CONDITIONS, EARLY, ALL, ABSENT, PRESENT, PLACES = range(6, 12)
"""More columns of a rule: the start of the conditions; the number of conditions without lengths, which come first; the
number of all conditions; and the range in ``absent``, an array of such rows, of the searches that must find nothing."""

KIND, LINKS, PLACE = 0, 1, 5
"""The columns of a place: the required kind of the node there, and the links to earlier places, lowest place first."""

NO_LINK = 0
"""The number that means no link; the number of a link is 1 + EDGES · place + edges − 1."""

SIGN, KINDS_OF_SIDES, VALUES_OF_SIDES, CONDITION = 0, 1, 3, 5
"""The columns of a condition: the number of the operator, and the kinds and the values of both sides."""

SIGNS = ("<", "<=", "=", "!=", ">", ">=")
BELOW, AT_MOST, EQUAL, UNEQUAL, ABOVE, AT_LEAST = range(len(SIGNS))
QUANTITIES = ("length", "number", "score", "left")
LENGTH_OF, NUMBER, SCORE, LEFT_TO_DRAW = range(4)
"""The kinds of the sides of a condition; for ``LENGTH_OF``, the value is a place."""

OF_SCORE, OF_LEFT, NUMBERS_OF_POSITION = range(3)
"""The columns of numbers, int16 (positions, NUMBERS_OF_POSITION): the boxes of the player to move minus the other
player's boxes, and the number of edges left to draw."""

CHOICES = 1 << 20
"""The maximum number of choices of a node in a search, which then ends as if there were no more embeddings. Positions
of at most nine nodes, as on 3x3 boxes, never need more: 9 + 9 · 8 + ... + 9! is less."""

# stack: uint64 (STACK, places + 1): for each depth of a search, the candidates left, the nodes taken, the chosen node
LEFT, TAKEN, CHOSEN, STACK = range(4)

# signatures: uint64 (WORDS, rules) or (positions, WORDS): three-bit counts, each below an unused bit
WORDS = 2
FIELD, FIELDS, MOST = 4, 32, 7
GUARD = np.uint64(0x8888888888888888)

# fields of signatures: symbols from 0 on, chains of each exact length, chains longer than each length, then others
LENGTHS = 4
"""The maximum length of chains that a signature counts exactly; it also counts chains longer than 1, 2, 3 and 4."""

OF_LENGTH, OF_LONGER, WITH_GROUNDS, PAIRS, JOINED_TWICE, LOOP_FIELD, GROUND_FIELD = 4, 8, 12, 19, 28, 30, 31
"""``WITH_GROUNDS`` has two fields for each symbol; ``PAIRS`` has the order of ``PAIR_NUMBERS``; ``JOINED_TWICE`` has
fields for q and t."""

NO_PAIR = -1
PAIR_NUMBERS = np.array(
    [[0, 1, 2, 3], [1, 4, 5, 6], [2, 5, NO_PAIR, 7], [3, 6, 7, 8]],
    dtype=np.int64,
)
"""The number of a pair of nodes, by the symbols of the nodes; two chains never touch."""
PAIR_NUMBERS.setflags(write=False)

NONE, ONE = np.uint64(0), np.uint64(1)

_MODULUS = 67
BIT_NUMBERS = np.zeros(_MODULUS, dtype=np.uint8)
"""The exponent of a power of two, indexed by the power modulo 67; the 64 remainders are all different."""
for _bit in range(64):
    BIT_NUMBERS[pow(2, _bit, _MODULUS)] = _bit
BIT_NUMBERS.setflags(write=False)
MODULUS = np.uint64(_MODULUS)

GROUND, WILD = -1, -2
"""Targets that stand in place of a node, as in ``gpkit.genomes.graph``."""


@inlined
def fill_domains(nodes, first, last, domains):  # type: ignore[no-untyped-def]
    """For each kind of node that a rule can require, find the nodes of a position.

    Args:
        nodes: int16 (nodes, NODE).
        first, last: the half-open range of the position's rows.
        domains: uint64 (kinds,), an output: for each kind, a bit for each node of this kind. The size of the array
            determines the longest chains that it distinguishes.
    """
    domains[:] = NONE
    longest = (domains.shape[0] - KINDS) // LENGTH_KINDS
    for row in range(first, last):
        bit = ONE << np.uint64(row - first)
        symbol = nodes[row, SYMBOL]
        grounds, loops = nodes[row, NODE_GROUNDS], nodes[row, NODE_LOOPS]
        if symbol == CHAIN:
            length = nodes[row, LENGTH]
            for shorter in range(1, min(length, longest) + 1):
                at_least = KINDS + LENGTH_KINDS * (shorter - 1) + CHAIN_KINDS
                _add_chain(domains, at_least, grounds, loops, bit)
            if length <= longest:
                _add_chain(domains, KINDS + LENGTH_KINDS * (length - 1), grounds, loops, bit)
        else:
            for k in range(grounds + 1):
                kind = (symbol * GROUND_KINDS + k) * LOOP_KINDS
                for m in range(loops + 1):
                    domains[kind + m] |= bit


@inlined
def _add_chain(domains, kind, grounds, loops, bit):  # type: ignore[no-untyped-def]
    """Add a chain to the domains of one length, of which ``kind`` is the first."""
    for k in range(grounds + 1):
        domains[kind + k] |= bit
    if loops:
        domains[kind + CHAIN_LOOP] |= bit


@inlined
def begin(rule, nodes, first, numbers, scratch):  # type: ignore[no-untyped-def]
    """Prepare a search for a rule; return False if there is obviously no embedding.

    Args:
        rule: int16, a row of rules.
        nodes: int16 (nodes, NODE).
        first: the first row of the position.
        numbers: int16 (NUMBERS_OF_POSITION,): the numbers of the position.
        scratch: scratch arrays; ``domains``, uint64 (kinds,), belongs to the position, and ``stack``, uint64 (STACK,
            places + 1), is changed.
    """
    domains, stack, size = scratch.domains, scratch.stack, rule[SIZE]
    if size == 0:
        return False
    for place in range(size):
        if domains[np.uintp(rule[PLACES + PLACE * place + KIND])] == NONE:
            return False
    stack[LEFT, 0] = domains[np.uintp(rule[PLACES + KIND])]
    stack[TAKEN, 0] = NONE
    return rule[EARLY] == 0 or _hold(rule, 0, rule[EARLY], nodes, first, numbers, stack)


@inlined
def advance(rule, nodes, neighbours, first, numbers, scratch, depth, budget):  # type: ignore[no-untyped-def]
    """Continue a search until all nodes of the rule have counterparts and its conditions hold.

    Args:
        rule, nodes, first, numbers, scratch: as for ``begin``.
        neighbours: uint64 (nodes, EDGES).
        depth: the place with which to continue; its candidates are on the stack.
        budget: the maximum number of failed choices of a node.

    Returns:
        The remaining budget, at least 1, if the search found an embedding; 0 if there is none, or none within the
        budget.
    """
    domains, stack, size = scratch.domains, scratch.stack, rule[SIZE]
    while depth >= 0 and budget > 0:
        candidates = stack[LEFT, depth]
        if candidates == NONE:
            depth -= 1
            continue
        others = candidates & (candidates - ONE)
        bit = candidates ^ others
        stack[LEFT, depth] = others
        stack[CHOSEN, depth] = BIT_NUMBERS[bit % MODULUS]
        depth += 1
        if depth == size:
            if rule[EARLY] == rule[ALL] or _hold(rule, rule[EARLY], rule[ALL], nodes, first, numbers, stack):
                return budget
            budget -= 1
            depth -= 1
            continue
        budget -= 1
        taken = stack[TAKEN, depth - 1] | bit
        stack[TAKEN, depth] = taken
        place = PLACES + PLACE * depth
        candidates = domains[np.uintp(rule[place + KIND])] & ~taken
        for k in range(place + LINKS, place + PLACE):
            link = rule[k]
            if link == NO_LINK:
                break
            link -= 1
            node = stack[CHOSEN, link // EDGES]
            candidates &= neighbours[np.uintp(first + np.intp(node)), np.uintp(link % EDGES)]
        stack[LEFT, depth] = candidates
    return np.int64(0)


@inlined
def _hold(rule, begin, end, nodes, first, numbers, stack):  # type: ignore[no-untyped-def]
    """Whether these conditions hold under the embedding on the stack."""
    for number in range(begin, end):
        at_condition = rule[CONDITIONS] + CONDITION * number
        left = _side(rule, at_condition, 0, nodes, first, numbers, stack)
        right = _side(rule, at_condition, 1, nodes, first, numbers, stack)
        sign = rule[at_condition + SIGN]
        if (
            (sign == BELOW and left >= right)
            or (sign == AT_MOST and left > right)
            or (sign == EQUAL and left != right)
            or (sign == UNEQUAL and left == right)
            or (sign == ABOVE and left <= right)
            or (sign == AT_LEAST and left < right)
        ):
            return False
    return True


@inlined
def _side(rule, at_condition, side, nodes, first, numbers, stack):  # type: ignore[no-untyped-def]
    """The value of the left or the right side of a condition."""
    kind = rule[at_condition + KINDS_OF_SIDES + side]
    value = np.int64(rule[at_condition + VALUES_OF_SIDES + side])
    if kind == LENGTH_OF:
        return np.int64(nodes[first + np.intp(stack[CHOSEN, value]), LENGTH])
    if kind == SCORE:
        return np.int64(numbers[OF_SCORE])
    return np.int64(numbers[OF_LEFT]) if kind == LEFT_TO_DRAW else value


@inlined
def is_found(rule, nodes, neighbours, first, numbers, scratch):  # type: ignore[no-untyped-def]
    """Whether a rule's graph has an embedding that satisfies its conditions; arguments as for ``advance``."""
    if not begin(rule, nodes, first, numbers, scratch):
        return False
    depth, budget = np.int64(0), np.int64(CHOICES)
    return advance(rule, nodes, neighbours, first, numbers, scratch, depth, budget) > 0


@inlined
def is_any_found(rule, absent, nodes, neighbours, first, numbers, scratch):  # type: ignore[no-untyped-def]
    """Whether a position contains any of a rule's absent graphs.

    Args:
        absent: int16, the rows of all rules' searches for absent graphs.
        rule, nodes, neighbours, first, numbers, scratch: as for ``advance``.
    """
    for row in range(rule[ABSENT], rule[PRESENT]):
        if is_found(absent[row], nodes, neighbours, first, numbers, scratch):
            return True
    return False


@inlined
def may_act(rule, absent, nodes, neighbours, first, numbers, scratch):  # type: ignore[no-untyped-def]
    """Whether a rule may act under any embedding; arguments as for ``is_any_found``."""
    return is_found(rule, nodes, neighbours, first, numbers, scratch) and not (
        rule[PRESENT] > rule[ABSENT]
        and is_any_found(rule, absent, nodes, neighbours, first, numbers, scratch)
    )


@inlined
def images(rule, absent, nodes, neighbours, ends, first, numbers, scratch):  # type: ignore[no-untyped-def]
    """The images of a rule's action under all embeddings in which the rule may act: a bit for the value of each edge.

    Args:
        ends: int16 (nodes, END_SLOTS).
        rule, absent, nodes, neighbours, first, numbers, scratch: as for ``is_any_found``.
    """
    found = NONE
    depth, budget = np.int64(0), np.int64(CHOICES)
    if not begin(rule, nodes, first, numbers, scratch):
        return found
    while True:
        budget = advance(rule, nodes, neighbours, first, numbers, scratch, depth, budget)
        if budget == 0:
            break
        found |= _images_under(rule, nodes, ends, first, scratch.stack)
        depth = np.int64(rule[PREFIX] - 1)
        budget -= 1
    if found != NONE and is_any_found(rule, absent, nodes, neighbours, first, numbers, scratch):
        return NONE
    return found


@inlined
def _images_under(rule, nodes, ends, first, stack):  # type: ignore[no-untyped-def]
    """The images of the action under the embedding on the stack, as bits of a number."""
    found = NONE
    other = rule[OTHER]
    row = first + np.intp(stack[CHOSEN, 0])
    target = np.int64(stack[CHOSEN, other]) if other >= 0 else np.int64(GROUND)
    for end in range(EDGES):
        there = ends[row, TARGETS + end]
        if there == NO_END:
            break
        if other == WILD:
            proposed = ends[row, COUNTS + end] > _taken_edges(rule, row - first, there, stack)
        else:
            proposed = there == target
        if proposed:
            found |= ONE << np.uint64(_edge(rule[OFFSET], nodes, ends, row, row - first, end))
    return found


@inlined
def _taken_edges(rule, here, there, stack):  # type: ignore[no-untyped-def]
    """The number of edges from ``here``, the image of place 0, to ``there`` that are images of the rule's edges."""
    if there == GROUND:
        return np.int64(rule[GROUNDS])
    if there == here:
        return np.int64(rule[LOOPS])
    for place in range(1, rule[PREFIX]):
        if np.int64(stack[CHOSEN, place]) == there:
            return np.int64((rule[PLACES + PLACE * place + LINKS] - 1) % EDGES + 1)
    return np.int64(0)


@inlined
def _edge(offset, nodes, ends, row, here, end):  # type: ignore[no-untyped-def]
    """The number of the value of the edge at an end of a node, or of the edge ``offset`` edges inside the chain."""
    if offset == 0 or ends[row, TARGETS] == here:
        return ends[row, NUMBERS + end]
    length = nodes[row, LENGTH]
    if ends[row, TARGETS + 1] == NO_END:
        offset = min(offset, length - offset)
    elif end == 1:
        offset = length - offset
    return ends[row, INNER] + offset - 1


@inlined
def fill_signature(nodes, ends, count, signature):  # type: ignore[no-untyped-def]
    """Compute the signature of a position.

    Args:
        nodes: int16 (nodes, NODE).
        ends: int16 (nodes, END_SLOTS).
        count: the number of nodes of the position, which start at row 0.
        signature: uint64 (WORDS,), an output.
    """
    signature[:] = NONE
    for row in range(count):
        symbol, grounds = nodes[row, SYMBOL], nodes[row, NODE_GROUNDS]
        _add(signature, symbol, 1)
        _add(signature, GROUND_FIELD, grounds)
        for k in range(min(grounds, 2)):
            _add(signature, WITH_GROUNDS + 2 * symbol + k, 1)
        if symbol == CHAIN:
            length = nodes[row, LENGTH]
            if length <= LENGTHS:
                _add(signature, OF_LENGTH + length - 1, 1)
            for longer in range(min(length - 1, LENGTHS)):
                _add(signature, OF_LONGER + longer, 1)
            _add(signature, LOOP_FIELD, nodes[row, NODE_LOOPS])
        for end in range(EDGES):
            other = ends[row, TARGETS + end]
            if other > row:
                edges = ends[row, COUNTS + end]
                beyond = nodes[other, SYMBOL]
                pair = PAIR_NUMBERS[symbol, beyond]
                if pair != NO_PAIR:
                    _add(signature, PAIRS + pair, edges)
                if edges > 1 and (symbol == CHAIN) != (beyond == CHAIN):
                    _add(signature, JOINED_TWICE + min(symbol, beyond), 1)


@inlined
def may_match(signature, one, two):  # type: ignore[no-untyped-def]
    """Whether all counts of a position are at least as large as the counts of a rule.

    Args:
        signature: uint64 (WORDS,), the signature of the position.
        one, two: the words of the signature of the rule.
    """
    return ((signature[0] | GUARD) - one) & ((signature[1] | GUARD) - two) & GUARD == GUARD


@inlined
def _add(signature, field, count):  # type: ignore[no-untyped-def]
    """Add a number to a field, whose maximum is ``MOST``."""
    word, place = field // (FIELDS // WORDS), np.uint64(FIELD * (field % (FIELDS // WORDS)))
    most = np.uint64(MOST)
    there = (signature[word] >> place) & most
    signature[word] += min(np.uint64(count), most - there) << place
