"""Lists of orders played by the kernel of the build order, whole or with every step written down."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import kernel
from gpkit.games.build_order.game import Ends, base_for
from gpkit.games.build_order.kernel import layout as at
from gpkit.games.build_order.kernel.games import begin, order, score_of, sense_base, sense_order
from gpkit.games.build_order.kernel.things import WAIT
from gpkit.games.build_order.rules import BuildOrderRules


def play_lists(lists: Sequence[Sequence[int]], attacks: NDArray[np.int64], rules: BuildOrderRules) -> Ends:
    """The ends of games in which the orders of a list begin one after another; after the last one time passes.

    Args:
        lists: of each game the actions.
        attacks: int64 (games, 2): the tick and the size of the attack of each game; zeros for none.
        rules: the rules.
    """
    orders = np.array([action for each in lists for action in each], dtype=np.int8)
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    ends = np.zeros((len(lists), 3))
    play_orders(base_for(rules), attacks, orders, starts, ends)
    return ends


@kernel
def play_orders(base, attacks, orders, starts, ends):  # type: ignore[no-untyped-def]
    """Play lists of orders; who has no order left waits.

    Args:
        base: a game's arrays, changed.
        attacks: int64 (games, 2): tick and size of the attack of each.
        orders: int8 (orders,): the actions of all games, one after another.
        starts: int64 (games + 1,): where those of each game begin.
        ends: float64 (games, 3), changed: the score, the outcome as of ``layout``, and the last tick.
    """
    for game in range(ends.shape[0]):
        begin(base, attacks[game, 0], attacks[game, 1])
        goes_on, place = True, starts[game]
        while goes_on:
            action = WAIT if place == starts[game + 1] else np.int64(orders[place])
            place += 0 if place == starts[game + 1] else 1
            goes_on = order(base, action)
        ends[game, 0] = score_of(base)
        ends[game, 1] = base.counts[at.OUTCOME]
        ends[game, 2] = base.counts[at.TICK]


@kernel
def follow_orders(base, attack, orders, asked, counts, sensors):  # type: ignore[no-untyped-def]
    """Play one list of orders, and write how the game stands at the beginning and after each of them.

    Args:
        base: a game's arrays, changed.
        attack: int64 (2,): tick and size of the attack.
        orders: int8 (orders,).
        asked: int8 (orders,): before each order another one, which can begin now or later.
        counts: int64 (orders + 1, COUNTS), changed: the counts of ``layout``; as they were after the end of the game.
        sensors: float64 (orders, sensors), changed: those of the orders that are ``asked``; as they were after the end.
    """
    begin(base, attack[0], attack[1])
    for number in range(orders.shape[0] + 1):
        for place in range(at.COUNTS):
            counts[number, place] = base.counts[place]
        if base.counts[at.OUTCOME] != at.GOING or number == orders.shape[0]:
            return
        sense_base(base, sensors[number])
        sense_order(base, np.int64(asked[number]), sensors[number])
        order(base, np.int64(orders[number]))
