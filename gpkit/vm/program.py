"""Programs of the machine: flat arrays, verified once so that running them needs no checks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.vm.isa import HALT, HOST, INSTRUCTIONS, JUMP, WIDTH, Instruction


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Code and the first image of its memory; equal to itself alone.

    Attributes:
        code: uint32 (length, ``WIDTH``): opcode, result or target, operands.
        memory: float64 (slots,): inputs first (zero here), then constants, then registers (zero here).
        inputs: the names of the first slots, which the host fills before it runs the program.
        result: the slot that holds the value when the program has ended.
        host_instructions: the rows of the host's opcodes, from ``HOST`` on in their order.
    """

    code: NDArray[np.uint32]
    memory: NDArray[np.float64]
    inputs: tuple[str, ...]
    result: int = 0
    host_instructions: tuple[Instruction, ...] = field(default=())

    def __post_init__(self) -> None:
        self.code.setflags(write=False)
        self.memory.setflags(write=False)

    def instruction(self, opcode: int) -> Instruction | None:
        """The row of an opcode, None if there is no such instruction."""
        table, number = (INSTRUCTIONS, opcode) if opcode < HOST else (self.host_instructions, opcode - HOST)
        return table[number] if number < len(table) else None


def verify(program: Program) -> None:
    """Check that a program cannot leave its memory or its code; after that the machine needs no bounds.

    Raises:
        ValueError: an unknown opcode, an operand outside the memory, a jump outside the code, a last instruction after
            which control would run out of the code.
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
    for place, (opcode, *words) in enumerate(code.tolist()):
        instruction = program.instruction(opcode)
        if instruction is None:
            raise ValueError(f"instruction {place}: unknown opcode {opcode}")
        for word, kind in zip(words, instruction.columns, strict=True):
            if kind in ("result", "slot") and word >= slots:
                raise ValueError(f"instruction {place}: slot {word} is outside the memory of {slots}")
            if kind == "target" and word >= len(code):
                raise ValueError(f"instruction {place}: jump to {word} in a code of {len(code)}")
    if code[-1, 0] not in (HALT, JUMP):
        raise ValueError("the last instruction must be halt or jump")


@lru_cache(maxsize=4096)
def slots_read(program: Program) -> frozenset[int]:
    """The slots that some instruction of a program reads, and the slot of its value."""
    read = {program.result}
    for row in program.code.tolist():
        instruction = program.instruction(row[0])
        if instruction is not None:
            read.update(
                word for word, kind in zip(row[1:], instruction.columns, strict=True) if kind == "slot"
            )
    return frozenset(read)


def link(programs: Sequence[Program]) -> tuple[NDArray[np.uint32], NDArray[np.float64], list[int]]:
    """Several programs side by side, for a kernel that runs them all.

    Returns:
        code: uint32 (length, ``WIDTH``): the codes one after another, each once, their jumps moved along.
        memory: float64 (programs, slots): the memory of each in a row of its own, padded with zeros.
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
    """The rows of a program whose first column is a target.

    Returns:
        int64 (jumps,), ascending.
    """
    return np.flatnonzero(_jumps(program.host_instructions)[program.code[:, 0]])


@cache
def _jumps(host_instructions: tuple[Instruction, ...]) -> NDArray[np.bool_]:
    """Whether the first column of an instruction is a target, by opcode."""
    rows = (*INSTRUCTIONS, *host_instructions)
    table = np.zeros(max(row.opcode for row in rows) + 1, dtype=np.bool_)
    table[[row.opcode for row in rows if row.columns[0] == "target"]] = True
    return table
