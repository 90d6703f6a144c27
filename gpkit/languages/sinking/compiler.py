"""Compiles programs to machine code: a row for each line that matters, and a jump for each end of a block.

``simplify`` removes dead code; the smaller program plays in the same way.
"""

from collections.abc import Mapping
from typing import cast

import numpy as np

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.interpreter import Flow
from gpkit.languages.sinking.text import (
    COUNT,
    ONE,
    REGISTERS,
    SUNK,
    TARGET_HIT,
    TARGET_POS,
    TEMP_HIT,
    TEMP_POS,
    ZERO,
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
"""The opcode, the result and the operands of each word that computes a value."""

BRANCHES: dict[str, tuple[int, int]] = {
    "IfHit": (isa.JUMP_IF_ZERO, TARGET_HIT),
    "IfMiss": (isa.JUMP_UNLESS_ZERO, TARGET_HIT),
    "IfTrue": (isa.JUMP_IF_ZERO, TEMP_HIT),
    "IfFalse": (isa.JUMP_UNLESS_ZERO, TEMP_HIT),
    "IfSunk": (isa.JUMP_IF_ZERO, SUNK),
    "IfZero": (isa.JUMP_UNLESS_ZERO, COUNT),
}
"""For each condition, the opcode that jumps if the condition does not hold, and the register that it reads."""


def compile_program(
    program: LinearProgram,
    dialect: Mapping[str, str],
    primitives: PrimitiveSet,
    *,
    keep_introns: bool = False,
) -> Program:
    """The machine code of a program; it starts at row 0 and never ends by itself.

    Args:
        program: blocks whose words the language or the game knows.
        dialect: the value of every switch, see ``dialect_of``.
        primitives: the game's instructions. The operands in the row of an instruction are the numbers of its switch
            values; in the row of a condition, they follow the target of the jump that is taken if the condition does
            not hold.
        keep_introns: whether lines without effect get rows, too.

    Raises:
        KeyError: a word of the program is unknown.
    """
    flow = Flow(program, dialect, primitives)
    places = flow.rows(keep_introns=keep_introns)
    row_at: dict[Place, int] = {}  # the first row at a position or after it
    number = len(places)
    for place in reversed(list(flow.ways)):
        number -= number > 0 and places[number - 1] == place
        row_at[place] = number
    numbers = {switch.name: switch.values.index(dialect[switch.name]) for switch in primitives.switches}
    hosts = {
        each.name: [opcode, *[0] * each.is_condition, *(numbers[name] for name in each.switches)]
        for opcode, each in enumerate(primitives.instructions, start=isa.HOST)
    }
    code = np.zeros((len(places), isa.WIDTH), dtype=np.uint32)
    for row, place in zip(code, places, strict=True):
        word = program.word(place)
        otherwise = row_at[flow.ways[place][-1]]
        if word in COMPUTATIONS:
            row[:4] = COMPUTATIONS[word]
        elif word in BRANCHES:
            opcode, register = BRANCHES[word]
            row[:3] = opcode, otherwise, register
        elif word in hosts:
            host = hosts[word]
            row[: len(host)] = host
            if word in flow.conditions:
                row[1] = otherwise
        else:  # Jump, Nop, the end of a block
            row[:2] = isa.JUMP, otherwise
    memory = np.zeros(ONE + 1)
    memory[ONE] = 1.0
    return Program(code, memory, REGISTERS, TARGET_POS, host_instructions(primitives))


def host_instructions(primitives: PrimitiveSet) -> tuple[isa.Instruction, ...]:
    """The rows of the game's instructions for the machine's table, from the opcode ``HOST`` on."""
    rows = []
    for opcode, instruction in enumerate(primitives.instructions, start=isa.HOST):
        columns: list[isa.Operand] = ["target"] * instruction.is_condition
        columns += ["number"] * len(instruction.switches)
        columns += ["-"] * (4 - len(columns))
        kinds = (columns[0], columns[1], columns[2], columns[3])
        rows.append(isa.Instruction(opcode, instruction.name, kinds, instruction.meaning))
    return tuple(rows)


def simplify(program: LinearProgram, dialect: Mapping[str, str], primitives: PrimitiveSet) -> LinearProgram:
    """The program without lines that have no effect; the shorter program takes the same steps.

    A line stays if its removal would change the lines that a condition skips.

    Args:
        program: blocks whose words the language or the game knows.
        dialect: the value of every switch, see ``dialect_of``.
        primitives: the game's instructions.
    """

    def rows(program: LinearProgram) -> list[list[int]]:
        return cast("list[list[int]]", compile_program(program, dialect, primitives).code.tolist())

    steps = rows(program)
    while idle := sorted(Flow(program, dialect, primitives).introns, reverse=True):
        before = program
        for places in (idle, *([place] for place in idle)):
            blocks = [
                tuple(word for line, word in enumerate(block) if (number, line) not in places)
                for number, block in enumerate(program.blocks)
            ]
            shorter = LinearProgram(program.names, tuple(blocks))
            if rows(shorter) == steps:
                program = shorter
                break
        if program == before:
            break
    return program
