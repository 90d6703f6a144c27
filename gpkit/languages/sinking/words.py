"""The words of the sinking language that need no game: registers, conditions and jumps.

After J. Bridon, Z. Correll, C. Dubler and Z. Gotsch, "An Artificially Intelligent Battleship Player Utilizing Adaptive
Firing and Placement Strategies", section III.C and Figure 8. What shoots and moves is carried out by the game, which
brings those words in its primitive set. A dialect is one answer to every question that the source leaves open about the
meaning of programs.
"""

from collections.abc import Mapping

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import HostInstruction, Instruction, PrimitiveSet, Switch

BLOCKS = ("targeting", "locking", "sinking")
"""The three states; ``Jump`` goes from each to the next and from the last to the first."""

CAPACITIES = (10, 20, 20)
"""The largest number of lines of each block in the source; games say their own."""

REGISTERS = ("TargetPos", "TempPos", "TargetDir", "TargetHit", "TempHit", "Sunk", "Count")
"""Every register by its slot; all start at zero: square (0, 0), north, false."""

TARGET_POS, TEMP_POS, TARGET_DIR, TARGET_HIT, TEMP_HIT, SUNK, COUNT = range(7)

ZERO, ONE = 7, 8
"""The slots of the constants 0 and 1."""

PITCH = 2**24
"""The machine holds a position as one number, y · PITCH + x: y counts from the top row, x from the left column."""

DIRECTIONS = ("north", "east", "south", "west")
"""The values of TargetDir by number; north is one row up."""

SWITCHES = (
    Switch(
        "if",
        ("stacked", "one-line"),
        "a false condition skips the whole run of conditions and the line after it, or exactly the next line",
    ),
    Switch(
        "end", ("top", "targeting", "next"), "where a program continues when it runs off the end of a block"
    ),
)
"""Switches for what the source leaves open about control flow."""


WORDS = (
    Instruction("SavePos", "TempPos = TargetPos", ("TargetPos",), ("TempPos",)),
    Instruction("LoadPos", "TargetPos = TempPos", ("TempPos",), ("TargetPos",)),
    Instruction("SetTrue", "TempHit = true", (), ("TempHit",)),
    Instruction("SetFalse", "TempHit = false", (), ("TempHit",)),
    Instruction("IfHit", "run the next line only if TargetHit is true", ("TargetHit",), is_condition=True),
    Instruction("IfMiss", "run the next line only if TargetHit is false", ("TargetHit",), is_condition=True),
    Instruction("IfTrue", "run the next line only if TempHit is true", ("TempHit",), is_condition=True),
    Instruction("IfFalse", "run the next line only if TempHit is false", ("TempHit",), is_condition=True),
    Instruction("Jump", "continue at the top of the next block"),
    Instruction("Nop", "nothing"),
    Instruction("IfSunk", "run the next line only if the last shot sank a ship", ("Sunk",), (), True, 1),
    Instruction("Reset", "Count = 0", (), ("Count",), level=1),
    Instruction("Up", "Count = Count + 1", ("Count",), ("Count",), level=1),
    Instruction("Down", "Count = Count - 1", ("Count",), ("Count",), level=1),
    Instruction("IfZero", "run the next line only if Count is 0", ("Count",), (), True, 1),
)
"""Every word of the language itself, those of the source first."""


def vocabulary(primitives: PrimitiveSet) -> dict[str, Instruction]:
    """Every word that programs for a game can use, by its name: those of the language, then those of the game."""
    return {word.name: word for word in (*WORDS, *primitives.instructions)}


def restarts(word: Instruction, dialect: Mapping[str, str]) -> bool:
    """Whether the program goes on at the top of its first block when this instruction sank a ship."""
    return isinstance(word, HostInstruction) and _is_answer(word.restarts_with, dialect)


def repeats(word: Instruction, dialect: Mapping[str, str]) -> bool:
    """Whether this instruction ends a turn also where it did so before."""
    return isinstance(word, HostInstruction) and _is_answer(word.repeats_with, dialect)


def acts(word: Instruction, dialect: Mapping[str, str]) -> bool:
    """Whether an instruction does more than write registers: it ends a turn, draws a number, or is remembered."""
    return isinstance(word, HostInstruction) and (word.acts or _is_answer(word.acts_with, dialect))


def _is_answer(answer: tuple[str, str] | None, dialect: Mapping[str, str]) -> bool:
    """Whether a dialect gives this value to this switch."""
    return answer is not None and dialect[answer[0]] == answer[1]


PRESETS: Mapping[str, Mapping[str, str]] = {
    "bridon": {},
    "literal": {"if": "one-line", "known": "blind"},
}
"""Named dialects by what differs from the defaults: one under which Figure 8's comments hold, and the letter."""

DEFAULT = "bridon"


def switches(primitives: PrimitiveSet | None) -> tuple[Switch, ...]:
    """The questions: those of the language, then those of the game."""
    return SWITCHES if primitives is None else (*SWITCHES, *primitives.switches)


def dialect_of(header: Mapping[str, str], primitives: PrimitiveSet | None) -> dict[str, str]:
    """The value of every switch: what the header says, else what its preset says (``dialect``), else the default.

    Header keys that are no switches mean nothing here.

    Raises:
        UsageError: there is no such preset, or a switch has no such value.
    """
    for key, value in header.items():
        known = values(key, primitives)
        if known and value not in known:
            raise UsageError(f"{wrong_value(key, value)}; {suggestion(value, known)}")
    preset = PRESETS[header.get("dialect", DEFAULT)]
    return {
        switch.name: header.get(switch.name, preset.get(switch.name, switch.values[0]))
        for switch in switches(primitives)
    }


def values(key: str, primitives: PrimitiveSet | None) -> tuple[str, ...]:
    """Possible values of the header line of a key: values of a switch, names of presets; empty for any other key."""
    if key == "dialect":
        return tuple(PRESETS)
    return next((switch.values for switch in switches(primitives) if switch.name == key), ())


def wrong_value(key: str, value: str) -> str:
    """The message about a value that a switch does not have."""
    return (
        f"there is no dialect `{value}`" if key == "dialect" else f"the switch `{key}` has no value `{value}`"
    )
