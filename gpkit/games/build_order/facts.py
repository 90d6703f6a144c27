"""Facts of a step of the build order: what its sensors, which are read before an order, do not say."""

from gpkit.gamekit.facts import fact, facts_of
from gpkit.games.build_order.rules import GOING, LATE, OVERRUN, REACHED, STUCK, State


@fact("the tick in which the order began")
def began(before: State, after: State) -> int | None:
    """The tick in which the order began; None where none did."""
    return after.orders[-1].begun if len(after.orders) > len(before.orders) else None


@fact(
    "how the game stands after it: going, reached, late, overrun or stuck",
    GOING,
    REACHED,
    LATE,
    OVERRUN,
    STUCK,
)
def outcome(after: State) -> str:
    """The outcome so far."""
    return after.outcome


FACTS = facts_of(globals())
