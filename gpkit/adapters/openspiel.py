"""OpenSpiel games, selected by name and optional parameters: ``connect_four`` or ``connect_four(rows=4)``.

States are immutable wrappers around OpenSpiel's mutable states.

Every game provides sensors. In games with perfect information, the sensors look ahead: they evaluate the immediate
return of an action, the opponent's replies, and random playouts. In other games, looking ahead would reveal hidden
information, so the sensors are the numbers in the player's OpenSpiel observation, under OpenSpiel's names.
"""

import math
import re
import zlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import version
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.primitives import PORTABLE, Alphabet, Sensor
from gpkit.core.registry import PrimitiveSets
from gpkit.core.rng import below, stream
from gpkit.core.wording import install_command

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise UsageError(
        f"OpenSpiel games need the package {error.name}: {install_command('openspiel')}"
    ) from error

from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.sensors import PREFIX, SensorFunction
from gpkit.gamekit.state import CHANCE, NOBODY, outcome
from gpkit.gamekit.uct import MCTS, STRATEGY
from gpkit.user_games.declare import Opponent, game, offers_of

DECISION = "act"
"""The name of the single kind of decision that every OpenSpiel game has."""


@cache
def loaded(game: str) -> Any:
    """The OpenSpiel game with this name, which is in OpenSpiel's notation."""
    return pyspiel.load_game(game)


def is_open(game: Any) -> bool:
    """Whether the game has perfect information and its players take turns."""
    kind = game.get_type()
    is_known = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    return bool(is_known and kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL)


@dataclass(frozen=True)
class OpenSpielState:
    """A state of an OpenSpiel game, with the methods of states in users' games (``gpkit.user_games.declare``).

    Attributes:
        game: the name of the OpenSpiel game, with all parameters.
        history: the actions so far, including chance actions; simultaneous actions are sorted by seat.
        chosen: the choices made so far in a simultaneous decision; OpenSpiel's state does not contain them yet.
    """

    game: str
    history: tuple[int, ...] = ()
    chosen: tuple[int, ...] = ()

    decision = DECISION

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the state without its caches."""
        return OpenSpielState, (self.game, self.history, self.chosen)

    @cached_property
    def inner(self) -> Any:
        """The OpenSpiel state, which must not be modified."""
        inner, left = loaded(self.game).new_initial_state(), list(self.history)
        while left:
            if inner.is_simultaneous_node():
                count = inner.num_players()
                inner.apply_actions(left[:count])
                del left[:count]
            else:
                inner.apply_action(left.pop(0))
        return inner

    @property
    def together(self) -> bool:
        """Whether the players choose simultaneously."""
        return bool(self.inner.is_simultaneous_node())

    @cached_property
    def _after(self) -> dict[int, "OpenSpielState"]:
        """The state after each action, cached because several sensors need it."""
        return {}

    @property
    def action_count(self) -> int:
        """The number of actions of the game."""
        return int(loaded(self.game).num_distinct_actions())

    @property
    def current_player(self) -> int:
        """The player to act, ``CHANCE`` or ``NOBODY``."""
        player: int = len(self.chosen) if self.together else self.inner.current_player()
        if player >= 0:
            return player
        return CHANCE if player == pyspiel.PlayerId.CHANCE else NOBODY

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.inner.is_terminal())

    def legal_actions(self) -> Sequence[int]:
        """The legal actions in ascending order; at a chance node, the chance actions."""
        chooser = (len(self.chosen),) if self.together else ()
        return list(self.inner.legal_actions(*chooser))

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        """All chance actions with their probabilities."""
        return list(self.inner.chance_outcomes())

    def apply(self, action: int) -> "OpenSpielState":
        """The state after an action.

        Raises:
            ValueError: the action is not legal.
        """
        after = self._after.get(action)
        if after is None:
            legal = self.legal_actions()
            if action not in legal:
                raise ValueError(f"{action} is not a legal action; legal: {legal[:20]}")
            after = self._after[action] = self._next(int(action))
        return after

    def _next(self, action: int) -> "OpenSpielState":
        chosen = (*self.chosen, action) if self.together else ()
        if chosen and len(chosen) < self.inner.num_players():
            after = OpenSpielState(self.game, self.history, chosen)
            after.__dict__["inner"] = self.inner
            return after
        after = OpenSpielState(self.game, (*self.history, *(chosen or (action,))))
        if not chosen:
            after.__dict__["inner"] = self.inner.child(action)
        else:
            inner = after.__dict__["inner"] = self.inner.clone()
            inner.apply_actions(list(chosen))
        return after

    def returns(self) -> tuple[float, ...]:
        """The return of each player so far."""
        return tuple(self.inner.returns())

    def observation(self, player: int) -> Hashable:
        """The state itself if nothing is hidden; otherwise the player and OpenSpiel's text for their knowledge."""
        game = loaded(self.game)
        if is_open(game):
            return self
        pending = (len(self.chosen), self.chosen[player : player + 1]) if self.chosen else ()
        if game.get_type().provides_information_state_string:
            return player, self.inner.information_state_string(player), *pending
        if game.get_type().provides_observation_string:
            return player, self.inner.observation_string(player), *pending
        return player, self.history, *pending

    def action_text(self, action: int) -> str:
        """OpenSpiel's text for an action, or the action's number if that text is empty."""
        text: str = self.inner.action_to_string(
            len(self.chosen) if self.together else self.inner.current_player(), action
        ).strip()
        return text or str(action)

    def board_text(self, player: int | None) -> str:
        """OpenSpiel's description of the complete state, or only of a player's knowledge."""
        seen = self if player is None else self.observation(player)
        return str(seen.inner) if isinstance(seen, OpenSpielState) else str(seen[1])  # type: ignore[index]


