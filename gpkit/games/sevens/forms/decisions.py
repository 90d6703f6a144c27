"""Decisions on cards, in readable form."""

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

from gpkit.gamekit.players import Player
from gpkit.gamekit.sensors import sensed
from gpkit.gamekit.state import best_place
from gpkit.games.sevens.game import Deals, total_scores
from gpkit.games.sevens.kernel.layout import CARD_BITS
from gpkit.games.sevens.rules import State
from gpkit.games.sevens.sensors import SENSORS
from gpkit.playing.actions import Decision, decide
from gpkit.vm.keyed import keyed_uniform_readable


def follow(
    state: State, program: Any, deal_key: int, *, is_whole: bool = True
) -> tuple[int, Decision | None]:
    """The card that a program chooses for who is to choose, and its decision; None where there is only one card.

    The decision has all sensors, or only those that the program reads where it need not be whole.
    """
    legal = state.legal_actions()
    if len(legal) == 1:
        return legal[0], None
    seen = state.observation(state.current_player)
    read = () if is_whole else program.tree(state.decision).reads
    asked = SENSORS if is_whole else [each for each in SENSORS if each.sensor.name in read]
    sense = partial(sensed, asked, seen)
    found = decide(state, program, sense, partial(random_numbers, deal_key, state.actions))
    return found.action, found


def random_numbers(deal_key: int, actions: int, card: int) -> Callable[[], float]:
    """A source of the values of ``math.random()`` for one candidate: the k-th call is the k-th place in the formula.

    ``deal_key`` is the key of the deal, 0 … 2^26 − 1; ``actions`` is that of the state. Values lie in [0, 1).
    """
    places = count()
    return lambda: keyed_uniform_readable(deal_key, actions, (next(places) << CARD_BITS) + card)


def explain(player: Player, state: State, deals: Deals) -> tuple[int, Decision | None]:
    """The card that a player chooses, and its decision; None of a search, and where there is only one card."""
    key, legal = int(deals.keys[0]), state.legal_actions()
    if player.is_program:
        return follow(state, player.program, key)
    if len(legal) == 1:
        return legal[0], None
    totals = total_scores(player, state, key)
    return list(totals)[best_place(list(totals.values()))], None
