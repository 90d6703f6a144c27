"""Sensors, declared as functions that compute their values, and tables that encode a player's knowledge as numbers."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.plugins import shown_path
from gpkit.core.primitives import Sensor
from gpkit.core.registry import game_of

PREFIX = "env."
"""The prefix of sensor names in programs."""

LARGEST = 1 << 53
"""The largest absolute value of a sensor's bound; a double represents every integer up to this value exactly."""


@dataclass(frozen=True, slots=True)
class SensorFunction:
    """A sensor, and the function that computes it from a state and a legal action, or from the state alone."""

    sensor: Sensor
    function: Callable[..., float]

    def __call__(self, *arguments: object) -> float:
        """The value of the sensor."""
        return self.function(*arguments)

    def check(self, values: Sequence[Any]) -> None:
        """Check the values of the sensor for legal actions.

        Raises:
            GuestError: a value is not a number, or is out of bounds; gpkit does not check its own sensors.
        """
        low, high = self.sensor.low, self.sensor.high
        try:
            if low <= min(values) and max(values) <= high and (total := sum(values)) == total:
                return
            wrong = next(each for each in values if not low <= each <= high)
        except TypeError:
            wrong = next(each for each in values if not isinstance(each, int | float))
        code = inspect.unwrap(self.function).__code__
        if not self.function.__module__.startswith("gpkit."):
            raise GuestError(
                f"{shown_path(code.co_filename)}, line {code.co_firstlineno}, in {code.co_name}: {self.sensor.name} is "
                f"{wrong!r}; declared as a number from {low:g} to {high:g}"
            )

    def sense(self, state: object, action: object) -> float:
        """The value for a legal action."""
        return self.function(state) if self.sensor.shared else self.function(state, action)


def sensor(
    low: float, high: float, meaning: str, *, integer: bool | None = None
) -> Callable[[Callable[..., float]], SensorFunction]:
    """Turn a function of a state and a legal action into a sensor; its name in programs begins with ``env.``.

    A function of the state alone has the same value for all actions, so gpkit calls it once.

    >>> @sensor(0, 20, "sticks that are left")
    ... def left(state, action):
    ...     return state.sticks - action
    >>> left.sensor.name, left.sensor.integer, left.sensor.shared
    ('env.left', True, False)

    Args:
        low, high: the bounds of the value.
        meaning: a short description for readers.
        integer: whether the value is an integer; by default, True if both bounds are integers.

    Raises:
        UsageError: the function does not have one or two arguments, or the bounds are wrong.
    """

    def declare(function: Callable[..., float]) -> SensorFunction:
        arguments = len(inspect.signature(function).parameters)
        if arguments not in (1, 2):
            raise UsageError(
                f"the sensor {function.__name__} has {arguments} arguments; expected (state, action)"
            )
        if not -LARGEST <= low <= high <= LARGEST:
            raise UsageError(
                f"the sensor {function.__name__} has the bounds {low} to {high}; expected the lower first, "
                "and at most 2^53"
            )
        whole = isinstance(low, int) and isinstance(high, int) if integer is None else integer
        name = PREFIX + function.__name__.rstrip("_")
        return SensorFunction(Sensor(name, meaning, float(low), float(high), whole, arguments == 1), function)

    return declare


def declared(names: Mapping[str, object]) -> tuple[SensorFunction, ...]:
    """The sensors that a module declares, in order of declaration."""
    return tuple(each for each in names.values() if isinstance(each, SensorFunction))


def sensed(sensors: Sequence[SensorFunction], seen: object, action: object) -> dict[str, float]:
    """The values of sensors by name, in order; the sensor functions are called with ``seen`` and ``action``."""
    return {each.sensor.name: float(each.sense(seen, action)) for each in sensors}


FeatureTable = Floats
"""An array, float64 (actions, columns), with a row for each action, legal or not; action numbers are row indices."""


class Encoding(Protocol):
    """An encoding of a player's knowledge as numbers; a module or an object can provide these functions."""

    def columns(self) -> Sequence[Sensor]:
        """The columns of the table, each with its meaning and bounds; rows of impossible actions may be 0."""

    def actions(self, rules: Any) -> int:
        """The number of actions; each action is at least 0 and below this number.

        Raises:
            UsageError: the number is unknown or too large.
        """

    def encode(self, state: Any, player: int) -> FeatureTable:
        """A player's knowledge, float64 (actions, columns), equal for states that look the same to the player."""


def encoding_of(game: str) -> Encoding:
    """The encoding of a game.

    Raises:
        UsageError: there is no such game, or it has no encoding.
    """
    found: Encoding | None = game_of(game).forms.encoding()
    if found is None:
        raise UsageError(f"{game} has no encoding: its observations cannot be expressed as numbers")
    return found


def rows_of(values: dict[int, dict[str, float]], actions: int, columns: Sequence[Sensor]) -> FeatureTable:
    """A table, float64 (actions, columns), of values given by action and column name; all other values are 0."""
    table = np.zeros((actions, len(columns)))
    for action, row in values.items():
        table[action] = [row.get(column.name, 0.0) for column in columns]
    return table
