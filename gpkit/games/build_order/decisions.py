"""From numbers to orders: a formula's value of each order, and the order of the highest value."""

from collections.abc import Callable, Mapping
from itertools import count

from gpkit.games.build_order.kernel.things import ACTIONS, MOMENTS
from gpkit.games.build_order.rules import State
from gpkit.games.build_order.sensors import sense
from gpkit.vm.keyed import HALF, keyed_uniform_readable

Utility = Callable[[Mapping[str, float], int], float]
"""The value of an order, given its sensors and its number; NaN is worse than anything."""


def choose(state: State, utility: Utility) -> int:
    """The order of the highest value; the first of equals, and the first one if every value is NaN."""
    best, highest = -1, float("nan")
    for action in state.legal_actions():
        value = utility(sense(state, action), action)
        if best < 0 or value > highest or (highest != highest and value == value):
            best, highest = action, value
    return best


def moment(state: State) -> int:
    """The number of a decision, which no other of the game has: its tick, and the orders before it."""
    return (state.tick * MOMENTS + len(state.orders)) % HALF


def random_numbers(key: int, state: State, action: int) -> Callable[[], float]:
    """A source of the values of ``math.random()`` for one order: the k-th call is the k-th place in the formula.

    ``key`` is that of the game, 26 bits. Values lie in [0, 1).
    """
    places = count()
    return lambda: keyed_uniform_readable(key, moment(state), (next(places) * len(ACTIONS) + action) % HALF)