ROLLOUTS = 8
"""The number of random playouts from a state."""

MOST_KNOWN = 128
"""The maximum number of observation values that become sensors. A game with more values gets no observation sensors."""

SLOW = (PREFIX + "rollouts",)
"""Sensors that are slow because they play games to the end."""


def sensors_of(game: Any) -> tuple[SensorFunction, ...]:
    """The sensors of a game."""
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
    """A sensor of a state and an action or, if ``shared``, of a state alone; its values are integers by default."""
    return SensorFunction(Sensor(PREFIX + name, meaning, float(low), float(high), **kind), function)


# Boards.


def _of_squares(game: Any) -> Iterator[SensorFunction]:
    """Sensors for the square or column of an action, in games that number their actions by square or column.

    Such a game has one action for each square of the board in OpenSpiel's tensor (and possibly one for passing), or one
    action for each column.
    """
    shape = game.observation_tensor_shape() if game.get_type().provides_observation_tensor else []
    if len(shape) != 3:
        return
    rows, columns, actions = shape[1], shape[2], game.num_distinct_actions()
    squares = actions in (rows * columns, rows * columns + 1)
    if not squares and actions != columns:
        return

    lowest, message = (-1, "; -1 for a pass") if actions > rows * columns else (0, "")

    def column(state: OpenSpielState, action: int) -> float:
        return action % columns if action < rows * columns else -1

    def row(state: OpenSpielState, action: int) -> float:
        return action // columns if action < rows * columns else -1

    def middle(state: OpenSpielState, action: int) -> float:
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


# Looking ahead in games with perfect information.


def _ahead(game: Any) -> Iterator[SensorFunction]:
    """Sensors that evaluate the consequences of an action."""
    low, high, most = float(game.min_utility()), float(game.max_utility()), game.num_distinct_actions()
    even = (low + high) / 2.0

    def gain(state: OpenSpielState, action: int) -> float:
        after = state.apply(action)
        return after.returns()[state.current_player] if after.is_terminal else 0.0

    def again(state: OpenSpielState, action: int) -> float:
        return state.apply(action).current_player == state.current_player

    def replies(state: OpenSpielState, action: int) -> float:
        after = state.apply(action)
        return len(after.legal_actions()) if after.current_player >= 0 else 0

    def losses(state: OpenSpielState, action: int) -> float:
        after, player = state.apply(action), state.current_player
        if after.current_player < 0 or after.current_player == player:
            return 0
        ends = (after.apply(reply) for reply in after.legal_actions())
        return sum(end.is_terminal and end.returns()[player] < even for end in ends)

    def rollouts(state: OpenSpielState, action: int) -> float:
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


def _rollouts(start: OpenSpielState, player: int) -> float:
    """A player's mean return over random playouts from a state; the same state always gives the same value."""
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


# A player's knowledge in games with hidden information.


