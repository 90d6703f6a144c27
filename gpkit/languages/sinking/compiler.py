"""Programs to machine code: one row for each line that matters, and one jump for the end of each block.

Dead code is what its lines cannot change: ``simplify`` gives smaller programs that play the same.
"""

from collections.abc import Collection, Mapping

import numpy as np

from gpkit.core.primitives import HostInstruction, PrimitiveSet, Switch
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.introns import following, introns, introns_of
from gpkit.languages.sinking.words import (
    COUNT,
    ONE,
    REGISTERS,
    SUNK,
    TARGET_HIT,
    TARGET_POS,
    TEMP_HIT,
    TEMP_POS,
    ZERO,
    vocabulary,
)
from gpkit.vm import isa
from gpkit.vm.program import Program

COMPUTATIONS: dict[str, tuple[int, int, int, int]] = {
    "SavePos": (isa.MOVE, TEMP_POS, TARGET_POS, 0),
    "LoadPos": (isa.MOVE, TARGET_POS, TEMP_POS, 0),
    "SetTrue": (isa.MOVE, TEMP_HIT, ONE, 0),
    "SetFalse": (isa.MOVE, TEMP_HIT, ZERO, 0),
    "Reset": (isa.MOVE, COUNT, ZERO, 0),
    "Up": (isa.ADD, COUNT, COUNT, ONE),
    "Down": (isa.SUB, COUNT, COUNT, ONE),
}
"""Opcode, result and operands of the words that compute."""

BRANCHES: dict[str, tuple[int, int]] = {
    "IfHit": (isa.JUMP_IF_ZERO, TARGET_HIT),
    "IfMiss": (isa.JUMP_UNLESS_ZERO, TARGET_HIT),
    "IfTrue": (isa.JUMP_IF_ZERO, TEMP_HIT),
    "IfFalse": (isa.JUMP_UNLESS_ZERO, TEMP_HIT),
    "IfSunk": (isa.JUMP_IF_ZERO, SUNK),
    "IfZero": (isa.JUMP_UNLESS_ZERO, COUNT),
}
"""The jump that is taken when the condition does not hold, and the register that it looks at."""


def compile_program(
    program: LinearProgram,
    dialect: Mapping[str, str],
    primitives: PrimitiveSet,
    *,
    keep_introns: bool = False,
) -> Program:
    """The machine code of a program; it starts at row 0 and never ends of itself.

    Args:
        program: blocks whose words the language or the game knows.
        dialect: the value of every switch, see ``dialect_of``.
        primitives: what the game carries out. The operands of those rows are the numbers of the values of their
            switches; a condition has the row to go on at when it does not hold in front of them.
        keep_introns: whether lines that have no effect get rows, too.

    Raises:
        KeyError: nobody knows a word of the program.
    """
    words = vocabulary(primitives)
    flow = following(program, dialect, words)
    skipped = frozenset() if keep_introns else introns_of(program, dialect, words, flow)
    places = tuple(place for place in flow if place not in skipped)
    row_at = _rows_by_place(flow, places)
    hosts = _host_rows(dialect, primitives)
    code = np.zeros((len(places), isa.WIDTH), dtype=np.uint32)
    for row, place in zip(code, places, strict=True):
        word = program.word(place)
        otherwise = row_at[flow[place][-1]]
        if word in COMPUTATIONS:
            row[:4] = COMPUTATIONS[word]
        elif word in BRANCHES:
            opcode, register = BRANCHES[word]
            row[:3] = opcode, otherwise, register
        elif word in hosts:
            host = hosts[word]
            row[: len(host)] = host
            if words[word].is_condition:
                row[1] = otherwise
        else:  # Jump, Nop, the end of a block
            row[:2] = isa.JUMP, otherwise
    memory = np.zeros(ONE + 1)
    memory[ONE] = 1.0
    return Program(code, memory, REGISTERS, TARGET_POS, host_instructions(primitives))


def lines_of_rows(
    program: LinearProgram,
    dialect: Mapping[str, str],
    primitives: PrimitiveSet,
    *,
    keep_introns: bool = False,
) -> tuple[Place, ...]:
    """The place of each row of ``compile_program`` with the same arguments: a line, or the end of a block."""
    skipped = frozenset() if keep_introns else introns(program, dialect, primitives)
    return tuple(
        place for place in following(program, dialect, vocabulary(primitives)) if place not in skipped
    )


def host_instructions(primitives: PrimitiveSet) -> tuple[isa.Instruction, ...]:
    """The rows of the game's instructions for the machine's table, from the opcode ``HOST`` on."""
    return tuple(
        isa.Instruction(opcode, instruction.name, _columns(instruction), instruction.meaning)
        for opcode, instruction in enumerate(primitives.instructions, start=isa.HOST)
    )


def _columns(instruction: HostInstruction) -> tuple[isa.Operand, isa.Operand, isa.Operand, isa.Operand]:
    columns: list[isa.Operand] = ["-"] * 4
    if instruction.is_condition:
        columns.insert(0, "target")
    for _ in instruction.switches:
        columns.insert(int(instruction.is_condition), "number")
    return columns[0], columns[1], columns[2], columns[3]


def _rows_by_place(flow: Mapping[Place, tuple[Place, ...]], places: tuple[Place, ...]) -> dict[Place, int]:
    """The row at which a program goes on that comes to a place: the first row at it or behind it."""
    found: dict[Place, int] = {}
    row = len(places)
    for place in reversed(list(flow)):
        if row and places[row - 1] == place:
            row -= 1
        found[place] = row
    return found


def _host_rows(dialect: Mapping[str, str], primitives: PrimitiveSet) -> dict[str, list[int]]:
    """Opcode and operands of the game's instructions; conditions have a 0 where the row to go on at belongs."""
    by_name: dict[str, Switch] = {switch.name: switch for switch in primitives.switches}

    def row(opcode: int, instruction: HostInstruction) -> list[int]:
        chosen = [by_name[name].values.index(dialect[name]) for name in instruction.switches]
        return [opcode, *([0] if instruction.is_condition else []), *chosen]

    return {
        instruction.name: row(opcode, instruction)
        for opcode, instruction in enumerate(primitives.instructions, start=isa.HOST)
    }


def simplify(program: LinearProgram, dialect: Mapping[str, str], primitives: PrimitiveSet) -> LinearProgram:
    """The program without the lines that have no effect, as far as it then takes the same steps.

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
