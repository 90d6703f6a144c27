"""Primitives of Sevens: the decisions of a program, its sensors, and the alphabets.

A program is evaluated once for each card that it may choose. The program's sensors describe the card and the state of
the game. The sensors in ``ARTICLE`` and ``math.random`` are the terminals of P. Hansson's article (GameDev.net, 2013).
The article gives only the names of the terminals; among the meanings that fit the names, the chosen ones play best.
"""

from gpkit.core.primitives import PORTABLE, RANDOM, Alphabet, PrimitiveSet, operators
from gpkit.core.registry import PrimitiveSets
from gpkit.games.sevens import sensors

SECTIONS = ("play", "send")
"""The decisions of a program, with one formula for each."""

SENSORS = tuple(each.sensor for each in sensors.SENSORS)
"""All sensors, in the order of their slots, with bounds that hold under all rules."""

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
"""All operators, and all sensors except ``env.suitid``, because the suits are equivalent, and ``env.gift``.

Only ``giving`` contains ``env.gift``, so ``full`` continues to draw the same programs from a seed.
"""

GIVING = Alphabet("giving", (*FULL.sensors, "env.gift"), PORTABLE)
"""All elements of ``full``, and ``env.gift``, the number of other players' cards that become playable after a card."""

DECISIONS = Alphabet("decisions", FULL.sensors)
"""The sensors that decision trees can test, which are the sensors of ``full``."""

PRIMITIVES = PrimitiveSet("sevens", SECTIONS, SENSORS, (ARTICLE, FULL, GIVING))

OFFERS = PrimitiveSets(
    {"arithmetic": PRIMITIVES, "decision": PrimitiveSet("sevens", SECTIONS, SENSORS, (DECISIONS,))}
)
