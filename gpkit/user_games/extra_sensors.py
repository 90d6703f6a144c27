"""Shipped games with a user's additional sensors: readable rules play the games; formulas read all sensors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gpkit.core import plugins
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.plugins import digest_of, imported_file
from gpkit.core.primitives import PrimitiveSet, Sensor
from gpkit.core.registry import PrimitiveSets, data_folder, game_entry, language_of, shipped_programs
from gpkit.core.rng import stream
from gpkit.gamekit.forms import GameForms
from gpkit.gamekit.game import Builtin, Deals, Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.sensors import SensorFunction, declared
from gpkit.gamekit.state import ObservableState
from gpkit.gamekit.view import View
from gpkit.user_games.declare import LANGUAGE
from gpkit.user_games.game import StateGame
from gpkit.user_games.rules import DEFAULT_OPTIONS, Rules
from gpkit.user_games.view import sensor_values


def add_sensors(path: str, game: str) -> None:
    """Import a named file, and add its sensors to a shipped game.

    The functions in the file receive the choosing player's knowledge (``observation``) and an action.

    Raises:
        GuestError: the file cannot be imported, or has no sensors.
        UsageError: the game is not a shipped game that accepts formulas, or has a sensor with the same name.
    """
    entry = game_entry(game)
    if entry.origin:
        raise UsageError(f"--sensors is for shipped games; define those of {entry.origin} in its file")
    module = imported_file(path)
    own = declared(vars(module))
    if not own:
        raise GuestError(f"{path} has no sensors: expected functions marked @sensor(low, high, meaning)")
    made = sensed_game(entry.load(), own, path)
    plugins.here.replaced[entry.name] = replace(
        entry, module=module.__name__, origin=path, value=made, programs=data_folder("programs") / game
    )


def sensed_game(base: Game, own: Sequence[SensorFunction], path: str) -> Game:
    """A shipped game with additional sensors.

    Raises:
        UsageError: the game does not accept formulas, or has a sensor with the same name.
    """
    if LANGUAGE not in base.offers:
        raise UsageError(f"{base.name} takes no formulas, and only formulas read sensors")
    old: PrimitiveSet = base.offers[LANGUAGE]
    for name in (each.sensor.name for each in own):
        if old.sensor(name) is not None:
            raise UsageError(f"{path}: {base.name} has a sensor {name}; give yours another name")
    known = _Known(base.view)
    sensors = (*map(known.sensor, old.sensors), *map(known.seeing, own))
    texts = {
        name: file.read_text(encoding="utf-8")
        for name, file in shipped_programs(base.name).items()
        if name in base.programs and language_of(str(file)).name == LANGUAGE
    }
    placements = {name: base.opponents[name] for name in base.placements}
    opponents = {**texts, "random": Builtin("chooses any legal action"), **placements}

    def rivals(rules: SensedRules) -> tuple[str, ...]:
        return tuple(each for each in base.rivals(rules.base) if each in opponents) or ("random",)

    def first(players: Sequence[Player], deals: Deals, rules: SensedRules) -> Any:
        return base.begin(players, base.deal(stream(deals.key(0), "sensed"), 1, rules.base), rules.base)

    return SensedGame(
        name=base.name,
        title=f"with the sensors of {path}",
        offers=_offers_with(base, own),
        options=(*base.all_options, *DEFAULT_OPTIONS),
        first=first,
        players=lambda rules: base.players(rules.base),
        rivals=rivals,
        metric=lambda rules: base.metric(rules.base),
        deal=Deals.drawn,
        opponents=MappingProxyType(opponents),
        courses=lambda players, deals, rules: None,
        sensors=sensors,
        facts=base.facts,
        forms=GameForms(view=partial(sensed_view, base.view, sensors)),
        base=base,
        path=path,
        digest=digest_of(path),
    )


@dataclass(frozen=True, slots=True, eq=False)
class SensedGame(StateGame):
    """A shipped game with additional sensors from a user, played by the readable rules of the game.

    Attributes:
        base: the shipped game.
        path: the path of the file with the sensors.
        digest: the digest of this file.
    """

    base: Any = None
    path: str = ""
    digest: str = ""

    hosted = False

    def make_rules(self, texts: Mapping[str, str]) -> "SensedRules":
        """The rules of the shipped game, plus the options that every game in a file has."""
        usual = {each.name for each in DEFAULT_OPTIONS}
        own = {name: text for name, text in texts.items() if name in usual}
        others = {name: text for name, text in texts.items() if name not in usual}
        return SensedRules(
            Rules.from_options(own, DEFAULT_OPTIONS, self.name).values, self.base.make_rules(others)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """The parts that pickle stores: the name of the game and the file of its sensors."""
        return _again, (self.name, str(Path(self.path).absolute()), self.digest)


def _offers_with(base: Game, own: Sequence[SensorFunction]) -> PrimitiveSets:
    """The primitive sets of a game with additional sensors, for programs that score actions."""
    usual = base.offers[LANGUAGE].sensors
    added = tuple(each.sensor for each in own)
    names = tuple(each.name for each in added)
    return PrimitiveSets(
        {
            language: replace(
                each,
                sensors=(*each.sensors, *added),
                alphabets=tuple(replace(one, sensors=(*one.sensors, *names)) for one in each.alphabets),
            )
            for language, each in base.offers.items()
            if each.sensors == usual and not each.actions
        }
    )


class _Known:
    """Values in the current state, each of which is computed only once.

    The values are the game's sensors for an action, and the observation of the player who chooses.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._state: Any = None
        self._values: dict[int, Mapping[str, float]] = {}
        self._seen: list[Any] = []

    def sensor(self, each: Sensor) -> SensorFunction:
        """A sensor of the game as a function of the state, like a sensor in a user's file."""
        if each.shared:
            return SensorFunction(each, lambda state: self.value(state, state.legal_actions()[0], each.name))
        return SensorFunction(each, lambda state, action: self.value(state, action, each.name))

    def value(self, state: ObservableState, action: int, name: str) -> float:
        """The value of a sensor."""
        self._look_at(state)
        if action not in self._values:
            self._values[action] = self._view.sensors(state, action)
        return self._values[action][name]

    def seen(self, state: ObservableState) -> Any:
        """The observation of the player who chooses."""
        self._look_at(state)
        if not self._seen:
            self._seen.append(state.observation(state.current_player))
        return self._seen[0]

    def seeing(self, own: SensorFunction) -> SensorFunction:
        """A sensor of the choosing player's observation, wrapped as a sensor of the state."""

        @wraps(own.function)
        def function(state: ObservableState, *action: int) -> float:
            return own.function(self.seen(state), *action)

        return SensorFunction(own.sensor, function)

    def _look_at(self, state: ObservableState) -> None:
        if state is not self._state:
            self._state, self._values, self._seen = state, {}, []


@dataclass(frozen=True, slots=True)
class SensedRules(Rules):
    """The rules of the shipped game, plus the options that every game in a file has.

    Attributes:
        base: the rules of the game.
    """

    base: Any = None

    def to_options(self) -> dict[str, str]:
        """All options as text."""
        return {**self.base.to_options(), **Rules.to_options(self)}


def sensed_view(base: View, own: Sequence[SensorFunction]) -> View:
    """The view of a game with these sensors."""
    return View(
        lambda state, action: base.action_text(state.position, action),
        lambda state, text: base.parse_action(state.position, text),
        lambda state, player=None, names=(): base.board_text(state.position, player, names),
        lambda state, player=None, names=(), overlay=None: base.board_svg(
            state.position, player, names, overlay
        ),
        partial(sensor_values, own),
    )


def _again(game: str, path: str, digest: str) -> Any:
    """Load the game in another process, when it is unpickled.

    Raises:
        GuestError: the file has changed.
    """
    if not game_entry(game).origin:
        add_sensors(path, game)
    if digest_of(path) != digest:
        raise GuestError(f"{path} has changed since the run began")
    return game_entry(game).load()
