"""Primitives of Mastermind: numbers about one code that could be guessed, and about what is known.

A program is one formula, ``guess``. Where three or more codes can still be the secret, it is computed for every code of
the game, also for those that cannot be the secret any more, and the code of the highest value is guessed. Of equal ones
that is the first which can be the secret, else the first, in the order of the codes' texts: Knuth's own rule. NaN is
below everything. Where one or two codes are left there is nothing to choose: the first is guessed, and no other guess
does better.

Most sensors speak of the *parts*: the codes that can still be the secret, sorted by the answer that each would give to
the guess. No sensor tells colours or places apart, so a program cannot prefer one.
"""

from gpkit.core.primitives import PORTABLE, Alphabet, PrimitiveSet, operators
from gpkit.core.registry import PrimitiveSets
from gpkit.games.mastermind import sensors

SECTIONS = ("guess",)

SENSORS = tuple(each.sensor for each in sensors.SENSORS)
"""Every sensor, in the order of its slot."""

PARTS = Alphabet(
    "parts",
    (
        "env.left",
        "env.possible",
        "env.parts",
        "env.largest",
        "env.expected",
        "env.entropy",
        "env.singles",
        "env.pairs",
        "env.triples",
    ),
    operators("+", "-", "*", "/", "min", "max", "sqrt"),
)
"""The parts that a guess leaves, in simple arithmetic: nothing that depends on the size of the game."""

CHANCES = Alphabet(
    "chances",
    ("env.entropy", "env.win", "env.worst", "env.alone", "env.twins", "env.three"),
    operators("+", "-", "*"),
    constant_low=-2.0,
    constant_high=2.0,
)
"""Chances and bits, which mean the same in games of any size; to be weighed against each other."""

FULL = Alphabet("full", tuple(sensor.name for sensor in SENSORS), PORTABLE)

PRIMITIVES = PrimitiveSet("mastermind", SECTIONS, SENSORS, (PARTS, CHANCES, FULL))

OFFERS = PrimitiveSets({"arithmetic": PRIMITIVES})
