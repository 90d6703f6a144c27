"""Choosing a card by the program of an agent."""

import numpy as np

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import lowest
from gpkit.games.sevens.kernel import layout as at
from gpkit.games.sevens.kernel.sensors import SENSOR_COUNT, TABLE_SENSORS, sense_card, sense_table
from gpkit.vm.isa import HALT
from gpkit.vm.keyed import keyed_uniform
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
