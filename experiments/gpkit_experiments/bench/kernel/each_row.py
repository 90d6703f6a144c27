"""One environment at a time: a row of inputs goes into scratch memory, a formula reads it there, its value comes out.

The machine runs whatever program it is given; beside it stand the formulas of
``gpkit_experiments.bench.formulas.HAND_COMPILED``, written out by hand.
"""

from gpkit.core.compiled import inlined, kernel
from gpkit.vm.machine import run

INPUTS = 4


@kernel
def machine(code, memory, result, rows, values):  # type: ignore[no-untyped-def]
    """Run a program once for each row.

    Args:
        code: uint32 (length, 5), verified, of ``INPUTS`` inputs.
        memory: float64 (slots,), the program's, changed.
        result: the slot of the value.
        rows: float64 (rows, INPUTS).
        values: float64 (rows,), written.
    """
    for row in range(rows.shape[0]):
        for k in range(INPUTS):
            memory[k] = rows[row, k]
        run(code, memory, 0, code.shape[0])
        values[row] = memory[result]


@kernel
def first(memory, rows, values):  # type: ignore[no-untyped-def]
    """The first formula on each row; ``memory`` is float64 (INPUTS + 1,), the rest as of ``machine``."""
    for row in range(rows.shape[0]):
        for k in range(INPUTS):
            memory[k] = rows[row, k]
        a, b, c = memory[0], memory[1], memory[2]
        memory[INPUTS] = _divide(b, _divide(_least(b + a, c - _most(a, a)), b * c - a * 0.5 + a))
        values[row] = memory[INPUTS]


@kernel
def second(memory, rows, values):  # type: ignore[no-untyped-def]
    """The second formula on each row, as ``first``."""
    for row in range(rows.shape[0]):
        for k in range(INPUTS):
            memory[k] = rows[row, k]
        a, b, c, d = memory[0], memory[1], memory[2], memory[3]
        memory[INPUTS] = _least((b - b) * b - a * _most(d, a), _most(c, _most(_divide(b, _divide(c, b)), a)))
        values[row] = memory[INPUTS]


@kernel
def third(memory, rows, values):  # type: ignore[no-untyped-def]
    """The third formula on each row, as ``first``."""
    for row in range(rows.shape[0]):
        for k in range(INPUTS):
            memory[k] = rows[row, k]
        a, b, c, d = memory[0], memory[1], memory[2], memory[3]
        memory[INPUTS] = d - _most(b, _most(_most(b, a), _most(a, c))) * (
            _least(_least(d, 0.75), d) + (c + b)
        )
        values[row] = memory[INPUTS]


@inlined
def _divide(a, b):  # type: ignore[no-untyped-def]
    return a / b if b != 0.0 else 1.0


@inlined
def _least(a, b):  # type: ignore[no-untyped-def]
    return b if b < a else a


@inlined
def _most(a, b):  # type: ignore[no-untyped-def]
    return b if b > a else a
