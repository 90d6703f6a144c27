"""Sensors as functions: each is declared where its value is computed, with its bounds and its meaning."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpkit.core.errors import GuestError, UsageError
from gpkit.core.plugins import shown_path
from gpkit.core.primitives import Sensor

PREFIX = "env."
"""Beginning of the names of sensors in programs."""

LARGEST = 1 << 53
"""Largest bound of a sensor, up or down: as far as every whole number is a double."""


@dataclass(frozen=True, slots=True)
class SensorFunction:
    """A sensor and the function that senses: of a state and a legal action, or of the state alone."""

    sensor: Sensor
    function: Callable[..., float]

    def __call__(self, *arguments: Any) -> float:
        """The value."""
        return self.function(*arguments)

    def check(self, values: Sequence[Any]) -> None:
        """Check values for legal actions.

        Raises:
            GuestError: one is not a number, or beyond the bounds; those of the package's own sensors are not
            looked at.
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

    def sense(self, state: Any, action: Any) -> float:
        """The value of a legal action."""
        return self.function(state) if self.sensor.shared else self.function(state, action)


def sensor(
    low: float, high: float, meaning: str, *, integer: bool | None = None
) -> Callable[[Callable[..., float]], SensorFunction]:
    """A sensor from a function of a state and a legal action; of a function ``left``, programs read ``env.left``.

    A function of the state alone is the same for all actions, and asked once.

    >>> @sensor(0, 20, "sticks that are left")
    ... def left(state, action):
    ...     return state.sticks - action
    >>> left.sensor.name, left.sensor.integer, left.sensor.shared
    ('env.left', True, False)

    Args:
        low, high: bounds of the value.
        meaning: what it is, in a few words, for people.
        integer: whether it has no fraction; without it, if both bounds are written so.

    Raises:
        UsageError: it is not a function of one or two arguments, or the bounds are none.
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


def declared(names: Mapping[str, Any]) -> tuple[SensorFunction, ...]:
    """The sensors among the names of a module, in the order of being declared."""
    return tuple(each for each in names.values() if isinstance(each, SensorFunction))


def sensed(sensors: Sequence[SensorFunction], seen: Any, action: Any) -> dict[str, float]:
    """Values of sensors by name, in their order; ``seen`` and ``action`` are what the functions are given."""
    return {each.sensor.name: float(each.sense(seen, action)) for each in sensors}
