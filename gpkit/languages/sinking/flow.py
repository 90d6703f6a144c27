"""Control-flow graph: successors of every line, and of the end of every block."""

from collections.abc import Collection, Mapping, Sequence

from gpkit.core.primitives import HostInstruction
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.words import Word, restarts

ENTRY: Place = (0, 0)
"""Entry point of a program. The place behind the last line of a block is the block's end."""


def following(
    program: LinearProgram, dialect: Mapping[str, str], vocabulary: Mapping[str, Word | HostInstruction]
) -> dict[Place, tuple[Place, ...]]:
    """The places at which a program can go on, by place: of all lines and ends, in the order of the text.

    For a condition first the place if it holds, then the place if not; for a shot that may start the program again
    first the next line. Everything else goes on at one place.
    """
    conditions = {name for name, word in vocabulary.items() if word.is_condition}
    restarting = {name for name, word in vocabulary.items() if restarts(word, dialect)}
    found: dict[Place, tuple[Place, ...]] = {}
    for b, block in enumerate(program.blocks):
        for k, word in enumerate(block):
            if word == "Jump":
                found[b, k] = (after_jump(program, b),)
            elif word in conditions:
                found[b, k] = ((b, k + 1), (b, after_false(block, k, dialect, conditions)))
            elif word in restarting:
                found[b, k] = ((b, k + 1), ENTRY)
            else:
                found[b, k] = ((b, k + 1),)
        found[b, len(block)] = (after_end(program, b, dialect),)
    return found


def after_jump(program: LinearProgram, block: int) -> Place:
    """Target of a jump: the top of the next block, and of the first after the last."""
    return (block + 1) % len(program.blocks), 0


def after_end(program: LinearProgram, block: int, dialect: Mapping[str, str]) -> Place:
    """Place where a program goes on that ran off the end of a block."""
    match dialect["end"]:
        case "top":
            return block, 0
        case "targeting":
            return ENTRY
        case _:
            return after_jump(program, block)


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