def _known(game: Any) -> Iterator[SensorFunction]:
    """Sensors that read OpenSpiel's observation for the player to act."""
    from open_spiel.python.observation import make_observation  # which takes its time

    if not (game.get_type().provides_observation_tensor or game.get_type().provides_information_state_tensor):
        return
    kind = pyspiel.IIGObservationType(  # the observation or, without one, the information state
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
            yield _sensor(
                name, meaning, -bound, bound, _reader(observation, place, bound), integer=False, shared=True
            )
            place += 1


def _reader(observation: Any, place: int, bound: float) -> Callable[[OpenSpielState], float]:
    """A function that reads one number of the observation and clips it to the bound."""

    def read(state: OpenSpielState) -> float:
        observation.set_from(state.inner, state.current_player)
        value = float(observation.tensor[place])
        return min(max(value, -bound), bound) if math.isfinite(value) else 0.0

    return read


VERSION = f"OpenSpiel {version('open_spiel')}"

SPIEL_MCTS = "spiel-mcts"
"""The name of the opponent that uses OpenSpiel's tree search."""

SIMULATIONS = 50
"""The number of playouts that the tree search runs before each choice."""

OTHER = 0x2A5A5A5
"""A constant that gives random playouts a different seed from the tree search."""

GREEDY = "greedy"
"""The name of the opponent that looks one action ahead."""


def __getattr__(words: str) -> Game:
    """The game with this name, as an attribute of this module."""
    if words.startswith("_"):
        raise AttributeError(words)
    return game_of_text(words)


def game_of_text(text: str) -> Game:
    """The game with this name, which may include parameters in parentheses.

    Raises:
        UsageError: there is no such game, or the game has no such parameter.
        GuestError: the game is a mean-field game, its players enter text, or it has no probabilities for chance events.
    """
    return _game("".join(text.split()).removesuffix("()"))


@cache
def _game(words: str) -> Game:
    spiel = _loaded(words)
    kind = spiel.get_type()
    _check(words, spiel)
    known = (
        str(spiel) if set(re.findall(r"(\w+)\(", str(spiel))) <= set(pyspiel.registered_names()) else words
    )
    sensors = sensors_of(spiel)
    offers = {
        language: replace(offered, alphabets=_alphabets(offered.alphabets))
        for language, offered in offers_of(f"openspiel:{words}", (DECISION,), sensors).items()
    }
    return game(
        f"openspiel:{words}",
        lambda: OpenSpielState(known),
        sensors=sensors,
        players=spiel.num_players(),
        metric=Metric("returns", spiel.min_utility(), spiel.max_utility(), total=spiel.utility_sum()),
        opponents=_opponents(spiel),
        rivals=("random", GREEDY) if is_open(spiel) else ("random",),  # the searches are too slow
        title=f"{kind.long_name}, of {VERSION}",
        offers=PrimitiveSets(offers),
    )


def _loaded(words: str) -> Any:
    """The OpenSpiel game with this name.

    Raises:
        UsageError: there is no such game, or the game has no such parameter.
    """
    name, parenthesis, _ = words.partition("(")
    known = pyspiel.registered_names()
    if name not in known:
        raise UsageError(f"OpenSpiel has no game `{name}`; {suggestion(name, known)}")
    try:
        return pyspiel.load_game(words)
    except Exception as error:  # OpenSpiel also raises C++ errors
        needs = f" needs parameters in parentheses, as in {_example(name)}"
        raise UsageError(f"openspiel:{words}{f': {_reason(error)}' if parenthesis else needs}") from error


def _example(name: str) -> str:
    """An example of a game's name with all its parameters, as text."""
    (kind,) = (each for each in pyspiel.registered_games() if each.short_name == name)
    usual = {"str": "TEXT", "dict": "tic_tac_toe()"}  # by the type of the default
    values = (
        f"{key}={'FILE' if key.startswith('file') else usual.get(type(default).__name__, default)}"
        for key, default in kind.parameter_specification.items()
    )
    return f"{name}({','.join(values)})"


def _reason(error: Exception) -> str:
    """The first line of an OpenSpiel error message, or a simpler sentence if only programmers would understand it."""
    line = (str(error).splitlines() or [""])[0]
    return (
        "OpenSpiel cannot load this game or read its file" if "::" in line or line.startswith("/") else line
    )


def _check(words: str, spiel: Any) -> None:
    """Check that gpkit can play a game.

    Raises:
        GuestError: gpkit cannot play this game.
    """
    kind = spiel.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise GuestError(f"openspiel:{words} is not a turn-based game")
    if not spiel.num_distinct_actions():
        raise GuestError(
            f"openspiel:{words} has no numbered actions: its players enter text, which gpkit does not support"
        )
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise GuestError(f"openspiel:{words} does not give the probabilities of its chance events")


def _alphabets(usual: tuple[Alphabet, ...]) -> tuple[Alphabet, ...]:
    """The usual alphabets, without the slow sensors, and one alphabet that contains them."""
    quick = tuple(
        replace(each, sensors=tuple(name for name in each.sensors if name not in SLOW)) for each in usual
    )
    everything = usual[0].sensors
    return quick if quick[0].sensors == everything else (*quick, Alphabet("rollouts", everything, PORTABLE))


def _opponents(spiel: object) -> dict[str, Opponent]:
    """The opponents in a game with perfect information: one that looks one action ahead, and two that search."""
    if not is_open(spiel):
        return {}

    def mcts(state: OpenSpielState) -> int:
        seed = zlib.crc32(repr(state.history).encode()) >> 1  # an int of C
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed ^ OTHER)
        bot = pyspiel.MCTSBot(spiel, evaluator, 2.0, SIMULATIONS, 100, True, seed, False)
        return int(bot.step(state.inner))

    mcts.__doc__ = f"OpenSpiel's own tree search: {SIMULATIONS} simulations per choice"
    return {GREEDY: f"{DECISION}: env.gain - env.losses", SPIEL_MCTS: mcts, MCTS: STRATEGY}
