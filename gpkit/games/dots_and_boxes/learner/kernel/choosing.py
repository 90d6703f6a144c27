"""Choice of the acting rule: the best ten by quality, then one of them by the Boltzmann distribution (section IV.A).

Where qualities are not learned, the best rules of a class are remembered, and only rules that are new since it was met
last are compared with them.
"""

import math

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import lowest
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.proposals import (
    catch_up,
    propose,
    propose_again,
    set_domains,
    try_rule,
)
from gpkit.matching.kernel.signature import may_match


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
def remembers(leaders, population):  # type: ignore[no-untyped-def]
    """Whether all leaders of a class are as they were, and the changes since they were found are still listed."""
    known = leaders[at.KNOWN]
    as_before = known != at.NEVER and population.changes[0] - known < population.changes.shape[0]
    for k in range(leaders[at.COUNT]):
        as_before = as_before and population.stamps[leaders[at.LEADER + 2 * k]] <= known
    return as_before


@inlined
def add_leader(slot, mask, leaders, quality):  # type: ignore[no-untyped-def]
    """Add a rule that matches in a class to its leaders, as one of which it is wanted, and what it proposes."""
    place = leaders[at.COUNT]
    if at.LEADER + 2 * place == leaders.shape[0]:
        place -= 1
    else:
        leaders[at.COUNT] += 1
    while place > 0 and is_before(slot, leaders[at.LEADER + 2 * place - 2], quality):
        for column in range(at.LEADER + 2 * place, at.LEADER + 2 * place + 2):
            leaders[column] = leaders[column - 2]
        place -= 1
    leaders[at.LEADER + 2 * place] = slot
    leaders[at.LEADER + 2 * place + 1] = mask


@inlined
def lead(number, graphs, population, memory):  # type: ignore[no-untyped-def]
    """Bring the leaders of a class up to date: the rules that ``rank`` finds, with what they propose.

    The qualities of the rules in all other slots than those that were changed are as they were.

    Args:
        number: a class.
        graphs: those of all classes.
        population, memory: see ``arrays``.

    Returns:
        How many there are.
    """
    leaders, changes, quality = memory.leaders[number], population.changes, population.quality
    if leaders[at.KNOWN] == changes[0]:
        return leaders[at.COUNT]
    if remembers(leaders, population):
        ready, entry = False, 1 + leaders[at.KNOWN] % (changes.shape[0] - 1)
        for change in range(leaders[at.KNOWN] + 1, changes[0] + 1):
            slot = changes[entry]
            entry = entry + 1 if entry + 1 < changes.shape[0] else 1
            full = at.LEADER + 2 * leaders[at.COUNT] == leaders.shape[0]
            if (
                population.stamps[slot] != change
                or (full and not is_before(slot, leaders[leaders.shape[0] - 2], quality))
                or not may_match(
                    graphs.positions.signatures[number],
                    population.signatures[0, slot],
                    population.signatures[1, slot],
                )
            ):
                continue
            if not ready:
                set_domains(number, graphs, memory)
                ready = True
            mask = propose(number, population.searches[slot], graphs, population, memory)
            if mask != 0:
                add_leader(slot, mask, leaders, quality)
    else:
        leaders[at.COUNT] = rank(number, memory.ranked, graphs, population, memory)
        for k in range(leaders[at.COUNT]):
            slot = memory.ranked[k]
            leaders[at.LEADER + 2 * k] = slot
            leaders[at.LEADER + 2 * k + 1] = propose_again(number, slot, graphs, population, memory)
    leaders[at.KNOWN] = changes[0]
    return leaders[at.COUNT]


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
