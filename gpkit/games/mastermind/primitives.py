"""Primitives of Mastermind: numbers that describe a code to guess and the game so far.

A program is one formula, ``guess``. If three or more codes can still be the secret, gpkit evaluates the formula for
every code of the game, including codes that cannot be the secret any more, and guesses the code with the highest value.
Ties go to the first code that can be the secret, or else to the first code, in the order of the codes' texts. This
tie-breaking rule is Knuth's. NaN ranks below all numbers. If one or two codes are left, there is no choice: gpkit
guesses the first one, and no other guess is better.

Most sensors describe the *parts* of a guess: the codes that can still be the secret, grouped by their answer to the
guess. No sensor distinguishes between colours or between places, so a program cannot prefer any of them.
"""

from gpkit.core.primitives import PORTABLE, Alphabet, PrimitiveSet, operators
from gpkit.core.registry import PrimitiveSets
from gpkit.games.mastermind import sensors

SECTIONS = ("guess",)

SENSORS = tuple(each.sensor for each in sensors.SENSORS)
"""All sensors, in the order of their slots."""

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
"""Sensors of the parts that a guess leaves, with simple arithmetic; none of them depends on the size of the game."""

CHANCES = Alphabet(
    "chances",
    ("env.entropy", "env.win", "env.worst", "env.alone", "env.twins", "env.three"),
    operators("+", "-", "*"),
    constant_low=-2.0,
    constant_high=2.0,
)
"""Sensors in chances and bits, which have the same meaning in games of any size, so a formula can weigh them."""

FULL = Alphabet("full", tuple(sensor.name for sensor in SENSORS), PORTABLE)

PRIMITIVES = PrimitiveSet("mastermind", SECTIONS, SENSORS, (PARTS, CHANCES, FULL))

OFFERS = PrimitiveSets({"arithmetic": PRIMITIVES})
