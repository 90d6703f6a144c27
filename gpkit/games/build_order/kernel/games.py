"""The compiled build order: the development of the base from tick to tick, the sensors, and complete games."""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.shared import is_higher
from gpkit.games.build_order.kernel import layout as at
from gpkit.games.build_order.kernel.things import (
    ACTIONS,
    ATTACK_SIZES,
    ATTACK_TICKS,
    DRONE,
    HATCHERY,
    MOMENTS,
    MOST_HATCHERIES,
    MOST_SUPPLY,
    OVERLORD,
    POOL,
    QUEEN,
    SCOUT,
    WAIT,
    ZERGLINGS,
)
from gpkit.vm.isa import HALT, HOST
from gpkit.vm.kernel.keyed import keyed_uniform
from gpkit.vm.keyed import CHANCES, HALF
from gpkit.vm.machine import run

NEVER = 1 << 40


@inlined
def begin(base, attack_tick, attack_size):  # type: ignore[no-untyped-def]
    """Write the state of a game at tick 0."""
    rules, counts = base.rules, base.counts
    counts[:] = 0
    counts[at.MINERALS] = rules[at.MINERALS_AT_FIRST]
    counts[at.OVERLORDS] = rules[at.OVERLORDS_AT_FIRST]
    counts[at.DRONES] = rules[at.DRONES_AT_FIRST]
    counts[at.HATCHERIES] = 1
    counts[at.ATTACK_TICK], counts[at.ATTACK_SIZE] = attack_tick, attack_size
    base.drones[: counts[at.DRONES]] = 0
    base.hatcheries[0, at.LARVAE] = rules[at.LARVAE_AT_FIRST]
    full = rules[at.LARVAE_AT_FIRST] >= rules[at.LARVAE_MOST]
    base.hatcheries[0, at.READY] = 0 if full else rules[at.LARVA_EVERY]
    base.mined[0] = 0
    share_out(base)
    look_ahead(base)


@inlined
def share_out(base):  # type: ignore[no-untyped-def]
    """Write the minerals that drones deliver in each phase of their trips."""
    rules, counts, income = base.rules, base.counts, base.income
    income[: rules[at.TRIP]] = 0
    whole = min(counts[at.DRONES], rules[at.CROWDED] * counts[at.HATCHERIES])
    mining = min(counts[at.DRONES], rules[at.FULL] * counts[at.HATCHERIES])
    for number in range(whole):
        income[base.drones[number]] += rules[at.LOAD]
    for number in range(whole, mining):
        income[base.drones[number]] += rules[at.CROWDED_LOAD]


@inlined
def look_ahead(base):  # type: ignore[no-untyped-def]
    """Write the next tick at which anything other than mining happens."""
    counts = base.counts
    tick = counts[at.TICK]
    found = base.rules[at.HORIZON]
    if counts[at.ENEMIES] > 0:
        found = min(found, tick + 1)
    if counts[at.ATTACK_TICK] > tick:
        found = min(found, counts[at.ATTACK_TICK])
    for number in range(counts[at.HATCHERIES]):
        if base.hatcheries[number, at.READY] > 0:
            found = min(found, base.hatcheries[number, at.READY])
    for number in range(counts[at.QUEENS]):
        found = min(found, base.queens[number, at.GIFT])
    for number in range(counts[at.JOBS]):
        found = min(found, base.jobs[number, at.DONE])
    counts[at.NEXT] = max(found, tick + 1)


@inlined
def larvae_of(base):  # type: ignore[no-untyped-def]
    """The number of larvae in all hatcheries."""
    found = 0
    for number in range(base.counts[at.HATCHERIES]):
        found += base.hatcheries[number, at.LARVAE]
    return found


@inlined
def supply_of(counts):  # type: ignore[no-untyped-def]
    """The supply in use."""
    drones = counts[at.DRONES] + counts[at.MAKING + DRONE] + counts[at.MAKING + SCOUT]
    zerglings = ((counts[at.ZERGLINGS] + 1) >> 1) + counts[at.MAKING + ZERGLINGS]
    return drones + zerglings + 2 * (counts[at.QUEENS] + counts[at.MAKING + QUEEN])


@inlined
def cap_of(base, to_come):  # type: ignore[no-untyped-def]
    """The supply limit, including things in production if ``to_come`` is 1 rather than 0."""
    rules, counts = base.rules, base.counts
    overlords = counts[at.OVERLORDS] + to_come * counts[at.MAKING + OVERLORD]
    hatcheries = counts[at.HATCHERIES] + to_come * counts[at.MAKING + HATCHERY]
    return min(MOST_SUPPLY, overlords * rules[at.OVERLORD_SUPPLY] + hatcheries * rules[at.HATCHERY_SUPPLY])


