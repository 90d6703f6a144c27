"""Which rules match in a class and what they propose, remembered from one meeting to the next."""

import numpy as np

from gpkit.agents.dots_and_boxes.kernel.tables import NEVER
from gpkit.core.compiled import inlined
from gpkit.matching.kernel import layout as at
from gpkit.matching.kernel.search import fill_domains, images


@inlined
def as_strings(found, values):  # type: ignore[no-untyped-def]
    """The mask of the strings of the board that have one of these values.

    Args:
        found: uint64, a bit for each value.
        values: int8 (strings,), by string the number of its value.
    """
    mask = 0
    if found != at.NONE:
        for string in range(values.shape[0]):
            if values[string] >= 0 and found >> np.uint64(values[string]) & at.ONE:
                mask |= 1 << string
    return mask


@inlined
def may_match(number, slot, positions, population):  # type: ignore[no-untyped-def]
    """Whether the rule of a slot may match in a class, as far as their signatures tell."""
    one = (positions.signatures[number, 0] | at.GUARD) - population.signatures[0, slot]
    two = (positions.signatures[number, 1] | at.GUARD) - population.signatures[1, slot]
    return one & two & at.GUARD == at.GUARD


@inlined
def propose(number, slot, positions, population, memory):  # type: ignore[no-untyped-def]
    """The strings that the rule of a slot proposes in a class, as a mask; the domains are those of the class.

    Rules of level 0 have no conditions and no graphs that must be absent, so what the search is given for these is
    never read.
    """
    found = images(
        population.searches[slot],
        population.searches,
        positions.nodes,
        positions.neighbours,
        positions.ends,
        positions.starts[number],
        population.searches[slot],
        memory.domains,
        memory.stack,
    )
    return as_strings(found, positions.values[number])


@inlined
def meet(number, positions, population, memory):  # type: ignore[no-untyped-def]
    """Bring what the rules propose in a class up to date.

    Args:
        number: the class.
        positions, population: see ``tables``.
        memory: changed.
    """
    slots = population.quality.shape[0]
    room = population.changes.shape[0] - 1
    changes = population.changes[0]
    seen = memory.seen[number]
    if seen == changes:
        return
    fill_domains(positions.nodes, positions.starts[number], positions.starts[number + 1], memory.domains)
    row = memory.images[number]
    if seen == NEVER or changes - seen > room:
        for slot in range(slots):
            row[slot] = 0
            if may_match(number, slot, positions, population):
                row[slot] = propose(number, slot, positions, population, memory)
    else:
        for change in range(seen, changes):
            slot = population.changes[1 + change % room]
            row[slot] = 0
            if may_match(number, slot, positions, population):
                row[slot] = propose(number, slot, positions, population, memory)
    memory.seen[number] = changes
