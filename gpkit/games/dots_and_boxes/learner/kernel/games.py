"""Games of the learner against an opponent, with what is learned from each, until a new rule is asked for.

``world`` is that of ``tables``.
"""

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import one_of
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.choosing import boltzmann, meet, propose_again, rank
from gpkit.games.dots_and_boxes.learner.kernel.learning import (
    average_value,
    best_edge,
    learn_acting,
    learn_matching,
    learn_values,
)
from gpkit.vm.keyed import keyed_uniform

START, EDGE, COVERING, RULE, EXPLORING, PURPOSES = range(6)
"""Purpose of a random number. Its counters are the game, and PURPOSES · turn + purpose."""

HALF = 0.5


@inlined
def decide(number, game, turn, key, beta, world):  # type: ignore[no-untyped-def]
    """The slot of the rule that acts in a class, the edge that is drawn, and whether a rule is asked for."""
    settings, environment, graphs, population, memory, _, record = world
    best = record.best
    count = rank(number, best, graphs, population, memory)
    matching = count
    if settings.few > best.shape[0]:
        meet(number, graphs, population, memory)
        matching = memory.counts[number]
    chance = PURPOSES * turn
    u = keyed_uniform(key, game, chance + EDGE)
    if matching < settings.few and keyed_uniform(key, game, chance + COVERING) < settings.covering:
        return at.UNGUIDED, one_of(environment.classes.legal[number], u), True
    if count == 0 or keyed_uniform(key, game, chance + EXPLORING) < settings.exploration:
        return at.UNGUIDED, one_of(environment.classes.legal[number], u), False
    place = boltzmann(best, count, population.quality, beta, keyed_uniform(key, game, chance + RULE))
    mask = propose_again(number, best[place], graphs, population, memory)
    return best[place], one_of(mask, u), False


@inlined
def ask_to_mend(turns, game, key, world):  # type: ignore[no-untyped-def]
    """Ask for rules in classes of a game in which the best rule errs, or any edge does.

    Returns:
        How many are wanted at once.
    """
    settings, environment, graphs, population, memory, critic, record = world
    asked = 0
    for turn in range(turns):
        decision = record.drawn[turn, at.DRAWN_DECISION]
        if (
            decision == at.BY_OPPONENT
            or record.decisions[decision, at.AT_WANTED] != at.NOTHING
            or keyed_uniform(key, game, PURPOSES * turn + COVERING) >= settings.mending
        ):
            continue
        number = record.drawn[turn, at.DRAWN_CLASS]
        count = rank(number, record.best, graphs, population, memory)
        mask = environment.classes.legal[number]
        if count > 0:
            mask = propose_again(number, record.best[0], graphs, population, memory)
        edge, top = best_edge(number, environment, critic)
        if top - average_value(number, mask, environment, critic) > settings.fault:
            record.decisions[decision, at.AT_WANTED] = edge
            asked += 1
    return asked


@inlined
def play_game(game, key, beta, world):  # type: ignore[no-untyped-def]
    """Play one game.

    Returns:
        How many edges were drawn, the boxes of the learner less those of the opponent, the same of what they are
        worth to it, and how many rules were asked for.
    """
    environment, record = world.environment, world.record
    number, turn, margin, reward, asked = 0, 0, 0, 0, 0
    mine = keyed_uniform(key, game, START) < HALF
    while number != environment.classes.successors.shape[0] - 1:
        row = at.BY_OPPONENT
        if mine:
            slot, edge, wanted = decide(number, game, turn, key, beta, world)
            row = int(record.totals[at.IN_BATCH])
            record.decisions[row, at.AT_CLASS] = number
            record.decisions[row, at.AT_SLOT] = slot
            record.decisions[row, at.AT_EDGE] = edge
            record.decisions[row, at.AT_WANTED] = edge if wanted else at.NOTHING
            record.totals[at.IN_BATCH] += 1
            record.totals[at.DECISIONS] += 1
            record.totals[at.GUIDED] += slot != at.UNGUIDED
            asked += wanted
        else:
            edge = one_of(environment.replies[number], keyed_uniform(key, game, PURPOSES * turn + EDGE))
        record.drawn[turn, at.DRAWN_CLASS] = number
        record.drawn[turn, at.DRAWN_EDGE] = edge
        record.drawn[turn, at.DRAWN_DECISION] = row
        gained = environment.classes.closed[number, edge]
        worth = environment.worth[number, edge]
        margin += gained if mine else -gained
        reward += worth if mine else -worth
        number = environment.classes.successors[number, edge]
        mine = mine == (gained > 0)
        turn += 1
    return turn, margin, reward, asked


@kernel
def play(first, games, key, beta, world):  # type: ignore[no-untyped-def]
    """Play games and learn from each; stops after a game in which a rule was asked for.

    Args:
        first: number of the first game to play.
        games: how many are to be played.
        key: of all random numbers, at least 0 and below 2^26.
        beta: see ``choosing.boltzmann``.
        world: see ``tables``; changed.

    Returns:
        How many games were played.
    """
    settings, environment, _, population, _, critic, record = world
    for game in range(first, first + games):
        turns, margin, reward, asked = play_game(game, key, beta, world)
        record.totals[at.GAMES] += 1
        record.totals[at.REWARDS] += reward
        record.totals[at.WINS] += 1.0 if margin > 0 else HALF if margin == 0 else 0.0
        for slot in range(population.access.shape[0]):
            population.access[slot] *= 1.0 - settings.forgetting
        if settings.measure == at.COMBINED:
            for slot in range(population.quality.shape[0]):
                population.quality[slot] *= 1.0 - settings.rate
        learn_acting(turns, reward, settings, population, record)
        if settings.measure == at.ADVANTAGE:
            learn_values(turns, environment, settings, critic, record)
            learn_matching(turns, world)
            if settings.mending > 0.0:
                asked += ask_to_mend(turns, game, key, world)
        if asked > 0:
            return game - first + 1
    return games
