"""What Coins offers to programs of two languages."""

from types import MappingProxyType

from gpkit.core.primitives import PORTABLE, Alphabet, Offers, PrimitiveSet, Sensor

SENSORS = (
    Sensor("env.take", "coins that are taken", 1, 3),
    Sensor("env.left", "coins left after that", 0, 98),
    Sensor("env.rest", "what is left, divided by four", 0, 3),
)

FORMULAS = PrimitiveSet(
    "coins", ("take",), SENSORS, (Alphabet("all", tuple(s.name for s in SENSORS), PORTABLE),)
)

OFFERS: Offers = MappingProxyType(
    {"arithmetic": FORMULAS, "weights": PrimitiveSet("coins", ("take",), SENSORS, ())}
)
