"""Programs of the machine: flat arrays that are verified once, so that running them needs no checks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Flags, Floats
from gpkit.vm.isa import (
    CALL,
    HALT,
    HOST,
    INSTRUCTIONS,
    JUMP,
    OPCODE,
    OPCODE_BITS,
    WIDTH,
    Instruction,
    slots_of,
)


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Code, and the initial state of its memory; a program is equal only to itself.

    Attributes:
        code: uint32 (length, ``WIDTH``): opcode, result or target, operands.
        memory: float64 (slots,): inputs first (zero here), then constants, then registers (zero here).
        inputs: the names of the first slots, which the host fills before it runs the program.
        result: the slot that contains the value when the program has ended.
        host_instructions: the table rows of the host's opcodes, in order from ``HOST`` on.
    """

    code: NDArray[np.uint32]
    memory: Floats
    inputs: tuple[str, ...]
    result: int = 0
    host_instructions: tuple[Instruction, ...] = field(default=())

    def __post_init__(self) -> None:
        self.code.setflags(write=False)
        self.memory.setflags(write=False)

    def instruction(self, opcode: int) -> Instruction | None:
        """The table row of an opcode; None if there is no such instruction."""
        if opcode > OPCODE:
            return CALL
        table, number = (INSTRUCTIONS, opcode) if opcode < HOST else (self.host_instructions, opcode - HOST)
        return table[number] if number < len(table) else None


PLAIN = {HALT, *(row.opcode for row in INSTRUCTIONS if row.function is not None)}
"""The opcodes of instructions all of whose words are slots."""


def verify(program: Program) -> None:
    """Check that a program cannot leave its memory or its code, so that the machine needs no bounds checks.

    Raises:
        ValueError: there is an unknown opcode, an operand outside the memory, a jump outside the code, or a last
            instruction that would let execution run past the end of the code.
    """
    code, slots = program.code, len(program.memory)
    if code.ndim != 2 or code.shape[1] != WIDTH or code.dtype != np.uint32 or len(code) == 0:
        raise ValueError(f"code must be uint32 of shape (length, {WIDTH}) with at least one row")
    if program.memory.dtype != np.float64 or program.memory.ndim != 1:
        raise ValueError("memory must be a flat array of float64")
    if not 0 <= program.result < slots:
        raise ValueError(f"the result slot {program.result} is outside the memory of {slots} slots")
    if len(program.inputs) > slots:
        raise ValueError("there are more inputs than slots")
    is_plain = {*code[:, 0].tolist()} <= PLAIN and int(code[:, 1:].max()) < slots  # true for most formulas
    for place, (opcode, *words) in enumerate([] if is_plain else code.tolist()):
        instruction = program.instruction(opcode)
        if instruction is None:
            raise ValueError(f"instruction {place}: unknown opcode {opcode}")
        for word, kind in zip(words, instruction.columns, strict=True):
            if kind in ("result", "slot") and word >= slots:
                raise ValueError(f"instruction {place}: slot {word} is outside the memory of {slots}")
            if kind == "target" and word >= len(code):
                raise ValueError(f"instruction {place}: jump to {word} in a code of {len(code)}")
        if instruction is CALL:
            _verify_call(program, place, (opcode >> OPCODE_BITS) - 1)
    if code[-1, 0] not in (HALT, JUMP):
        raise ValueError("the last instruction must be halt or jump")


MOST_ROWS = 4096
"""The number of rows whose values fit in the processor's cache when formulas are short."""


def inlined(program: Program, inputs: Sequence[int], first: int) -> tuple[list[list[int]], int]:
    """The rows of straight-line code that runs inside another program, and the slot of its value.

    Args:
        program: the code.
        inputs: the slots of its inputs in the other program.
        first: the slot from which on the rest of its memory lies there.
    """
    slots = [*inputs, *range(first, first + len(program.memory) - len(inputs))]
    rows = [
        [
            opcode if opcode <= OPCODE else (slots[(opcode >> OPCODE_BITS) - 1] + 1) << OPCODE_BITS,
            *(slots[word] if word < len(slots) else 0 for word in words),
        ]
        for opcode, *words in program.code[:-1].tolist()
    ]
    return rows, slots[program.result]


ADDRESSES: dict[int, object] = {}
"""The functions that programs may call, by address; each entry keeps its function alive."""


def _verify_call(program: Program, place: int, slot: int) -> None:
    """Check that a slot always holds the address of a function."""
    is_constant = len(program.inputs) <= slot < len(program.memory) and not any(
        row[1] == slot and (known := program.instruction(row[0])) and known.columns[0] == "result"
        for row in program.code.tolist()
    )
    if not is_constant or int(program.memory.view(np.int64)[slot]) not in ADDRESSES:
        raise ValueError(f"instruction {place}: slot {slot} does not hold the address of a function")


@lru_cache(maxsize=4096)
def slots_read(program: Program) -> frozenset[int]:
    """The slots that a program's instructions read, and the slot of its value."""
    read = {program.result}
    for row in program.code.tolist():
        instruction = program.instruction(row[0])
        if instruction is not None:
            read.update(slots_of(row, instruction))
    return frozenset(read)


def link(programs: Sequence[Program]) -> tuple[NDArray[np.uint32], Floats, list[int]]:
    """Several programs side by side, for a kernel that runs all of these programs.

    Returns:
        code: uint32 (length, ``WIDTH``): the code of each distinct program, in order, with adjusted jumps.
        memory: float64 (programs, slots): a row of memory for each program, padded with zeros.
        entries: the first row of each program in the code.
    """
    entries: list[int] = []
    codes: list[NDArray[np.uint32]] = []
    length = 0
    known: dict[Program, int] = {}
    for program in programs:
        if program in known:
            entries.append(known[program])
            continue
        known[program] = length
        code, jumps = program.code, jumps_of(program)
        if length and len(jumps):
            code = code.copy()
            code[jumps, 1] += np.uint32(length)
        entries.append(length)
        codes.append(code)
        length += len(code)
    memory = np.zeros((len(programs), max(len(p.memory) for p in programs)))
    for row, program in zip(memory, programs, strict=True):
        row[: len(program.memory)] = program.memory
    return np.concatenate(codes), memory, entries


@lru_cache(maxsize=4096)
def jumps_of(program: Program) -> NDArray[np.intp]:
    """The rows of a program that have a jump target in the first column.

    Returns:
        int64 (jumps,), ascending.
    """
    return np.flatnonzero(_jumps(program.host_instructions)[np.minimum(program.code[:, 0], OPCODE)])


@cache
def _jumps(host_instructions: tuple[Instruction, ...]) -> Flags:
    """For each opcode, True if the first column of the instruction is a jump target."""
    rows = (*INSTRUCTIONS, *host_instructions)
    table = np.zeros(OPCODE + 1, dtype=np.bool_)
    table[[row.opcode for row in rows if row.columns[0] == "target"]] = True
    return table