@inlined
def is_attack_known(base):  # type: ignore[no-untyped-def]
    """True if the player knows the coming attack."""
    counts = base.counts
    hidden = base.rules[at.HIDDEN] == 1 and counts[at.SCOUTED] == 0
    return not hidden or counts[at.TICK] >= counts[at.ATTACK_TICK]


@inlined
def can_ever_begin(base, action):  # type: ignore[no-untyped-def]
    """True if an order can begin now or later, provided that nothing else is ordered and nothing dies before then."""
    counts = base.counts
    drones = counts[at.DRONES] + counts[at.MAKING + DRONE] + counts[at.MAKING + SCOUT]
    if drones == 0 and counts[at.MINERALS] < base.rules[at.COST + action]:
        return False
    supply = 2 if action == QUEEN else 1
    if action in (DRONE, ZERGLINGS, QUEEN) and supply_of(counts) + supply > cap_of(base, 1):
        return False
    if action in (ZERGLINGS, QUEEN):
        return counts[at.POOL] + counts[at.MAKING + POOL] > 0
    if action == OVERLORD:
        return cap_of(base, 1) < MOST_SUPPLY
    if action == POOL:
        return drones > 0 and counts[at.POOL] + counts[at.MAKING + POOL] == 0
    if action == HATCHERY:
        return drones > 0 and counts[at.HATCHERIES] + counts[at.MAKING + HATCHERY] < MOST_HATCHERIES
    if action == SCOUT:
        return drones > 0 and not is_attack_known(base) and counts[at.MAKING + SCOUT] == 0
    return True


@inlined
def can_begin(base, action):  # type: ignore[no-untyped-def]
    """True if an order for which ``can_ever_begin`` is true can begin now."""
    counts = base.counts
    if counts[at.MINERALS] < base.rules[at.COST + action]:
        return False
    supply = 2 if action == QUEEN else 1
    if action in (DRONE, ZERGLINGS, QUEEN) and supply_of(counts) + supply > cap_of(base, 0):
        return False
    if action in (DRONE, OVERLORD, ZERGLINGS):
        return larvae_of(base) > 0 and (action != ZERGLINGS or counts[at.POOL] == 1)
    if action == QUEEN:
        return counts[at.POOL] == 1 and counts[at.MAKING + QUEEN] < counts[at.HATCHERIES]
    return action == WAIT or counts[at.DRONES] > 0


@inlined
def start(base, action):  # type: ignore[no-untyped-def]
    """Begin an order and deduct its costs; the order must be able to begin."""
    rules, counts = base.rules, base.counts
    place = 0
    if action in (DRONE, OVERLORD, ZERGLINGS):
        for number in range(counts[at.HATCHERIES]):
            if base.hatcheries[number, at.LARVAE] > base.hatcheries[place, at.LARVAE]:
                place = number
        base.hatcheries[place, at.LARVAE] -= 1
        if base.hatcheries[place, at.LARVAE] == rules[at.LARVAE_MOST] - 1:
            base.hatcheries[place, at.READY] = counts[at.TICK] + rules[at.LARVA_EVERY]
            counts[at.NEXT] = min(counts[at.NEXT], base.hatcheries[place, at.READY])
        place = 0
    elif action == QUEEN:
        number = 0
        while number < counts[at.JOBS]:
            if base.jobs[number, at.ACTION] == QUEEN and base.jobs[number, at.AT] == place:
                place += 1
                number = 0
            else:
                number += 1
    else:
        counts[at.DRONES] -= 1
        share_out(base)
    counts[at.MINERALS] -= rules[at.COST + action]
    job = base.jobs[counts[at.JOBS]]
    job[at.ACTION], job[at.DONE], job[at.AT] = action, counts[at.TICK] + rules[at.TICKS + action], place
    counts[at.JOBS] += 1
    counts[at.MAKING + action] += 1
    counts[at.NEXT] = min(counts[at.NEXT], job[at.DONE])


@inlined
def advance(base, cost, until):  # type: ignore[no-untyped-def]
    """Advance the time until something happens, ``cost`` becomes affordable, or tick ``until`` is reached."""
    counts, income, mined = base.counts, base.income, base.mined
    tick, minerals, phase = counts[at.TICK], counts[at.MINERALS], counts[at.PHASE]
    trip = base.rules[at.TRIP]
    last = min(counts[at.NEXT], until)
    enough = cost if minerals < cost else NEVER
    while tick < last and minerals < enough:
        tick += 1
        phase += 1
        if phase == trip:
            phase = 0
        mined[tick] = income[phase]
        minerals += income[phase]
    counts[at.TICK], counts[at.MINERALS], counts[at.PHASE] = tick, minerals, phase
    if tick == counts[at.NEXT]:
        happen(base)


