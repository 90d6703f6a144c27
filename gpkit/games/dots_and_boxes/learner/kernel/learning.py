"""Learning at the end of a game: values of classes, the quality of rules, their accessibility.

In all of this file ``turns`` is how many edges were drawn in the game; the other arguments are the tables of that
name in ``tables``.
"""

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import lowest, ones
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.choosing import rank
from gpkit.games.dots_and_boxes.learner.kernel.proposals import meet, next_matching, propose, propose_again


@inlined
def value_of(number, edge, environment, critic):  # type: ignore[no-untyped-def]
    """The value of an edge for the learner who draws it in a class, as far as is known."""
    after = environment.successors[number, edge]
    again = environment.closed[number, edge] > 0
    return environment.worth[number, edge] + (critic.own[after] if again else critic.other[after])


@inlined
def best_edge(number, environment, critic):  # type: ignore[no-untyped-def]
    """The edge of the greatest value in a class that is not the end, of equal ones the first, and its value."""
    best, top = -1, 0.0
    for edge in range(environment.successors.shape[1]):
        if environment.successors[number, edge] >= 0:
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
def legal_edges(number, environment):  # type: ignore[no-untyped-def]
    """The mask of the edges that are not drawn in a class."""
    mask = 0
    for edge in range(environment.successors.shape[1]):
        mask |= int(environment.successors[number, edge] >= 0) << edge
    return mask


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
        after, again = environment.successors[number, edge], environment.closed[number, edge] > 0
        came = (critic.other[after] if again else critic.own[after]) - environment.worth[number, edge]
        critic.met[number] += 1
        step = max(settings.judging, 1.0 / critic.met[number])
        critic.other[number] += step * (came - critic.other[number])


@inlined
def learn_matching(turns, world):  # type: ignore[no-untyped-def]
    """Let all rules that matched in a game learn how far what they propose is below the best.

    The rule that is best in a class may be credited with what it gains there over what would be drawn without it.
    Where rules are inserted, their quality is that of their place in an order, and none is learned.
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
            instead = legal_edges(number, environment)
            if count > 1:
                instead = propose_again(number, record.best[1], graphs, population, memory)
            population.access[best] += average_value(number, mask, environment, critic)
            population.access[best] -= average_value(number, instead, environment, critic)
        if settings.inserting:
            continue
        meet(number, graphs, population, memory)
        slot = next_matching(number, 0, memory)
        while slot != at.NO_SLOT:
            population.uses[slot] += 1
            if not population.ordered[slot]:
                step = max(settings.rate, 1.0 / (population.uses[slot] + settings.prior))
                mask = propose(number, population.searches[slot], graphs, population, memory)
                came = average_value(number, mask, environment, critic) - critic.own[number]
                population.quality[slot] += step * (came - population.quality[slot])
            slot = next_matching(number, slot + 1, memory)


@inlined
def forget(settings, population):  # type: ignore[no-untyped-def]
    """Let the accessibility of all rules fade, if it is learned, and with the combined measure their quality, too."""
    kept = 1.0 - settings.forgetting
    if settings.access != at.REPLAY:
        for slot in range(population.access.shape[0]):
            population.access[slot] *= kept
    if settings.measure == at.COMBINED:
        kept = 1.0 - settings.rate
        for slot in range(population.quality.shape[0]):
            population.quality[slot] *= kept


@inlined
def learn_acting(turns, reward, settings, population, record):  # type: ignore[no-untyped-def]
    """Let the rules that acted in a game learn its reward (equation 1) and be accessible (equation 2), once each."""
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
