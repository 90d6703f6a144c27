"""The machine: a readable loop that defines the semantics of code, and two compiled loops that must agree with it.

``run`` executes any code and can resume: it stops at the end, at a host instruction, or when its step budget is used
up. To continue, call ``run`` again with the row where it stopped. ``evaluate_rows`` executes straight-line code on many
rows of inputs at the same time, instruction by instruction.
"""

import math

import numpy as np
from llvmlite import ir
from numba import float64
from numba.extending import intrinsic
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.core.compiled import inlined, kernel
from gpkit.vm.isa import (
    ABS,
    ADD,
    AT_MOST,
    COS,
    DIV,
    EXP,
    FLOOR,
    HALT,
    HOST,
    JUMP,
    JUMP_IF_ZERO,
    JUMP_UNLESS_ZERO,
    LOG,
    MAX,
    MIN,
    MOST_OPERANDS,
    MOVE,
    MUL,
    NEG,
    OPCODE,
    OPCODE_BITS,
    OUT_OF_STEPS,
    POW,
    SELECT,
    SIN,
    SQRT,
    SUB,
    row_of,
    slots_of,
)
from gpkit.vm.program import Program

ROWS = 1024
"""The number of rows that ``evaluate`` processes at a time; the memory of these rows fits in the processor's cache."""


def run_readable(code: NDArray[np.uint32], memory: Floats, pc: int, budget: int) -> tuple[int, int, int]:
    """The reference implementation of ``run`` in plain Python; ``code`` is uint32 (instructions, WIDTH)."""
    for steps in range(budget):
        words = [int(word) for word in code[pc]]
        opcode, target = words[:2]
        if opcode == HALT or HOST <= opcode <= OPCODE:
            return opcode, pc, steps
        row = row_of(opcode)
        values = [float(memory[slot]) for slot in slots_of(words, row)]
        pc += 1
        if row.function is not None:
            memory[target] = row.function(*values)
        elif opcode == JUMP or (values[0] == 0.0) == (opcode == JUMP_IF_ZERO):
            pc = target
    return OUT_OF_STEPS, pc, budget


@kernel
def from_library(opcode, a, b):  # type: ignore[no-untyped-def]
    """The result of an instruction from LOG to POW, a float64 from the C library, as in the readable functions."""
    if opcode == LOG:
        return math.log(a) if a > 0.0 else 0.0
    if opcode == EXP:
        return math.exp(a)
    if opcode == SIN:
        return math.sin(a) if a - a == 0.0 else 0.0
    if opcode == COS:
        return math.cos(a) if a - a == 0.0 else 0.0
    if opcode == POW:
        if a == 0.0 and b < 0.0:
            return 1.0
        return math.pow(a, b) if a >= 0.0 or np.floor(b) == b else 0.0
    return math.tanh(a)


@intrinsic
def _called(typing_context, address, a, b, c):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        double, place = ir.DoubleType(), builder.bitcast(arguments[0], ir.IntType(64))
        kind = ir.FunctionType(double, [double] * MOST_OPERANDS)
        return builder.call(builder.inttoptr(place, kind.as_pointer()), arguments[1:])

    return float64(float64, float64, float64, float64), generate


@kernel
def from_slot(memory, word, a, b, c):  # type: ignore[no-untyped-def]
    """The value of the function whose address is in the memory, a float64."""
    return _called(memory[np.int64(word >> OPCODE_BITS) - 1], a, b, c)  # type: ignore[call-arg]


@kernel
def from_address(address, a, b, c):  # type: ignore[no-untyped-def]
    """The value of the function at an address, float64; the address is passed as the double with the same bits."""
    return _called(address, a, b, c)  # type: ignore[call-arg]


@kernel
def call_rows(memory, word, t, a, b, c):  # type: ignore[no-untyped-def]
    """Call a function on every row of its operands a, b and c, and write the results to t."""
    address = memory[np.int64(word >> OPCODE_BITS) - 1]
    for i in range(memory.shape[1]):
        t[i] = from_address(address[i], a[i], b[i], c[i])


