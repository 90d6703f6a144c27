"""The names of things to build and of actions to order; an action's number is its position in the list."""

DRONE, OVERLORD, POOL, ZERGLINGS, QUEEN, HATCHERY, SCOUT, WAIT = range(8)

THINGS = ("drone", "overlord", "spawning_pool", "zerglings", "queen", "hatchery")
"""The things to build, which goals count; each zergling counts separately."""

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
"""The effect of each action."""

MOMENTS = 1024
"""The number of decisions at one tick that use different random numbers."""

MOST_HORIZON = 2000

MOST_SUPPLY = 200
"""The maximum supply limit; no overlord can begin once the limit, including things in production, reaches it."""

MOST_HATCHERIES = 16
"""The maximum number of hatcheries, including those in production."""

ATTACK_TICKS, ATTACK_SIZES = (175, 340), (10, 43)
"""The attacks from which ``attack=random`` chooses, all equally likely.

According to searches, a player who always defends against the early attack has too few fighters for the late attack,
and a player who grows for the late attack is overrun by the early one (``experiments/data/scouting-build_order.json``).
"""