@inlined
def happen(base):  # type: ignore[no-untyped-def]
    """Carry out everything that is due at the current tick, except mining."""
    counts = base.counts
    hatch(base)
    finish(base)
    fight(counts)
    if counts[at.ENEMIES] > 0 and counts[at.ZERGLINGS] + counts[at.QUEENS] == 0:
        counts[at.OUTCOME] = at.OVERRUN
    elif is_attack_over(base) and is_goal_reached(base):
        counts[at.OUTCOME] = at.REACHED
    elif counts[at.TICK] >= base.rules[at.HORIZON]:
        counts[at.OUTCOME] = at.LATE
    look_ahead(base)


@inlined
def hatch(base):  # type: ignore[no-untyped-def]
    """Hatch the larvae of hatcheries and queens."""
    rules, counts, hatcheries = base.rules, base.counts, base.hatcheries
    tick = counts[at.TICK]
    for number in range(counts[at.HATCHERIES]):
        if hatcheries[number, at.READY] == tick:
            hatcheries[number, at.LARVAE] += 1
            hatcheries[number, at.READY] = tick + rules[at.LARVA_EVERY]
    for number in range(counts[at.QUEENS]):
        queen = base.queens[number]
        if queen[at.GIFT] == tick:
            hatcheries[queen[at.PLACE], at.LARVAE] += rules[at.QUEEN_LARVAE]
            queen[at.GIFT] += rules[at.QUEEN_EVERY]
    for number in range(counts[at.HATCHERIES]):
        if hatcheries[number, at.LARVAE] >= rules[at.LARVAE_MOST]:
            hatcheries[number, at.READY] = 0


@inlined
def finish(base):  # type: ignore[no-untyped-def]
    """Add the things that are finished at this tick."""
    counts = base.counts
    kept, changed = 0, False
    for number in range(counts[at.JOBS]):
        action, done, place = (
            base.jobs[number, at.ACTION],
            base.jobs[number, at.DONE],
            base.jobs[number, at.AT],
        )
        if done != counts[at.TICK]:
            base.jobs[kept, at.ACTION], base.jobs[kept, at.DONE], base.jobs[kept, at.AT] = action, done, place
            kept += 1
        else:
            counts[at.MAKING + action] -= 1
            deliver(base, action, place)
            changed = changed or action in (DRONE, SCOUT, HATCHERY)
    counts[at.JOBS] = kept
    if changed:
        share_out(base)


@inlined
def deliver(base, action, place):  # type: ignore[no-untyped-def]
    """Add the things that an order produces."""
    rules, counts = base.rules, base.counts
    if action in (DRONE, SCOUT):
        base.drones[counts[at.DRONES]] = counts[at.PHASE]
        counts[at.SCOUTED] |= np.int64(action == SCOUT)
    elif action == QUEEN:
        queen = base.queens[counts[at.QUEENS]]
        queen[at.GIFT], queen[at.PLACE] = counts[at.TICK] + rules[at.QUEEN_EVERY], place
    elif action == HATCHERY:
        hatchery = base.hatcheries[counts[at.HATCHERIES]]
        hatchery[at.LARVAE], hatchery[at.READY] = 0, counts[at.TICK] + rules[at.LARVA_EVERY]
    counts[at.DRONES if action == SCOUT else action] += 2 if action == ZERGLINGS else 1


@inlined
def fight(counts):  # type: ignore[no-untyped-def]
    """Add arriving enemies, and remove one fighter from the smaller side, or from each side if they are equal."""
    if counts[at.TICK] == counts[at.ATTACK_TICK]:
        counts[at.ENEMIES] += counts[at.ATTACK_SIZE]
    own, enemies = counts[at.ZERGLINGS] + counts[at.QUEENS], counts[at.ENEMIES]
    if own == 0 or enemies == 0:
        return
    if enemies >= own:
        if counts[at.ZERGLINGS] > 0:
            counts[at.ZERGLINGS] -= 1
        else:
            counts[at.QUEENS] -= 1
    if own >= enemies:
        counts[at.ENEMIES] -= 1


@inlined
def is_attack_over(base):  # type: ignore[no-untyped-def]
    """True if no enemies are left and none will come."""
    return base.counts[at.TICK] >= base.counts[at.ATTACK_TICK] and base.counts[at.ENEMIES] == 0


