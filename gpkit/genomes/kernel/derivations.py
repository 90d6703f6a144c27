"""Breed all children of a generation of derivations; the results are those of the operators on single derivations.

A derivation is a slice of the arrays of ``gpkit.genomes.kernel.breeding``: a word is the number of an alternative or,
after the alternatives, of a token; all ``values`` are 0. A symbol is the number of a rule or, after the rules, of a
terminal.
"""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.genomes.kernel.breeding import (
    CROSSOVER,
    FIRST,
    HOIST,
    KIND,
    LEVELS,
    POINT,
    POSITION,
    SECOND,
    SENSORS,
    SUBTREE,
    bred_by,
    copy_around,
    copy_nodes,
    draw_below,
    next_uniform,
)

GROWTH, RULES = LEVELS, SENSORS
"""Indexes into ``counts``: the maximum number of nodes by which a new part may be larger, and the number of rules."""

LEAST, MOST, WEIGHT = range(3)
"""The columns of ``facts``: the sizes of the smallest and the largest derivation, and the weight of an alternative."""

TRIES = 10
"""The maximum number of places that an operator tries."""


@inlined
def _marked(random, marks, count):  # type: ignore[no-untyped-def]
    """A random one of the first ``count`` places whose mark is 1; −1 if all marks are 0."""
    found = 0
    for place in range(count):
        found += marks[place]
    if found == 0:
        return -1
    chosen = draw_below(random, found)
    place = 0
    while marks[place] == 0 or chosen > 0:
        chosen -= marks[place]
        place += 1
    return place


@inlined
def _vary(pool, plan, row, child, start):  # type: ignore[no-untyped-def]
    """Write the child of an operator from ``start`` on, and the position of the change; return the end of the child."""
    kind, symbols, marks, random = plan[1][row[KIND]], plan[3], child[3], child[4]
    words, sizes, own = pool[0], pool[2], pool[3][row[FIRST]]
    nodes = pool[4][row[FIRST]] - own
    row[POSITION] = -1
    if kind == SUBTREE:
        place = draw_below(random, nodes)
        row[POSITION] = place
        room = 1 + draw_below(random, sizes[own + place] + plan[5][GROWTH])
        is_full = draw_below(random, 2) == 0
        given = _drawn(plan, symbols[words[own + place]], room, is_full, child, start + place)
        return copy_around(pool, own, nodes, place, given, child, start)
    for _ in range(TRIES if kind in (CROSSOVER, HOIST) else 0):
        place = draw_below(random, nodes)
        if kind == HOIST:
            first, end = own + place + 1, own + place + sizes[own + place]
        else:
            first, end = pool[3][row[SECOND]], pool[4][row[SECOND]]
            if place == 0 and nodes > 1:
                continue
        for node in range(first, end):
            marks[node - first] = symbols[words[node]] == symbols[words[own + place]]
        chosen = _marked(random, marks, end - first)
        if chosen >= 0:
            row[POSITION] = place
            given = np.int64(sizes[first + chosen])
            copy_nodes(pool, first + chosen, given, child, start + place)
            return copy_around(pool, own, nodes, place, given, child, start)
    end = copy_nodes(pool, own, nodes, child, start)
    if kind == POINT:
        row[POSITION] = _point(plan, child, start, nodes)
    return end


@inlined
def _point(plan, child, start, nodes):  # type: ignore[no-untyped-def]
    """Write another alternative with the same parts, or another word, at one place; return the place, −1 for none."""
    symbols, leaves, spans, alike, alike_at = plan[3], plan[6], plan[8], plan[12], plan[13]
    words, marks, random = child[0], child[3], child[4]
    for place in range(nodes):
        word = words[start + place]
        marks[place] = symbols[word] >= plan[5][RULES] or alike_at[word + 1] > alike_at[word]
    chosen = _marked(random, marks, nodes)
    if chosen < 0:
        return chosen
    word = words[start + chosen]
    if symbols[word] < plan[5][RULES]:
        words[start + chosen] = alike[
            alike_at[word] + draw_below(random, alike_at[word + 1] - alike_at[word])
        ]
        return chosen
    first, end = spans[symbols[word], 0], spans[symbols[word], 1]
    for leaf in range(first, end):
        marks[leaf - first] = leaves[leaf] != word
    other = _marked(random, marks, end - first)
    if other >= 0:
        words[start + chosen] = leaves[first + other]
    return chosen


