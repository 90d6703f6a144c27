"""Choice of the acting rule: the best ten by quality, then one of them by the Boltzmann distribution (section IV.A).

The matching rules of a class are remembered from one meeting to the next. Most rules of low quality never need to be
tried in a class.

In all of this file ``number`` is that of a class, ``graphs`` are those of all classes (see
``gpkit.games.dots_and_boxes.kernel.positions``), and ``population`` and ``memory`` the tables of that name in
``arrays``.
"""

import math

import numpy as np

from gpkit.core.compiled import called, inlined
from gpkit.core.kernel.masks import lowest, ones
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.arrays import IN_WORD, NEVER, NO_SLOT
from gpkit.matching.kernel import layout
from gpkit.matching.kernel.search import fill_domains, images, may_match


@inlined
def set_domains(number, graphs, memory):  # type: ignore[no-untyped-def]
    """Find what each kind of node can be in a class."""
    positions = graphs.positions
    fill_domains(positions.nodes, positions.starts[number], positions.starts[number + 1], memory.domains)


@inlined
def propose(number, search, graphs, population, memory):  # type: ignore[no-untyped-def]
    """The edges that a rule proposes in a class, as a mask.

    Rules of level 0 have no conditions and no graphs that must be absent, so what the search is given for these is
    never read.

    Args:
        search: int16 (PLACES + PLACE · places,), of a rule of level 0, as the plan's ``imaging``.
        number, graphs, population: see above.
        memory: its domains are those of the class, see ``set_domains``.
    """
    found = images(
        search,
        population.searches,
        graphs.positions.nodes,
        graphs.positions.neighbours,
        graphs.positions.ends,
        graphs.positions.starts[number],
        search,
        memory,
    )
    mask, values = 0, graphs.values[number]
    if found != layout.NONE:
        for edge in range(values.shape[0]):
            if values[edge] >= 0 and found >> np.uint64(values[edge]) & layout.ONE:
                mask |= 1 << edge
    return mask


