"""Facts about a step of a build order; they describe events that happen after the sensors are read."""

from gpkit.gamekit.facts import fact, facts_of
from gpkit.games.build_order.rules import GOING, LATE, OVERRUN, REACHED, STUCK, BuildOrderState


@fact("the tick in which the order began")
def began(before: BuildOrderState, after: BuildOrderState) -> int | None:
    """The tick in which the order began; None if no order began."""
    return after.orders[-1].begun if len(after.orders) > len(before.orders) else None


@fact(
    "the outcome after the order: going, reached, late, overrun or stuck",
    GOING,
    REACHED,
    LATE,
    OVERRUN,
    STUCK,
)
def outcome(after: BuildOrderState) -> str:
    """The outcome of the game so far."""
    return after.outcome


FACTS = facts_of(globals())
