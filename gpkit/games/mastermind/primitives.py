"""Primitives of Mastermind: numbers about one code that could be guessed, and about what is known.

A program is one formula, ``guess``. Where three or more codes can still be the secret, it is computed for every code of
the game, also for those that cannot be the secret any more, and the code of the highest value is guessed. Of equal ones
that is the first which can be the secret, else the first, in the order of the codes' texts: Knuth's own rule. NaN is
below everything. Where one or two codes are left there is nothing to choose: the first is guessed, and no other guess
does better.

Most sensors speak of the *parts*: the codes that can still be the secret, sorted by the answer that each would give to
the guess. No sensor tells colours or places apart, so a program cannot prefer one.
"""

from gpkit.core.offers import PrimitiveSets
from gpkit.core.primitives import OPERATORS, Alphabet, PrimitiveSet, Sensor, operators

SECTIONS = ("guess",)

LARGEST = 1 << 17
"""No game of more codes is played by programs."""

SENSORS = (
    Sensor("env.turn", "guesses made so far", 0, 998, shared=True),
    Sensor("env.left", "codes that can still be the secret", 3, LARGEST, shared=True),
    Sensor("env.length", "pegs of a code", 1, 12, shared=True),
    Sensor("env.colours", "colours that a peg can have", 1, 26, shared=True),
    Sensor("env.possible", "1 if it can be the secret itself, else 0", 0, 1),
    Sensor("env.parts", "answers that are possible, each of which leaves one part", 1, 90),
    Sensor("env.largest", "codes of the largest part: what is left in the worst case", 1, LARGEST),
    Sensor(
        "env.expected", "codes that are left on average, if all are equally likely", 1, LARGEST, integer=False
    ),
    Sensor("env.entropy", "bits of information that the answer gives on average", 0, 7, integer=False),
    Sensor("env.singles", "parts of one code: answers after which the secret is known", 0, 90),
    Sensor("env.pairs", "parts of two codes", 0, 90),
    Sensor("env.triples", "parts of three codes", 0, 90),
    Sensor("env.win", "the chance that it is the secret itself", 0, 1, integer=False),
    Sensor(
        "env.next",
        "the chance of then guessing right, at random among the codes left: parts / left",
        0,
        1,
        integer=False,
    ),
    Sensor("env.worst", "the share of the largest part: largest / left", 0, 1, integer=False),
    Sensor("env.alone", "the chance that one code is left: singles / left", 0, 1, integer=False),
    Sensor("env.twins", "the chance that two codes are left: 2 pairs / left", 0, 1, integer=False),
    Sensor("env.three", "the chance that three codes are left: 3 triples / left", 0, 1, integer=False),
    Sensor("env.kinds", "different colours in it", 1, 12),
    Sensor("env.new", "colours in it that no guess has had so far", 0, 12),
)
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

FULL = Alphabet("full", tuple(sensor.name for sensor in SENSORS), OPERATORS)
"""Every operator and every sensor."""

PRIMITIVES = PrimitiveSet("mastermind", SECTIONS, SENSORS, (PARTS, CHANCES, FULL))

OFFERS = PrimitiveSets({"arithmetic": PRIMITIVES})
