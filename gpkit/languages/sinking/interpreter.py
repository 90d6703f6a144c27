"""Reference interpreter of programs, in plain Python and in reading order; the compiled machine agrees step by step."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.introns import ENTRY, Flow, after_end, after_false, after_jump
from gpkit.languages.sinking.words import DIRECTIONS, PITCH, restarts

BUDGET = 1000
"""The most steps for a shot."""

Position = tuple[int, int]
"""Column and row, from the top left corner (0, 0); it may lie off the board."""


@dataclass(frozen=True, slots=True)
class Registers:
    """The registers, as a program finds them when a game starts.

    Attributes:
        target_pos: where the next shot goes.
        temp_pos: a position that was saved.
        target_dir: ``north``, ``east``, ``south`` or ``west``.
        target_hit: whether the last shot hit.
        temp_hit: a flag of the program's own.
        sunk: whether the last shot sank a ship.
        count: a number of the program's own.
    """

    target_pos: Position = (0, 0)
    temp_pos: Position = (0, 0)
    target_dir: str = "north"
    target_hit: bool = False
    temp_hit: bool = False
    sunk: bool = False
    count: int = 0

    def slots(self) -> tuple[float, ...]:
        """The same as the machine holds them, in the order of ``REGISTERS``."""
        return (
            float(self.target_pos[1] * PITCH + self.target_pos[0]),
            float(self.temp_pos[1] * PITCH + self.temp_pos[0]),
            float(DIRECTIONS.index(self.target_dir)),
            float(self.target_hit),
            float(self.temp_hit),
            float(self.sunk),
            float(self.count),
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of an instruction.

    Attributes:
        registers: after it.
        ends_turn: whether it ended a turn.
        holds: whether the condition holds; None for other instructions.
        told: the text to add after its word, such as `` at C4: hit``.
    """

    registers: Registers
    ends_turn: bool = False
    holds: bool | None = None
    told: str = ""


class Host(Protocol):
    """The game, which carries out the words that the language does not know."""

    def execute(self, word: str, registers: Registers, dialect: Mapping[str, str]) -> Outcome:
        """Carry out one word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed(Outcome):
    """One executed line of a program, and its outcome; ``ends_turn`` marks a shot that costs the turn.

    Attributes:
        place: the line that was executed, or the end of the block that was left.
        word: its instruction; empty at the end of a block.
        count: the steps since the game began or a shot cost a turn, including this one.
    """

    place: Place
    word: str
    count: int


CHANGES: Mapping[str, Callable[[Registers], Registers]] = {
    "SavePos": lambda registers: replace(registers, temp_pos=registers.target_pos),
    "LoadPos": lambda registers: replace(registers, target_pos=registers.temp_pos),
    "SetTrue": lambda registers: replace(registers, temp_hit=True),
    "SetFalse": lambda registers: replace(registers, temp_hit=False),
    "Reset": lambda registers: replace(registers, count=0),
    "Up": lambda registers: replace(registers, count=registers.count + 1),
    "Down": lambda registers: replace(registers, count=registers.count - 1),
}
"""The words that change registers and nothing else."""

CONDITIONS: Mapping[str, Callable[[Registers], bool]] = {
    "IfHit": lambda registers: registers.target_hit,
    "IfMiss": lambda registers: not registers.target_hit,
    "IfTrue": lambda registers: registers.temp_hit,
    "IfFalse": lambda registers: not registers.temp_hit,
    "IfSunk": lambda registers: registers.sunk,
    "IfZero": lambda registers: registers.count == 0,
}
"""The words that ask for registers."""


def interpret(
    program: LinearProgram,
    dialect: Mapping[str, str],
    primitives: PrimitiveSet,
    host: Host,
    *,
    keep_introns: bool = False,
    budget: int = BUDGET,
) -> Iterator[Executed]:
    """The steps of a program in a game; whoever asks for them stops when the game is over.

    They end of themselves only when ``budget`` steps are used up without a shot that costs a turn; a game in
    which that happens is invalid. Lines that have no effect are passed over without a step, unless
    ``keep_introns``.

    Raises:
        KeyError: nobody knows a word of the program.
    """
    flow = Flow(program, dialect, primitives)
    skipped = frozenset() if keep_introns else flow.introns
    registers = Registers()
    block, line = ENTRY
    count = 0
    while count < budget:
        lines = program.blocks[block]
        while (block, line) in skipped:
            line += 1
        place = block, line
        word = lines[line] if line < len(lines) else ""
        outcome = Outcome(registers)
        line += 1
        match word:
            case "":
                block, line = after_end(program, block, dialect)
            case "Jump":
                block, line = after_jump(program, block)
            case "Nop":
                pass
            case _ if word in CHANGES:
                outcome = Outcome(CHANGES[word](registers))
            case _ if word in CONDITIONS:
                outcome = Outcome(registers, holds=CONDITIONS[word](registers))
            case _:
                outcome = host.execute(word, registers, dialect)
                if restarts(flow.words[word], dialect) and outcome.registers.sunk:
                    block, line = ENTRY
        registers = outcome.registers
        if outcome.holds is False:
            line = after_false(lines, place[1], dialect, flow.conditions)
        count += 1
        found = registers, outcome.ends_turn, outcome.holds, outcome.told
        yield Executed(*found, place=place, word=word, count=count)
        if outcome.ends_turn:
            count = 0
