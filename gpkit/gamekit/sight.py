"""Actions of others as a player sees them: as much as its observation tells.

A player sees an action if the observation after it rules out every other one, in this state and in others that look the
same to the player. These come from ``resample(rng, player)`` and from the game played with one event otherwise. Where
neither gives any, an action that was the only legal one counts as hidden.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any

from gpkit.core.rng import stream
from gpkit.gamekit.state import CHANCE

WORLDS = 48  # states that ``resample`` is asked for


def inner(state: Any) -> Any:
    """The state of a game's own in one that wraps it, before chance acts; else the state."""
    return getattr(state, "position", state)


def worlds(state: Any, player: int) -> Iterator[Any]:
    """Some states that look the same to a player; none where nothing says what they are."""
    if hasattr(state, "worlds"):
        yield from state.worlds(player)
    elif hasattr(state, "resample"):
        yield from (state.resample(stream(number, "worlds"), player) for number in range(WORLDS))


def look_alikes(state: Any, action: int, player: int) -> Iterator[tuple[Any, int]]:
    """Actions, with their states, that a player cannot tell from this one by its observations before and after."""
    seen = inner(state).apply(action).observation(player)
    for number, world in enumerate(chain([state], worlds(state, player))):
        own = inner(world)
        legal = () if own.is_terminal or own.current_player == CHANCE else own.legal_actions()
        tried = legal[:: 1 + len(legal) // 200] if number else legal  # where it happened, every one
        yield from ((world, each) for each in tried if own.apply(each).observation(player) == seen)


def seen_action(text: Callable[[Any, int], str], hidden: str, state: Any, action: int, player: int) -> str:
    """An action as far as a player sees it.

    Args:
        text: (state, action) an action as people write it.
        hidden: stands for an action of which the player sees only that there was one.
        state, action: what was chosen.
        player: who looks.

    Returns:
        The text, or ``hidden``; nothing where the observation is the same as before.
    """
    asked = text, hidden, state, action, player, getattr(state, "first", None), getattr(state, "past", ())
    try:
        return _seen(*asked)
    except TypeError:  # the state is not hashable, which `gpkit doctor` says
        return _seen.__wrapped__(*asked)


@lru_cache(maxsize=1 << 12)
def _seen(
    text: Callable[[Any, int], str], hidden: str, state: Any, action: int, player: int, *_way: object
) -> str:
    """As ``seen_action``; how the game came to the state counts, too, as ``worlds`` follow from it."""
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
