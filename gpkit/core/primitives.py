"""Primitive sets: where a game and a language meet.

A game says what a program may see and do, and which parts a program has (its sections); a language says which operators
or instructions of its own there are. An alphabet is a named selection of both, from which evolution builds programs.

For formulas a game offers sensors. For instructions it offers host instructions, which it carries out itself when a
program comes to them, and switches, which say how they work.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError

RANDOM = "math.random"
"""The terminal that is a fresh uniform number of [0, 1) at each of its occurrences."""

ONCE = "once"
"""Beginning of the names of inputs of compiled programs that carry random numbers drawn once for all candidates."""


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
    Operator("log", 1),
    Operator("exp", 1),
    Operator("sin", 1),
    Operator("cos", 1),
    Operator("tanh", 1),
    Operator("pow", 2),
    Operator("square", 1),
)
"""Every operator of formulas; the arithmetic language says what each means."""

LIBRARY_OPERATORS = frozenset({"log", "exp", "sin", "cos", "tanh", "pow"})
"""Operators that the mathematical library of a host computes, whose last bits may differ."""

OF_DATA = LIBRARY_OPERATORS | {"square"}
"""Operators of formulas for data; alphabets of games are without them."""

PORTABLE = tuple(operator for operator in OPERATORS if operator.name not in OF_DATA)
"""All other operators, those of games, which are the same in every host, bit for bit."""


def operators(*names: str) -> tuple[Operator, ...]:
    """The operators of those names, in that order."""
    by_name = {o.name: o for o in OPERATORS}
    return tuple(by_name[name] for name in names)


@dataclass(frozen=True, slots=True)
class Switch:
    """A question about instructions that sources leave open, with the ``values`` to choose from, default first."""

    name: str
    values: tuple[str, ...]
    meaning: str


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction of programs.

    Attributes:
        name: its word.
        meaning: what it does, in a few words.
        reads, writes: names of registers.
        is_condition: whether it decides if the next line is executed.
        level: 0 for what the source has, 1 for what goes beyond it.
    """

    name: str
    meaning: str
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    is_condition: bool = False
    level: int = 0


@dataclass(frozen=True, slots=True)
class HostInstruction(Instruction):
    """An instruction that the game carries out.

    Attributes:
        switches: names of the switches that say how it works; their values are its operands, in this order.
        acts: whether it does more than write registers: it ends a turn, or draws a random number.
        acts_with: a switch, and its value with which the instruction acts although ``acts`` is not set; the switch need
            not be among ``switches``.
        shoots: whether it ends turns, which a program must do again and again.
        restarts_with: a switch, and its value with which a program starts again after the instruction has set ``Sunk``.
        repeats_with: a switch, and its value with which shooting at the same place again also ends a turn.
    """

    switches: tuple[str, ...] = ()
    acts: bool = False
    acts_with: tuple[str, str] | None = None
    shoots: bool = False
    restarts_with: tuple[str, str] | None = None
    repeats_with: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Alphabet of primitives that evolution may use.

    Attributes:
        name: how configurations call it.
        sensors: names of sensors; ``math.random`` may be among them.
        operators: inner nodes of formulas.
        constants: whether formulas hold constants; freshly drawn ones lie from ``constant_low`` to ``constant_high``.
        instructions: words of instructions.
    """

    name: str
    sensors: tuple[str, ...] = ()
    operators: tuple[Operator, ...] = ()
    constants: bool = True
    constant_low: float = -5.0
    constant_high: float = 5.0
    instructions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PrimitiveSet:
    """Primitives that one game offers to programs of one language.

    Attributes:
        game: the name of the game.
        sections: the parts of a program in the order of the file: formulas for decisions, or blocks of instructions.
        sensors: what formulas can read.
        alphabets: what evolution can choose from.
        instructions: what the game carries out; number k has the opcode ``HOST`` + k.
        switches: how the instructions can be meant.
        capacities: for blocks of instructions, the largest number of lines of each.
        placements: in games where players lay out what is hidden, the ways that a header can name.
        starts: the names by which the game says where a plan that is executed upwards begins.
        actions: what a part names that is asked once for all candidates; empty where each candidate is valued. Every
            action has the sensor ``action_sensor``.
        host: (board, key, dialect) what carries out the instructions in a traced game, by the readable rules; a player
            shoots at the board, and the key is that of its random numbers; None where there are no instructions.
    """

    game: str
    sections: tuple[str, ...]
    sensors: tuple[Sensor, ...]
    alphabets: tuple[Alphabet, ...]
    instructions: tuple[HostInstruction, ...] = ()
    switches: tuple[Switch, ...] = ()
    capacities: tuple[int, ...] = ()
    placements: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    host: Callable[[Any, int, Mapping[str, str]], Any] | None = None

    def sensor(self, name: str) -> Sensor | None:
        """The sensor of that name, or None."""
        return next((s for s in self.sensors if s.name == name), None)

    def alphabet(self, name: str) -> Alphabet | None:
        """The alphabet of that name, or None; instructions and sensors can be added to one, as in ``bridon+IfSunk``."""
        base, *words = name.split("+")
        found = next((a for a in self.alphabets if a.name == base), None)
        if found is None:
            return None
        instructions, sensors = found.instructions, found.sensors
        for word in words:
            if any(word in a.instructions for a in self.alphabets) and word not in instructions:
                instructions = (*instructions, word)
            elif self.sensor(word) is not None and word not in sensors:
                sensors = (*sensors, word)
            else:
                return None
        return replace(found, name=name, instructions=instructions, sensors=sensors)

    def chosen(self, name: str) -> Alphabet:
        """The alphabet of a name whose first word is that of an alphabet.

        Raises:
            UsageError: a word cannot be added to it; the message names the nearest one.
        """
        words = name.split("+")
        alphabets = [self.alphabet("+".join(words[: k + 1])) for k in range(len(words))]
        for word, alphabet in zip(words, alphabets, strict=True):
            if alphabet is None:
                known = [*self.sensor_names, *(w for a in self.alphabets for w in a.instructions)]
                why = "it is in it already" if word in known else suggestion(word, known)
                raise UsageError(f"`{word}` cannot be added to the alphabet {words[0]}; {why}")
        alphabet = alphabets[-1]
        assert alphabet is not None, "every step was looked at"
        return alphabet

    @property
    def sensor_names(self) -> tuple[str, ...]:
        """The names of the sensors in the order of their slots."""
        return tuple(s.name for s in self.sensors)


def action_sensor(name: str) -> str:
    """Name of the sensor that is 1 for the candidate that is the action, and 0 for others."""
    return f"env.is_{name}"


Offers = Mapping[str, PrimitiveSet]
"""The primitive sets of one game, by the language whose programs play it; the first is the default one."""


def offered(offers: Offers | None, language: str) -> PrimitiveSet | None:
    """The primitive set for programs of a language; None if there is no game, or it takes none of this language."""
    return None if offers is None else offers.get(language)
