"""Choice of the acting rule: the best ten by quality, then one of them by the Boltzmann distribution (section IV.A)."""

import math

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import lowest
from gpkit.learners.dots_and_boxes.kernel.arrays import IN_WORD


@inlined
def rank(number, memory, quality, best):  # type: ignore[no-untyped-def]
    """Find the rules of highest quality among those that match; of equal ones the lower slot comes first.

    Args:
        number: a class.
        memory: up to date for it, see ``tables``.
        quality: float64 (slots,).
        best: int64 (best,), written.

    Returns:
        How many were found.
    """
    count, least = 0, 0.0
    for word in range(memory.matching.shape[1]):
        mask = int(memory.matching[number, word])
        while mask:
            slot = word * IN_WORD + lowest(mask)
            mask &= mask - 1
            q = quality[slot]
            if count < best.shape[0] or q > least:
                count = min(count + 1, best.shape[0])
                place = count - 1
                while place > 0 and quality[best[place - 1]] < q:
                    best[place] = best[place - 1]
                    place -= 1
                best[place] = slot
                least = quality[best[count - 1]]
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
