"""Games replayed with one event changed, to find states that a player cannot tell apart."""

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import accumulate
from typing import Any

from gpkit.core.rng import stream
from gpkit.gamekit.state import CHANCE

REPLAYED = 3_000  # about how many actions to play to find states that look alike


def choices(state: Any) -> Sequence[int]:
    """The legal actions, or the outcomes if chance acts next."""
    if state.current_player == CHANCE:
        return [action for action, _ in state.chance_outcomes()]
    actions: Sequence[int] = state.legal_actions()
    return actions


def played_otherwise(
    states: Sequence[Any], actions: Sequence[int], place: int, instead: int
) -> Iterator[tuple[Any, int, Any]]:
    """The steps of a game from a replaced event on; if the new event also comes later, the two swap places.

    Args:
        states: the states of the game from the first one on.
        actions: the actions that led from each state to the next, including outcomes of chance.
        place: the index of the event.
        instead: the action to put in its place.
    """
    before, action = states[place], instead
    for number in range(place + 1, len(states)):
        after = before.apply(action)
        yield before, action, after
        if after.is_terminal or number == len(actions):
            return
        legal = choices(after)
        kept = [each for each in (actions[number], actions[place], instead) if each in legal]
        if not kept:
            return
        before, action = after, kept[0]


def look_alike_games(first: Any, actions: Sequence[int], player: int) -> Iterator[Any]:
    """States that look to a player like the last one of a game, in the same order each time.

    States in which another player chooses next, and knows the same as in the game, are left out.

    Args:
        first: the first state.
        actions: the actions of the game, including outcomes of chance.
        player: the player who sees the states.
    """
    states = list(accumulate(actions, lambda state, action: state.apply(action), initial=copy(first)))
    end, rng, played = states[-1], stream(len(actions), "otherwise"), 0
    actor, seen = end.current_player, end.observation(player)
    tries = [
        (place, each)
        for place, state in enumerate(states[:-1])
        for each in (choices(state) if state.current_player != player else ())
        if each != actions[place]
    ]
    for number in rng.permutation(len(tries)).tolist():
        changes = list(played_otherwise(states, actions, *tries[number]))
        other, played = changes[-1][2], played + len(changes)
        if played > REPLAYED:
            return
        if tries[number][0] + len(changes) < len(actions) or other.observation(player) != seen:
            continue
        if actor == player or other.observation(actor) != end.observation(actor):
            yield other
