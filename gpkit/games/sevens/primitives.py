"""Primitives of Sevens: the decisions that it asks programs for, their sensors, and the alphabets.

A program is asked once for each card that it may choose; its sensors speak of that card and of the moment. The first
seven and ``math.random`` are the terminals of P. Hansson's article (GameDev.net, 2013), whose text gives only their
names; of the readings that fit them, these play best.
"""

from gpkit.core.primitives import PORTABLE, RANDOM, Alphabet, PrimitiveSet, operators
from gpkit.core.registry import PrimitiveSets
from gpkit.games.sevens import sensors

SECTIONS = ("play", "send")
"""The decisions of a program, one formula each."""

SENSORS = tuple(each.sensor for each in sensors.SENSORS)
"""Every sensor, in the order of its slot; the bounds hold under every rule option."""

ARTICLE = Alphabet(
    "article",
    (
        "env.rounds",
        "env.suit",
        "env.rank",
        "env.safe",
        "env.block",
        "env.selfblock",
        "env.dist",
        RANDOM,
    ),
    operators("+", "*"),
)
"""The terminals and operators of the article."""

FULL = Alphabet("full", tuple(s.name for s in SENSORS if s.name not in ("env.suitid", "env.gift")), PORTABLE)
"""Every operator, and every sensor that means something: the number of a suit does not, as suits are alike.

What a card gives away is in ``giving`` alone, so that this alphabet draws the same programs from a seed as ever.
"""

GIVING = Alphabet("giving", (*FULL.sensors, "env.gift"), PORTABLE)
"""All of ``full``, and how many cards of others a card lets out."""

DECISIONS = Alphabet("decisions", FULL.sensors)
"""Sensors that decision trees test: every one that means something."""

PRIMITIVES = PrimitiveSet("sevens", SECTIONS, SENSORS, (ARTICLE, FULL, GIVING))

OFFERS = PrimitiveSets(
    {"arithmetic": PRIMITIVES, "decision": PrimitiveSet("sevens", SECTIONS, SENSORS, (DECISIONS,))}
)
