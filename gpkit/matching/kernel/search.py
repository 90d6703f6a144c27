"""One rule in one position: masks of the nodes that may stand for a node of the rule, and a search without recursion.

A search places the nodes of a rule in the order of its plan. It can be taken up where it stopped, so the same code says
whether there is an embedding and finds all images of the action: for these the nodes that decide about the image come
first (the prefix), and after every embedding the search goes on with the next choice among them. Most rules need no
search, by the signature of the position, made from its flat arrays as ``gpkit.matching.signature`` does from graphs.
"""

import numpy as np

from gpkit.core.compiled import inlined
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
    for row in range(first, last):
        bit = at.ONE << np.uint64(row - first)
        symbol = nodes[row, at.SYMBOL]
        grounds, loops = nodes[row, at.NODE_GROUNDS], nodes[row, at.NODE_LOOPS]
        if symbol == at.CHAIN:
            length = nodes[row, at.LENGTH]
            for shorter in range(1, min(length, longest) + 1):
                at_least = at.KINDS + at.LENGTH_KINDS * (shorter - 1) + at.CHAIN_KINDS
                _add_chain(domains, at_least, grounds, loops, bit)
            if length <= longest:
                _add_chain(domains, at.KINDS + at.LENGTH_KINDS * (length - 1), grounds, loops, bit)
        else:
            for k in range(grounds + 1):
                kind = (symbol * at.GROUND_KINDS + k) * at.LOOP_KINDS
                for m in range(loops + 1):
                    domains[kind + m] |= bit


@inlined
def _add_chain(domains, kind, grounds, loops, bit):  # type: ignore[no-untyped-def]
    """Put a chain into the domains of one length, of which ``kind`` is the first."""
    for k in range(grounds + 1):
        domains[kind + k] |= bit
    if loops:
        domains[kind + at.CHAIN_LOOP] |= bit


@inlined
def begin(rule, nodes, first, numbers, scratch):  # type: ignore[no-untyped-def]
    """Get ready to search for a rule; False if there is no embedding, as far as can be told before any node is placed.

    Args:
        rule: int16, a row of rules.
        nodes: int16 (nodes, NODE).
        first: the first row of the position.
        numbers: int16 (NUMBERS_OF_POSITION,), of the position.
        scratch: with ``domains``, uint64 (kinds,), of the position, and ``stack``, uint64 (STACK, places + 1), changed.
    """
    domains, stack, size = scratch.domains, scratch.stack, rule[at.SIZE]
    if size == 0:
        return False
    for place in range(size):
        if domains[np.uintp(rule[at.PLACES + at.PLACE * place + at.KIND])] == at.NONE:
            return False
    stack[at.LEFT, 0] = domains[np.uintp(rule[at.PLACES + at.KIND])]
    stack[at.TAKEN, 0] = at.NONE
    return rule[at.EARLY] == 0 or _hold(rule, 0, rule[at.EARLY], nodes, first, numbers, stack)


