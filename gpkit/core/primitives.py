"""A primitive set connects a game and a language.

The game defines the values that a program may read, the actions that it may take, and the parts that it has (its
sections). The language adds operators or instructions. An alphabet is a named selection of primitives from both;
evolution builds programs from it.

For languages with formulas, a game offers sensors. For languages with instructions, it offers host instructions, which
the game itself executes, and switches, which define how these instructions work.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError

RANDOM = "math.random"
"""The terminal that returns a new uniform random number in [0, 1) at each occurrence in a program."""

ONCE = "once"
"""The prefix for the names of compiled programs' inputs that are random numbers drawn once for all candidates."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A named number that a program may read.

    ``low`` and ``high`` are the bounds of the number. ``integer`` states whether it is always an integer, and
    ``shared`` whether all candidates of a decision share the same number.
    """

    name: str
    meaning: str
    low: float
    high: float
    integer: bool = True
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Operator:
    """An inner node of a formula: its name, and the number of its operands."""

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
"""All operators of formulas; the arithmetic language defines their meanings."""

LIBRARY_OPERATORS = frozenset({"log", "exp", "sin", "cos", "tanh", "pow"})
"""Operators that the math library of the host computes, so the last bits of their results may differ between hosts."""

OF_DATA = LIBRARY_OPERATORS | {"square"}
"""Operators for formulas that are fitted to data; the alphabets of games do not contain them."""

GUARDED = frozenset({"/", "sqrt", "log", "exp"})
"""Operators whose last operand should not read only columns of 0 and 1, because most would then need protection."""

PORTABLE = tuple(operator for operator in OPERATORS if operator.name not in OF_DATA)
"""All other operators, for games; their results are bit-for-bit identical in every host."""


def operators(*names: str) -> tuple[Operator, ...]:
    """The operators with these names, in this order."""
    by_name = {o.name: o for o in OPERATORS}
    return tuple(by_name[name] for name in names)


@dataclass(frozen=True, slots=True)
class Switch:
    """A detail of instructions that the published sources leave open; ``values`` lists the choices, default first."""

    name: str
    values: tuple[str, ...]
    meaning: str


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction of the languages for sinking programs and plans.

    Attributes:
        name: the word that represents the instruction in programs.
        meaning: a short description of its effect.
        reads, writes: the names of the registers that it reads and writes.
        is_condition: whether it determines if the next line runs.
        level: 0 if the published source defines the instruction, otherwise 1.
    """

    name: str
    meaning: str
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    is_condition: bool = False
    level: int = 0


@dataclass(frozen=True, slots=True)
class HostInstruction(Instruction):
    """An instruction that the game executes.

    Attributes:
        switches: the names of the switches that define the effect of the instruction; their values are its operands, in
            this order.
        acts: whether the instruction does more than write registers, for example end a turn or draw a random number.
        acts_with: a switch and one of its values, for which the instruction acts even if ``acts`` is False. The switch
            need not be among ``switches``.
        shoots: whether it ends a turn; every program must keep ending turns.
        restarts_with: a switch and one of its values, for which a program starts again after the instruction has set
            ``Sunk``.
        repeats_with: a switch and one of its values, for which shooting at the same place again also ends a turn.
    """

    switches: tuple[str, ...] = ()
    acts: bool = False
    acts_with: tuple[str, str] | None = None
    shoots: bool = False
    restarts_with: tuple[str, str] | None = None
    repeats_with: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Alphabet:
    """An alphabet of primitives that evolution may use.

    Attributes:
        name: its name in configurations.
        sensors: the names of the sensors, possibly including ``math.random``.
        operators: the inner nodes of formulas.
        constants: whether formulas have constants; new ones are drawn from ``constant_low`` to ``constant_high``.
        instructions: the words of the instructions.
        again: extra chances of leaves to be drawn, one for each entry; an entry is the index of a sensor, or the number
            of sensors for a constant.
        indicators: the sensors whose values are only 0 and 1; no operand of a ``GUARDED`` operator reads only such
            sensors.
    """

    name: str
    sensors: tuple[str, ...] = ()
    operators: tuple[Operator, ...] = ()
    constants: bool = True
    constant_low: float = -5.0
    constant_high: float = 5.0
    instructions: tuple[str, ...] = ()
    again: tuple[int, ...] = ()
    indicators: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PrimitiveSet:
    """The primitives that one game offers to programs in one language.

    Attributes:
        game: the name of the game.
        sections: the parts of a program, in file order: formulas for decisions, or blocks of instructions.
        sensors: the sensors that formulas can read.
        alphabets: the alphabets that evolution can use.
        instructions: the instructions that the game executes; number k has the opcode ``HOST`` + k.
        switches: the possible meanings of the instructions.
        capacities: the maximum number of lines in each block of instructions.
        placements: the placements that a header can name, in games with a hidden layout.
        starts: the names of the places where a plan that runs upwards can begin.
        actions: the actions that programs name if a section decides once for all candidates; empty if a section gives
            each candidate a value. Each action has its own sensor, named by ``action_sensor``.
        host: a function of (board, key, dialect) that returns the host, which executes the instructions in a traced
            game by the readable rules. The host's player shoots at the board and draws random numbers with the key.
            None if there are no instructions.
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
        """The sensor with this name, or None."""
        return next((s for s in self.sensors if s.name == name), None)

    def alphabet(self, name: str) -> Alphabet | None:
        """The alphabet with this name, or None; the name can add instructions and sensors, as in ``bridon+IfSunk``."""
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
        """The alphabet with this name; its first word must be the name of an alphabet.

        Raises:
            UsageError: a word cannot be added to the alphabet; the message names the nearest possible word.
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
    """The name of the sensor that is 1 for the candidate with this action, and 0 for all others."""
    return f"env.is_{name}"


Offers = Mapping[str, PrimitiveSet]
"""The primitive sets of one game, by the language whose programs play it; the first is the default."""


def offered(offers: Offers | None, language: str) -> PrimitiveSet | None:
    """The primitive set for programs in a language; None if there is no game, or no set for this language."""
    return None if offers is None else offers.get(language)
