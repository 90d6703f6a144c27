"""Findings about a game: each error with its function and file, and places where data changes or is not plain data."""

import dataclasses
import inspect
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from itertools import zip_longest
from typing import Any, NamedTuple

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import one_line
from gpkit.core.plugins import Place, place_of_error, shown_path
from gpkit.core.timeouts import Stuck


class Fault(NamedTuple):
    """A fault in a state.

    Attributes:
        member: the function to fix: a method of the state, ``begin``, or a sensor.
        message: the error and the expected behaviour.
    """

    member: str
    message: str


@dataclass(frozen=True, slots=True)
class Breach:
    """A violation of the game contract: the fault and where it occurred.

    Attributes:
        check: the name of the failed check.
        member: the function to fix.
        place: the place of this function, or of the line with the error; None if it is unknown.
        message: the error and the expected behaviour.
        number: the number of the game in which the fault was seen; together with the seed, it determines the deal.
        actions: the shortest sequence of actions, including chance outcomes, that led to the fault in any game.
        times: the number of times that the fault was seen; every action that reveals it in a state counts once.
    """

    check: str
    member: str
    place: Place | None
    message: str
    number: int
    actions: tuple[int, ...]
    times: int = 1


def place_of(thing: object) -> Place | None:
    """The place where a function, method, property or class is defined; None if it is not written in Python."""
    function: Any = thing.fget if isinstance(thing, property) else thing
    function = inspect.unwrap(getattr(function, "__func__", function)) if callable(function) else function
    code = getattr(function, "__code__", None)
    if code is not None:
        return Place(shown_path(code.co_filename), code.co_firstlineno, code.co_name)
    try:
        _, line = inspect.findsource(function)
        return Place(shown_path(inspect.getfile(function)), line + 1, function.__name__)
    except (OSError, TypeError):
        return None


@dataclass
class Log:
    """A collection of the findings so far, one for each check and function.

    Attributes:
        functions: the functions that are not attributes of a state, by name.
        state_type: the class of the states; None until it is known.
        found: the findings.
        stuck: whether a call has failed to return.
    """

    functions: Mapping[str, Any]
    state_type: type | None = None
    found: dict[tuple[str, object], Breach] = field(default_factory=dict)
    stuck: bool = False

    @property
    def findings(self) -> tuple[Breach, ...]:
        """The findings, in order of discovery."""
        return tuple(self.found.values())

    def place(self, member: str) -> Place | None:
        """The place of a function; if no function has this name, the place of the class of the states."""
        if member in self.functions:
            return place_of(self.functions[member])
        return place_of(inspect.getattr_static(self.state_type, member, None)) or place_of(self.state_type)

    def add(self, check: str, fault: Fault, number: int, actions: tuple[int, ...]) -> None:
        """Record a fault."""
        self._keep(Breach(check, fault.member, self.place(fault.member), fault.message, number, actions))

    def _keep(self, new: Breach) -> None:
        key = (new.check, new.place or new.member)
        old = self.found.get(key)
        times = 1 if old is None else old.times + 1
        best = new if old is None or len(new.actions) < len(old.actions) else old
        self.found[key] = Breach(
            best.check, best.member, best.place, best.message, best.number, best.actions, times
        )

    @contextmanager
    def noting(self, check: str, member: str, number: int, actions: tuple[int, ...]) -> Iterator[None]:
        """Record an error that the block raises, with its line in the game's file or else the called function."""
        try:
            yield
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.stuck = self.stuck or isinstance(error, Stuck)
            place = place_of_error(error) or self.place(member)
            name = place.function if place is not None else member
            if isinstance(error, Stuck):
                self._keep(Breach("time", name, place, str(error), number, actions))
            else:
                self._keep(Breach(check, name, place, f"raises {one_line(error)}", number, actions))


Snapshot = tuple[tuple[str, Any], ...]
"""All parts of a value with their paths, such as ``heaps[0]``, down to numbers and strings."""


def snapshot(value: object) -> Snapshot:
    """A copy of a value that is not affected by later changes to the value."""
    found: list[tuple[str, Any]] = []
    _gather(value, "", found)
    return tuple(found)


def first_change(before: Snapshot, after: Snapshot) -> str:
    """A description of the first part in which two snapshots differ."""
    for old, new in zip_longest(before, after):
        if old is None or new is None or old != new:
            path = (old or new)[0]
            was, now = (shortened(repr(each[1])) if each else "nothing" for each in (old, new))
            return f"`{path}` was {was} and is {now}" if path else f"it was {was} and is {now}"
    return "nothing"


def there_and_back(value: object) -> Any:
    """A copy of plain data, equal to the result of writing it as JSON and reading it back."""
    if dataclasses.is_dataclass(value):
        made = object.__new__(type(value))
        for field in dataclasses.fields(value):
            object.__setattr__(made, field.name, there_and_back(getattr(value, field.name)))
        return made
    if isinstance(value, tuple | frozenset):
        items = [there_and_back(each) for each in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def _parts(value: object) -> list[tuple[str, Any]] | None:
    """The parts of a value with their paths; None if it has no parts."""
    if value is None or isinstance(value, bool | int | float | str | Enum | type):
        return None
    if dataclasses.is_dataclass(value):
        return [(f".{field.name}", getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, dict):
        return [(f"[{key!r}]", item) for key, item in value.items()]
    if isinstance(value, set | frozenset):
        value = sorted(value, key=repr)
    if isinstance(value, list | tuple):
        return [(f"[{place}]", item) for place, item in enumerate(value)]
    if hasattr(value, "tolist"):
        return [("", value.tolist())]
    own = getattr(value, "__dict__", None)
    return None if own is None else [(f".{name}", item) for name, item in own.items()]


def _gather(value: object, path: str, found: list[tuple[str, object]]) -> None:
    """Add every part of a value to ``found``, with its path."""
    parts = _parts(value)
    if parts is None:
        found.append((path, repr(value) if isinstance(value, float) else value))  # NaN is not equal to itself
        return
    found.append((path, f"{type(value).__name__} of {len(parts)}"))
    for step, part in parts:
        way = f"{path}{step}" if path else step.removeprefix(".")
        if type(part) is int:
            found.append((way, part))
        else:
            _gather(part, way, found)


def not_plain(value: object, path: str = "") -> Iterator[str]:
    """Yield a message about each part of a value that is not plain data."""
    kind = type(value).__name__
    named = f"`{path}`" if path else "it"
    if isinstance(value, list | set | dict | bytearray):
        fix = {"list": "a tuple", "set": "a frozenset"}.get(kind, "a tuple")
        yield f"{named} is a {kind}, which can be changed; expected {fix}"
    elif isinstance(value, float) and not math.isfinite(value):
        yield f"{named} is {value}, which JSON does not have"
    elif isinstance(value, Enum):
        yield from not_plain(value.value, path)
    elif isinstance(value, tuple | frozenset) or dataclasses.is_dataclass(value):
        for step, part in _parts(value) or ():
            yield from not_plain(part, f"{path}{step}".removeprefix("."))
    elif type(value) not in (type(None), bool, int, float, str):
        expected = "numbers, texts, None, and tuples or frozen dataclasses of them"
        yield f"{named} is a {type(value).__module__}.{kind}; expected {expected}"