@inlined
def advance(rule, nodes, neighbours, first, numbers, scratch, depth, budget):  # type: ignore[no-untyped-def]
    """Go on with a search until all nodes of the rule are placed and its conditions hold.

    Args:
        rule, nodes, first, numbers, scratch: as of ``begin``.
        neighbours: uint64 (nodes, EDGES).
        depth: the place to go on with, whose candidates are on the stack.
        budget: how many choices of a node may fail.

    Returns:
        What is left of the budget, at least 1, if an embedding was found; 0 if there is none, or none within it.
    """
    domains, stack, size = scratch.domains, scratch.stack, rule[at.SIZE]
    while depth >= 0 and budget > 0:
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
            if rule[at.EARLY] == rule[at.ALL] or _hold(
                rule, rule[at.EARLY], rule[at.ALL], nodes, first, numbers, stack
            ):
                return budget
            budget -= 1
            depth -= 1
            continue
        budget -= 1
        taken = stack[at.TAKEN, depth - 1] | bit
        stack[at.TAKEN, depth] = taken
        place = at.PLACES + at.PLACE * depth
        candidates = domains[np.uintp(rule[place + at.KIND])] & ~taken
        for k in range(place + at.LINKS, place + at.PLACE):
            link = rule[k]
            if link == at.NO_LINK:
                break
            link -= 1
            node = stack[at.CHOSEN, link // at.EDGES]
            candidates &= neighbours[np.uintp(first + np.intp(node)), np.uintp(link % at.EDGES)]
        stack[at.LEFT, depth] = candidates
    return np.int64(0)


@inlined
def _hold(rule, begin, end, nodes, first, numbers, stack):  # type: ignore[no-untyped-def]
    """Whether these conditions hold under the embedding on the stack."""
    for number in range(begin, end):
        at_condition = rule[at.CONDITIONS] + at.CONDITION * number
        left = _side(rule, at_condition, 0, nodes, first, numbers, stack)
        right = _side(rule, at_condition, 1, nodes, first, numbers, stack)
        sign = rule[at_condition + at.SIGN]
        if (
            (sign == at.BELOW and left >= right)
            or (sign == at.AT_MOST and left > right)
            or (sign == at.EQUAL and left != right)
            or (sign == at.UNEQUAL and left == right)
            or (sign == at.ABOVE and left <= right)
            or (sign == at.AT_LEAST and left < right)
        ):
            return False
    return True


@inlined
def _side(rule, at_condition, side, nodes, first, numbers, stack):  # type: ignore[no-untyped-def]
    """The value of the left or the right side of a condition."""
    kind = rule[at_condition + at.KINDS_OF_SIDES + side]
    value = np.int64(rule[at_condition + at.VALUES_OF_SIDES + side])
    if kind == at.LENGTH_OF:
        return np.int64(nodes[first + np.intp(stack[at.CHOSEN, value]), at.LENGTH])
    if kind == at.SCORE:
        return np.int64(numbers[at.OF_SCORE])
    return np.int64(numbers[at.OF_LEFT]) if kind == at.LEFT_TO_DRAW else value


@inlined
def is_found(rule, nodes, neighbours, first, numbers, scratch):  # type: ignore[no-untyped-def]
    """Whether a rule's graph has an embedding under which its conditions hold; arguments as of ``advance``."""
    if not begin(rule, nodes, first, numbers, scratch):
        return False
    depth, budget = np.int64(0), np.int64(at.CHOICES)
    return advance(rule, nodes, neighbours, first, numbers, scratch, depth, budget) > 0


@inlined
def is_any_found(rule, absent, nodes, neighbours, first, numbers, scratch):  # type: ignore[no-untyped-def]
    """Whether any of the graphs that must be absent from a position is there.

    Args:
        absent: int16, rows of searches, those of all rules.
        rule, nodes, neighbours, first, numbers, scratch: as of ``advance``.
    """
    for row in range(rule[at.ABSENT], rule[at.PRESENT]):
        if is_found(absent[row], nodes, neighbours, first, numbers, scratch):
            return True
    return False


@inlined
def may_act(rule, absent, nodes, neighbours, first, numbers, scratch):  # type: ignore[no-untyped-def]
    """Whether a rule has an embedding under which it may act; arguments as of ``is_any_found``."""
    return is_found(rule, nodes, neighbours, first, numbers, scratch) and not (
        rule[at.PRESENT] > rule[at.ABSENT]
        and is_any_found(rule, absent, nodes, neighbours, first, numbers, scratch)
    )


@inlined
def images(rule, absent, nodes, neighbours, ends, first, numbers, scratch):  # type: ignore[no-untyped-def]
    """The images of the action of a rule over all embeddings under which it may act: a bit for each edge's value.

    Args:
        ends: int16 (nodes, END_SLOTS).
        rule, absent, nodes, neighbours, first, numbers, scratch: as of ``is_any_found``.
    """
    found = at.NONE
    depth, budget = np.int64(0), np.int64(at.CHOICES)
    if not begin(rule, nodes, first, numbers, scratch):
        return found
    while True:
        budget = advance(rule, nodes, neighbours, first, numbers, scratch, depth, budget)
        if budget == 0:
            break
        found |= _images_under(rule, nodes, ends, first, scratch.stack)
        depth = np.int64(rule[at.PREFIX] - 1)
        budget -= 1
    if found != at.NONE and is_any_found(rule, absent, nodes, neighbours, first, numbers, scratch):
        return at.NONE
    return found


@inlined
def _images_under(rule, nodes, ends, first, stack):  # type: ignore[no-untyped-def]
    """The images of the action under the embedding on the stack, as bits."""
    found = at.NONE
    other = rule[at.OTHER]
    row = first + np.intp(stack[at.CHOSEN, 0])
    target = np.int64(stack[at.CHOSEN, other]) if other >= 0 else np.int64(at.GROUND)
    for end in range(at.EDGES):
        there = ends[row, at.TARGETS + end]
        if there == at.NO_END:
            break
        if other == at.WILD:
            proposed = ends[row, at.COUNTS + end] > _taken_edges(rule, row - first, there, stack)
        else:
            proposed = there == target
        if proposed:
            found |= at.ONE << np.uint64(_edge(rule[at.OFFSET], nodes, ends, row, row - first, end))
    return found


@inlined
def _taken_edges(rule, here, there, stack):  # type: ignore[no-untyped-def]
    """The edges from the image ``here`` of place 0 to ``there`` that are images of edges of the rule."""
    if there == at.GROUND:
        return np.int64(rule[at.GROUNDS])
    if there == here:
        return np.int64(rule[at.LOOPS])
    for place in range(1, rule[at.PREFIX]):
        if np.int64(stack[at.CHOSEN, place]) == there:
            return np.int64((rule[at.PLACES + at.PLACE * place + at.LINKS] - 1) % at.EDGES + 1)
    return np.int64(0)


@inlined
def _edge(offset, nodes, ends, row, here, end):  # type: ignore[no-untyped-def]
    """The number of the value of the edge at an end of a node, or so far inside the chain from there."""
    if offset == 0 or ends[row, at.TARGETS] == here:
        return ends[row, at.NUMBERS + end]
    length = nodes[row, at.LENGTH]
    if ends[row, at.TARGETS + 1] == at.NO_END:
        offset = min(offset, length - offset)
    elif end == 1:
        offset = length - offset
    return ends[row, at.INNER] + offset - 1


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
