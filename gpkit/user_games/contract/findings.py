"""Findings about a game: what is wrong, in which function of which file, and how to see it again."""

import inspect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gpkit.core.errors import one_line
from gpkit.core.plugins import Place, place_of_error, shown_path
from gpkit.core.timeouts import Stuck


class Fault(NamedTuple):
    """A fault in a state.

    Attributes:
        member: the function to fix: a method of the state, ``begin``, or a sensor.
        message: what is wrong, and what was expected.
    """

    member: str
    message: str


@dataclass(frozen=True, slots=True)
class Breach:
    """Breach of the contract of games: a fault with its place.

    Attributes:
        check: the part of the contract.
        member: the function to fix.
        place: of that function, or of the line that raised; None if it is not known.
        message: what is wrong, and what was expected.
        number: of the game in which it was seen, which decides what is dealt, with the seed.
        actions: those before it, outcomes of chance among them; the fewest of all games.
        times: how often it was seen; several times in a state, where several actions show it.
    """

    check: str
    member: str
    place: Place | None
    message: str
    number: int
    actions: tuple[int, ...]
    times: int = 1


def place_of(thing: Any) -> Place | None:
    """The place where a function, a method, a property or a class is written; None if it is not Python."""
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
    """The findings so far, one for each check and function.

    Attributes:
        functions: those that are no attributes of a state, by name.
        state_type: the class of the states, once there is one.
        found: the findings.
        stuck: whether a call did not come back.
    """

    functions: Mapping[str, Any]
    state_type: type | None = None
    found: dict[tuple[str, object], Breach] = field(default_factory=dict)
    stuck: bool = False

    @property
    def findings(self) -> tuple[Breach, ...]:
        """The findings, in the order of being met."""
        return tuple(self.found.values())

    def place(self, member: str) -> Place | None:
        """The place of a function; of the class of the states, if it has none of that name."""
        if member in self.functions:
            return place_of(self.functions[member])
        own = inspect.getattr_static(self.state_type, member, None)
        return place_of(own) or place_of(self.state_type)

    def add(self, check: str, fault: Fault, number: int, actions: tuple[int, ...]) -> None:
        """Note a fault."""
        place = self.place(fault.member)
        self._keep(Breach(check, fault.member, place, fault.message, number, actions))

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
        """Note what is raised within: the line of the game's file, or else the function that was asked."""
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
