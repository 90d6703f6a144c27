"""From numbers to choices: the card of highest utility is chosen, and a game is played out by choosers.

A *utility* is what a program computes for one candidate: a function of its sensors and the card. It gets its
random numbers from ``random_numbers``, a pure function of the deal, the moment, the card and the place in the
formula, so that the order in which anything is evaluated has no effect.
"""

from collections.abc import Callable, Iterator
from itertools import count

from gpkit.gamekit.state import best_place, played
from gpkit.games.sevens.kernel.layout import CARD_BITS
from gpkit.games.sevens.rules import State
from gpkit.games.sevens.sensors import sense
from gpkit.vm.keyed import keyed_uniform_readable

Utility = Callable[[dict[str, float], int], float]
"""The utility of a candidate, given the values of its sensors and the card; NaN is worse than anything."""

Chooser = Callable[[State], int]
"""Chooses one of several legal actions of a state."""


def choose(state: State, utility: Utility) -> int:
    """The legal card of the highest utility; the first of equals, and the first card if every utility is NaN.

    The utility is told only what the current player knows.
    """
    seen = state.observation(state.current_player)
    return seen.legal[best_place([utility(sense(seen, card), card) for card in seen.legal])]


def random_numbers(deal_key: int, actions: int, card: int) -> Callable[[], float]:
    """A source of the values of ``math.random()`` for one candidate: the k-th call is the k-th place in the formula.

    ``deal_key`` is the key of the deal, 0 … 2^26 − 1; ``actions`` is that of the state. Values lie in [0, 1).
    """
    places = count()
    return lambda: keyed_uniform_readable(deal_key, actions, (next(places) << CARD_BITS) + card)


def play(state: State, choose: Chooser) -> Iterator[State]:
    """The states that follow, to the end of the game: one after each action. A single legal card is forced."""

    def card(state: State) -> int:
        legal = state.legal_actions()
        return legal[0] if len(legal) == 1 else choose(state)

    yield from (after for _, _, after in played(state, card))


def play_out(state: State, choose: Chooser) -> State:
    """The final state of the game."""
    *_, last = (state, *play(state, choose))
    return last
