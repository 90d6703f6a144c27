"""One rule in one position: masks of the nodes that may stand for a node of the rule, and a search without recursion.

A search places the nodes of a rule in the order of its plan. It can be taken up where it stopped, so the same code says
whether there is a match and finds all images of the action: for these the nodes that decide about the image come first
(the prefix), and after every match the search goes on with the next choice among them.
"""

import numpy as np

from gpkit.core.compiled import inlined
from gpkit.genomes.graph import GROUND, WILD
from gpkit.matching.kernel import layout as at


@inlined
def fill_domains(nodes, first, last, domains):  # type: ignore[no-untyped-def]
    """Find the nodes of a position that are what a rule may ask of a single node.

    Args:
        nodes: int16 (nodes, NODE).
        first, last: the rows of the position, half open.
        domains: uint64 (kinds,), written: a bit for each node of this kind. Its length says up to which length chains
            are told apart.
    """
    domains[:] = at.NONE
    longest = (domains.shape[0] - at.KINDS) // at.LENGTH_KINDS
    bit = at.ONE
    for row in range(first, last):
        symbol = nodes[row, at.SYMBOL]
        grounds, loops = nodes[row, at.NODE_GROUNDS], nodes[row, at.NODE_LOOPS]
        if symbol == at.CHAIN:
            length = nodes[row, at.LENGTH]
            for shorter in range(1, min(length, longest) + 1):
                at_least = at.KINDS + at.LENGTH_KINDS * (shorter - 1) + at.CHAIN_KINDS
                for k in range(grounds + 1):
                    domains[at_least + k] |= bit
                if loops:
                    domains[at_least + 3] |= bit
            if length <= longest:
                exactly = at.KINDS + at.LENGTH_KINDS * (length - 1)
                for k in range(grounds + 1):
                    domains[exactly + k] |= bit
                if loops:
                    domains[exactly + 3] |= bit
        else:
            for k in range(grounds + 1):
                kind = (symbol * at.GROUND_KINDS + k) * at.LOOP_KINDS
                for m in range(loops + 1):
                    domains[kind + m] |= bit
        bit = bit + bit


@inlined
def begin(rule, domains, stack):  # type: ignore[no-untyped-def]
    """Get ready to search for a rule; False if there is nothing to search, or a node has no candidate at all.

    Args:
        rule: int16, a row of rules.
        domains: uint64 (kinds,), of the position.
        stack: uint64 (STACK, places + 1), changed.
    """
    size = rule[at.SIZE]
    if size == 0:
        return False
    for place in range(size):
        if domains[np.uintp(rule[at.PLACES + at.PLACE * place + at.KIND])] == at.NONE:
            return False
    stack[at.LEFT, 0] = domains[np.uintp(rule[at.PLACES + at.KIND])]
    stack[at.TAKEN, 0] = at.NONE
    return True


@inlined
def advance(rule, neighbours, first, domains, stack, depth):  # type: ignore[no-untyped-def]
    """Go on with a search until all nodes of the rule are placed; False if that cannot be any more.

    Args:
        rule, domains, stack: as of ``begin``.
        neighbours: uint64 (nodes, STRINGS).
        first: the first row of the position.
        depth: the place to go on with, whose candidates are on the stack.
    """
    size = rule[at.SIZE]
    while depth >= 0:
        candidates = stack[at.LEFT, depth]
        if candidates == at.NONE:
            depth -= 1
            continue
        others = candidates & (candidates - at.ONE)
        bit = candidates ^ others
        stack[at.LEFT, depth] = others
        stack[at.CHOSEN, depth] = at.BIT_NUMBERS[bit % at.MODULUS]
        depth += 1
        if depth == size:
            return True
        taken = stack[at.TAKEN, depth - 1] | bit
        stack[at.TAKEN, depth] = taken
        place = at.PLACES + at.PLACE * depth
        candidates = domains[np.uintp(rule[place + at.KIND])] & ~taken
        for k in range(place + at.LINKS, place + at.PLACE):
            link = rule[k]
            if link == at.NO_LINK:
                break
            link -= 1
            node = stack[at.CHOSEN, link // at.STRINGS]
            candidates &= neighbours[np.uintp(first + np.intp(node)), np.uintp(link % at.STRINGS)]
        stack[at.LEFT, depth] = candidates
    return False


@inlined
def is_matched(rule, neighbours, first, domains, stack):  # type: ignore[no-untyped-def]
    """Whether a rule has a match; arguments as of ``advance``."""
    return begin(rule, domains, stack) and advance(rule, neighbours, first, domains, stack, 0)


@inlined
def images(rule, nodes, neighbours, ends, first, domains, stack):  # type: ignore[no-untyped-def]
    """The images of the action of a rule over all matches: a bit for each value of the strings of the position.

    Args:
        ends: int16 (nodes, END_SLOTS).
        rule, nodes, neighbours, first, domains, stack: as of ``advance`` and ``fill_domains``.
    """
    found = at.NONE
    depth = np.int64(0) if begin(rule, domains, stack) else np.int64(-1)
    while advance(rule, neighbours, first, domains, stack, depth):
        found |= _images_under(rule, nodes, ends, first, stack)
        depth = np.int64(rule[at.PREFIX] - 1)
    return found


@inlined
def _images_under(rule, nodes, ends, first, stack):  # type: ignore[no-untyped-def]
    """The images of the action under the match on the stack, as bits."""
    found = at.NONE
    other = rule[at.OTHER]
    row = first + np.intp(stack[at.CHOSEN, 0])
    target = np.int64(stack[at.CHOSEN, other]) if other >= 0 else np.int64(GROUND)
    for end in range(at.STRINGS):
        there = ends[row, at.TARGETS + end]
        if there == at.NO_END:
            break
        if other == WILD:
            proposed = ends[row, at.COUNTS + end] > _taken_strings(rule, row - first, there, stack)
        else:
            proposed = there == target
        if proposed:
            found |= at.ONE << np.uint64(_string(rule[at.OFFSET], nodes, ends, row, row - first, end))
    return found


@inlined
def _taken_strings(rule, here, there, stack):  # type: ignore[no-untyped-def]
    """The strings from the image ``here`` of place 0 to ``there`` that are images of strings of the rule."""
    if there == GROUND:
        return np.int64(rule[at.GROUNDS])
    if there == here:
        return np.int64(rule[at.LOOPS])
    for place in range(1, rule[at.PREFIX]):
        if np.int64(stack[at.CHOSEN, place]) == there:
            return np.int64((rule[at.PLACES + at.PLACE * place + at.LINKS] - 1) % at.STRINGS + 1)
    return np.int64(0)


@inlined
def _string(offset, nodes, ends, row, here, end):  # type: ignore[no-untyped-def]
    """The number of the value of the string at an end of a node, or so far inside the chain from there."""
    if offset == 0 or ends[row, at.TARGETS] == here:
        return ends[row, at.NUMBERS + end]
    length = nodes[row, at.LENGTH]
    if ends[row, at.TARGETS + 1] == at.NO_END:
        offset = min(offset, length - offset)
    elif end == 1:
        offset = length - offset
    return ends[row, at.INNER] + offset - 1