@inlined
def is_goal_reached(base):  # type: ignore[no-untyped-def]
    """True if everything in the goal is finished and present."""
    missing = 0
    for thing in range(HATCHERY + 1):
        missing += max(0, base.rules[at.GOAL + thing] - base.counts[thing])
    return missing == 0


@inlined
def order(base, action):  # type: ignore[no-untyped-def]
    """Order an action: wait until it can begin, then begin it; the outcome is ``STUCK`` if it can never begin.

    Returns:
        True if the game continues.
    """
    counts = base.counts
    if action == WAIT:
        advance(base, 0, counts[at.TICK] + 1)
        return counts[at.OUTCOME] == at.GOING
    while counts[at.OUTCOME] == at.GOING:
        if not can_ever_begin(base, action):
            counts[at.OUTCOME] = at.STUCK
        elif can_begin(base, action):
            start(base, action)
            return True
        else:
            advance(base, base.rules[at.COST + action], NEVER)
    return False


@inlined
def score_of(base):  # type: ignore[no-untyped-def]
    """The final score, as in ``rules.BuildOrderState.returns``."""
    counts = base.counts
    if counts[at.ATTACK_TICK] > 0:
        return 1.0 if is_attack_over(base) and counts[at.OUTCOME] != at.OVERRUN else 0.0
    return float(counts[at.TICK] if counts[at.OUTCOME] == at.REACHED else 2 * base.rules[at.HORIZON])


TICK, MINERALS, INCOME, LARVAE, DRONES, SUPPLY, CAP, FREE = range(8)
SENSED_POOL, POOL_TICKS, SENSED_ZERGLINGS, QUEENS, HATCHERIES = range(8, 13)
MAKING_DRONE, MAKING_OVERLORD, MAKING_POOL, MAKING_ZERGLINGS, MAKING_QUEEN, MAKING_HATCHERY = range(13, 19)
ENEMY_SEEN, ENEMY, ENEMY_TICKS, DANGER = range(19, 23)
IS_DRONE, IS_OVERLORD, IS_SPAWNING_POOL, IS_ZERGLINGS, IS_QUEEN, IS_HATCHERY, IS_SCOUT, IS_WAIT = range(
    23, 31
)
COST, SHORT, NOW, LACK, SENSOR_COUNT = range(31, 36)
"""The slots of the sensors, with the prefix ``SENSED_`` if the plain name has another meaning."""

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
    """Write the sensors of an order that can begin now or later into the slots after the sensors of the base."""
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


@kernel
def play_formula(base, attacks, keys, code, memory, result, randoms, apart, ends):  # type: ignore[no-untyped-def]
    """Play games in which a formula ranks the orders that can begin now or later.

    Args:
        base: the arrays of a game, modified in place.
        attacks: int64 (games, 2): the tick and size of the attack in each game.
        keys: int64 (games,): the keys of random numbers.
        code: uint32 (rows, 5): the formula.
        memory: float64 (slots,), modified in place: the constants, and space for sensors and values.
        result: the slot of the formula's value.
        randoms: the number of slots for random numbers, after the sensors.
        apart: 1 if each order draws separate random numbers, 0 if all orders in a decision share them.
        ends: float64 (games, 3), output: the score, the outcome (see ``layout``), and the last tick.
    """
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
                for place in range(randoms):
                    counter = (place * ACTION_COUNT + action * apart) & (HALF - 1)
                    memory[SENSOR_COUNT + place] = keyed_uniform(keys[game], moment, counter)
                stopped, _, _ = run(code, memory, 0, code.shape[0])
                value = memory[result] if stopped == HALT else np.nan
                if chosen < 0 or is_higher(value, best):
                    chosen, best = action, value
            goes_on = order(base, chosen)
            begun += 0 if chosen == WAIT else 1
        ends[game, 0] = score_of(base)
        ends[game, 1] = base.counts[at.OUTCOME]
        ends[game, 2] = base.counts[at.TICK]


@kernel
def play_plan(base, attacks, keys, code, memory, budget, ends):  # type: ignore[no-untyped-def]
    """Play games with a plan; after the plan's last order, the game continues without orders.

    Args:
        base: the arrays of a game, modified in place.
        attacks: int64 (games, 2): the tick and size of the attack in each game.
        keys: int64 (games,): the keys of random numbers.
        code: uint32 (rows, 5): the plan, where the host's opcodes are the actions, a tick and a draw.
        memory: float64 (2, slots): the memory at the start of every game, and a working copy, which is modified in
            place.
        budget: the maximum number of machine instructions in a game.
        ends: float64 (games, 3), output: the same as for ``play_formula``; the outcome -1 means that the budget ran
            out.
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
