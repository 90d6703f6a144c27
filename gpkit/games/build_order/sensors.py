"""Sensors of the build order, which describe the base, the enemy and an order.

``kernel.games`` has a compiled version of every sensor, in the same slot.
"""

from typing import TYPE_CHECKING

from gpkit.core.primitives import action_sensor
from gpkit.gamekit.sensors import PREFIX, SensorFunction, sensed, sensor
from gpkit.games.build_order.kernel.layout import INCOME_TICKS
from gpkit.games.build_order.kernel.things import (
    ACTIONS,
    MOST_HATCHERIES,
    MOST_HORIZON,
    MOST_SUPPLY,
    POOL,
    SCOUT,
    ZERGLINGS,
)

if TYPE_CHECKING:  # reading the names of sensors loads no rules
    from gpkit.games.build_order.rules import BuildOrderState

MOST_MINERALS = 10_000_000


@sensor(0, MOST_HORIZON, "ticks that have passed")
def tick(state: "BuildOrderState") -> float:
    return state.tick


@sensor(0, MOST_MINERALS, "minerals in stock")
def minerals(state: "BuildOrderState") -> float:
    return state.minerals


@sensor(0, MOST_MINERALS, "minerals that came in the last 60 ticks")
def income(state: "BuildOrderState") -> float:
    return sum(state.mined[-INCOME_TICKS:])


@sensor(0, MOST_HORIZON * MOST_HATCHERIES * 11, "larvae of all hatcheries")
def larvae(state: "BuildOrderState") -> float:
    return state.larvae


@sensor(0, MOST_SUPPLY, "drones that mine")
def drones(state: "BuildOrderState") -> float:
    return len(state.drones)


@sensor(0, MOST_SUPPLY, "supply used, including what is in production")
def supply(state: "BuildOrderState") -> float:
    return state.supply


@sensor(0, MOST_SUPPLY, "supply limit")
def cap(state: "BuildOrderState") -> float:
    return state.cap()


@sensor(-MOST_SUPPLY, MOST_SUPPLY, "free supply")
def free(state: "BuildOrderState") -> float:
    return state.cap() - state.supply


@sensor(0, 1, "1 if the spawning pool is finished, else 0")
def pool(state: "BuildOrderState") -> float:
    return state.pool


@sensor(0, 1000, "ticks until the spawning pool is finished; 0 if none is in production")
def pool_ticks(state: "BuildOrderState") -> float:
    return next((job.done - state.tick for job in state.jobs if job.action == POOL), 0)


@sensor(0, 2 * MOST_SUPPLY, "zerglings")
def zerglings(state: "BuildOrderState") -> float:
    return state.zerglings


@sensor(0, MOST_SUPPLY // 2, "queens")
def queens(state: "BuildOrderState") -> float:
    return len(state.queens)


@sensor(0, MOST_HATCHERIES, "hatcheries")
def hatcheries(state: "BuildOrderState") -> float:
    return len(state.hatcheries)


def _making(name: str, high: int, meaning: str, action: int) -> SensorFunction:
    """The sensor that counts the unfinished orders of an action."""

    def making(state: "BuildOrderState") -> float:
        return state.making(action)

    making.__name__ = f"making_{name}"
    return sensor(0, high, meaning)(making)


@sensor(0, 1, "1 if an attack is known to be coming, else 0")
def enemy_seen(state: "BuildOrderState") -> float:
    return state.rules.is_attacked and state.is_attack_known


@sensor(
    0,
    MOST_SUPPLY,
    "enemy zerglings that are here or will come, on average where that is not known",
    integer=False,
)
def enemy(state: "BuildOrderState") -> float:
    return expected_enemies(state)


@sensor(0, MOST_HORIZON, "ticks until they arrive, at the earliest; 0 for now or never")
def enemy_ticks(state: "BuildOrderState") -> float:
    return max(0, min(each.tick for each in state.possible_attacks) - state.tick)


@sensor(
    -3 * MOST_SUPPLY,
    MOST_SUPPLY,
    "threat: the enemy's zerglings less own zerglings and queens",
    integer=False,
)
def danger(state: "BuildOrderState") -> float:
    return expected_enemies(state) - state.fighters


FEATURES = (
    *(tick, minerals, income, larvae, drones, supply, cap, free, pool, pool_ticks),
    *(zerglings, queens, hatcheries),
    *(
        _making(name, high, meaning, action)
        for action, (name, high, meaning) in enumerate(
            (
                ("drone", MOST_SUPPLY, "drones in production"),
                ("overlord", MOST_SUPPLY, "overlords in production"),
                ("pool", 1, "1 if the spawning pool is in production, else 0"),
                ("zerglings", MOST_SUPPLY, "pairs of zerglings in production"),
                ("queen", MOST_HATCHERIES, "queens in production"),
                ("hatchery", MOST_HATCHERIES, "hatcheries in production"),
            )
        )
    ),
    *(enemy_seen, enemy, enemy_ticks, danger),
)
"""The sensors of the base and of the enemy, in the order of their slots."""


def _is(number: int, name: str) -> SensorFunction:
    """The sensor that is 1 for one kind of order and 0 for all others."""

    def is_action(state: "BuildOrderState", action: int) -> float:
        return action == number

    is_action.__name__ = action_sensor(name).removeprefix(PREFIX)
    return sensor(0, 1, f"1 for the order `{name}`, else 0")(is_action)


@sensor(0, 1000, "minerals that the order costs")
def cost(state: "BuildOrderState", action: int) -> float:
    return state.rules.costs[action]


@sensor(0, 1000, "minerals still missing for the order")
def short(state: "BuildOrderState", action: int) -> float:
    return max(0, state.rules.costs[action] - state.minerals)


@sensor(0, 1, "1 if the order can begin in this tick, else 0")
def now(state: "BuildOrderState", action: int) -> float:
    return state.can_begin(action)


@sensor(0, MOST_SUPPLY, "how many the goal still needs, beyond those in production")
def lack(state: "BuildOrderState", action: int) -> float:
    if action >= SCOUT:
        return 0
    made = state.making(action) * (2 if action == ZERGLINGS else 1)
    return max(0, state.rules.goal[action] - state.counts[action] - made)


ORDERS = (*(_is(number, name) for number, name in enumerate(ACTIONS)), cost, short, now, lack)
"""The sensors of an order, whose slots follow those of ``FEATURES``."""


def features(state: "BuildOrderState") -> tuple[float, ...]:
    """The sensors of the base and of the enemy, in the order of their slots."""
    return tuple(float(each.function(state)) for each in FEATURES)


def sense(state: "BuildOrderState", action: int) -> dict[str, float]:
    """The value of every sensor for an order that can begin now or later."""
    return sensed((*FEATURES, *ORDERS), state, action)


def expected_enemies(state: "BuildOrderState") -> float:
    """The number of enemy zerglings present or still to come, as a mean if the attack is unknown."""
    if state.tick >= state.attack.tick:
        return float(state.enemies)
    sizes = [each.size for each in state.possible_attacks]
    return sum(sizes) / len(sizes)
