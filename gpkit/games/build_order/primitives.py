"""Primitives of the build order: sensors of the base, of the enemy and of one order.

A formula is asked whenever something is to be ordered, once for every order that can begin now or later. The one of the
highest value is ordered, and time passes until it begins.
"""

from gpkit.core.offers import PrimitiveSets
from gpkit.core.primitives import (
    OPERATORS,
    RANDOM,
    Alphabet,
    HostInstruction,
    PrimitiveSet,
    Sensor,
    operators,
)
from gpkit.games.build_order.kernel import layout
from gpkit.games.build_order.kernel.layout import MOST_HATCHERIES, MOST_HORIZON, MOST_SUPPLY
from gpkit.games.build_order.kernel.things import ACTIONS, MEANINGS, SCOUT, THINGS, WAIT

_MINERALS = 10_000_000

FEATURES = (
    Sensor("env.tick", "ticks that have passed", 0, MOST_HORIZON, shared=True),
    Sensor("env.minerals", "minerals in stock", 0, _MINERALS, shared=True),
    Sensor("env.income", "minerals that came in the last 60 ticks", 0, _MINERALS, shared=True),
    Sensor("env.larvae", "larvae of all hatcheries", 0, MOST_HORIZON * MOST_HATCHERIES * 11, shared=True),
    Sensor("env.drones", "drones that mine", 0, MOST_SUPPLY, shared=True),
    Sensor("env.supply", "supply used, including what is in production", 0, MOST_SUPPLY, shared=True),
    Sensor("env.cap", "the limit of supply", 0, MOST_SUPPLY, shared=True),
    Sensor("env.free", "free supply", -MOST_SUPPLY, MOST_SUPPLY, shared=True),
    Sensor("env.pool", "1 if the spawning pool is finished, else 0", 0, 1, shared=True),
    Sensor("env.pool_ticks", "ticks until it is; 0 if none is in production", 0, 1000, shared=True),
    Sensor("env.zerglings", "zerglings", 0, 2 * MOST_SUPPLY, shared=True),
    Sensor("env.queens", "queens", 0, MOST_SUPPLY // 2, shared=True),
    Sensor("env.hatcheries", "hatcheries", 0, MOST_HATCHERIES, shared=True),
    Sensor("env.making_drone", "drones in production", 0, MOST_SUPPLY, shared=True),
    Sensor("env.making_overlord", "overlords in production", 0, MOST_SUPPLY, shared=True),
    Sensor("env.making_pool", "1 if the spawning pool is in production, else 0", 0, 1, shared=True),
    Sensor("env.making_zerglings", "pairs of zerglings in production", 0, MOST_SUPPLY, shared=True),
    Sensor("env.making_queen", "queens in production", 0, MOST_HATCHERIES, shared=True),
    Sensor("env.making_hatchery", "hatcheries in production", 0, MOST_HATCHERIES, shared=True),
    Sensor("env.enemy_seen", "1 if an attack is known to come, else 0", 0, 1, shared=True),
    Sensor(
        "env.enemy",
        "enemy zerglings that are here or will come, on average where that is not known",
        *(0, MOST_SUPPLY),
        integer=False,
        shared=True,
    ),
    Sensor(
        "env.enemy_ticks",
        "ticks until they arrive, at the earliest; 0 for now or never",
        0,
        MOST_HORIZON,
        shared=True,
    ),
    Sensor(
        "env.danger",
        "damage potential: the enemy's zerglings less own zerglings and queens",
        *(-3 * MOST_SUPPLY, MOST_SUPPLY),
        integer=False,
        shared=True,
    ),
)
"""Sensors of the base and of the enemy, in the order of their slots."""

ORDERS = (
    *(Sensor(f"env.is_{name}", f"1 for the order `{name}`, else 0", 0, 1) for name in ACTIONS),
    Sensor("env.cost", "minerals that the order costs", 0, 1000),
    Sensor("env.short", "minerals still missing for the order", 0, 1000),
    Sensor("env.now", "1 if the order can begin in this tick, else 0", 0, 1),
    Sensor("env.lack", "how many the goal still needs, beyond those in production", 0, MOST_SUPPLY),
)
"""Sensors of one order, in the slots after those."""

assert len(FEATURES) == layout.FEATURES, "as many as the kernel writes"

SENSORS = (*FEATURES, *ORDERS)

FORMULAS = PrimitiveSet(
    "build_order",
    ("order",),
    SENSORS,
    (
        Alphabet(
            "opening",
            (
                *("env.drones", "env.making_drone", "env.free", "env.pool", "env.making_pool", "env.short"),
                *(f"env.is_{name}" for name in THINGS),
                "env.lack",
            ),
            operators("+", "-", "*", "max", "ifle"),
        ),
        Alphabet("orders", (*(sensor.name for sensor in SENSORS), RANDOM), OPERATORS),
    ),
)

PLANS = PrimitiveSet(
    "build_order",
    (),
    FEATURES,
    (
        Alphabet("orders-only", instructions=ACTIONS[:SCOUT]),
        Alphabet("plans", tuple(sensor.name for sensor in FEATURES), instructions=ACTIONS[:WAIT]),
    ),
    tuple(HostInstruction(*row, acts=True) for row in zip(ACTIONS[:WAIT], MEANINGS[:WAIT], strict=True)),
    starts=THINGS,
)
"""Plans order what the game has, one after another; the ticks are their own. Upwards they begin at the goal's thing."""

CHOICES = PrimitiveSet(
    "build_order",
    ("order",),
    SENSORS,
    (Alphabet("choices", tuple(sensor.name for sensor in FEATURES)),),
    actions=ACTIONS,
)
"""Decision trees are asked once whenever something is to be ordered, and name it."""

OFFERS = PrimitiveSets({"arithmetic": FORMULAS, "execution": PLANS, "decision": CHOICES})
