"""Replay of decisions that were met lately: what the rules that act lose there, and what would be lost without each.

New rules are tried in one row after the other, in steps that spread over all of them; ``turn`` is when a row's turn
comes, from row 0 on, and what is read of a row then stands in this order. The place of a new rule among others that are
in order is where these decisions gain most by it.

Arguments that are not explained are the tables of that name in ``arrays``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.games.dots_and_boxes.kernel.positions import Graphs
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.choosing import is_before, lead, propose, set_domains
from gpkit.games.dots_and_boxes.learner.kernel.learning import mean_of, value_of
from gpkit.matching.kernel.layout import SearchScratch
from gpkit.matching.kernel.search import may_match

STEP = 1.0
"""The quality of the first rule of an order is so much above that of the next one, that of the last so much below."""


class Acting(NamedTuple):
    """Rules that act where a new one matches, scratch.

    Attributes:
        slots: int64 (slots,): of these rules.
        gains: float64 (slots,), 0 between calls: by slot what is gained where the new rule acts instead.
        acts: bool (slots,), False between calls: by slot whether it is one of these.
    """

    slots: NDArray[np.int64]
    gains: NDArray[np.float64]
    acts: NDArray[np.bool_]


@inlined
def sort_by_quality(slots, count, quality):  # type: ignore[no-untyped-def]
    """Sort slots by quality, the least first; of equal ones the higher slot."""
    for k in range(1, count):
        slot, place = slots[k], k
        while place > 0 and is_before(slots[place - 1], slot, quality):
            slots[place] = slots[place - 1]
            place -= 1
        slots[place] = slot


@inlined
def best_place(rules, unguided, acting, quality):  # type: ignore[no-untyped-def]
    """Find the place before so many rules that act, the worst of them first, where most is gained.

    Returns:
        What is gained there, and the quality of that place.
    """
    sort_by_quality(acting.slots, rules, quality)
    best, total = unguided, unguided
    found = quality[acting.slots[0]] - STEP if rules > 0 else 0.0
    for k in range(rules):
        slot = acting.slots[k]
        total += acting.gains[slot]
        floor = quality[slot]
        ceiling = quality[acting.slots[k + 1]] if k + 1 < rules else floor + 2.0 * STEP
        middle = (floor + ceiling) / 2.0
        if total > best and floor < middle < ceiling:
            best, found = total, middle
        acting.gains[slot] = 0.0
        acting.acts[slot] = False
    return best, found


ACTING = 2
"""So many of the best rules of each class are known: if one goes, the next one acts."""

PACE = 200_003
"""Rows are gone through in steps of so many: a prime number beyond the number of classes, so that each comes once."""

PART, HOPE = 4, 0.25
"""A rule is tried in the first so-many-th of the rows alone, if these would gain less by it, were it the first of all,
than this share of what it must gain; it acts in no other row then until the next replay."""


class Replay(NamedTuple):
    """Decisions that were met lately, class by class.

    Attributes:
        classes: int32 (classes,): the classes that were met, each once.
        times: int64 (classes,): how often each was met.
        turns: int64 (classes,): when the turn of each comes.
        rows: int64 (classes,): by turn the row of a class.
        graphs: by turn, of its position.
        domains: uint16 (classes, kinds): by turn, what each kind of node can be, as ``matching.kernel.search`` finds
            it; no position has more nodes than bits.
        acting: int64 (classes, ACTING): the slots of the best rules that match, or ``NO_SLOT``.
        values: float64 (classes, ACTING): what they propose is worth; without a rule what any edge is.
        edges: int64 (classes,): the edge of the greatest value.
        tops: float64 (classes,): this value.
        stakes: float64 (classes, edges): by turn, what each edge is worth; of those that are drawn already never read.
        losses: float64 (classes,): what is lost in all decisions up to those of each class.
        tried: float64 (classes,), scratch: what a new rule proposes is worth.
        matched: int64 (1 + classes,), scratch: how many classes a new rule matches in, and which.
    """

    classes: NDArray[np.int32]
    times: NDArray[np.int64]
    turns: NDArray[np.int64]
    rows: NDArray[np.int64]
    graphs: Graphs
    domains: NDArray[np.uint16]
    acting: NDArray[np.int64]
    values: NDArray[np.float64]
    edges: NDArray[np.int64]
    tops: NDArray[np.float64]
    stakes: NDArray[np.float64]
    losses: NDArray[np.float64]
    tried: NDArray[np.float64]
    matched: NDArray[np.int64]


@kernel
def find_domains(replay, memory):  # type: ignore[no-untyped-def]
    """Find what each kind of node can be in each class.

    Args:
        replay: written.
        memory: see ``arrays``; its domains are changed.
    """
    for turn in range(replay.domains.shape[0]):
        set_domains(turn, replay.graphs, memory)
        for kind in range(replay.domains.shape[1]):
            replay.domains[turn, kind] = memory.domains[kind]


@inlined
def add_losses(replay):  # type: ignore[no-untyped-def]
    """Add up what is lost in the decisions, class by class."""
    lost = 0.0
    for k in range(replay.classes.shape[0]):
        lost += replay.times[k] * (replay.tops[k] - replay.values[k, 0])
        replay.losses[k] = lost


@kernel
def find_stakes(replay, environment, critic):  # type: ignore[no-untyped-def]
    """Find what each edge is worth in each class, and the best of them, of equal ones the first."""
    for k in range(replay.classes.shape[0]):
        number, best, top = replay.classes[k], -1, 0.0
        stakes = replay.stakes[replay.turns[k]]
        for edge in range(replay.stakes.shape[1]):
            if environment.classes.successors[number, edge] >= 0:
                value = value_of(number, edge, environment, critic)
                stakes[edge] = value
                if best < 0 or value > top:
                    best, top = edge, value
        replay.edges[k], replay.tops[k] = best, top


@kernel
def find_acting(replay, gone, world):  # type: ignore[no-untyped-def]
    """Find the best rules of each class in which one of them is gone, and what is lost then.

    Args:
        replay: written; what each edge is worth is known.
        gone: bool (slots + 1,): whether the rule of a slot is gone; the last stands for ``NO_SLOT``.
        world: see ``arrays``; what its memory knows of the best rules is brought up to date.
    """
    _, environment, graphs, population, memory, _, _ = world
    for k in range(replay.classes.shape[0]):
        if not (gone[replay.acting[k, 0]] or gone[replay.acting[k, 1]]):
            continue
        number = replay.classes[k]
        count = lead(number, graphs, population, memory)
        for place in range(ACTING):
            slot, mask = at.NO_SLOT, 0
            if place < count:
                slot = memory.leaders[number, at.LEADER + 2 * place]
                mask = memory.leaders[number, at.LEADER + 2 * place + 1]
            elif place == count:
                mask = environment.classes.legal[number]
            replay.acting[k, place] = slot
            if mask != 0:
                replay.values[k, place] = mean_of(mask, replay.stakes[replay.turns[k]])
    add_losses(replay)


@kernel
def find_place(search, signature, own, least, replay, acting, world):  # type: ignore[no-untyped-def]
    """Find the place of a new rule: before all rules that are worse where it matches, taken together.

    Args:
        search: int16 (PLACES + PLACE · places,): of the rule, as the plan's ``imaging``.
        signature: uint64 (WORDS,): of the rule.
        own: the row of the class that it is made for.
        least: it is wanted only if it gains more than this.
        replay: see ``Replay``; its scratch is written.
        acting: see ``Acting``.
        world: see ``arrays``.

    Returns:
        In how many of the decisions the rule matches, as far as it is tried; what they gain by it there; and the
        quality of that place.
    """
    graphs, population, memory = replay.graphs, world.population, world.memory
    count, rules, unguided, found, gains = 0, 0, 0.0, 0, 0.0
    classes = replay.classes.shape[0]
    turn = replay.turns[own] - 1
    for step in range(classes):
        turn = turn + 1 if turn + 1 < classes else 0
        if step == classes // PART and gains < least * HOPE:
            break
        if not may_match(graphs.positions.signatures[turn], signature[0], signature[1]):
            continue
        scratch = SearchScratch(replay.domains[turn], memory.stack)
        mask = propose(turn, search, graphs, population, scratch)
        if mask == 0:
            continue
        k = replay.rows[turn]
        found += 1
        replay.matched[found] = k
        replay.tried[k] = mean_of(mask, replay.stakes[turn])
        gain = replay.times[k] * (replay.tried[k] - replay.values[k, 0])
        count += replay.times[k]
        gains += gain
        best = replay.acting[k, 0]
        if best == at.NO_SLOT:
            unguided += gain
        else:
            if not acting.acts[best]:
                acting.acts[best] = True
                acting.slots[rules] = best
                rules += 1
            acting.gains[best] += gain
    replay.matched[0] = found
    gain, place = best_place(rules, unguided, acting, population.quality)
    return count, gain, place


@kernel
def take_place(slot, quality, replay):  # type: ignore[no-untyped-def]
    """Enter the rule that was tried last where it is better than the best so far, and find what is lost.

    Args:
        slot: of this rule.
        quality: float64 (slots,).
        replay: see ``Replay``; written.
    """
    acting, values = replay.acting, replay.values
    for entry in range(1, replay.matched[0] + 1):
        k = replay.matched[entry]
        for place in range(ACTING):
            if acting[k, place] == at.NO_SLOT or is_before(slot, acting[k, place], quality):
                if place == 0:
                    acting[k, 1], values[k, 1] = acting[k, 0], values[k, 0]
                acting[k, place], values[k, place] = slot, replay.tried[k]
                break
    add_losses(replay)
