"""Whole games, compiled: those of formulas that rank orders, and of plans."""

from typing import Any, NamedTuple

import numpy as np

from gpkit.core.compiled import kernel
from gpkit.core.kernel.choosing import is_higher
from gpkit.games.build_order.kernel import layout as at
from gpkit.games.build_order.kernel.base import advance, begin, can_ever_begin, order, score_of
from gpkit.games.build_order.kernel.sensors import sense_base, sense_order
from gpkit.games.build_order.kernel.things import ACTIONS, MOMENTS, WAIT
from gpkit.vm.isa import HALT, HOST
from gpkit.vm.keyed import CHANCES, HALF, keyed_uniform
from gpkit.vm.machine import run

ACTION_COUNT = len(ACTIONS)


class Formula(NamedTuple):
    """A formula of the machine.

    Attributes:
        code: uint32 (rows, 5).
        memory: float64 (slots,), changed: constants, and room for sensors and values.
        result: the slot of its value.
        sensors, randoms: how many slots sensors have, and random numbers after them.
        apart: 1 if every order draws numbers of its own, 0 if all orders of a decision share them.
    """

    code: Any
    memory: Any
    result: int
    sensors: int
    randoms: int
    apart: int


@kernel
def play_formula(base, attacks, keys, formula, ends):  # type: ignore[no-untyped-def]
    """Play games in which a formula ranks the orders that can begin now or later.

    Args:
        base: a game's arrays, changed.
        attacks: int64 (games, 2): tick and size of the attack of each.
        keys: int64 (games,): of random numbers.
        formula: a ``Formula``.
        ends: float64 (games, 3), changed: the score, the outcome as of ``layout``, and the last tick.
    """
    memory = formula.memory
    for game in range(ends.shape[0]):
        begin(base, attacks[game, 0], attacks[game, 1])
        goes_on, begun = True, 0
        while goes_on:
            moment = (base.counts[at.TICK] * MOMENTS + begun) & (HALF - 1)
            sense_base(base, memory)
            chosen, best = -1, np.nan
            for action in range(ACTION_COUNT):
                if not can_ever_begin(base, action):
                    continue
                sense_order(base, action, memory)
                for place in range(formula.randoms):
                    counter = (place * ACTION_COUNT + action * formula.apart) & (HALF - 1)
                    memory[formula.sensors + place] = keyed_uniform(keys[game], moment, counter)
                stopped, _, _ = run(formula.code, memory, 0, formula.code.shape[0])
                value = memory[formula.result] if stopped == HALT else np.nan
                if chosen < 0 or is_higher(value, best):
                    chosen, best = action, value
            goes_on = order(base, chosen)
            begun += 0 if chosen == WAIT else 1
        ends[game, 0] = score_of(base)
        ends[game, 1] = base.counts[at.OUTCOME]
        ends[game, 2] = base.counts[at.TICK]


@kernel
def play_plan(base, attacks, keys, code, memory, budget, ends):  # type: ignore[no-untyped-def]
    """Play games by a plan; when it has ended time passes.

    Args:
        base: a game's arrays, changed.
        attacks: int64 (games, 2): tick and size of the attack of each.
        keys: int64 (games,): of random numbers.
        code: uint32 (rows, 5): the plan; its actions, a tick and a draw are the host's opcodes.
        memory: float64 (2, slots): as the machine finds it in every game, and room for it, which is changed.
        budget: the most instructions of the machine in a game.
        ends: float64 (games, 3), changed: as of ``play_formula``; the outcome -1 says that the budget was used up.
    """
    room = memory[1]
    for game in range(ends.shape[0]):
        for slot in range(room.shape[0]):
            room[slot] = memory[0, slot]
        begin(base, attacks[game, 0], attacks[game, 1])
        goes_on, place, left, drawn = True, 0, budget, 0
        while goes_on:
            sense_base(base, room)
            opcode, stopped, steps = run(code, room, place, left)
            left -= steps
            action = opcode - HOST
            place = stopped + 1
            if opcode < HALT:
                goes_on = False
            elif opcode == HALT:
                place = stopped
                goes_on = order(base, WAIT)
            elif action < WAIT:
                goes_on = order(base, action)
            elif action == WAIT:
                advance(base, 0, base.counts[at.TICK] + 1)
                goes_on = base.counts[at.OUTCOME] == at.GOING
            else:
                room[code[stopped, 1]] = keyed_uniform(keys[game], CHANCES, drawn & (HALF - 1))
                drawn += 1
        spent = base.counts[at.OUTCOME] == at.GOING
        ends[game, 0] = score_of(base)
        ends[game, 1] = -1 if spent else base.counts[at.OUTCOME]
        ends[game, 2] = base.counts[at.TICK]
