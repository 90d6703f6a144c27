"""Programs outside games: their blocks of actions, carried out by whoever asks for one after another."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpkit.core.primitives import HostInstruction, PrimitiveSet
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.interpreter import Outcome, Registers, interpret
from gpkit.languages.sinking.words import BLOCKS, WORDS, dialect_of

CONDITION = "If"
"""Beginning of the words that decide whether the next line is executed."""


MOST_LINES = 1000
"""Lines of a block of a program outside games, at most, where nothing else is said."""


def primitives_of(words: Sequence[str], lines: int = MOST_LINES) -> PrimitiveSet:
    """The primitive set of some actions, without a game, and with so many lines in each block at most."""
    told = tuple(
        HostInstruction(word, "an action", acts=True, shoots=True)
        if not word.startswith(CONDITION)
        else HostInstruction(word, "a condition", is_condition=True)
        for word in words
    )
    return PrimitiveSet("", BLOCKS, (), (), told, capacities=(lines,) * len(BLOCKS))


@dataclass(frozen=True, slots=True)
class _Host:
    sense: Callable[[str], float]

    def execute(self, word: str, registers: Registers, dialect: Mapping[str, str]) -> Outcome:
        """Carry out one word: a condition asks a sensor, and an action ends a turn."""
        if word.startswith(CONDITION):
            return Outcome(registers, holds=bool(self.sense(word)))
        return Outcome(registers, ends_turn=True)


def primitives(program: LinearProgram) -> PrimitiveSet:
    """The primitives that a program uses."""
    known = {word.name for word in WORDS}
    words = dict.fromkeys(word for block in program.blocks for word in block if word not in known)
    return primitives_of(tuple(words))


def actions(
    program: LinearProgram, sense: Callable[[str], float], draw: Callable[[], float]
) -> Iterator[str]:
    """The actions of a program, which begins anew at its end; they end where it does nothing for a thousand steps."""
    del draw  # as no word is left to chance
    using = primitives(program)
    for executed in interpret(program, dialect_of({}, using), using, _Host(sense)):
        if executed.ends_turn:
            yield executed.word