@inlined
def _drawn(plan, symbol, room, is_full, child, there):  # type: ignore[no-untyped-def]
    """Write a random derivation of a symbol with at most ``room`` nodes, or as few as possible; return their number."""
    spans, leaves, facts, parts, parts_at = plan[8], plan[6], plan[9], plan[10], plan[11]
    words, values, sizes, pending, random = child
    rules, nodes, waiting = plan[5][RULES], 0, 1
    pending[0], pending[1] = symbol, room
    while waiting:
        waiting -= 1
        symbol, room = pending[2 * waiting], pending[2 * waiting + 1]
        place = there + nodes
        values[place] = 0.0
        nodes += 1
        if symbol >= rules:
            first = spans[symbol, 0]
            words[place] = leaves[first + draw_below(random, spans[symbol, 1] - first)]
            continue
        word = _alternative(plan, symbol, room, is_full, random)
        words[place] = word
        begin, count, growing = parts_at[word], parts_at[word + 1] - parts_at[word], 0
        for k in range(count):
            growing += parts[begin + k, 2]
        spare = max(room - np.int64(facts[word, LEAST]), 0)
        cuts = 2 * (waiting + count)
        for k in range(growing - 1):  # in order
            cut = draw_below(random, spare + 1)
            at = cuts + k
            while at > cuts and pending[at - 1] > cut:
                pending[at] = pending[at - 1]
                at -= 1
            pending[at] = cut
        before, number = 0, 0
        for k in range(count):
            at = 2 * (waiting + count - 1 - k)
            pending[at], least = parts[begin + k, 0], parts[begin + k, 1]
            if parts[begin + k, 2] > 0:
                after = pending[cuts + number] if number < growing - 1 else spare
                least += after - before
                before = after
                number += 1
            pending[at + 1] = least
        waiting += count
    for place in range(there + nodes - 1, there - 1, -1):
        size, word = 1, words[place]
        if plan[3][word] < rules:
            for _ in range(parts_at[word + 1] - parts_at[word]):
                size += sizes[place + size]
        sizes[place] = size
    return np.int64(nodes)


@inlined
def _alternative(plan, symbol, room, is_full, random):  # type: ignore[no-untyped-def]
    """A random alternative of a rule that fits into ``room``; with ``is_full``, one that can fill it, if there is one.

    The alternatives of a rule are neighbours.
    """
    spans, facts = plan[8], plan[9]
    first, end = spans[symbol, 0], spans[symbol, 1]
    fitting, filling, of_fitting, of_filling, smallest = 0, 0, 0.0, 0.0, first
    for word in range(first, end):
        smallest = word if facts[word, LEAST] < facts[smallest, LEAST] else smallest
        if facts[word, LEAST] <= room:
            fitting += 1
            of_fitting += facts[word, WEIGHT]
            if facts[word, MOST] >= room:
                filling += 1
                of_filling += facts[word, WEIGHT]
    if fitting == 0:
        return smallest
    fills = is_full and filling > 0
    count, total = (filling, of_filling) if fills else (fitting, of_fitting)
    mark = next_uniform(random) * total if count > 1 else -1.0
    total, last = 0.0, first
    for word in range(first, end):
        if facts[word, LEAST] <= room and (not fills or facts[word, MOST] >= room):
            last = word
            total += facts[word, WEIGHT]
            if mark < total:
                break
    return last


_breed_derivations = bred_by(_vary)  # type: ignore[no-untyped-call]


@kernel
def breed(first, keys, pool, plan, made, child):  # type: ignore[no-untyped-def]
    """Breed derivations until the arrays lack room for the nodes of the next child.

    Args:
        first, keys, pool, made, child: as in ``gpkit.genomes.kernel.breeding.breed``.
        plan: (sums, kinds, ranks, symbols, numbers, counts, leaves, marks, spans, facts, parts, parts_at, alike,
            alike_at): the first three, the numbers, the counts and the (empty) marks as in that function; the symbol of
            each word, int64 (words,); the words of all terminals, int64 (leaves,); the first alternative of each rule
            or leaf of each terminal, and the one after its last, int64 (symbols, 2); the facts indexed above, float64
            (alternatives, 3); the symbol of each part of each alternative, the size of its smallest derivation, and
            whether it can be larger, int64 (parts, 3), with the first part of each alternative, int64
            (alternatives + 1,); the other alternatives with the same parts, and the first one for each alternative.

    Returns:
        The index of the first child that has not been bred.
    """
    return _breed_derivations(first, keys, pool, plan, made, child)
