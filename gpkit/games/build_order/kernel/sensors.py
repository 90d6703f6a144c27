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

TICK, MINERALS, INCOME, LARVAE, DRONES, SUPPLY, CAP, FREE = range(8)
SENSED_POOL, POOL_TICKS, SENSED_ZERGLINGS, QUEENS, HATCHERIES = range(8, 13)
MAKING_DRONE, MAKING_OVERLORD, MAKING_POOL, MAKING_ZERGLINGS, MAKING_QUEEN, MAKING_HATCHERY = range(13, 19)
ENEMY_SEEN, ENEMY, ENEMY_TICKS, DANGER = range(19, 23)
IS_DRONE, IS_OVERLORD, IS_SPAWNING_POOL, IS_ZERGLINGS, IS_QUEEN, IS_HATCHERY, IS_SCOUT, IS_WAIT = range(
    23, 31
)
COST, SHORT, NOW, LACK = range(31, 35)
"""The slots of the sensors; ``SENSED_`` where the name means something else."""

ACTION_COUNT = len(ACTIONS)


@inlined
def sense_base(base, memory):  # type: ignore[no-untyped-def]
    """Write the sensors of the base and of the enemy into the first slots of ``memory``, float64."""
    counts = base.counts
    tick = counts[at.TICK]
    memory[TICK] = tick
    memory[MINERALS] = counts[at.MINERALS]
    income = 0
    for each in range(max(1, tick - at.INCOME_TICKS + 1), tick + 1):
        income += base.mined[each]
    memory[INCOME] = income
    memory[LARVAE] = larvae_of(base)
    memory[DRONES] = counts[at.DRONES]
    supply, cap = supply_of(counts), cap_of(base, 0)
    memory[SUPPLY] = supply
    memory[CAP] = cap
    memory[FREE] = cap - supply
    memory[SENSED_POOL] = counts[at.POOL]
    memory[POOL_TICKS] = 0.0
    if counts[at.MAKING + POOL] > 0:
        for number in range(counts[at.JOBS]):
            if base.jobs[number, at.ACTION] == POOL:
                memory[POOL_TICKS] = base.jobs[number, at.DONE] - tick
    memory[SENSED_ZERGLINGS] = counts[at.ZERGLINGS]
    memory[QUEENS] = counts[at.QUEENS]
    memory[HATCHERIES] = counts[at.HATCHERIES]
    for action in range(HATCHERY + 1):
        memory[MAKING_DRONE + action] = counts[at.MAKING + action]
    comes, known = counts[at.ATTACK_TICK], is_attack_known(base)
    memory[ENEMY_SEEN] = 1.0 if comes > 0 and known else 0.0
    if comes == 0 or known:
        memory[ENEMY] = counts[at.ATTACK_SIZE] if tick < comes else counts[at.ENEMIES]
        memory[ENEMY_TICKS] = max(0, comes - tick)
    else:
        total, possible, earliest = 0, 0, 0
        for number in range(len(ATTACK_TICKS)):
            if ATTACK_TICKS[number] > tick:
                total += ATTACK_SIZES[number]
                possible += 1
                if earliest == 0 or ATTACK_TICKS[number] < earliest:
                    earliest = ATTACK_TICKS[number]
        memory[ENEMY] = total / possible
        memory[ENEMY_TICKS] = earliest - tick
    memory[DANGER] = memory[ENEMY] - (counts[at.ZERGLINGS] + counts[at.QUEENS])


@inlined
def sense_order(base, action, memory):  # type: ignore[no-untyped-def]
    """Write the sensors of an order that can begin now or later into the slots after those of the base."""
    counts, rules = base.counts, base.rules
    for number in range(ACTION_COUNT):
        memory[IS_DRONE + number] = 1.0 if number == action else 0.0
    cost = rules[at.COST + action]
    memory[COST] = cost
    memory[SHORT] = max(0, cost - counts[at.MINERALS])
    memory[NOW] = 1.0 if can_begin(base, action) else 0.0
    memory[LACK] = 0.0
    if action < SCOUT:
        made = counts[at.MAKING + action] * (2 if action == ZERGLINGS else 1)
        memory[LACK] = max(0, rules[at.GOAL + action] - counts[action] - made)
