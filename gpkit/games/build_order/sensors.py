"""Sensors of the build order, in plain Python; the twin is ``kernel.sensors``."""

from gpkit.games.build_order.kernel.layout import INCOME_TICKS
from gpkit.games.build_order.kernel.things import ACTIONS, HATCHERY, POOL, SCOUT, ZERGLINGS
from gpkit.games.build_order.primitives import SENSORS
from gpkit.games.build_order.rules import State


def features(state: State) -> tuple[float, ...]:
    """The sensors of the base and of the enemy, in the order of their slots."""
    pool_ticks = next((job.done - state.tick for job in state.jobs if job.action == POOL), 0)
    enemies = expected_enemies(state)
    values = (
        *(state.tick, state.minerals, sum(state.mined[-INCOME_TICKS:]), state.larvae, len(state.drones)),
        *(state.supply, state.cap(), state.cap() - state.supply, state.pool, pool_ticks),
        *(state.zerglings, len(state.queens), len(state.hatcheries)),
        *(state.making(action) for action in range(HATCHERY + 1)),
        *(state.rules.is_attacked and state.is_attack_known, enemies, enemy_ticks(state)),
        enemies - state.fighters,
    )
    return tuple(map(float, values))


def expected_enemies(state: State) -> float:
    """The enemy's zerglings that are here or will come; the mean of what may come where that is not known."""
    if not state.rules.is_attacked:
        return 0.0
    if state.is_attack_known:
        return float(state.attack.size if state.tick < state.attack.tick else state.enemies)
    sizes = [each.size for each in state.possible_attacks]
    return sum(sizes) / len(sizes)


def enemy_ticks(state: State) -> int:
    """The ticks until the enemy comes, at the earliest where it is not known when."""
    earliest = min(each.tick for each in state.possible_attacks)
    return max(0, earliest - state.tick)


def lack(state: State, action: int) -> int:
    """Number of things that an order makes and the goal lacks, beside what is there and in production."""
    if action >= SCOUT:
        return 0
    made = state.making(action) * (2 if action == ZERGLINGS else 1)
    return max(0, state.rules.goal[action] - state.counts[action] - made)


def sense(state: State, action: int) -> dict[str, float]:
    """The value of every sensor for an order that can begin now or later."""
    cost = state.rules.costs[action]
    order = (
        *(number == action for number in range(len(ACTIONS))),
        *(cost, max(0, cost - state.minerals), state.can_begin(action), lack(state, action)),
    )
    values = (*features(state), *map(float, order))
    return {sensor.name: value for sensor, value in zip(SENSORS, values, strict=True)}
