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
from gpkit.gamekit.sight import look_alikes
from gpkit.gamekit.state import CHANCE, ObservableState, legal_of
from gpkit.gamekit.view import Overlay
from gpkit.gamekit.words import Move, Played
from gpkit.user_games.arena import functions_of
from gpkit.user_games.contract.findings import Fault
from gpkit.user_games.contract.game_under_test import OPPONENT, Subject
from gpkit.user_games.contract.plain import first_change, snapshot
from gpkit.user_games.contract.states import some
from gpkit.user_games.otherwise import choices, played_otherwise

DEALS = 2
"""States that ``resample`` is asked for, by player."""

COMPARED = 20  # legal actions to compare in a state
WHOLE = (
    "board_text",
    "board_svg",
    "legal_actions",
)  # other differences follow from these, so compare nothing else

Chosen = tuple[Any, int]
"""A state and the action that was chosen in it."""

Other = tuple[int, int, Any, Chosen | None]
"""A number of actions, a player, a state that looks to the player like the game after them, and its last choice.

The choice is None if the two states before it do not look alike to the player.
"""


def check_resampled(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
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


def look_alike(subject: Subject, state: ObservableState, other: Any, player: int) -> Iterator[Fault]:
    """Two states with the same observation are one to a player in everything that it is shown and its programs read."""
    if state.is_terminal != other.is_terminal:
        return
    message = f"shows player {player} more than its observation does"
    chooses = state.current_player == other.current_player == player and not state.is_terminal
    shown = [_shown(subject, each, player, chooses) for each in (state, other)]
    for (member, now), (_, instead) in zip(*shown, strict=False):
        if snapshot(now) != snapshot(instead):
            yield Fault(member, f"{message}: {_difference(now, instead)}")
            if member in WHOLE:
                return


def _shown(subject: Subject, state: ObservableState, player: int, chooses: bool) -> list[tuple[str, Any]]:
    """Everything that a player sees of a state, with the member that shows it; at the end, only the ending text."""
    view, shown, overlay = subject.view, subject.shown(state), Overlay()
    if state.is_terminal:
        return [("ending_text", state.ending_text() if hasattr(state, "ending_text") else "")]
    parts = [(face, getattr(view, face)(shown, player)) for face in ("board_text", "board_svg")]
    if chooses:
        parts += [("legal_actions", list(legal_of(state))), ("decision", state.decision)]
    if chooses and subject.game.is_of_states:
        names, placed = tuple(map(str, range(subject.seats))), view.placed(shown)
        played = Played(player, names, [Move(None, shown)], view.action_text, subject.metric)
        parts += [("question_text", view.words.prompt(played)), ("action_spots", placed)]
        parts += [(f"{OPPONENT}{name}", choose(state)) for name, choose in functions_of(subject.game).items()]
        overlay = Overlay({action: view.action_text(shown, action) for action in placed})
    if subject.game.is_of_states:
        parts += [("squares", view.squares and view.squares(shown))]
        parts += [("board_svg", view.board_svg(shown, player, overlay=overlay))]
    for action in legal_of(state)[:COMPARED] if chooses else ():
        parts += [("action_text", view.action_text(shown, action))]
        parts += [(member, sense(state, action)) for member, sense in subject.senses.items()]
    return parts


def tell_alike(subject: Subject, chosen: Chosen, instead: Chosen, player: int) -> Iterator[Fault]:
    """Faults where an action that a player sees has different texts in states that look the same to the player.

    ``gpkit.gamekit.sight`` already hides the action from a player who does not see it.

    Args:
        subject: the game.
        chosen, instead: the choices in two states that look alike to the player, both before and after them.
        player: the player who sees the action.
    """
    (state, action), (other, same), view = *(chosen, instead), subject.view
    actors = {state.current_player, other.current_player}
    if action != same or actors & {CHANCE, player}:
        return
    first, second = (view.action_text(subject.shown(each), action) for each in (state, other))
    alike = look_alikes(subject.shown(state), action, player) if first != second else ()
    if first != second and all(each == action for _, each in alike):
        message = f"shows player {player} more of another player's action than the observation does"
        yield Fault("action_text", f"{message}: {_difference(first, second)}")


def _difference(first: Any, second: Any) -> str:
    """The first difference between two things that a player sees."""
    if isinstance(first, dict):
        return first_change(snapshot(first), snapshot(second))
    lines = zip(str(first).splitlines(), str(second).splitlines(), strict=False)
    told = (f"{shortened(one)!r} or {shortened(other)!r}" for one, other in lines if one != other)
    return next(told, "another number of lines")


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
            yield from _look_alikes(states, actions, seats, place, rest[below(rng, len(rest))])


def _look_alikes(
    states: Sequence[Any], actions: Sequence[int], seats: int, place: int, instead: int
) -> Iterator[Other]:
    """The states of a game with one event changed that look to a player like those of the game."""
    actor, before = states[place].current_player, [True] * seats
    for number, change in enumerate(played_otherwise(states, actions, place, instead), place + 1):
        state, (last, action, other) = states[number], change
        if other.is_terminal != state.is_terminal:
            return
        alike = [other.observation(player) == state.observation(player) for player in range(seats)]
        for player in range(seats):
            if player != actor and other != state and alike[player]:
                yield number, player, other, (last, action) if before[player] else None
        before = alike
