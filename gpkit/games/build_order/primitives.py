"""Primitives of the build order: sensors of the base, the enemy and an order.

At each decision, gpkit evaluates a formula for every order that can begin now or later. The player gives the order with
the highest value, and time passes until this order begins.
"""

from gpkit.core.primitives import (
    PORTABLE,
    RANDOM,
    Alphabet,
    HostInstruction,
    PrimitiveSet,
    operators,
)
from gpkit.core.registry import PrimitiveSets
from gpkit.games.build_order import sensors
from gpkit.games.build_order.kernel.things import ACTIONS, MEANINGS, SCOUT, THINGS, WAIT

FEATURES = tuple(each.sensor for each in sensors.FEATURES)
"""The sensors of the base and of the enemy, in the order of their slots."""

SENSORS = (*FEATURES, *(each.sensor for each in sensors.ORDERS))

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
        Alphabet("orders", (*(sensor.name for sensor in SENSORS), RANDOM), PORTABLE),
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
"""Plans, which order things one after another; a tick is an instruction. Plans that run upwards start at a thing in the
goal."""

CHOICES = PrimitiveSet(
    "build_order",
    ("order",),
    SENSORS,
    (Alphabet("choices", tuple(sensor.name for sensor in FEATURES)),),
    actions=ACTIONS,
)
"""Decision trees, which are evaluated once at each decision and name the order."""

OFFERS = PrimitiveSets({"arithmetic": FORMULAS, "execution": PLANS, "decision": CHOICES})
