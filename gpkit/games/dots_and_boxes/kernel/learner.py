"""The compiled learner: its arrays, the choices of its rules, its learning from a game, and complete training games.

The learner remembers the matching rules of a class until it meets the class again. In most classes, the learner does
not need to try rules of low quality. The learner evaluates a new rule on recent decisions.

In this file, ``number`` is the number of a class, ``graphs`` are the graphs of all classes (see
``gpkit.games.dots_and_boxes.kernel.boxes``), ``turns`` is the number of edges drawn in the game, and ``world`` is a
``World``. Arguments that are not explained are fields of ``World``.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.core.compiled import called, inlined, kernel
from gpkit.core.kernel.shared import lowest, one_of, ones
from gpkit.games.dots_and_boxes.kernel.boxes import Classes, Graphs
from gpkit.matching.kernel.search import NONE, ONE, fill_domains, images, may_match
from gpkit.vm.kernel.keyed import keyed_uniform


class Environment(NamedTuple):
    """The game played on the classes of the board, with the replies of an opponent.

    Attributes:
        classes: the classes of the board.
        worth: int8 (classes, edges): the reward for drawing an edge, which is the number of boxes that it closes,
            except in control experiments.
        replies: int64 (classes,): for each class, the mask of the edges from which the opponent chooses.
    """

    classes: Classes
    worth: NDArray[np.int8]
    replies: Ints


class Population(NamedTuple):
    """The rules, each in a slot; a slot without a rule contains an empty search.

    Attributes:
        searches: int16 (slots, PLACES + PLACE · places): the rules' searches, in the format of the plan's ``imaging``.
        signatures: uint64 (WORDS, slots).
        quality: float64 (slots,): the quality Q of each rule.
        access: float64 (slots,): the accessibility f of each rule.
        uses: int64 (slots,): the number of games or positions from which each rule's Q was learned.
        changes: int64 (1 + rows,): the number of slot changes so far, and a ring buffer of the slots that changed most
            recently.
        stamps: int64 (slots,): the number of slot changes just after the last change of each slot.
    """

    searches: NDArray[np.int16]
    signatures: NDArray[np.uint64]
    quality: Floats
    access: Floats
    uses: Ints
    changes: Ints
    stamps: Ints


class MatchMemory(NamedTuple):
    """The known matches of rules in the classes met so far, which are updated when the learner meets a class again.

    The learner tries a rule in a class only when it needs the result, so the result is unknown for some rules.

    Attributes:
        matching: uint32 (classes, words of ``IN_WORD`` bits): a bit for each slot whose rule is known to match in a
            class.
        pending: uint32, with the shape of ``matching``: a bit for each slot whose rule has not been tried in the class
            yet.
        counts: int64 (classes,): the number of rules that are known to match.
        seen: int64 (classes,): the number of slot changes applied to each class so far, or −1 for a class never met.
        ranked: int64 (1,): scratch space.
        domains, stack: uint64: scratch space of the matcher.
    """

    matching: NDArray[np.uint32]
    pending: NDArray[np.uint32]
    counts: Ints
    seen: Ints
    ranked: Ints
    domains: NDArray[np.uint64]
    stack: NDArray[np.uint64]


NEVER = -1
"""The number that indicates a class that was never met, instead of a count of changes."""

IN_WORD = 32
"""The number of bits in a word of ``matching``."""

NO_SLOT = -1
"""The number that indicates that there is no slot."""


class Critic(NamedTuple):
    """The estimated values of classes: the boxes that the learner gets from the class on, minus the opponent's.

    Attributes:
        own: float64 (classes,): the values with the learner to draw, assuming that it draws the best known edge.
        other: float64 (classes,): the values with the opponent to draw, as an average of the outcomes.
        met: int64 (classes,): the number of updates of each value in ``other``.
    """

    own: Floats
    other: Floats
    met: Ints


class BatchRecord(NamedTuple):
    """The record of a batch of games.

    Attributes:
        decisions: int32 (rows, DECISION): the learner's decisions in the batch.
        drawn: int32 (edges, DRAWN): all edges drawn in the current game.
        totals: float64 (TOTALS,): sums over all games.
        best: int64 (best,), scratch space: the rules that the learner chooses from.
    """

    decisions: NDArray[np.int32]
    drawn: NDArray[np.int32]
    totals: Floats
    best: Ints


AT_CLASS, AT_SLOT, AT_EDGE, AT_WANTED, DECISION = range(5)
"""The columns of decisions: the class; the slot of the rule that acted (or ``UNGUIDED``); the edge drawn; and the edge
that needs a new rule (or ``NOTHING``)."""

UNGUIDED, NOTHING = -1, -1

DRAWN_CLASS, DRAWN_EDGE, DRAWN_DECISION, DRAWN = range(4)
"""The columns of drawn edges: the class before the edge was drawn, the edge, and the row of the learner's decision (or
``BY_OPPONENT``)."""

BY_OPPONENT = -1

GAMES, WINS, REWARDS, DECISIONS, GUIDED, USED, IN_BATCH, TOTALS = range(8)
"""The totals: the number of games; wins, with ties as halves; the sum of rewards; decisions; decisions by rules; the
number of different rules that acted in a game, summed over all games; and the decisions of this batch."""

SCORE, COMBINED, ADVANTAGE = range(3)
USE, GAIN = range(2)
"""The numbers of the words for ``measure`` and ``access`` in the configuration."""


class KernelSettings(NamedTuple):
    """The numbers in a configuration that the kernels read; see ``gpkit.games.dots_and_boxes.learning``."""

    rate: float
    forgetting: float
    few: int
    covering: float
    fault: float
    mending: float
    exploration: float
    judging: float
    prior: int
    measure: int
    access: int


class World(NamedTuple):
    """All data that a learner needs for playing and learning.

    Attributes:
        settings: the settings of the learner.
        environment: the environment with the current opponent.
        graphs: the graphs of all classes; see ``gpkit.games.dots_and_boxes.kernel.boxes``.
        population, memory, critic, record: the parts that are modified in place.
    """

    settings: KernelSettings
    environment: Environment
    graphs: Graphs
    population: Population
    memory: MatchMemory
    critic: Critic
    record: BatchRecord


@inlined
def set_domains(number, graphs, memory):  # type: ignore[no-untyped-def]
    """Find the nodes of a class that each kind of node can match."""
    positions = graphs.positions
    fill_domains(positions.nodes, positions.starts[number], positions.starts[number + 1], memory.domains)


@inlined
def propose(number, search, graphs, population, memory):  # type: ignore[no-untyped-def]
    """The edges that a rule proposes in a class, as a mask.

    Rules of level 0 have no conditions and no graphs that must be absent, so the search never reads its arguments for
    them.

    Args:
        search: int16 (PLACES + PLACE · places,): the search of a rule of level 0, in the format of the plan's
            ``imaging``.
        number, graphs, population: see the description of the module.
        memory: the memory, with the domains of the class; see ``set_domains``.
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
    if found != NONE:
        for edge in range(values.shape[0]):
            if values[edge] >= 0 and found >> np.uint64(values[edge]) & ONE:
                mask |= 1 << edge
    return mask


