"""The counters of keyed random numbers in users' games."""

CHOICES, EVENTS, OPENINGS, FORMULAS = range(4)
"""The purposes of random numbers: choices of the player ``random``, chance events, openings, and formulas."""

PLACE_BITS = 16
"""The number of bits reserved for an action in the counter of a formula's random number."""
