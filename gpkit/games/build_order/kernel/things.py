"""Names of what is built and of what can be ordered; the number of an action is its place."""

DRONE, OVERLORD, POOL, ZERGLINGS, QUEEN, HATCHERY, SCOUT, WAIT = range(8)

THINGS = ("drone", "overlord", "spawning_pool", "zerglings", "queen", "hatchery")
"""Things that are built; goals count these, zerglings one by one."""

ACTIONS = (*THINGS, "scout", "wait")

MEANINGS = (
    "a larva becomes a drone, which mines",
    "a larva becomes an overlord, which gives supply",
    "a drone becomes the spawning pool, which zerglings and queens need; there is only one",
    "a larva becomes two zerglings, which fight",
    "a hatchery makes a queen, one at a time, which fights and gives it larvae",
    "a drone becomes a hatchery, which gives larvae and supply",
    "a drone finds out what the enemy will send, and mines again when it is back",
    "a tick passes",
)
"""By action what it does."""

MOMENTS = 1024
"""Decisions in a tick that random numbers tell apart."""

MOST_HORIZON = 2000

MOST_SUPPLY = 200
"""Supply never exceeds it, and no overlord is begun where the cap, with those to come, is that high."""

MOST_HATCHERIES = 16
"""With those to come; no further one is begun."""

ATTACK_TICKS, ATTACK_SIZES = (175, 340), (10, 43)
"""The attacks of which ``attack=random`` takes one, all equally likely.

Who always defends against the early one has too few fighters for the late one, and who grows for the late one is
overrun by the early one, as far as ``experiments/gpkit_experiments/build_order_scouting.py`` finds.
"""