@inlined
def next_matching(number, slot, memory):  # type: ignore[no-untyped-def]
    """The first slot, starting at ``slot``, with a rule that is known to match in a class, or ``NO_SLOT``."""
    for word in range(slot // IN_WORD, memory.matching.shape[1]):
        mask = int(memory.matching[number, word])
        if word == slot // IN_WORD:
            mask &= -1 << slot % IN_WORD
        if mask:
            return word * IN_WORD + lowest(mask)
    return NO_SLOT


@called
def propose_again(number, slot, graphs, population, memory):  # type: ignore[no-untyped-def]
    """The mask of the edges that a slot's rule proposes in a class."""
    set_domains(number, graphs, memory)
    return propose(number, population.searches[slot], graphs, population, memory)


@inlined
def try_rule(number, slot, graphs, population, memory):  # type: ignore[no-untyped-def]
    """Find out whether a slot's rule matches in a class, unless that is already known.

    The memory must contain the domains of the class.
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
    """Forget whether rules match in a class, for the slots in one word whose bits are set in ``changed``."""
    known = int(memory.matching[number, word]) & changed
    if known:
        memory.matching[number, word] ^= known
        memory.counts[number] -= ones(known)
    memory.pending[number, word] |= changed


@inlined
def catch_up(number, population, memory):  # type: ignore[no-untyped-def]
    """Forget whether the rules of changed slots match in a class, or of all slots if the class was never met."""
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
    """Find out which rules match in a class; afterwards, the memory contains the domains of the class."""
    catch_up(number, population, memory)
    set_domains(number, graphs, memory)
    for word in range(memory.pending.shape[1]):
        mask = int(memory.pending[number, word])
        while mask:
            try_rule(number, word * IN_WORD + lowest(mask), graphs, population, memory)
            mask &= mask - 1


@inlined
def is_before(slot, other, quality):  # type: ignore[no-untyped-def]
    """Whether a slot's rule has a higher quality than another slot's rule; ties go to the lower slot."""
    return quality[slot] > quality[other] or (quality[slot] == quality[other] and slot < other)


@inlined
def insert(slot, count, quality, best):  # type: ignore[no-untyped-def]
    """Add a slot to ``count`` ranked slots if it is among the best; returns the new count."""
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
    """Find the matching rules of highest quality; ties go to the lower slot.

    The function tries a rule in the class only if the rule would be among the best.

    Args:
        number: a class.
        best: int64 (best,), output.
        graphs: the graphs of all classes.
        population, memory: see ``World``.

    Returns:
        The number of rules found.
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
    """The place of a ranked rule, drawn with a probability proportional to exp(beta · quality).

    Args:
        best: int64: the slots, ranked by quality.
        count: the number of slots.
        quality: float64 (slots,).
        beta: the weight of quality, at least 0.
        u: a uniform random number in [0, 1).
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


@inlined
def value_of(number, edge, environment, critic):  # type: ignore[no-untyped-def]
    """The estimated value of an edge for the learner if the learner draws the edge in a class."""
    after = environment.classes.successors[number, edge]
    again = environment.classes.closed[number, edge] > 0
    return environment.worth[number, edge] + (critic.own[after] if again else critic.other[after])


@inlined
def best_edge(number, environment, critic):  # type: ignore[no-untyped-def]
    """The edge with the highest value in a class before the end of the game, and its value; ties go to the first."""
    best, top = -1, 0.0
    for edge in range(environment.classes.successors.shape[1]):
        if environment.classes.successors[number, edge] >= 0:
            value = value_of(number, edge, environment, critic)
            if best < 0 or value > top:
                best, top = edge, value
    return best, top


@inlined
def average_value(number, mask, environment, critic):  # type: ignore[no-untyped-def]
    """The mean value of drawing an edge of a mask, all equally likely."""
    total, left = 0.0, mask
    while left:
        total += value_of(number, lowest(left), environment, critic)
        left &= left - 1
    return total / ones(mask)


@inlined
def learn_values(turns, environment, settings, critic, record):  # type: ignore[no-untyped-def]
    """Learn the values of the classes of a game, from its end to its beginning.

    For a class in which the learner drew, the new value is the value of the best edge. For a class in which the
    opponent drew, the value moves towards the outcome: at first as an average, later at the rate ``judging``.
    """
    for turn in range(turns - 1, -1, -1):
        number, edge = record.drawn[turn, DRAWN_CLASS], record.drawn[turn, DRAWN_EDGE]
        if record.drawn[turn, DRAWN_DECISION] != BY_OPPONENT:
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
    """Update the quality of rules that matched in a game by comparing their proposals with the best edge.

    If ``access`` is ``GAIN``, the best rule of a class also gets credit for its gain over the edge that would be drawn
    without it.
    """
    settings, environment, graphs, population, memory, critic, record = world
    for turn in range(turns):
        if record.drawn[turn, DRAWN_DECISION] == BY_OPPONENT:
            continue
        number = record.drawn[turn, DRAWN_CLASS]
        count = rank(number, record.best, graphs, population, memory)
        if count > 0 and settings.access == GAIN:
            best = record.best[0]
            mask = propose_again(number, best, graphs, population, memory)
            instead = environment.classes.legal[number]
            if count > 1:
                instead = propose_again(number, record.best[1], graphs, population, memory)
            population.access[best] += average_value(number, mask, environment, critic)
            population.access[best] -= average_value(number, instead, environment, critic)
        meet(number, graphs, population, memory)
        slot = next_matching(number, 0, memory)
        while slot != NO_SLOT:
            population.uses[slot] += 1
            step = max(settings.rate, 1.0 / (population.uses[slot] + settings.prior))
            mask = propose(number, population.searches[slot], graphs, population, memory)
            came = average_value(number, mask, environment, critic) - critic.own[number]
            population.quality[slot] += step * (came - population.quality[slot])
            slot = next_matching(number, slot + 1, memory)


@inlined
def learn_acting(turns, reward, settings, population, record):  # type: ignore[no-untyped-def]
    """Update the quality (equation 1) and accessibility (equation 2) of each rule that acted in a game, only once."""
    for turn in range(turns):
        row = record.drawn[turn, DRAWN_DECISION]
        if row == BY_OPPONENT or record.decisions[row, AT_SLOT] == UNGUIDED:
            continue
        slot = record.decisions[row, AT_SLOT]
        again = False
        for earlier in range(turn):
            other = record.drawn[earlier, DRAWN_DECISION]
            again |= other != BY_OPPONENT and record.decisions[other, AT_SLOT] == slot
        if again:
            continue
        record.totals[USED] += 1
        if settings.access == USE:
            population.access[slot] += 1.0
        if settings.measure == SCORE:
            population.quality[slot] += settings.rate * (reward - population.quality[slot])
        elif settings.measure == COMBINED:
            population.quality[slot] += settings.rate * reward


@inlined
def best_of(number, graphs, population, memory):  # type: ignore[no-untyped-def]
    """The slot of the matching rule of highest quality, or ``NO_SLOT``; ties go to the lower slot."""
    return memory.ranked[0] if rank(number, memory.ranked, graphs, population, memory) else NO_SLOT


@kernel
def judge(search, signature, recent, times, proposals, expected, prior, world):  # type: ignore[no-untyped-def]
    """Try a new rule on recent decisions to find its quality, and the amount by which it would have improved them.

    Args:
        search: int16 (PLACES + PLACE · places,): the rule's search, in the format of the plan's ``imaging``.
        signature: uint64 (WORDS,): the rule's signature.
        recent: int32 (classes,): the classes met recently, without repeats.
        times: int64 (classes,): the number of times that each class was met.
        proposals: int32 (at least classes,), scratch space.
        expected: the expected quality of a new rule.
        prior: the weight of the expected quality, as a number of decisions.
        world: see ``World``; the function updates its memory for the classes in which the rule matches.

    Returns:
        The number of decisions in which the rule matches; its total gain over the current best rule, in decisions where
        the new rule would be the best; and its quality.
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
    """Follow the best rule in every class that can occur when the greedy player plays against the opponent.

    Args:
        environment, graphs, population: see the description of the module.
        memory: the memory, which is updated for these classes.
        reached: uint8 (classes, 2), 1 for the first classes and 0 for others; output: 1 for each class that can occur
            with the learner to draw (column 0) or with the opponent to draw (column 1).
        masks: int64 (classes,), output: the proposed edges where the learner is to draw, all legal edges if no rule
            matches, or 0 elsewhere.

    Returns:
        The number of classes that can occur in which the learner is to draw and no rule matches.
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


START, EDGE, COVERING, RULE, EXPLORING, PURPOSES = range(6)
"""The purposes for which random numbers are drawn. The counters of a random number are the game, and PURPOSES · turn +
purpose."""

HALF = 0.5


@inlined
def decide(number, game, turn, key, beta, world):  # type: ignore[no-untyped-def]
    """The slot of the rule that acts in a class, the edge drawn, and whether the class needs a new rule."""
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
        return UNGUIDED, one_of(environment.classes.legal[number], u), True
    if count == 0 or keyed_uniform(key, game, chance + EXPLORING) < settings.exploration:
        return UNGUIDED, one_of(environment.classes.legal[number], u), False
    slot = best[boltzmann(best, count, population.quality, beta, keyed_uniform(key, game, chance + RULE))]
    return slot, one_of(propose_again(number, slot, graphs, population, memory), u), False


@inlined
def ask_to_mend(turns, game, key, world):  # type: ignore[no-untyped-def]
    """Request new rules for classes of a game in which the best rule, or any edge if no rule matches, loses too much.

    Returns:
        The number of rules requested.
    """
    settings, environment, graphs, population, memory, critic, record = world
    asked = 0
    for turn in range(turns):
        decision = record.drawn[turn, DRAWN_DECISION]
        if (
            decision == BY_OPPONENT
            or record.decisions[decision, AT_WANTED] != NOTHING
            or keyed_uniform(key, game, PURPOSES * turn + COVERING) >= settings.mending
        ):
            continue
        number = record.drawn[turn, DRAWN_CLASS]
        count = rank(number, record.best, graphs, population, memory)
        mask = environment.classes.legal[number]
        if count > 0:
            mask = propose_again(number, record.best[0], graphs, population, memory)
        edge, top = best_edge(number, environment, critic)
        if top - average_value(number, mask, environment, critic) > settings.fault:
            record.decisions[decision, AT_WANTED] = edge
            asked += 1
    return asked


@inlined
def play_game(game, key, beta, world):  # type: ignore[no-untyped-def]
    """Play one game.

    Returns:
        The number of edges drawn; the learner's boxes minus the opponent's; the learner's rewards minus the opponent's;
        and the number of rules requested.
    """
    environment, record = world.environment, world.record
    number, turn, margin, reward, asked = 0, 0, 0, 0, 0
    mine = keyed_uniform(key, game, START) < HALF
    while number != environment.classes.successors.shape[0] - 1:
        row = BY_OPPONENT
        if mine:
            slot, edge, wanted = decide(number, game, turn, key, beta, world)
            row = int(record.totals[IN_BATCH])
            record.decisions[row, AT_CLASS] = number
            record.decisions[row, AT_SLOT] = slot
            record.decisions[row, AT_EDGE] = edge
            record.decisions[row, AT_WANTED] = edge if wanted else NOTHING
            record.totals[IN_BATCH] += 1
            record.totals[DECISIONS] += 1
            record.totals[GUIDED] += slot != UNGUIDED
            asked += wanted
        else:
            edge = one_of(environment.replies[number], keyed_uniform(key, game, PURPOSES * turn + EDGE))
        record.drawn[turn, DRAWN_CLASS] = number
        record.drawn[turn, DRAWN_EDGE] = edge
        record.drawn[turn, DRAWN_DECISION] = row
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
    """Play games and learn from each one, until a game requests a rule.

    Args:
        first: the number of the first game to play.
        games: the maximum number of games to play.
        key: the key of all random numbers, from 0 to 2^26 − 1.
        beta: see ``boltzmann``.
        world: see ``World``; modified in place.

    Returns:
        The number of games played.
    """
    settings, environment, _, population, _, critic, record = world
    for game in range(first, first + games):
        turns, margin, reward, asked = play_game(game, key, beta, world)
        record.totals[GAMES] += 1
        record.totals[REWARDS] += reward
        record.totals[WINS] += 1.0 if margin > 0 else HALF if margin == 0 else 0.0
        for slot in range(population.access.shape[0]):
            population.access[slot] *= 1.0 - settings.forgetting
        if settings.measure == COMBINED:
            for slot in range(population.quality.shape[0]):
                population.quality[slot] *= 1.0 - settings.rate
        learn_acting(turns, reward, settings, population, record)
        if settings.measure == ADVANTAGE:
            learn_values(turns, environment, settings, critic, record)
            learn_matching(turns, world)
            if settings.mending > 0.0:
                asked += ask_to_mend(turns, game, key, world)
        if asked > 0:
            return game - first + 1
    return games
