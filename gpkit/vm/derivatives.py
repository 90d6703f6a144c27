"""Forward-mode derivatives of straight-line code: readable rules, and a compiled loop over rows.

Every computing instruction has partial derivatives with respect to its operands. For protected cases and
discontinuities (division by zero, the root of a number that is not positive, a comparison, ``floor``), the partial
derivatives are those of the branch that was taken, so constants have the derivative 0.

A value that does not depend on a parameter has no tangent. A tangent of zeros would not be equivalent, because 0 · inf
is NaN.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.core.compiled import inlined, kernel
from gpkit.vm.isa import (
    ABS,
    ADD,
    AT_MOST,
    CALL,
    COS,
    DIV,
    EXP,
    FLOOR,
    HALT,
    INSTRUCTIONS,
    LOG,
    MAX,
    MIN,
    MOST_OPERANDS,
    MOVE,
    MUL,
    NEG,
    OPCODE,
    OPCODE_BITS,
    POW,
    SELECT,
    SIN,
    SQRT,
    SUB,
    TANH,
    call,
    exponential,
    floor,
    logarithm,
    power,
    row_of,
    slots_of,
)
from gpkit.vm.machine import apply_rows, from_address, from_library

Partials = Callable[..., tuple[float, ...]]
"""A function that takes the operands of an instruction and returns the partial derivatives with respect to them."""


STEP = 1.0 / (1 << 20)
"""The step size of finite differences for Python functions: relative for operands above 1, absolute for others."""


def _differences(address: float, *operands: float) -> tuple[float, ...]:
    """The partial derivatives of a call; the partial derivative with respect to the address is 0."""
    found = [0.0]
    for place, operand in enumerate(operands):
        step = max(abs(operand), 1.0) * STEP
        high, low = (
            call(address, *operands[:place], each, *operands[place + 1 :])
            for each in (operand + step, operand - step)
        )
        found.append((high - low) / (2.0 * step))
    return tuple(found)


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
    CALL.opcode: _differences,
}
"""The partial derivatives of every computing instruction, by opcode."""


def tangents_readable(
    code: NDArray[np.uint32], memory: Floats, parameters: Sequence[int]
) -> dict[int, dict[int, float]]:
    """The tangents of all slots at the end of straight-line code, for one row; the reference for ``tangent_rows``.

    Args:
        code: uint32 (instructions, WIDTH): verified code.
        memory: float64 (slots,), with the inputs filled in; changed in place, as the machine does.
        parameters: the slots of the parameters.

    Returns:
        For each slot, the derivatives of its value with respect to parameters, by parameter number.
    """
    tangents: dict[int, dict[int, float]] = {slot: {number: 1.0} for number, slot in enumerate(parameters)}
    for words in code.tolist():
        opcode, target = words[:2]
        row = row_of(opcode)
        if row.function is None:
            break
        slots = slots_of(words, row)
        values = [float(memory[slot]) for slot in slots]
        found: dict[int, float] = {}
        for partial, slot in zip(PARTIALS[row.opcode](*values), slots, strict=True):
            for number, tangent in tangents.get(slot, {}).items():
                part = partial * tangent
                found[number] = found[number] + part if number in found else part
        tangents[target] = found
        memory[target] = row.function(*values)
    return tangents


_OPERANDS = tuple(row.columns.count("slot") for row in INSTRUCTIONS)


@inlined
def _operands(opcode):  # type: ignore[no-untyped-def]
    return _OPERANDS[opcode] if opcode <= OPCODE else MOST_OPERANDS


@inlined
def tangent_rows(code, memory, parameters, tangents, depends, partials):  # type: ignore[no-untyped-def]
    """Run straight-line code on many rows, and compute its tangents; no instruction may write a slot that it reads.

    Args:
        code: uint32 (length, 5): verified code that ends in HALT.
        memory: float64 (slots, rows), with the inputs filled in; changed in place.
        parameters: int64 (parameters,): the slots of the parameters, which no instruction may write.
        tangents: float64 (parameters, slots, rows), an output: filled in for values that depend on a parameter.
        depends: bool (parameters, slots), an output: whether a value depends on a parameter.
        partials: float64 (3, rows), scratch space.
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
            for k in range(_operands(opcode)):
                needed = needed or depends[number, code[place, 2 + k]]
        if needed:
            partial_rows(memory, opcode, code[place, 2], code[place, 3], code[place, 4], partials)
        for number in range(count):
            known = False
            t = tangents[number, target]
            for k in range(_operands(opcode)):
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


@kernel
def call_partials(memory, word, a, b, c, partials):  # type: ignore[no-untyped-def]
    """Compute the partial derivatives of a Python function by finite differences: float64 (3, rows)."""
    address = memory[np.int64(word >> OPCODE_BITS) - 1]
    for i in range(memory.shape[1]):
        f, x, y, z = address[i], a[i], b[i], c[i]
        s = max(abs(x), 1.0) * STEP
        partials[0, i] = (from_address(f, x + s, y, z) - from_address(f, x - s, y, z)) / (2.0 * s)
        s = max(abs(y), 1.0) * STEP
        partials[1, i] = (from_address(f, x, y + s, z) - from_address(f, x, y - s, z)) / (2.0 * s)
        s = max(abs(z), 1.0) * STEP
        partials[2, i] = (from_address(f, x, y, z + s) - from_address(f, x, y, z - s)) / (2.0 * s)


@inlined
def partial_rows(memory, opcode, first, second, third, partials):  # type: ignore[no-untyped-def]
    """Compute the partial derivatives of an instruction on every row, by operand: float64 (3, rows)."""
    a = memory[first]
    b = memory[second]
    if opcode > OPCODE:
        call_partials(memory, opcode, a, b, memory[third], partials)
        return
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
