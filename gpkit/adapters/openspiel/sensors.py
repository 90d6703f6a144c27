"""Sensors that mean something in every game of OpenSpiel.

Where all is open they look ahead: what the action brings at once, what the other can do then, and how games go on that
are played at random from there. Where something is hidden looking ahead would show it, and they are the numbers of
OpenSpiel's own observation of the player, by the names that it has there.
"""

import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import pyspiel

from gpkit.adapters.openspiel.state import State, is_open
from gpkit.core.primitives import Sensor
from gpkit.core.rng import below, stream
from gpkit.gamekit.sensors import PREFIX, SensorFunction
from gpkit.gamekit.state import outcome

ROLLOUTS = 8
"""Games that are played at random from a state."""

MOST_KNOWN = 128
"""Numbers of an observation that become sensors; one that has more gives none."""

SLOW = (PREFIX + "rollouts",)
"""Sensors that take long, as they play games to their end."""


def sensors_of(game: Any) -> tuple[SensorFunction, ...]:
    """Sensors of a game."""
    most, longest = game.num_distinct_actions(), game.max_game_length()
    common = (
        _sensor("action", "the number of the action", 0, most - 1, lambda state, action: action),
        _sensor("legal", "number of legal actions", 0, most, lambda s: len(s.legal_actions()), shared=True),
        _sensor(
            "moves",
            "actions before",
            0,
            longest,
            lambda s: sum(each.player >= 0 for each in s.inner.full_history()),
            shared=True,
        ),
    )
    return (*common, *_of_squares(game), *_ahead(game)) if is_open(game) else (*common, *_known(game))


def _sensor(
    name: str, meaning: str, low: float, high: float, function: Callable[..., float], **kind: bool
) -> SensorFunction:
    """A sensor of a state and an action, or of a state alone, which is ``shared``; ``integer`` unless it says not."""
    return SensorFunction(Sensor(PREFIX + name, meaning, float(low), float(high), **kind), function)


# Boards.


def _of_squares(game: Any) -> Iterator[SensorFunction]:
    """Sensors of the square or column that an action is, in games whose actions are numbered so.

    They are so if there is one for each square of the board in OpenSpiel's tensor, and perhaps one to pass, or one for
    each column.
    """
    kind = game.get_type()
    shape = game.observation_tensor_shape() if kind.provides_observation_tensor else []
    if len(shape) != 3:
        return
    rows, columns, actions = shape[1], shape[2], game.num_distinct_actions()
    squares = actions in (rows * columns, rows * columns + 1)
    if not squares and actions != columns:
        return

    passes = actions > rows * columns
    lowest, message = (-1, "; -1 for a pass") if passes else (0, "")

    def column(state: State, action: int) -> float:
        return action % columns if action < rows * columns else -1

    def row(state: State, action: int) -> float:
        return action // columns if action < rows * columns else -1

    def middle(state: State, action: int) -> float:
        if action >= rows * columns:
            return -1
        across: float = abs(action % columns - (columns - 1) / 2)
        return across + abs(action // columns - (rows - 1) / 2) if squares else across

    yield _sensor("column", f"the column of the action, from 0{message}", lowest, columns - 1, column)
    if squares:
        yield _sensor("row", f"the row of the action, from 0{message}", lowest, rows - 1, row)
    furthest = (columns - 1) / 2 + ((rows - 1) / 2 if squares else 0)
    meaning = f"steps from it to the middle of the board{message}"
    yield _sensor("middle", meaning, lowest, furthest, middle, integer=False)


# Looking ahead, where all is open.


def _ahead(game: Any) -> Iterator[SensorFunction]:
    """Sensors of what follows an action."""
    low, high, most = float(game.min_utility()), float(game.max_utility()), game.num_distinct_actions()
    even = (low + high) / 2.0

    def gain(state: State, action: int) -> float:
        after = state.apply(action)
        return after.returns()[state.current_player] if after.is_terminal else 0.0

    def again(state: State, action: int) -> float:
        return state.apply(action).current_player == state.current_player

    def replies(state: State, action: int) -> float:
        after = state.apply(action)
        return len(after.legal_actions()) if after.current_player >= 0 else 0

    def losses(state: State, action: int) -> float:
        after, player = state.apply(action), state.current_player
        if after.current_player < 0 or after.current_player == player:
            return 0
        ends = (after.apply(reply) for reply in after.legal_actions())
        return sum(end.is_terminal and end.returns()[player] < even for end in ends)

    def rollouts(state: State, action: int) -> float:
        return _rollouts(state.apply(action), state.current_player)

    bottom, top = min(low, 0.0), max(high, 0.0)
    yield _sensor("gain", "own return if the action ends the game, else 0", bottom, top, gain, integer=False)
    yield _sensor("again", "1 if the player acts again after it, else 0", 0, 1, again)
    yield _sensor(
        "replies", "number of actions of the next player; 0 at the end and before chance", 0, most, replies
    )
    yield _sensor("losses", "winning replies of the opponent", 0, most, losses)
    meaning = f"own mean return over {ROLLOUTS} random playouts; the same each time"
    yield _sensor("rollouts", meaning, low, high, rollouts, integer=False)


def _rollouts(start: State, player: int) -> float:
    """Mean return of a player over games that are played at random from a state; a function of the state alone."""
    rng = stream(ROLLOUTS, "rollouts", *start.history)
    total: float = 0.0
    for _ in range(ROLLOUTS):
        state = start.inner.clone()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(outcome(state, rng.random()))
            else:
                legal = state.legal_actions()
                state.apply_action(legal[below(rng, len(legal))])
        total += state.returns()[player]
    return total / ROLLOUTS


# What is known, where something is hidden.


def _known(game: Any) -> Iterator[SensorFunction]:
    """Sensors of OpenSpiel's observation of the player who is to act."""
    from open_spiel.python.observation import make_observation  # which takes its time

    if not (game.get_type().provides_observation_tensor or game.get_type().provides_information_state_tensor):
        return
    kind = pyspiel.IIGObservationType(  # that of the moment, or, where a game has none, of all that was seen
        perfect_recall=not game.get_type().provides_observation_tensor,
        public_info=True,
        private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER,
    )
    observation = make_observation(game, kind)
    if observation is None or observation.tensor is None or len(observation.tensor) > MOST_KNOWN:
        return
    bound = max(1.0, abs(game.min_utility()), abs(game.max_utility()), game.max_game_length())
    place = 0
    for piece, values in observation.dict.items():
        word = re.sub(r"[^a-z0-9_]", "_", piece.lower())
        for number in range(values.size):
            name, meaning = f"{word}_{number}", f"number {number} of OpenSpiel's {piece.replace('_', ' ')}"
            read = _reader(observation, place, bound)
            yield _sensor(name, meaning, -bound, bound, read, integer=False, shared=True)
            place += 1


def _reader(observation: Any, place: int, bound: float) -> Callable[[State], float]:
    """A number of the observation, within bounds."""

    def read(state: State) -> float:
        observation.set_from(state.inner, state.current_player)
        value = float(observation.tensor[place])
        return min(max(value, -bound), bound) if math.isfinite(value) else 0.0

    return read
