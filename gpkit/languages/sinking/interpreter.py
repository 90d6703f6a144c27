"""The semantics of sinking programs: control flow, lines without effect, and the reference interpreter.

A reachable line matters if it does more than write registers, if it writes registers that a line that matters can read,
or if it decides whether a line that matters runs. A forward pass finds the facts that are certain at every reachable
line. Backward passes, repeated until nothing changes, then find the live registers and the lines that matter. All
passes follow the control-flow graph, which has the successors of every line and of the end of every block.

Methods: M. Wegman and F. Zadeck, "Constant Propagation with Conditional Branches", 1991; M. Brameier and W. Banzhaf,
"Linear Genetic Programming", 2007, section 3.2.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Protocol

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.text import DIRECTIONS, PITCH, REGISTERS, acts, restarts, vocabulary

ENTRY: Place = (0, 0)
"""The entry point of a program. The place after the last line of a block stands for the end of the block."""


def after_jump(program: LinearProgram, block: int) -> Place:
    """The target of a jump: the top of the next block; the first block follows the last one."""
    return (block + 1) % len(program.blocks), 0


def after_end(program: LinearProgram, block: int, dialect: Mapping[str, str]) -> Place:
    """The place where a program continues after the end of a block."""
    places = {"top": (block, 0), "targeting": ENTRY, "next": after_jump(program, block)}
    return places[dialect["end"]]


def after_false(
    block: Sequence[str], line: int, dialect: Mapping[str, str], conditions: Collection[str]
) -> int:
    """The line at which a program continues if a condition does not hold; the block's length stands for its end.

    With ``if: stacked``, the program skips all conditions that directly follow, and one more line; with ``if:
    one-line``, it skips only the next line.
    """
    skipped = line + 1
    while dialect["if"] == "stacked" and skipped < len(block) and block[skipped] in conditions:
        skipped += 1
    return min(skipped + 1, len(block))


Facts = tuple[bool | None, ...]
"""The facts before a line (None if uncertain): TargetHit, TempHit, Sunk, Count = 0, and TempPos = TargetPos."""

HIT, TEMP, SUNK, EMPTY, SAME = range(5)

AT_START: Facts = (False, False, False, True, True)

_ASKS: dict[str, tuple[int, bool]] = {
    "IfHit": (HIT, True),
    "IfMiss": (HIT, False),
    "IfTrue": (TEMP, True),
    "IfFalse": (TEMP, False),
    "IfSunk": (SUNK, True),
    "IfZero": (EMPTY, True),
}
"""The fact that each condition tests, and the value of the fact for which the condition holds."""

_MAKES: dict[str, tuple[int, bool]] = {
    "SetTrue": (TEMP, True),
    "SetFalse": (TEMP, False),
    "Reset": (EMPTY, True),
    "SavePos": (SAME, True),
    "LoadPos": (SAME, True),
}
"""The fact that each word establishes, and its value; if the fact already has this value, the word changes nothing."""

_BLURS: dict[str, int] = {
    "TargetPos": SAME,
    "TempPos": SAME,
    "TargetHit": HIT,
    "TempHit": TEMP,
    "Sunk": SUNK,
    "Count": EMPTY,
}
"""For each register, the fact that becomes uncertain when a word writes the register."""


class Flow:
    """The control-flow graph of a program in a dialect, and the facts that are certain without running it.

    Attributes:
        program: the program; the language or the game knows all its words.
        dialect: the value of every switch.
        words: all words that programs for the game can use, by name.
        conditions: the names of the conditions.
        ways: the possible next places after each line and after each end of a block, in the order of the text. For a
            condition, the first place applies if it holds, and the second if it does not. For a shot that can restart
            the program, the first place is the next line. From everywhere else, there is exactly one place to go.
    """

    def __init__(self, program: LinearProgram, dialect: Mapping[str, str], primitives: PrimitiveSet) -> None:
        self.program, self.dialect, self.words = program, dialect, vocabulary(primitives)
        self.conditions = {name for name, word in self.words.items() if word.is_condition}
        restarting = {name for name, word in self.words.items() if restarts(word, dialect)}
        self.ways: dict[Place, tuple[Place, ...]] = {}
        for b, block in enumerate(program.blocks):
            for k, word in enumerate(block):
                if word == "Jump":
                    ways: tuple[Place, ...] = (after_jump(program, b),)
                elif word in self.conditions:
                    ways = ((b, k + 1), (b, after_false(block, k, dialect, self.conditions)))
                else:
                    ways = ((b, k + 1), ENTRY) if word in restarting else ((b, k + 1),)
                self.ways[b, k] = ways
            self.ways[b, len(block)] = (after_end(program, b, dialect),)

    @cached_property
    def introns(self) -> frozenset[Place]:
        """The lines without effect; if they are removed, the program takes the same shots and draws the same numbers.

        Raises:
            KeyError: a word of the program is unknown.
        """
        return frozenset(self.program.places()) - self._lines_that_matter()

    def rows(self, *, keep_introns: bool = False) -> tuple[Place, ...]:
        """The place of each row of the compiled program: a line, or the end of a block."""
        return tuple(place for place in self.ways if keep_introns or place not in self.introns)

    @cached_property
    def certain(self) -> tuple[dict[Place, Facts], dict[Place, bool], list[Place]]:
        """The facts that are certain without running the program, except on paths that a certain condition rules out.

        Returns:
            The certain facts at each reachable place; the answers of those conditions that always have the same answer;
            and the lines that change nothing, because the fact that they establish is already true.
        """
        facts: dict[Place, Facts] = {ENTRY: AT_START}
        pending = [ENTRY]
        while pending:
            place = pending.pop()
            for successor, after in self.onward(place, facts[place]):
                before = facts.get(successor)
                joined = (
                    after
                    if before is None
                    else tuple(a if a is b else None for a, b in zip(before, after, strict=True))
                )
                if joined != before:
                    facts[successor] = joined
                    pending.append(successor)
        answers: dict[Place, bool] = {}
        idle: list[Place] = []
        for place, known in facts.items():
            word = self.program.word(place)
            if word in _ASKS:
                fact, wanted = _ASKS[word]
                if known[fact] is not None:
                    answers[place] = known[fact] is wanted
            elif word in _MAKES and known[_MAKES[word][0]] is _MAKES[word][1]:
                idle.append(place)
        return facts, answers, idle

    def onward(self, place: Place, known: Facts) -> list[tuple[Place, Facts]]:
        """The possible next places after a place, each with the facts that are certain there."""
        word, ways = self.program.word(place), self.ways[place]
        if word in _ASKS:
            fact, wanted = _ASKS[word]
            return [
                (way, _with(known, fact, answer))
                for way, answer in zip(ways, (wanted, not wanted), strict=True)
                if known[fact] in (None, answer)
            ]
        if word in _MAKES:
            known = _with(known, *_MAKES[word])
        elif word in ("Up", "Down"):
            known = _with(known, EMPTY, False if known[EMPTY] else None)
        elif word:
            for register in self.words[word].writes:
                if register in _BLURS:
                    known = _with(known, _BLURS[register], None)
        return [(way, known) for way in ways]

    def _lines_that_matter(self) -> set[Place]:
        program, words, ways, (facts, answers, idle) = self.program, self.words, self.ways, self.certain
        reads = {name: _mask(word.reads) for name, word in words.items()}
        writes = {name: _mask(word.writes) for name, word in words.items()}
        acting = {name for name, word in words.items() if acts(word, self.dialect)}
        matter = {place for place in facts if program.word(place) in acting}
        needed = dict.fromkeys(ways, 0)  # the registers that are still read, before each place
        backwards = [(place, program.word(place)) for place in reversed(list(ways)) if place in facts]
        changed = True
        while changed:
            changed = False
            for place, word in backwards:
                after = 0
                for successor in ways[place]:
                    after |= needed[successor]
                if place not in matter and place not in idle and word:
                    if word in self.conditions:
                        skipped = range(ways[place][0][1], ways[place][1][1])
                        decides = any((place[0], line) in matter for line in skipped)
                        here = answers.get(place) is not True and decides
                    else:
                        is_jump = word == "Jump"
                        here = self._jump_matters(place, matter) if is_jump else writes[word] & after != 0
                    if here:
                        matter.add(place)
                        changed = True
                before = after & ~writes[word] | reads[word] if place in matter else after
                if before != needed[place]:
                    needed[place] = before
                    changed = True
        return matter

    def _jump_matters(self, place: Place, matter: set[Place]) -> bool:
        """Whether control would go elsewhere without this jump; it would not if a similar jump or block end follows."""
        block, line = place
        lines = self.program.blocks[block]
        behind = next((k for k in range(line + 1, len(lines)) if (block, k) in matter), len(lines))
        return (
            self.ways[block, behind] != self.ways[place] if behind == len(lines) else lines[behind] != "Jump"
        )


def _with(known: Facts, fact: int, value: bool | None) -> Facts:
    return (*known[:fact], value, *known[fact + 1 :])


@cache
def _mask(registers: tuple[str, ...]) -> int:
    return sum(1 << REGISTERS.index(register) for register in registers)


BUDGET = 1000
"""The maximum number of steps that a program may take before a shot."""

Position = tuple[int, int]
"""A column and a row, counted from the top left corner (0, 0); the position can be off the board."""


@dataclass(frozen=True, slots=True)
class Registers:
    """The registers of a program; the defaults are their values at the start of a game.

    Attributes:
        target_pos: the position of the next shot.
        temp_pos: the saved position.
        target_dir: ``north``, ``east``, ``south`` or ``west``.
        target_hit: whether the last shot hit.
        temp_hit: a flag for the program's own use.
        sunk: whether the last shot sank a ship.
        count: a number for the program's own use.
    """

    target_pos: Position = (0, 0)
    temp_pos: Position = (0, 0)
    target_dir: str = "north"
    target_hit: bool = False
    temp_hit: bool = False
    sunk: bool = False
    count: int = 0

    def slots(self) -> tuple[float, ...]:
        """The values in the machine's slots, in the order of ``REGISTERS``."""
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
    """The outcome of an instruction.

    Attributes:
        registers: the registers after it.
        ends_turn: whether it ended a turn.
        holds: whether the condition holds; None for other instructions.
        told: the text that describes the outcome after the instruction's word, such as `` at C4: hit``.
    """

    registers: Registers
    ends_turn: bool = False
    holds: bool | None = None
    told: str = ""


