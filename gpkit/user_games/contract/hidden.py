"""The contract of what is hidden: nobody sees it, nor what comes of it, before it is shown.

A state that a player cannot tell from another one must look the same to it in all that it is shown and its programs
read. Such states come from two sources. Games are played once more with one event otherwise, an outcome of chance or an
action of another player: wherever a player's observation is the same as before, so must be its legal actions, sensors,
texts and boards. And a state may have a method ``resample(rng, player)``, which gives a state with all that is hidden
from a player dealt anew: then the observation itself must be the same.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gpkit.core.diagnostics import shortened
from gpkit.core.rng import below
from gpkit.gamekit.state import CHANCE, legal_of
from gpkit.user_games.contract.findings import Fault
from gpkit.user_games.contract.game_under_test import Subject
from gpkit.user_games.contract.plain import first_change, snapshot
from gpkit.user_games.contract.states import choices, some

DEALS = 2
"""States that ``resample`` is asked for, by player."""


Other = tuple[int, int, Any]
"""A number of actions of a game, a player, and a state that it cannot tell from the one after so many."""


def check_resampled(subject: Subject, state: Any, rng: np.random.Generator) -> Iterator[Fault]:
    """Observations stay the same when what is hidden is dealt anew, and so does all that comes of them."""
    if not hasattr(state, "resample"):
        return
    before = snapshot(state)
    for player in range(subject.seats):
        for _ in range(DEALS):
            other = state.resample(rng, player)
            if type(other) is not type(state):
                yield Fault("resample", f"gives a {type(other).__name__}; expected a {type(state).__name__}")
                return
            if (after := snapshot(state)) != before:
                yield Fault(
                    "resample", f"changes the state that it is called on: {first_change(before, after)}"
                )
                return
            seen, now = (snapshot(each.observation(player)) for each in (state, other))
            if now != seen:
                message = f"shows player {player} hidden information: when resample deals it again,"
                yield Fault("observation", f"{message} {first_change(seen, now)}")
            else:
                yield from look_alike(subject, state, other, player)


def dealt_otherwise(states: Sequence[Any], seats: int, rng: np.random.Generator) -> int:
    """States of a game for which ``resample`` gives another one, to some player."""
    if not hasattr(states[0], "resample"):
        return 0
    return sum(any(state.resample(rng, player) != state for player in range(seats)) for state in states)


def look_alike(subject: Subject, state: Any, other: Any, player: int) -> Iterator[Fault]:
    """Two states with the same observation are one to a player in everything that it is shown and its programs read."""
    if state.is_terminal or other.is_terminal:
        return
    shown, instead = subject.shown(state), subject.shown(other)
    message = f"shows player {player} more than its observation does"
    for face in ("board_text", "board_svg"):
        board = getattr(subject.view, face)
        first, second = board(shown, player), board(instead, player)
        if first != second:
            yield Fault(face, f"{message}: {_first_line(first, second)}")
            return
    if not state.current_player == other.current_player == player:
        return
    legal, instead_legal = list(legal_of(state)), list(legal_of(other))
    if legal != instead_legal:
        first, second = (shortened(", ".join(map(str, each))) for each in (legal, instead_legal))
        yield Fault("legal_actions", f"{message}: {first} or {second}")
        return
    for action in legal[:20]:
        texts = [subject.view.action_text(each, action) for each in (shown, instead)]
        if texts[0] != texts[1]:
            yield Fault("action_text", f"{message}: {texts[0]!r} or {texts[1]!r} for {action}")
        for member, sense in subject.senses.items():
            first, second = (snapshot(sense(each, action)) for each in (state, other))
            if first != second:
                yield Fault(
                    member, f"{message}: {first_change(first, second)} in another deal (action {action})"
                )


def _first_line(first: str, second: str) -> str:
    for one, other in zip(first.splitlines(), second.splitlines(), strict=False):
        if one != other:
            return f"{shortened(one)!r} or {shortened(other)!r}"
    return "another number of lines"


def other_games(
    states: Sequence[Any], actions: Sequence[int], seats: int, rng: np.random.Generator, count: int
) -> Iterator[Other]:
    """States that a player cannot tell from those of a game, found by playing it again with an event otherwise.

    Args:
        states: of the game, from the first one on.
        actions: that led from each to the next, outcomes of chance among them.
        seats: players who observe.
        rng: random numbers.
        count: how many events are changed.
    """
    if not actions or not hasattr(states[0], "observation"):
        return
    events = [place for place, state in enumerate(states[:-1]) if state.current_player == CHANCE]
    for place in some(rng, events, count) + some(rng, range(len(actions)), count):
        rest = [action for action in choices(states[place]) if action != actions[place]]
        if rest:
            yield from _played_otherwise(states, actions, seats, place, rest[below(rng, len(rest))])


def _played_otherwise(
    states: Sequence[Any], actions: Sequence[int], seats: int, place: int, instead: int
) -> Iterator[Other]:
    """The rest of a game with another event; where that one comes later, the two are exchanged."""
    actor = states[place].current_player
    other = states[place].apply(instead)
    for number in range(place + 1, len(states)):
        state = states[number]
        if other.is_terminal or state.is_terminal:
            return
        for player in range(seats):
            if player != actor and other != state and other.observation(player) == state.observation(player):
                yield number, player, other
        action = actions[number]
        if action not in (legal := choices(other)):
            action = actions[place]
        if action not in legal:
            return
        other = other.apply(action)