@inlined
def next_matching(number, slot, memory):  # type: ignore[no-untyped-def]
    """The first slot, from a given one on, whose rule matches in a class, or ``NO_SLOT``."""
    for word in range(slot // IN_WORD, memory.matching.shape[1]):
        mask = int(memory.matching[number, word])
        if word == slot // IN_WORD:
            mask &= -1 << slot % IN_WORD
        if mask:
            return word * IN_WORD + lowest(mask)
    return NO_SLOT


@called
def propose_again(number, slot, graphs, population, memory):  # type: ignore[no-untyped-def]
    """The edges that the rule of a slot proposes in a class, as a mask."""
    set_domains(number, graphs, memory)
    return propose(number, population.searches[slot], graphs, population, memory)


@inlined
def try_rule(number, slot, graphs, population, memory):  # type: ignore[no-untyped-def]
    """Find out whether the rule of a slot matches in a class, where that is not known yet.

    The domains are those of the class.
    """
    memory.pending[number, slot // IN_WORD] ^= 1 << slot % IN_WORD
    there = graphs.positions.signatures[number]
    if not may_match(there, population.signatures[0, slot], population.signatures[1, slot]):
        return False
    if propose(number, population.searches[slot], graphs, population, memory) == 0:
        return False
    memory.matching[number, slot // IN_WORD] ^= 1 << slot % IN_WORD
    memory.counts[number] += 1
    return True


@inlined
def forget_rules(number, word, changed, memory):  # type: ignore[no-untyped-def]
    """Forget of the slots of one word that are bits of a mask whether their rules match in a class."""
    known = int(memory.matching[number, word]) & changed
    if known:
        memory.matching[number, word] ^= known
        memory.counts[number] -= ones(known)
    memory.pending[number, word] |= changed


@inlined
def catch_up(number, population, memory):  # type: ignore[no-untyped-def]
    """Forget in a class the rules of all slots that were changed since it was last met; all if it never was."""
    stamps, room = population.stamps, population.changes.shape[0] - 1
    changes = population.changes[0]
    seen = memory.seen[number]
    if seen == changes:
        return
    if seen == NEVER:
        memory.counts[number] = 0
        memory.matching[number, :] = 0
        memory.pending[number, :] = 0
    if seen == NEVER or changes - seen > room:
        for word in range(memory.matching.shape[1]):
            first, changed = word * IN_WORD, 0
            for bit in range(min(IN_WORD, stamps.shape[0] - first)):
                changed |= int(stamps[first + bit] > seen) << bit
            forget_rules(number, word, changed, memory)
    else:
        entry = 1 + seen % room
        for _ in range(changes - seen):
            slot = population.changes[entry]
            entry = entry + 1 if entry < room else 1
            forget_rules(number, slot // IN_WORD, 1 << slot % IN_WORD, memory)
    memory.seen[number] = changes


@called
def meet(number, graphs, population, memory):  # type: ignore[no-untyped-def]
    """Find out of all rules whether they match in a class; the domains are those of the class afterwards."""
    catch_up(number, population, memory)
    set_domains(number, graphs, memory)
    for word in range(memory.pending.shape[1]):
        mask = int(memory.pending[number, word])
        while mask:
            try_rule(number, word * IN_WORD + lowest(mask), graphs, population, memory)
            mask &= mask - 1


@inlined
def is_before(slot, other, quality):  # type: ignore[no-untyped-def]
    """Whether the rule of a slot has the higher quality of two; of equal ones the lower slot comes first."""
    return quality[slot] > quality[other] or (quality[slot] == quality[other] and slot < other)


@inlined
def insert(slot, count, quality, best):  # type: ignore[no-untyped-def]
    """Add a slot to so many ranked ones, if it is among the best; how many there are then."""
    room = best.shape[0]
    if count == room:
        if not is_before(slot, best[room - 1], quality):
            return count
        count -= 1
    place = count
    while place > 0 and is_before(slot, best[place - 1], quality):
        best[place] = best[place - 1]
        place -= 1
    best[place] = slot
    return count + 1


@called
def rank(number, best, graphs, population, memory):  # type: ignore[no-untyped-def]
    """Find the rules of highest quality among those that match; of equal ones the lower slot comes first.

    A rule that was not tried yet is tried only if it would be one of them.

    Args:
        number: a class.
        best: int64 (best,), written.
        graphs: those of all classes.
        population, memory: see ``arrays``.

    Returns:
        How many were found.
    """
    catch_up(number, population, memory)
    quality, count, room = population.quality, 0, best.shape[0]
    for word in range(memory.matching.shape[1]):
        mask = int(memory.matching[number, word])
        while mask:
            count = insert(word * at.IN_WORD + lowest(mask), count, quality, best)
            mask &= mask - 1
    ready = False
    for word in range(memory.pending.shape[1]):
        mask = int(memory.pending[number, word])
        while mask:
            slot = word * at.IN_WORD + lowest(mask)
            mask &= mask - 1
            if count < room or is_before(slot, best[room - 1], quality):
                if not ready:
                    set_domains(number, graphs, memory)
                    ready = True
                if try_rule(number, slot, graphs, population, memory):
                    count = insert(slot, count, quality, best)
    return count


@inlined
def boltzmann(best, count, quality, beta, u):  # type: ignore[no-untyped-def]
    """The place of one of the ranked rules, with probabilities in proportion to exp(beta · quality).

    Args:
        best: int64, slots by quality.
        count: of them.
        quality: float64 (slots,).
        beta: how much quality counts, at least 0.
        u: uniform in [0, 1).
    """
    top = quality[best[0]]
    total = 0.0
    for k in range(count):
        total += math.exp(beta * (quality[best[k]] - top))
    left = u * total
    for k in range(count):
        left -= math.exp(beta * (quality[best[k]] - top))
        if left < 0.0:
            return k
    return count - 1
