"""Derivatives of straight-line code by its inputs, forward: the readable rules, and the compiled loop over rows.

Every instruction that computes has its partial derivatives by its operands. Where an instruction is protected or jumps
(a division by zero, the root of what is not positive, a comparison, ``floor``), they are those of the branch that was
taken, so that constants have derivative 0.

A value that does not depend on a parameter has no tangent, which is not the same as one of zeros: 0 · inf is NaN.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined
from gpkit.vm.isa import (
    ABS,
    ADD,
    AT_MOST,
    COS,
    DIV,
    EXP,
    FLOOR,
    HALT,
    INSTRUCTIONS,
    LOG,
    MAX,
    MIN,
    MOVE,
    MUL,
    NEG,
    POW,
    SELECT,
    SIN,
    SQRT,
    SUB,
    TANH,
    exponential,
    floor,
    logarithm,
    power,
)
from gpkit.vm.machine import apply_rows, from_library

Partials = Callable[..., tuple[float, ...]]
"""The partial derivatives of an instruction by its operands, at the values of these."""

PARTIALS: Mapping[int, Partials] = {
    MOVE: lambda a: (1.0,),
    ADD: lambda a, b: (1.0, 1.0),
    SUB: lambda a, b: (1.0, -1.0),
    MUL: lambda a, b: (b, a),
    DIV: lambda a, b: (1.0 / b, -(a / b) / b) if b != 0.0 else (0.0, 0.0),
    MIN: lambda a, b: (0.0, 1.0) if b < a else (1.0, 0.0),
    MAX: lambda a, b: (0.0, 1.0) if b > a else (1.0, 0.0),
    NEG: lambda a: (-1.0,),
    ABS: lambda a: (-1.0,) if a < 0.0 else (1.0,),
    SQRT: lambda a: (0.5 / math.sqrt(a),) if a > 0.0 else (0.0,),
    FLOOR: lambda a: (0.0,),
    AT_MOST: lambda a, b: (0.0, 0.0),
    LOG: lambda a: (1.0 / a,) if a > 0.0 else (0.0,),
    EXP: lambda a: (exponential(a),),
    SIN: lambda a: (math.cos(a),) if a - a == 0.0 else (0.0,),
    COS: lambda a: (-math.sin(a),) if a - a == 0.0 else (0.0,),
    TANH: lambda a: (1.0 - math.tanh(a) * math.tanh(a),),
    POW: lambda a, b: (
        (b * power(a, b - 1.0), power(a, b) * logarithm(a))
        if (a != 0.0 or b >= 0.0) and (a >= 0.0 or floor(b) == b)
        else (0.0, 0.0)
    ),
    SELECT: lambda a, b, c: (0.0, 1.0, 0.0) if a != 0.0 else (0.0, 0.0, 1.0),
}
"""By opcode, of every instruction that computes."""


def tangents_readable(
    code: NDArray[np.uint32], memory: NDArray[np.float64], parameters: Sequence[int]
) -> dict[int, dict[int, float]]:
    """Reference for ``tangent_rows``: the tangents of all slots at the end of straight-line code, on one row of inputs.

    Args:
        code: uint32 (instructions, WIDTH), verified.
        memory: float64 (slots,), the inputs filled in; changed as by the machine.
        parameters: the slots that derivatives are taken by.

    Returns:
        By slot, the derivative of its value by each parameter that it depends on, by the number of the parameter.
    """
    tangents: dict[int, dict[int, float]] = {slot: {number: 1.0} for number, slot in enumerate(parameters)}
    for opcode, target, *operands in code.tolist():
        row = INSTRUCTIONS[opcode]
        if row.function is None:
            break
        slots = [slot for slot, kind in zip(operands, row.columns[1:], strict=True) if kind == "slot"]
        values = [float(memory[slot]) for slot in slots]
        found: dict[int, float] = {}
        for partial, slot in zip(PARTIALS[opcode](*values), slots, strict=True):
            for number, tangent in tangents.get(slot, {}).items():
                part = partial * tangent
                found[number] = found[number] + part if number in found else part
        tangents[target] = found
        memory[target] = row.function(*values)
    return tangents


_OPERANDS = tuple(row.columns.count("slot") for row in INSTRUCTIONS)


@inlined
def tangent_rows(code, memory, parameters, tangents, depends, partials):  # type: ignore[no-untyped-def]
    """Run straight-line code whose instructions write no slot that they read, with its tangents, over many rows.

    Args:
        code: uint32 (length, 5), verified, ending in HALT.
        memory: float64 (slots, rows), the inputs filled in; changed in place.
        parameters: int64 (parameters,), slots that no instruction writes.
        tangents: float64 (parameters, slots, rows), written where a value depends on a parameter.
        depends: bool (parameters, slots), written: where it does.
        partials: float64 (3, rows), scratch.
    """
    rows = memory.shape[1]
    count = parameters.shape[0]
    depends[:] = False
    for number in range(count):
        depends[number, parameters[number]] = True
        for i in range(rows):
            tangents[number, parameters[number], i] = 1.0
    for place in range(code.shape[0]):
        opcode = code[place, 0]
        if opcode == HALT:
            break
        target = code[place, 1]
        needed = False
        for number in range(count):
            for k in range(_OPERANDS[opcode]):
                needed = needed or depends[number, code[place, 2 + k]]
        if needed:
            partial_rows(memory, opcode, code[place, 2], code[place, 3], partials)
        for number in range(count):
            known = False
            t = tangents[number, target]
            for k in range(_OPERANDS[opcode]):
                slot = code[place, 2 + k]
                if depends[number, slot]:
                    d = partials[k]
                    s = tangents[number, slot]
                    if known:
                        for i in range(rows):
                            t[i] = t[i] + d[i] * s[i]
                    else:
                        for i in range(rows):
                            t[i] = d[i] * s[i]
                    known = True
            depends[number, target] = known
        apply_rows(memory, opcode, target, code[place, 2], code[place, 3], code[place, 4])


@inlined
def partial_rows(memory, opcode, first, second, partials):  # type: ignore[no-untyped-def]
    """The partial derivatives of one instruction on every row: float64 (3, rows), those of its operands written."""
    a = memory[first]
    b = memory[second]
    p = partials[0]
    q = partials[1]
    for i in range(memory.shape[1]):
        if opcode == ADD:
            p[i], q[i] = 1.0, 1.0
        elif opcode == SUB:
            p[i], q[i] = 1.0, -1.0
        elif opcode == MUL:
            p[i], q[i] = b[i], a[i]
        elif opcode == DIV:
            p[i] = 1.0 / b[i] if b[i] != 0.0 else 0.0
            q[i] = -(a[i] / b[i]) / b[i] if b[i] != 0.0 else 0.0
        elif opcode == MIN:
            p[i], q[i] = (0.0, 1.0) if b[i] < a[i] else (1.0, 0.0)
        elif opcode == MAX:
            p[i], q[i] = (0.0, 1.0) if b[i] > a[i] else (1.0, 0.0)
        elif opcode == MOVE:
            p[i] = 1.0
        elif opcode == NEG:
            p[i] = -1.0
        elif opcode == ABS:
            p[i] = -1.0 if a[i] < 0.0 else 1.0
        elif opcode == SQRT:
            p[i] = 0.5 / np.sqrt(a[i]) if a[i] > 0.0 else 0.0
        elif opcode == LOG:
            p[i] = 1.0 / a[i] if a[i] > 0.0 else 0.0
        elif opcode == EXP:
            p[i] = from_library(EXP, a[i], 0.0)
        elif opcode == SIN:
            p[i] = from_library(COS, a[i], 0.0)
        elif opcode == COS:
            p[i] = -from_library(SIN, a[i], 0.0) if a[i] - a[i] == 0.0 else 0.0
        elif opcode == TANH:
            p[i] = 1.0 - from_library(TANH, a[i], 0.0) * from_library(TANH, a[i], 0.0)
        elif opcode == POW:
            if (a[i] != 0.0 or b[i] >= 0.0) and (a[i] >= 0.0 or np.floor(b[i]) == b[i]):
                p[i] = b[i] * from_library(POW, a[i], b[i] - 1.0)
                q[i] = from_library(POW, a[i], b[i]) * from_library(LOG, a[i], 0.0)
            else:
                p[i], q[i] = 0.0, 0.0
        elif opcode == SELECT:
            p[i] = 0.0
            q[i] = 1.0 if a[i] != 0.0 else 0.0
            partials[2, i] = 0.0 if a[i] != 0.0 else 1.0
        else:  # floor and comparisons
            p[i], q[i] = 0.0, 0.0
