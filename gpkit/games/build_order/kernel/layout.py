"""The layout of a game and its rules in the kernel's arrays."""

from typing import Any, NamedTuple

from gpkit.games.build_order.kernel.things import ACTIONS, MOST_HATCHERIES, MOST_HORIZON, MOST_SUPPLY, THINGS

_NUMBERS = (
    "horizon drone_cost drone_ticks overlord_cost overlord_ticks overlord_supply pool_cost pool_ticks "
    "zerglings_cost zerglings_ticks queen_cost queen_ticks queen_larvae queen_every hatchery_cost "
    "hatchery_ticks hatchery_supply scout_ticks larva_every larvae_most trip load crowded_load crowded "
    "full minerals drones larvae overlords"
)
NUMBER_NAMES = tuple(_NUMBERS.split())
"""The options that are whole numbers, in the order of the fields of ``BuildOrderRules``."""

INCOME_TICKS = 60

DRONES, OVERLORDS, POOL, ZERGLINGS, QUEENS, HATCHERIES = range(6)
"""The counts of finished things, in the order of ``THINGS``, which is the order of the actions that make them."""

TICK, MINERALS, ENEMIES, SCOUTED, OUTCOME, JOBS, NEXT, PHASE = range(6, 14)
"""``NEXT`` is the next tick at which anything other than mining happens; ``PHASE`` is the current tick of a drone's
trip."""

ATTACK_TICK, ATTACK_SIZE = range(14, 16)
MAKING = 16
"""The first index of the counts of unfinished orders, one for each action."""

COUNTS = MAKING + len(ACTIONS)

GOING, REACHED, LATE, OVERRUN, STUCK = range(5)
"""The values of ``OUTCOME``, in the order of the words in ``rules``."""

LARVAE, READY = range(2)
"""The columns of a hatchery: its larvae, and the tick at which the next larva hatches (0 if there are enough
larvae)."""

GIFT, PLACE = range(2)
"""The columns of a queen: the tick at which her next larvae hatch, and her hatchery."""

ACTION, DONE, AT = range(3)
"""The columns of a job: its action, the tick at which it is finished, and the hatchery if the action is a queen."""

MOST_JOBS = 2 * MOST_SUPPLY + MOST_HATCHERIES + 2
"""The maximum number of jobs: one unit for each unit of supply, the overlords, the hatcheries, a pool and a scout."""

GOAL = 0
COST = GOAL + len(THINGS)
TICKS = COST + len(ACTIONS)
HIDDEN = TICKS + len(ACTIONS)
NUMBERS = HIDDEN + 1
"""Indices into the array of the rules: the goal, the costs and durations of actions, whether the attack is hidden, and
the options in ``NUMBER_NAMES``."""


def _place(name: str) -> int:
    return NUMBERS + NUMBER_NAMES.index(name)


HORIZON, OVERLORD_SUPPLY, HATCHERY_SUPPLY = map(_place, ("horizon", "overlord_supply", "hatchery_supply"))
QUEEN_LARVAE, QUEEN_EVERY = map(_place, ("queen_larvae", "queen_every"))
LARVA_EVERY, LARVAE_MOST = map(_place, ("larva_every", "larvae_most"))
TRIP, LOAD, CROWDED_LOAD, CROWDED, FULL = map(_place, ("trip", "load", "crowded_load", "crowded", "full"))
MINERALS_AT_FIRST, DRONES_AT_FIRST = map(_place, ("minerals", "drones"))
LARVAE_AT_FIRST, OVERLORDS_AT_FIRST = map(_place, ("larvae", "overlords"))
RULES = NUMBERS + len(NUMBER_NAMES)

SHAPES = {
    "counts": (COUNTS,),
    "income": (30,),
    "drones": (MOST_SUPPLY + 2,),
    "hatcheries": (MOST_HATCHERIES, 2),
    "queens": (MOST_SUPPLY, 2),
    "jobs": (MOST_JOBS, 3),
    "mined": (MOST_HORIZON + 1,),
}


class Base(NamedTuple):
    """A game that is updated in place; all arrays are int64.

    Attributes:
        rules: (RULES,), read-only.
        counts: (COUNTS,): the values at indices such as ``DRONES``, ``TICK`` and ``MAKING``.
        income: (30,): the minerals that arrive in each phase of a trip.
        drones: (drones,): the phase in which each mining drone delivers its minerals, oldest drone first.
        hatcheries: (hatcheries, 2).
        queens: (queens, 2), in the order in which they hatched.
        jobs: (jobs, 3), in the order in which they began.
        mined: (ticks,): the minerals that arrived at each tick, which is 0 at tick 0.
    """

    rules: Any
    counts: Any
    income: Any
    drones: Any
    hatcheries: Any
    queens: Any
    jobs: Any
    mined: Any