class Host(Protocol):
    """The game, which executes the instructions that are not part of the language."""

    def execute(self, word: str, registers: Registers, dialect: Mapping[str, str]) -> Outcome:
        """Execute one instruction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed(Outcome):
    """An executed line of a program, with its outcome.

    Attributes:
        place: the place of the executed line, or of the end of a block.
        word: its instruction; empty at the end of a block.
        count: the number of steps since the beginning or the last shot that cost a turn, including this one.
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
"""The words that only change registers."""

CONDITIONS: Mapping[str, Callable[[Registers], bool]] = {
    "IfHit": lambda registers: registers.target_hit,
    "IfMiss": lambda registers: not registers.target_hit,
    "IfTrue": lambda registers: registers.temp_hit,
    "IfFalse": lambda registers: not registers.temp_hit,
    "IfSunk": lambda registers: registers.sunk,
    "IfZero": lambda registers: registers.count == 0,
}
"""The words that test registers."""


def interpret(
    program: LinearProgram,
    dialect: Mapping[str, str],
    primitives: PrimitiveSet,
    host: Host,
    *,
    keep_introns: bool = False,
    budget: int = BUDGET,
) -> Iterator[Executed]:
    """Yield the steps of a program in a game; the caller stops the iteration when the game has ended.

    The iterator ends by itself only after ``budget`` steps without a shot that costs a turn; such a game is invalid.
    Lines without effect do not count as steps, unless ``keep_introns`` is set.

    Raises:
        KeyError: a word of the program is unknown.
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
        yield Executed(
            *(registers, outcome.ends_turn, outcome.holds, outcome.told), place=place, word=word, count=count
        )
        if outcome.ends_turn:
            count = 0