@inlined
def run(code, memory, pc, budget):  # type: ignore[no-untyped-def]
    """Run verified code from ``pc`` until it ends, reaches a host instruction, or has executed ``budget`` steps.

    Args:
        code: uint32 (length, 5), verified.
        memory: float64 (slots,), changed in place.
        pc: the row at which to start.
        budget: the maximum number of instructions to execute.

    Returns:
        (opcode, pc, steps): HALT, the host opcode, or OUT_OF_STEPS; the row where it stopped (resume after a host
        instruction at pc + 1); the number of instructions executed.
    """
    place = np.uintp(pc)  # unsigned, so that indexing need not handle negative indexes
    for steps in range(budget):
        opcode = code[place, 0]
        t = code[place, 1]
        a = code[place, 2]
        b = code[place, 3]
        if opcode == ADD:
            memory[t] = memory[a] + memory[b]
        elif opcode == MUL:
            memory[t] = memory[a] * memory[b]
        elif opcode == SUB:
            memory[t] = memory[a] - memory[b]
        elif opcode == DIV:
            memory[t] = memory[a] / memory[b] if memory[b] != 0.0 else 1.0
        elif opcode == MIN:
            memory[t] = memory[b] if memory[b] < memory[a] else memory[a]
        elif opcode == MAX:
            memory[t] = memory[b] if memory[b] > memory[a] else memory[a]
        elif opcode == MOVE:
            memory[t] = memory[a]
        elif opcode == NEG:
            memory[t] = -memory[a]
        elif opcode == ABS:
            memory[t] = -memory[a] if memory[a] < 0.0 else memory[a]
        elif opcode == SQRT:
            memory[t] = np.sqrt(memory[a]) if memory[a] > 0.0 else 0.0
        elif opcode == FLOOR:
            memory[t] = np.floor(memory[a]) + 0.0 if memory[a] - memory[a] == 0.0 else memory[a]
        elif opcode == AT_MOST:
            memory[t] = 1.0 if memory[a] <= memory[b] else 0.0
        elif opcode == SELECT:
            memory[t] = memory[b] if memory[a] != 0.0 else memory[code[place, 4]]
        elif (
            opcode == JUMP
            or (opcode == JUMP_IF_ZERO and memory[a] == 0.0)
            or (opcode == JUMP_UNLESS_ZERO and memory[a] != 0.0)
        ):
            place = np.uintp(t)
            continue
        elif opcode == HALT or HOST <= opcode <= OPCODE:
            return np.int64(opcode), np.int64(place), steps
        elif opcode > OPCODE:
            memory[t] = from_slot(memory, opcode, memory[a], memory[b], memory[code[place, 4]])
        elif opcode >= LOG:  # tested last: an earlier test slows down all programs by a quarter
            memory[t] = from_library(opcode, memory[a], memory[b])
        place += np.uintp(1)
    return np.int64(OUT_OF_STEPS), np.int64(place), budget


@kernel
def evaluate_rows(code, memory):  # type: ignore[no-untyped-def]
    """Run verified straight-line code (no jump, no host instruction) on many rows of inputs at the same time.

    Args:
        code: uint32 (length, 5), verified, ending in HALT.
        memory: float64 (slots, rows), changed in place: each column is the memory for one row of inputs.
    """
    for place in range(code.shape[0]):
        apply_rows(memory, code[place, 0], code[place, 1], code[place, 2], code[place, 3], code[place, 4])


@inlined
def apply_rows(memory, opcode, target, first, second, third):  # type: ignore[no-untyped-def]
    """Execute one computing instruction on every row; this is faster if the target is not an operand.

    Args:
        memory: float64 (slots, rows), changed in place.
        opcode: the instruction; nothing happens if it is not a computing instruction.
        target, first, second, third: the slots that the instruction uses.
    """
    rows = memory.shape[1]
    t = memory[target]
    a = memory[first]
    b = memory[second]
    if opcode == ADD:
        for i in range(rows):
            t[i] = a[i] + b[i]
    elif opcode == MUL:
        for i in range(rows):
            t[i] = a[i] * b[i]
    elif opcode == SUB:
        for i in range(rows):
            t[i] = a[i] - b[i]
    elif opcode == DIV:
        for i in range(rows):
            t[i] = a[i] / b[i] if b[i] != 0.0 else 1.0
    elif opcode == MIN:
        for i in range(rows):
            t[i] = b[i] if b[i] < a[i] else a[i]
    elif opcode == MAX:
        for i in range(rows):
            t[i] = b[i] if b[i] > a[i] else a[i]
    elif opcode == MOVE:
        for i in range(rows):
            t[i] = a[i]
    elif opcode == NEG:
        for i in range(rows):
            t[i] = -a[i]
    elif opcode == ABS:
        for i in range(rows):
            t[i] = -a[i] if a[i] < 0.0 else a[i]
    elif opcode == SQRT:
        for i in range(rows):
            t[i] = np.sqrt(a[i]) if a[i] > 0.0 else 0.0
    elif opcode == FLOOR:
        for i in range(rows):
            t[i] = np.floor(a[i]) + 0.0 if a[i] - a[i] == 0.0 else a[i]
    elif opcode == AT_MOST:
        for i in range(rows):
            t[i] = 1.0 if a[i] <= b[i] else 0.0
    elif opcode == SELECT:
        c = memory[third]
        for i in range(rows):
            t[i] = b[i] if a[i] != 0.0 else c[i]
    elif LOG <= opcode <= POW:
        for i in range(rows):
            t[i] = from_library(opcode, a[i], b[i])
    elif opcode > OPCODE:
        call_rows(memory, opcode, t, a, b, memory[third])


def evaluate(program: Program, columns: Floats) -> Floats:
    """The values of a straight-line program on many rows of inputs.

    Args:
        program: a verified program without jumps and host instructions.
        columns: float64 (inputs, rows), in the order of ``program.inputs``.

    Returns:
        float64 (rows,).
    """
    values = np.empty(columns.shape[1])
    for start in range(0, len(values), ROWS):
        part = columns[:, start : start + ROWS]
        memory = np.repeat(program.memory[:, None], part.shape[1], axis=1)
        memory[: len(part)] = part
        evaluate_rows(program.code, memory)
        values[start : start + ROWS] = memory[program.result]
    return values
