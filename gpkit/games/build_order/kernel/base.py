"""The rules, compiled: how a game begins, what can be ordered, and how time passes until something happens."""

import numpy as np

from gpkit.core.compiled import inlined
from gpkit.games.build_order.kernel import layout as at
from gpkit.games.build_order.kernel.things import (
    DRONE,
    HATCHERY,
    MOST_HATCHERIES,
    MOST_SUPPLY,
    OVERLORD,
    POOL,
    QUEEN,
    SCOUT,
    WAIT,
    ZERGLINGS,
)

NEVER = 1 << 40


@inlined
def begin(base, attack_tick, attack_size):  # type: ignore[no-untyped-def]
    """Tick 0 of a game."""
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
    """Write by phase the minerals that the drones bring."""
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
    """Write the tick in which something happens next beside mining."""
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
    """Larvae of all hatcheries."""
    found = 0
    for number in range(base.counts[at.HATCHERIES]):
        found += base.hatcheries[number, at.LARVAE]
    return found


@inlined
def supply_of(counts):  # type: ignore[no-untyped-def]
    """Supply that is taken."""
    drones = counts[at.DRONES] + counts[at.MAKING + DRONE] + counts[at.MAKING + SCOUT]
    zerglings = ((counts[at.ZERGLINGS] + 1) >> 1) + counts[at.MAKING + ZERGLINGS]
    return drones + zerglings + 2 * (counts[at.QUEENS] + counts[at.MAKING + QUEEN])


@inlined
def cap_of(base, to_come):  # type: ignore[no-untyped-def]
    """Supply that there can be; with ``to_come`` 1 also by what is in production, else 0."""
    rules, counts = base.rules, base.counts
    overlords = counts[at.OVERLORDS] + to_come * counts[at.MAKING + OVERLORD]
    hatcheries = counts[at.HATCHERIES] + to_come * counts[at.MAKING + HATCHERY]
    return min(MOST_SUPPLY, overlords * rules[at.OVERLORD_SUPPLY] + hatcheries * rules[at.HATCHERY_SUPPLY])


@inlined
def is_attack_known(base):  # type: ignore[no-untyped-def]
    """Whether the player knows which attack comes."""
    counts = base.counts
    hidden = base.rules[at.HIDDEN] == 1 and counts[at.SCOUTED] == 0
    return not hidden or counts[at.TICK] >= counts[at.ATTACK_TICK]


@inlined
def can_ever_begin(base, action):  # type: ignore[no-untyped-def]
    """Whether an order can begin at some time, if nothing else is ordered, and nothing dies, until then."""
    counts = base.counts
    drones = counts[at.DRONES] + counts[at.MAKING + DRONE] + counts[at.MAKING + SCOUT]
    if drones == 0 and counts[at.MINERALS] < base.rules[at.COST + action]:
        return False
    if action in (DRONE, ZERGLINGS, QUEEN):
        supply = 2 if action == QUEEN else 1
        if supply_of(counts) + supply > cap_of(base, 1):
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
    """Whether an order that can ever begin can begin now."""
    counts = base.counts
    if counts[at.MINERALS] < base.rules[at.COST + action]:
        return False
    if action in (DRONE, ZERGLINGS, QUEEN):
        supply = 2 if action == QUEEN else 1
        if supply_of(counts) + supply > cap_of(base, 0):
            return False
    if action in (DRONE, OVERLORD, ZERGLINGS):
        return larvae_of(base) > 0 and (action != ZERGLINGS or counts[at.POOL] == 1)
    if action == QUEEN:
        return counts[at.POOL] == 1 and counts[at.MAKING + QUEEN] < counts[at.HATCHERIES]
    return action == WAIT or counts[at.DRONES] > 0


@inlined
def start(base, action):  # type: ignore[no-untyped-def]
    """Begin an order that can begin: what it takes is taken."""
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
    """Pass ticks until something has happened, as much as ``cost`` is there that was not, or it is tick ``until``."""
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
    """Carry out what is due in the present tick beside mining."""
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
    """Hatch larvae: those of hatcheries, and those that queens give."""
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
    """Add what is finished in this tick."""
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
    """Add what an order makes."""
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
    """Bring the enemy in, and remove one fighter of the side with fewer, or of both."""
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
    """Whether no enemy is here, and none will come."""
    return base.counts[at.TICK] >= base.counts[at.ATTACK_TICK] and base.counts[at.ENEMIES] == 0


@inlined
def is_goal_reached(base):  # type: ignore[no-untyped-def]
    """Whether all of the goal is there."""
    missing = 0
    for thing in range(HATCHERY + 1):
        missing += max(0, base.rules[at.GOAL + thing] - base.counts[thing])
    return missing == 0


@inlined
def order(base, action):  # type: ignore[no-untyped-def]
    """Order an action: pass time until it can begin, and begin it; ``STUCK`` where it never can.

    Returns:
        Whether the game goes on.
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
    """Score at the end, as ``rules.State.returns`` has it."""
    counts = base.counts
    if counts[at.ATTACK_TICK] > 0:
        return 1.0 if is_attack_over(base) and counts[at.OUTCOME] != at.OVERRUN else 0.0
    return float(counts[at.TICK] if counts[at.OUTCOME] == at.REACHED else 2 * base.rules[at.HORIZON])
