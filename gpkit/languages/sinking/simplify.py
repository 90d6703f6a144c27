"""Dead-code elimination: smaller programs that play the same, without the lines that cannot matter."""

from collections.abc import Collection, Mapping

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.introns import introns


def simplify(program: LinearProgram, dialect: Mapping[str, str], primitives: PrimitiveSet) -> LinearProgram:
    """The program without the lines that cannot matter, as far as it then takes the same steps.

    A line that a condition skips cannot go without changing what the condition skips; such a line stays.

    Args:
        program: blocks whose words the language or the game knows.
        dialect: the value of every switch, see ``dialect_of``.
        primitives: what the game carries out.
    """
    steps = _rows(program, dialect, primitives)
    while idle := sorted(introns(program, dialect, primitives), reverse=True):
        before = program
        for places in (idle, *([place] for place in idle)):
            shorter = _without(program, places)
            if _rows(shorter, dialect, primitives) == steps:
                program = shorter
                break
        if program == before:
            break
    return program


def _without(program: LinearProgram, places: Collection[Place]) -> LinearProgram:
    """The program without the lines at some places."""
    blocks = [
        tuple(word for line, word in enumerate(block) if (number, line) not in places)
        for number, block in enumerate(program.blocks)
    ]
    return LinearProgram(program.names, tuple(blocks))


def _rows(program: LinearProgram, dialect: Mapping[str, str], primitives: PrimitiveSet) -> list[list[int]]:
    rows: list[list[int]] = compile_program(program, dialect, primitives).code.tolist()
    return rows
