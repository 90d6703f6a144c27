"""Primitive sets: where a game and a language meet.

A game says what a program may see (its sensors) and which decisions a program makes (its sections); a language says
which operators there are. An alphabet is a named selection of both, from which evolution builds programs.
"""

from dataclasses import dataclass

RANDOM = "math.random"
"""The terminal that is a fresh uniform number of [0, 1) at each of its occurrences."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A named number that a program may read.

    ``low`` and ``high`` bound it; ``integer`` says that it has no fraction, ``shared`` that it is the same for all
    candidates of one decision.
    """

    name: str
    meaning: str
    low: float
    high: float
    integer: bool = True
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Operator:
    """An inner node of formulas: its name and the number of its operands."""

    name: str
    arity: int


OPERATORS: tuple[Operator, ...] = (
    Operator("+", 2),
    Operator("-", 2),
    Operator("*", 2),
    Operator("/", 2),
    Operator("min", 2),
    Operator("max", 2),
    Operator("neg", 1),
    Operator("abs", 1),
    Operator("sqrt", 1),
    Operator("floor", 1),
    Operator("ifle", 4),
)
"""Every operator of formulas; the arithmetic language says what each means."""


def operators(*names: str) -> tuple[Operator, ...]:
    """The operators of those names, in that order."""
    by_name = {o.name: o for o in OPERATORS}
    return tuple(by_name[name] for name in names)


@dataclass(frozen=True, slots=True)
class Alphabet:
    """What evolution may use: names of sensors (``math.random`` may be among them), operators, and whether constants.

    ``constant_low`` and ``constant_high`` bound a freshly drawn constant.
    """

    name: str
    sensors: tuple[str, ...]
    operators: tuple[Operator, ...]
    constants: bool = True
    constant_low: float = -5.0
    constant_high: float = 5.0


@dataclass(frozen=True, slots=True)
class PrimitiveSet:
    """What one game offers to programs: ``sections`` are the decisions, one formula each, in the order of the file."""

    game: str
    sections: tuple[str, ...]
    sensors: tuple[Sensor, ...]
    alphabets: tuple[Alphabet, ...]

    def sensor(self, name: str) -> Sensor | None:
        """The sensor of that name, or None."""
        return next((s for s in self.sensors if s.name == name), None)

    def alphabet(self, name: str) -> Alphabet | None:
        """The alphabet of that name, or None."""
        return next((a for a in self.alphabets if a.name == name), None)

    @property
    def sensor_names(self) -> tuple[str, ...]:
        """The names of the sensors in the order of their slots."""
        return tuple(s.name for s in self.sensors)
