"""Sensors, compiled; the twin is ``gpkit.games.build_order.sensors``."""

from gpkit.core.compiled import inlined
from gpkit.games.build_order.kernel import layout as at
from gpkit.games.build_order.kernel.base import can_begin, cap_of, is_attack_known, larvae_of, supply_of
from gpkit.games.build_order.kernel.things import (
    ACTIONS,
    ATTACK_SIZES,
    ATTACK_TICKS,
    HATCHERY,
    POOL,
    SCOUT,
    ZERGLINGS,
)

FIRST = at.FEATURES
"""The slot of the first sensor of an order."""

ACTION_COUNT = len(ACTIONS)


@inlined
def sense_base(base, memory):  # type: ignore[no-untyped-def]
    """Write the sensors of the base and of the enemy into the first slots of ``memory``, float64."""
    counts = base.counts
    tick = counts[at.TICK]
    memory[0] = tick
    memory[1] = counts[at.MINERALS]
    income = 0
    for each in range(max(1, tick - at.INCOME_TICKS + 1), tick + 1):
        income += base.mined[each]
    memory[2] = income
    memory[3] = larvae_of(base)
    memory[4] = counts[at.DRONES]
    supply, cap = supply_of(counts), cap_of(base, 0)
    memory[5] = supply
    memory[6] = cap
    memory[7] = cap - supply
    memory[8] = counts[at.POOL]
    memory[9] = 0.0
    if counts[at.MAKING + POOL] > 0:
        for number in range(counts[at.JOBS]):
            if base.jobs[number, at.ACTION] == POOL:
                memory[9] = base.jobs[number, at.DONE] - tick
    memory[10] = counts[at.ZERGLINGS]
    memory[11] = counts[at.QUEENS]
    memory[12] = counts[at.HATCHERIES]
    for action in range(HATCHERY + 1):
        memory[13 + action] = counts[at.MAKING + action]
    sense_enemy(base, memory)


@inlined
def sense_enemy(base, memory):  # type: ignore[no-untyped-def]
    """Write the sensors of the enemy, the last four of the base."""
    counts = base.counts
    tick, comes = counts[at.TICK], counts[at.ATTACK_TICK]
    known = is_attack_known(base)
    memory[19] = 1.0 if comes > 0 and known else 0.0
    if comes == 0 or known:
        memory[20] = counts[at.ATTACK_SIZE] if tick < comes else counts[at.ENEMIES]
        memory[21] = max(0, comes - tick)
    else:
        total, possible, earliest = 0, 0, 0
        for number in range(len(ATTACK_TICKS)):
            if ATTACK_TICKS[number] > tick:
                total += ATTACK_SIZES[number]
                possible += 1
                if earliest == 0 or ATTACK_TICKS[number] < earliest:
                    earliest = ATTACK_TICKS[number]
        memory[20] = total / possible
        memory[21] = earliest - tick
    memory[22] = memory[20] - (counts[at.ZERGLINGS] + counts[at.QUEENS])


@inlined
def sense_order(base, action, memory):  # type: ignore[no-untyped-def]
    """Write the sensors of an order that can begin now or later into the slots after those of the base."""
    counts, rules = base.counts, base.rules
    for number in range(ACTION_COUNT):
        memory[FIRST + number] = 1.0 if number == action else 0.0
    cost = rules[at.COST + action]
    place = FIRST + ACTION_COUNT
    memory[place] = cost
    memory[place + 1] = max(0, cost - counts[at.MINERALS])
    memory[place + 2] = 1.0 if can_begin(base, action) else 0.0
    memory[place + 3] = 0.0
    if action < SCOUT:
        made = counts[at.MAKING + action] * (2 if action == ZERGLINGS else 1)
        memory[place + 3] = max(0, rules[at.GOAL + action] - count_of(counts, action) - made)


@inlined
def count_of(counts, action):  # type: ignore[no-untyped-def]
    """Number of finished things of the kind that an order makes."""
    if action == 0:
        return counts[at.DRONES]
    if action == 1:
        return counts[at.OVERLORDS]
    if action == POOL:
        return counts[at.POOL]
    if action == ZERGLINGS:
        return counts[at.ZERGLINGS]
    return counts[at.HATCHERIES] if action == HATCHERY else counts[at.QUEENS]
