"""Layout of a game and of its rules in the arrays of the kernel."""

from typing import Any, NamedTuple

from gpkit.games.build_order.kernel.things import ACTIONS, MOST_HATCHERIES, MOST_HORIZON, MOST_SUPPLY, THINGS

_NUMBERS = (
    "horizon drone_cost drone_ticks overlord_cost overlord_ticks overlord_supply pool_cost pool_ticks "
    "zerglings_cost zerglings_ticks queen_cost queen_ticks queen_larvae queen_every hatchery_cost "
    "hatchery_ticks hatchery_supply scout_ticks larva_every larvae_most trip load crowded_load crowded "
    "full minerals drones larvae overlords"
)
NUMBER_NAMES = tuple(_NUMBERS.split())
"""The options that are whole numbers, in the order of the fields of ``Rules``."""

INCOME_TICKS = 60

DRONES, OVERLORDS, POOL, ZERGLINGS, QUEENS, HATCHERIES = range(6)
"""Finished things, in the order of ``THINGS``: the count of one is in the place of the action that makes it."""

TICK, MINERALS, ENEMIES, SCOUTED, OUTCOME, JOBS, NEXT, PHASE = range(6, 14)
"""``NEXT`` is the tick in which something happens beside mining, ``PHASE`` the present tick in a drone's trip."""

ATTACK_TICK, ATTACK_SIZE = range(14, 16)
MAKING = 16
"""From here on by action the orders that are not done."""

COUNTS = MAKING + len(ACTIONS)

GOING, REACHED, LATE, OVERRUN, STUCK = range(5)
"""Values of ``OUTCOME``, in the order of the words of ``rules``."""

LARVAE, READY = range(2)
"""Columns of a hatchery: its larvae, and the tick in which its next one hatches; 0 if there are enough."""

GIFT, PLACE = range(2)
"""Columns of a queen: the tick of her next larvae, and her hatchery."""

ACTION, DONE, AT = range(3)
"""Columns of a job: its action, the tick in which it is done, and the hatchery of a queen."""

MOST_JOBS = 2 * MOST_SUPPLY + MOST_HATCHERIES + 2
"""All supply, overlords of one supply each, hatcheries, a pool, a scout."""

GOAL = 0
COST = GOAL + len(THINGS)
TICKS = COST + len(ACTIONS)
HIDDEN = TICKS + len(ACTIONS)
NUMBERS = HIDDEN + 1
"""Places in the array of the rules: the goal, costs and ticks by action, whether the attack is hidden, and the numbers
of ``NUMBER_NAMES``."""


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
    """A game, changed in place; every array is int64.

    Attributes:
        rules: (RULES,), read only.
        counts: (COUNTS,): ``TICK`` and so on.
        income: (30,): by phase of a trip the minerals that come.
        drones: (drones,): the phase in which each that mines brings its load, the oldest first.
        hatcheries: (hatcheries, 2).
        queens: (queens, 2), in the order in which they hatched.
        jobs: (jobs, 3), in the order in which they were begun.
        mined: (ticks,): by tick the minerals that came; 0 in tick 0.
    """

    rules: Any
    counts: Any
    income: Any
    drones: Any
    hatcheries: Any
    queens: Any
    jobs: Any
    mined: Any
