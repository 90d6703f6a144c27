"""Primitives of Sevens: the decisions that it asks programs for, their sensors, and the alphabets.

A program is asked once for each card that it may choose; its sensors speak of that card and of the moment. The first
seven and ``math.random`` are the terminals of P. Hansson's article (GameDev.net, 2013), whose text gives only their
names; of the readings that fit them, these play best.
"""

from gpkit.core.offers import PrimitiveSets
from gpkit.core.primitives import OPERATORS, RANDOM, Alphabet, PrimitiveSet, Sensor, operators

SECTIONS = ("play", "send")
"""The decisions of a program, one formula each."""

LARGEST_HAND = 50
"""A game begins with one card on the table, and every other player still in the game holds at least one."""

SENSORS = (
    Sensor("env.rounds", "laps completed: turns taken // players", 0, 999, shared=True),
    Sensor("env.suit", "own cards in the card's suit, itself included", 1, 13),
    Sensor("env.suitid", "the suit as a number: 0 hearts, 1 diamonds, 2 clubs, 3 spades", 0, 3),
    Sensor("env.rank", "the rank: ace 1 (14 where aces are high), jack 11, queen 12, king 13", 1, 14),
    Sensor(
        "env.safe",
        "1 if the cards that it makes playable next are all in the own hand, or there are none",
        0,
        1,
    ),
    Sensor("env.block", "cards further out on its side, on both sides for a seven, that others hold", 0, 12),
    Sensor(
        "env.selfblock", "cards further out on its side, on both sides for a seven, in the own hand", 0, 12
    ),
    Sensor("env.dist", "cards that must still be played before it can be; 0 if it is playable", 0, 8),
    Sensor("env.depth", "steps from the seven: |rank - 7|", 0, 7),
    Sensor("env.hand", "own cards, the card itself included", 1, LARGEST_HAND, shared=True),
    Sensor(
        "env.smallest",
        "fewest cards that any other player still in the game holds",
        1,
        LARGEST_HAND,
        shared=True,
    ),
    Sensor("env.next", "cards of the next player still in the game", 1, LARGEST_HAND, shared=True),
    Sensor("env.previous", "cards of the previous player still in the game", 1, LARGEST_HAND, shared=True),
    Sensor(
        "env.receiver",
        "cards of the player who will be sent one; 0 when playing",
        0,
        LARGEST_HAND,
        shared=True,
    ),
    Sensor("env.playable", "own cards that could be played now", 0, 8, shared=True),
    Sensor("env.run", "cards of its suit on the table", 0, 12),
    Sensor(
        "env.opens", "ranks next to it outward: 2 for a seven, 0 for the lowest and the highest, else 1", 0, 2
    ),
    Sensor("env.isend", "1 for the lowest and the highest rank, else 0", 0, 1),
    Sensor("env.left", "cards not yet on the table", 1, 52, shared=True),
    Sensor("env.opened", "suits whose seven is on the table", 0, 4, shared=True),
    Sensor("env.players", "players at the table when the game began", 2, 7, shared=True),
    Sensor("env.gift", "cards of others that it makes playable one after another", 0, 12),
)
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

FULL = Alphabet("full", tuple(s.name for s in SENSORS if s.name not in ("env.suitid", "env.gift")), OPERATORS)
"""Every operator, and every sensor that means something: the number of a suit does not, as suits are alike.

What a card gives away is in ``giving`` alone, so that this alphabet draws the same programs from a seed as ever.
"""

GIVING = Alphabet("giving", (*FULL.sensors, "env.gift"), OPERATORS)
"""All of ``full``, and how many cards of others a card lets out."""

DECISIONS = Alphabet("decisions", FULL.sensors)
"""Sensors that decision trees test: every one that means something."""

PRIMITIVES = PrimitiveSet("sevens", SECTIONS, SENSORS, (ARTICLE, FULL, GIVING))

OFFERS = PrimitiveSets(
    {"arithmetic": PRIMITIVES, "decision": PrimitiveSet("sevens", SECTIONS, SENSORS, (DECISIONS,))}
)
