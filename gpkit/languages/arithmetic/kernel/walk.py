"""A walk over formulas in prefix order, backwards, that carries out every operator on all rows as soon as it is met."""

from gpkit.core.compiled import inlined, kernel
from gpkit.vm.isa import AT_MOST, HOST, INSTRUCTIONS, SELECT
from gpkit.vm.machine import apply_rows

FIRST_INPUT = HOST
"""A word of a formula means an opcode, or from here on the number of an input."""

CONSTANT = -1
"""Meaning of the word of constants, whose values stand beside the words."""

IFLE = SELECT
"""Meaning of the word of ``ifle``, which is a comparison and a selection."""

_OPERANDS = tuple(row.columns.count("slot") for row in INSTRUCTIONS)


@kernel
def walk_formulas(formulas, meanings, columns, memory, pending, values):  # type: ignore[no-untyped-def]
    """The values of formulas over rows of inputs.

    Args:
        formulas: (words, constants, starts, ends): int32 (nodes,) and float64 (nodes,), formulas in prefix order; int64
            (formulas,), where each begins and ends.
        meanings: int64 (words,), as above.
        columns: float64 (inputs, rows).
        memory: float64 (slots, rows of a block), scratch: one slot for each input, two for each pending operand.
        pending: int64 (operands,), scratch: as many as the longest formula has leaves.
        values: float64 (formulas, rows), written.
    """
    starts, ends = formulas[2], formulas[3]
    inputs = columns.shape[0]
    rows = columns.shape[1]
    for start in range(0, rows, memory.shape[1]):
        size = min(memory.shape[1], rows - start)
        for slot in range(inputs):
            for i in range(size):
                memory[slot, i] = columns[slot, start + i]
        for formula in range(starts.shape[0]):
            result = _walk(formulas, starts[formula], ends[formula], meanings, inputs, memory, pending)
            for i in range(size):
                values[formula, start + i] = memory[result, i]


@inlined
def _walk(formulas, first, end, meanings, inputs, memory, pending):  # type: ignore[no-untyped-def]
    """Evaluate the formula of the nodes from ``first`` to before ``end`` on every row; returns the slot of its value.

    Backwards, so that an operator finds its operands complete: ``pending`` holds their slots, the leftmost last.
    """
    words, constants = formulas[0], formulas[1]
    waiting = 0
    for place in range(end - 1, first - 1, -1):
        word = meanings[words[place]]
        if word >= FIRST_INPUT:
            pending[waiting] = word - FIRST_INPUT
            waiting += 1
        elif word == CONSTANT:
            slot = inputs + 2 * waiting
            for i in range(memory.shape[1]):
                memory[slot, i] = constants[place]
            pending[waiting] = slot
            waiting += 1
        else:
            if word == IFLE:  # what is compared gives way to the outcome
                waiting = _operate(memory, inputs, pending, waiting, AT_MOST)
            waiting = _operate(memory, inputs, pending, waiting, word)
    return pending[0]


@inlined
def _operate(memory, inputs, pending, waiting, opcode):  # type: ignore[no-untyped-def]
    """Put the result of an instruction instead of its operands; returns how many operands are pending now.

    Place k of ``pending`` has the slots inputs + 2k and inputs + 2k + 1. The result goes to the one that is
    not an operand.
    """
    place = waiting - _OPERANDS[opcode]
    target = inputs + 2 * place
    if pending[place] == target:
        target += 1
    second, third = max(waiting - 2, 0), max(waiting - 3, 0)
    apply_rows(memory, opcode, target, pending[waiting - 1], pending[second], pending[third])
    pending[place] = target
    return place + 1
