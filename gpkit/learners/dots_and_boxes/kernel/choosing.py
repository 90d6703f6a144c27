"""Choice of the acting rule: the best ten by quality, then one of them by the Boltzmann distribution (section IV.A)."""

import math

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import lowest
from gpkit.learners.dots_and_boxes.kernel.arrays import IN_WORD
from gpkit.learners.dots_and_boxes.kernel.proposals import catch_up, set_domains, try_rule


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


@inlined
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
            count = insert(word * IN_WORD + lowest(mask), count, quality, best)
            mask &= mask - 1
    ready = False
    for word in range(memory.pending.shape[1]):
        mask = int(memory.pending[number, word])
        while mask:
            slot = word * IN_WORD + lowest(mask)
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
    """One of the ranked rules, with probabilities in proportion to exp(beta · quality).

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
            return best[k]
    return best[count - 1]
