"""Choosing a card: by the program of the agent, or by sampling worlds and playing them out (``pimc``)."""

import numpy as np

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import lowest, nth, ones
from gpkit.games.sevens.kernel import layout as at
from gpkit.games.sevens.kernel.rules import apply, score
from gpkit.games.sevens.kernel.sensors import SENSOR_COUNT, TABLE_SENSORS, sense_card, sense_table
from gpkit.vm.isa import HALT
from gpkit.vm.keyed import keyed_uniform, keyed_word
from gpkit.vm.machine import run


@inlined
def choose(state, rules, agent, code, memory, key):  # type: ignore[no-untyped-def]
    """The card that a program gives the highest value: candidates ascending, the first wins ties, NaN loses.

    Args:
        state: int64 (STATE_SIZE,), at a decision.
        rules: int64 (RULES_SIZE,).
        agent: int64 (AGENT_SIZE,).
        code: uint32 (rows, 5), the linked programs.
        memory: float64 (2, slots): of the agent's play and send program; changed in place.
        key: the deal's key, 26 bits.

    Returns:
        (card, 1 if a program exceeded its steps, else 0).
    """
    section = at.PLAY if state[at.PHASE] == at.PLAY else at.SEND
    column = section * at.PROGRAM_SIZE
    used = agent[column + at.USED]
    slots = memory[section]
    if used & TABLE_SENSORS:
        sense_table(slots, used, state, rules)
    candidates = state[at.LEGAL]
    best_card = lowest(candidates)
    best = np.nan
    invalid = 0
    while candidates:
        card = lowest(candidates)
        candidates &= candidates - 1
        sense_card(slots, used, state, card, rules)
        for k in range(agent[column + at.RANDOMS]):
            slots[SENSOR_COUNT + k] = keyed_uniform(key, state[at.ACTIONS], (k << at.CARD_BITS) + card)
        stopped, _, _ = run(code, slots, agent[column + at.ENTRY], code.shape[0])
        invalid |= stopped != HALT
        value = slots[agent[column + at.RESULT]]
        if value > best or (best != best and value == value):
            best = value
            best_card = card
    return best_card, invalid


@inlined
def search(state, rules, agent, code, memory, key, scratch, log):  # type: ignore[no-untyped-def]
    """The card that scores most, on average, over sampled worlds played out by the agent's own programs (``pimc``).

    ``search.py`` beside this folder says what it means.

    Args:
        scratch: its second and third state are for the sampled world and its playout, its totals for the candidates.
        log: int64 (0, LOG_SIZE): playouts are not recorded.
        others: as of ``choose``.

    Returns:
        (card, 1 if a program exceeded its steps, else 0).
    """
    totals = scratch.totals
    totals[:] = 0.0
    world, game = scratch.states[1], scratch.states[2]
    invalid = 0
    for number in range(agent[at.WORLDS]):
        _sample_world(world, state, rules, key, number)
        candidates = state[at.LEGAL]
        while candidates:
            card = lowest(candidates)
            candidates &= candidates - 1
            _copy(world, game)
            apply(game, card, rules, log)
            while game[at.PHASE] != at.OVER:
                if game[at.LEGAL] & (game[at.LEGAL] - 1) == 0:
                    move = lowest(game[at.LEGAL])
                else:
                    move, failed = choose(game, rules, agent, code, memory, key)
                    invalid |= failed
                apply(game, move, rules, log)
            totals[card] += score(game, state[at.ACTOR], rules)
    best_card = lowest(state[at.LEGAL])
    for card in range(at.CARDS):
        if state[at.LEGAL] >> card & 1 and totals[card] > totals[best_card]:
            best_card = card
    return best_card, invalid


@inlined
def _sample_world(world, state, rules, key, number):  # type: ignore[no-untyped-def]
    """Copy the state and deal the cards unseen by the actor anew."""
    _copy(state, world)
    actor = state[at.ACTOR]
    unseen = 0
    for seat in range(rules[at.PLAYERS]):
        if seat != actor:
            unseen |= state[at.HANDS + seat]
            world[at.HANDS + seat] = 0
    left = ones(unseen)
    for seat in range(rules[at.PLAYERS]):
        if seat == actor:
            continue
        for _ in range(ones(state[at.HANDS + seat])):
            word = keyed_word(key, state[at.ACTIONS], at.WORLD_COUNTERS + (number << at.CARD_BITS) + left)
            pick = (word >> 20) * left >> 32
            card = nth(unseen, pick)
            unseen &= ~(1 << card)
            world[at.HANDS + seat] |= 1 << card
            left -= 1


@inlined
def _copy(source, target):  # type: ignore[no-untyped-def]
    """Copy one state into another."""
    for index in range(at.STATE_SIZE):
        target[index] = source[index]
