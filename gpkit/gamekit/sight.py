"""The actions of others as a player sees them: only as much as the player's observation shows.

A player sees an action if the observation after it rules out every other action, in this state and in all states that
look the same to the player. ``resample(rng, player)`` gives such states, and so does playing the game again with one
event changed. If neither gives any, an action that was the only legal one counts as hidden.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any

from gpkit.core.rng import stream
from gpkit.gamekit.state import CHANCE, ObservableState

WORLDS = 48  # states to get from ``resample``


def inner(state: Any) -> Any:
    """The state of the game itself if this state is a wrapper around it; otherwise this state."""
    return getattr(state, "position", state)


def worlds(state: ObservableState, player: int) -> Iterator[Any]:
    """Some states that look the same to a player; none if the game has no way to find them."""
    if hasattr(state, "worlds"):
        yield from state.worlds(player)
    elif hasattr(state, "resample"):
        yield from (state.resample(stream(number, "worlds"), player) for number in range(WORLDS))


def look_alikes(state: ObservableState, action: int, player: int) -> Iterator[tuple[Any, int]]:
    """Actions, with their states, that a player cannot tell from this one by the observations before and after it."""
    seen = inner(state).apply(action).observation(player)
    for number, world in enumerate(chain([state], worlds(state, player))):
        own = inner(world)
        legal = () if own.is_terminal or own.current_player == CHANCE else own.legal_actions()
        tried = legal[:: 1 + len(legal) // 200] if number else legal  # in the real state, every action
        yield from ((world, each) for each in tried if own.apply(each).observation(player) == seen)


def seen_action(text: Callable[[Any, int], str], hidden: str, state: Any, action: int, player: int) -> str:
    """The text of an action as one player sees it.

    Args:
        text: (state, action) returns the action as people write it.
        hidden: the text for an action if the player sees only that there was one.
        state, action: the choice.
        player: the player who sees it.

    Returns:
        The text, or ``hidden``; empty if the observation does not change.
    """
    asked = text, hidden, state, action, player, getattr(state, "first", None), getattr(state, "past", ())
    try:
        return _seen(*asked)
    except TypeError:  # the state is not hashable; `gpkit doctor` reports that
        return _seen.__wrapped__(*asked)


@lru_cache(maxsize=1 << 12)
def _seen(
    text: Callable[[Any, int], str],
    hidden: str,
    state: ObservableState,
    action: int,
    player: int,
    *_way: object,
) -> str:
    """The same as ``seen_action``; the way to the state is part of the key, because ``worlds`` depends on it."""
    own, said = inner(state), text(state, action)
    if own.current_player == player or not hasattr(own, "observation"):
        return said
    if (after := own.apply(action)).is_terminal or (seen := after.observation(player)) == after:
        return said
    if seen == own.observation(player):
        return ""
    knows = len(own.legal_actions()) > 1 or any(inner(each) != own for each in worlds(state, player))
    return (
        said if knows and all(text(*each) == said for each in look_alikes(state, action, player)) else hidden
    )
