"""Games of one's own as exports need them: their rules and sensors stay with the host."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

from gpkit.core.errors import GuestError
from gpkit.core.json_values import plain
from gpkit.core.primitives import Sensor
from gpkit.gamekit.game import Game
from gpkit.gamekit.state import CHANCE, end_of, outcome
from gpkit.playing.decisions import Decision, follow
from gpkit.user_games.arena import first_of
from gpkit.user_games.faults import explain_errors
from gpkit.user_games.kernel.games import EVENTS, OPENINGS
from gpkit.user_games.wrapped_state import WrappedState
from gpkit.vm.keyed import keyed_uniform_readable

MOST_CANDIDATES = 200_000
"""Candidates in all recorded games together."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A state as games are recorded: what chance does is an action, too, and so is each of an opening.

    Attributes:
        moment: the state of the game that is dealt, before chance acts.
        opening: how many actions are drawn at random before a program chooses.
    """

    moment: WrappedState
    opening: int

    @property
    def waits_for_chance(self) -> bool:
        """Whether chance is to act."""
        return self.moment.current_player == CHANCE

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over, or called off for its length."""
        with explain_errors(self.moment.game):
            is_long = self.moment.actions >= self.moment.rules.longest and not self.waits_for_chance
            return self.moment.is_terminal or is_long

    def apply(self, action: int) -> Self:
        """The stage after an action, which is legal, or an outcome of chance."""
        chance = int(self.waits_for_chance)
        moment = self.moment
        with explain_errors(self.moment.game):
            position = moment.position.apply(action)
        actions, events = moment.actions + 1 - chance, moment.events + chance
        return replace(self, moment=replace(moment, position=position, actions=actions, events=events))

    def returns(self) -> tuple[float, ...]:
        """By player the score, the middle of the metric where the game is called off."""
        with explain_errors(self.moment.game):
            if self.moment.is_terminal:
                return self.moment.returns()
            return self.moment.called_off


@dataclass(frozen=True, slots=True)
class OwnRecorder:
    """Recorder (``gpkit.export.transcripts.Recorder``) of a game of one's own."""

    own: Game
    keyed = "own_keyed"
    folders = ()
    hosted = True
    carried = 10

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.own.name

    def parts(self, program: Any) -> tuple[str, ...]:
        """The same of every program."""
        return ("own_player",)

    def begin(self, options: Mapping[str, str], key: int) -> tuple[Stage, dict[str, Any]]:
        """The first state; unless chance begins, all games but the first have openings, or they could be the same."""
        rules = self.own.make_rules(options)
        with explain_errors(self.own):
            moment = WrappedState(rules, first_of(self.own, key, rules), key, self.own)
            first = Stage(moment, rules.opening(key))
            differs = key == 1 or first.waits_for_chance
        opening = first.opening + (0 if differs else 1 + key % 3)
        return replace(first, opening=opening), {"opening": opening}

    def follow(self, state: Stage, program: Any, key: int) -> tuple[int, Decision | None]:
        """The outcome of chance, the action of the opening, or the one that a program takes.

        Raises:
            GuestError: a function of the game raises, or a sensor leaves its bounds.
        """
        moment = state.moment
        with explain_errors(self.own):
            if state.waits_for_chance:
                return outcome(moment.position, keyed_uniform_readable(key, moment.events, EVENTS)), None
            legal = moment.legal_actions()
            if moment.actions < state.opening:
                return legal[int(keyed_uniform_readable(key, moment.actions, OPENINGS) * len(legal))], None
            read = program.tree(moment.decision).reads
            return follow(moment, program, partial(self._sensor_values, moment, read), key)

    def _sensor_values(self, moment: WrappedState, names: Sequence[str], action: int) -> dict[str, float]:
        """The values of sensors of an action.

        Raises:
            GuestError: one of them leaves its bounds.
        """
        values = {}
        for each in self.own.sensors:
            sensor = each.sensor
            if sensor.name not in names:
                continue
            value = each.sense(moment.position, action)
            if not _is_within(sensor, value):
                code, kind = (
                    each.function.__code__,
                    "a whole number from" if sensor.integer else "a number from",
                )
                raise GuestError(
                    f"{code.co_filename}, line {code.co_firstlineno}: {sensor.name} of action {action} is {value!r} "
                    f"after {moment.actions} actions of game {moment.key}; expected {kind} {sensor.low:g} to "
                    f"{sensor.high:g}"
                )
            values[sensor.name] = float(value)
        return values

    def seen(self, state: Stage) -> dict[str, Any]:
        """The index of the next action, and the observation of who is to choose."""
        moment = state.moment
        return {
            "index": moment.actions + moment.events,
            "player": moment.current_player,
            "actions": moment.actions,
            "observation": plain(moment.observation(moment.current_player), repr),
        }

    def count(self, state: Stage) -> int:
        """Actions that were chosen, those of the opening included."""
        return state.moment.actions

    turns = count

    def rules(self, options: Mapping[str, str]) -> dict[str, int | bool | str]:
        """Every rule by its name."""
        return dict(self.own.make_rules(options).values)

    def most(self, program: Any, options: Mapping[str, str]) -> int:
        """Few games of many candidates, by the first one."""
        candidates = 1

        def counted(state: Stage) -> int | None:
            nonlocal candidates
            if candidates > MOST_CANDIDATES:
                return None
            action, found = self.follow(state, program, 1)
            candidates += len(found.actions) if found is not None else 0
            return action

        end_of(self.begin(options, 1)[0], counted)
        return MOST_CANDIDATES // candidates

    def tables(self, options: Mapping[str, str]) -> dict[str, Sequence[int]]:
        """None: the host computes everything."""
        return {}


def _is_within(sensor: Sensor, value: Any) -> bool:
    """Whether a value is a number within the bounds of a sensor, without a fraction where it has none."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return False
    return sensor.low <= number <= sensor.high and not (sensor.integer and number % 1.0)
