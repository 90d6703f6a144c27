"""Introns: lines that have no effect, so that a program without them takes the same shots.

A line matters if it is reachable and does more than write registers, or writes what a line that matters may read, or
decides which of such lines is executed. Three passes say which do: what is certain at every reachable line, forwards;
then, backwards until nothing is added, which registers are still read, and which lines that makes matter. They follow
the control-flow graph: the successors of every line, and of the end of every block.

Methods: M. Wegman and F. Zadeck, "Constant Propagation with Conditional Branches", 1991; M. Brameier and W. Banzhaf,
"Linear Genetic Programming", 2007, section 3.2.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.words import REGISTERS, acts, restarts, vocabulary

ENTRY: Place = (0, 0)
"""Entry point of a program. The place behind the last line of a block is the block's end."""


def after_jump(program: LinearProgram, block: int) -> Place:
    """Target of a jump: the top of the next block, and of the first after the last."""
    return (block + 1) % len(program.blocks), 0


def after_end(program: LinearProgram, block: int, dialect: Mapping[str, str]) -> Place:
    """Place where a program goes on that ran off the end of a block."""
    places = {"top": (block, 0), "targeting": ENTRY, "next": after_jump(program, block)}
    return places[dialect["end"]]


def after_false(
    block: Sequence[str], line: int, dialect: Mapping[str, str], conditions: Collection[str]
) -> int:
    """The line at which a program goes on after a condition that does not hold; the block's length is its end.

    With ``if: stacked`` that is behind the run of conditions to which it belongs and the line after that run, with
    ``if: one-line`` behind the next line.
    """
    skipped = line + 1
    while dialect["if"] == "stacked" and skipped < len(block) and block[skipped] in conditions:
        skipped += 1
    return min(skipped + 1, len(block))


Facts = tuple[bool | None, ...]
"""Facts certain before a line: whether TargetHit, TempHit and Sunk are true, Count is 0 and TempPos is TargetPos."""

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
"""Facts that conditions ask for, and the answer with which they hold."""

_MAKES: dict[str, tuple[int, bool]] = {
    "SetTrue": (TEMP, True),
    "SetFalse": (TEMP, False),
    "Reset": (EMPTY, True),
    "SavePos": (SAME, True),
    "LoadPos": (SAME, True),
}
"""Facts that hold after these words; if they are certain before, the words change nothing."""

_BLURS: dict[str, int] = {
    "TargetPos": SAME,
    "TempPos": SAME,
    "TargetHit": HIT,
    "TempHit": TEMP,
    "Sunk": SUNK,
    "Count": EMPTY,
}
"""Facts that are no longer certain when a register is written."""


@dataclass(frozen=True, slots=True)
class Certainties:
    """Static knowledge of a program, found without running it.

    Attributes:
        facts: by reachable place, what is certain whenever control comes there.
        answers: of the conditions that always fall the same way, whether they hold.
        idle: the lines that change nothing because what they do has been done.
    """

    facts: Mapping[Place, Facts]
    answers: Mapping[Place, bool]
    idle: frozenset[Place]


class Flow:
    """Control-flow graph of a program in a dialect, and what is known of the program without running it.

    Attributes:
        program: blocks whose words the language or the game knows.
        dialect: the value of every switch.
        words: all that programs for the game can use, by name.
        conditions: the names of those that decide if the next line is executed.
        ways: the places at which the program can go on, by place: of all lines and ends, in the order of the text.
            Of a condition first the place if it holds, then the place if not; of a shot that may start the program
            again first the next line. Everything else goes on at one place.
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
        """The lines without which the program takes the same shots and draws the same directions.

        Raises:
            KeyError: nobody knows a word of the program.
        """
        return frozenset(self.program.places()) - self._lines_that_matter()

    def rows(self, *, keep_introns: bool = False) -> tuple[Place, ...]:
        """The place of each row of the compiled program: a line, or the end of a block."""
        return tuple(place for place in self.ways if keep_introns or place not in self.introns)

    @cached_property
    def certain(self) -> Certainties:
        """Facts certain at every reachable line; ways closed by a certain condition are left out."""
        facts: dict[Place, Facts] = {ENTRY: AT_START}
        pending = [ENTRY]
        while pending:
            place = pending.pop()
            for successor, after in self.onward(place, facts[place]):
                before = facts.get(successor)
                joined = after
                if before is not None:
                    joined = tuple(a if a is b else None for a, b in zip(before, after, strict=True))
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
        return Certainties(facts, answers, frozenset(idle))

    def onward(self, place: Place, known: Facts) -> list[tuple[Place, Facts]]:
        """The places at which the program can go on after one, with what is certain there."""
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
        program, words, ways, certain = self.program, self.words, self.ways, self.certain
        reads = {name: _mask(word.reads) for name, word in words.items()}
        writes = {name: _mask(word.writes) for name, word in words.items()}
        acting = {name for name, word in words.items() if acts(word, self.dialect)}
        matter = {place for place in certain.facts if program.word(place) in acting}
        needed = dict.fromkeys(ways, 0)  # the registers that are still read, before each place
        backwards = [(place, program.word(place)) for place in reversed(list(ways)) if place in certain.facts]
        changed = True
        while changed:
            changed = False
            for place, word in backwards:
                after = 0
                for successor in ways[place]:
                    after |= needed[successor]
                if place not in matter and place not in certain.idle and word:
                    if word in self.conditions:
                        skipped = range(ways[place][0][1], ways[place][1][1])
                        decides = any((place[0], line) in matter for line in skipped)
                        here = certain.answers.get(place) is not True and decides
                    elif word == "Jump":
                        here = self._jump_matters(place, matter)
                    else:
                        here = writes[word] & after != 0
                    if here:
                        matter.add(place)
                        changed = True
                before = after & ~writes[word] | reads[word] if place in matter else after
                if before != needed[place]:
                    needed[place] = before
                    changed = True
        return matter

    def _jump_matters(self, place: Place, matter: set[Place]) -> bool:
        """Whether control would go elsewhere without this jump: not at another, and not at a like end of the block."""
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
