"""Learning at the end of a game: values of classes, quality and accessibility of rules; and the worth of a new rule.

A new rule is judged in decisions that were met lately. In all of this file ``turns`` is how many edges were drawn in
the game, ``graphs`` those of all classes, and the other arguments that are not explained are the tables of that name in
``arrays``.
"""

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest, ones
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.arrays import NO_SLOT
from gpkit.games.dots_and_boxes.learner.kernel.choosing import (
    meet,
    next_matching,
    propose,
    propose_again,
    rank,
    set_domains,
)
from gpkit.matching.kernel.search import may_match


@inlined
def value_of(number, edge, environment, critic):  # type: ignore[no-untyped-def]
    """The value of an edge for the learner who draws it in a class, as far as is known."""
    after = environment.classes.successors[number, edge]
    again = environment.classes.closed[number, edge] > 0
    return environment.worth[number, edge] + (critic.own[after] if again else critic.other[after])


@inlined
def best_edge(number, environment, critic):  # type: ignore[no-untyped-def]
    """The edge of the greatest value in a class that is not the end, of equal ones the first, and its value."""
    best, top = -1, 0.0
    for edge in range(environment.classes.successors.shape[1]):
        if environment.classes.successors[number, edge] >= 0:
            value = value_of(number, edge, environment, critic)
            if best < 0 or value > top:
                best, top = edge, value
    return best, top


@inlined
def average_value(number, mask, environment, critic):  # type: ignore[no-untyped-def]
    """The value of drawing any edge of a mask, all equally likely."""
    total, left = 0.0, mask
    while left:
        total += value_of(number, lowest(left), environment, critic)
        left &= left - 1
    return total / ones(mask)


@inlined
def learn_values(turns, environment, settings, critic, record):  # type: ignore[no-untyped-def]
    """Learn the values of the classes of a game, from its end to its beginning.

    Where the learner drew, the value is that of the best edge; where the opponent drew, it moves towards what came of
    it, first by averages and then at the rate ``judging``.
    """
    for turn in range(turns - 1, -1, -1):
        number, edge = record.drawn[turn, at.DRAWN_CLASS], record.drawn[turn, at.DRAWN_EDGE]
        if record.drawn[turn, at.DRAWN_DECISION] != at.BY_OPPONENT:
            _, critic.own[number] = best_edge(number, environment, critic)
            continue
        after, again = (
            environment.classes.successors[number, edge],
            environment.classes.closed[number, edge] > 0,
        )
        came = (critic.other[after] if again else critic.own[after]) - environment.worth[number, edge]
        critic.met[number] += 1
        step = max(settings.judging, 1.0 / critic.met[number])
        critic.other[number] += step * (came - critic.other[number])


@inlined
def learn_matching(turns, world):  # type: ignore[no-untyped-def]
    """Teach all rules that matched in a game how far what they propose is below the best.

    The rule that is best in a class may be credited with what it gains there over what would be drawn without it.
    """
    settings, environment, graphs, population, memory, critic, record = world
    for turn in range(turns):
        if record.drawn[turn, at.DRAWN_DECISION] == at.BY_OPPONENT:
            continue
        number = record.drawn[turn, at.DRAWN_CLASS]
        count = rank(number, record.best, graphs, population, memory)
        if count > 0 and settings.access == at.GAIN:
            best = record.best[0]
            mask = propose_again(number, best, graphs, population, memory)
            instead = environment.classes.legal[number]
            if count > 1:
                instead = propose_again(number, record.best[1], graphs, population, memory)
            population.access[best] += average_value(number, mask, environment, critic)
            population.access[best] -= average_value(number, instead, environment, critic)
        meet(number, graphs, population, memory)
        slot = next_matching(number, 0, memory)
        while slot != at.NO_SLOT:
            population.uses[slot] += 1
            step = max(settings.rate, 1.0 / (population.uses[slot] + settings.prior))
            mask = propose(number, population.searches[slot], graphs, population, memory)
            came = average_value(number, mask, environment, critic) - critic.own[number]
            population.quality[slot] += step * (came - population.quality[slot])
            slot = next_matching(number, slot + 1, memory)


@inlined
def learn_acting(turns, reward, settings, population, record):  # type: ignore[no-untyped-def]
    """Give the rules that acted in a game its reward (equation 1) and accessibility (equation 2), once each."""
    for turn in range(turns):
        row = record.drawn[turn, at.DRAWN_DECISION]
        if row == at.BY_OPPONENT or record.decisions[row, at.AT_SLOT] == at.UNGUIDED:
            continue
        slot = record.decisions[row, at.AT_SLOT]
        again = False
        for earlier in range(turn):
            other = record.drawn[earlier, at.DRAWN_DECISION]
            again |= other != at.BY_OPPONENT and record.decisions[other, at.AT_SLOT] == slot
        if again:
            continue
        record.totals[at.USED] += 1
        if settings.access == at.USE:
            population.access[slot] += 1.0
        if settings.measure == at.SCORE:
            population.quality[slot] += settings.rate * (reward - population.quality[slot])
        elif settings.measure == at.COMBINED:
            population.quality[slot] += settings.rate * reward


@inlined
def best_of(number, graphs, population, memory):  # type: ignore[no-untyped-def]
    """The slot of the rule of highest quality among those that match, of equal ones the lower, or ``NO_SLOT``."""
    count = rank(number, memory.ranked, graphs, population, memory)
    return memory.ranked[0] if count else NO_SLOT


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
        instead = environment.classes.legal[number]
        if best != NO_SLOT:
            instead = propose_again(number, best, graphs, population, memory)
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
    for number in range(environment.classes.successors.shape[0] - 1):
        masks[number] = 0
        if reached[number, 0]:
            best = best_of(number, graphs, population, memory)
            unknown += best == NO_SLOT
            masks[number] = environment.classes.legal[number]
            if best != NO_SLOT:
                masks[number] = propose_again(number, best, graphs, population, memory)
        for player in range(2):
            if reached[number, player]:
                mask = environment.replies[number] if player else masks[number]
                for edge in range(environment.classes.successors.shape[1]):
                    if mask >> edge & 1:
                        again = environment.classes.closed[number, edge] > 0
                        reached[
                            environment.classes.successors[number, edge], player if again else 1 - player
                        ] = 1
    return unknown
