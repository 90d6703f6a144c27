"""Worth of a new rule in decisions that were met lately, and the best rule of each class.

Arguments that are not explained are the tables of that name in ``tables``, and ``graphs`` those of all classes.
"""

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest
from gpkit.games.dots_and_boxes.learner.kernel.arrays import IN_WORD, NO_SLOT
from gpkit.games.dots_and_boxes.learner.kernel.choosing import is_before
from gpkit.games.dots_and_boxes.learner.kernel.learning import average_value, legal_edges
from gpkit.games.dots_and_boxes.learner.kernel.proposals import (
    catch_up,
    next_matching,
    propose,
    propose_again,
    set_domains,
    try_rule,
)
from gpkit.matching.kernel.signature import may_match


@inlined
def best_of(number, graphs, population, memory):  # type: ignore[no-untyped-def]
    """The slot of the rule of highest quality among those that match, of equal ones the lower, or ``NO_SLOT``.

    A rule that was not tried yet is tried only if it would be the one.
    """
    catch_up(number, population, memory)
    quality, best = population.quality, NO_SLOT
    slot = next_matching(number, 0, memory)
    while slot != NO_SLOT:
        if best == NO_SLOT or quality[slot] > quality[best]:
            best = slot
        slot = next_matching(number, slot + 1, memory)
    ready = False
    for word in range(memory.pending.shape[1]):
        mask = int(memory.pending[number, word])
        while mask:
            slot = word * IN_WORD + lowest(mask)
            mask &= mask - 1
            if best == NO_SLOT or is_before(slot, best, quality):
                if not ready:
                    set_domains(number, graphs, memory)
                    ready = True
                if try_rule(number, slot, graphs, population, memory):
                    best = slot
    return best


@inlined
def best_edges(number, best, world):  # type: ignore[no-untyped-def]
    """The mask of the edges that the rule of a slot proposes in a class; of all legal ones for ``NO_SLOT``."""
    if best == NO_SLOT:
        return legal_edges(number, world.environment)
    return propose_again(number, best, world.graphs, world.population, world.memory)


@kernel
def judge(search, signature, recent, times, proposals, expected, prior, world):  # type: ignore[no-untyped-def]
    """Try a new rule in recent decisions: its quality, and what they would have gained by it.

    Args:
        search: int16 (PLACES + PLACE · places,): of the rule, as the plan's ``imaging``.
        signature: uint64 (WORDS,): of the rule.
        recent: int32 (classes,): classes that were met, each once.
        times: int64 (classes,): how often each was met.
        proposals: int32 (at least classes,), scratch.
        expected: the quality that is expected of a new rule.
        prior: for as many decisions this expectation counts.
        world: see ``tables``; its memory is brought up to date for the classes in which the rule matches.

    Returns:
        In how many of the decisions the rule matches; the sum, over those in which it would be the best rule, of the
        value of what it proposes less that of what the best rule does; and its quality.
    """
    _, environment, graphs, population, memory, critic, _ = world
    total, count = expected * prior, 0
    for k in range(recent.shape[0]):
        number = recent[k]
        proposals[k] = 0
        if may_match(graphs.positions.signatures[number], signature[0], signature[1]):
            set_domains(number, graphs, memory)
            proposals[k] = propose(number, search, graphs, population, memory)
        if proposals[k]:
            count += times[k]
            total += times[k] * (
                average_value(number, proposals[k], environment, critic) - critic.own[number]
            )
    quality = total / (count + prior)
    gain = 0.0
    for k in range(recent.shape[0]):
        number = recent[k]
        if proposals[k] == 0:
            continue
        best = best_of(number, graphs, population, memory)
        if best != NO_SLOT and population.quality[best] >= quality:
            continue
        instead = best_edges(number, best, world)
        there = average_value(number, proposals[k], environment, critic)
        gain += times[k] * (there - average_value(number, instead, environment, critic))
    return count, gain, quality


@kernel
def choose_greedily(environment, graphs, population, memory, reached, masks):  # type: ignore[no-untyped-def]
    """Follow the best rule's proposals in every class that can be met in games of this policy against the opponent.

    Args:
        environment, graphs, population: see above.
        memory: brought up to date for these classes.
        reached: uint8 (classes, 2), 0 but for the classes to begin with; written: 1 for each class that can be met with
            the learner, and with the opponent, to draw.
        masks: int64 (classes,), written: the edges that are proposed where the learner is to draw, all legal ones
            where no rule matches; 0 elsewhere.

    Returns:
        In how many of these classes no rule matches.
    """
    unknown = 0
    for number in range(environment.successors.shape[0] - 1):
        masks[number] = 0
        if reached[number, 0]:
            best = best_of(number, graphs, population, memory)
            unknown += best == NO_SLOT
            masks[number] = legal_edges(number, environment)
            if best != NO_SLOT:
                masks[number] = propose_again(number, best, graphs, population, memory)
        for player in range(2):
            if reached[number, player]:
                mask = environment.replies[number] if player else masks[number]
                for edge in range(environment.successors.shape[1]):
                    if mask >> edge & 1:
                        again = environment.closed[number, edge] > 0
                        reached[environment.successors[number, edge], player if again else 1 - player] = 1
    return unknown
