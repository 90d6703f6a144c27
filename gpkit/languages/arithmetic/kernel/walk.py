"""Formulas over rows: every different node of all of them is carried out once, on a block of rows after another.

Formulas of one generation share most of their branches, as they come from the same parents.
"""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.hashing import mixed_with
from gpkit.vm.isa import ADD, AT_MOST, HOST, INSTRUCTIONS, MUL, SELECT, SUB
from gpkit.vm.machine import apply_rows

FIRST_INPUT = HOST
"""A word of a formula means an opcode, or from here on the number of an input."""

CONSTANT = -1
"""Meaning of the word of constants, whose values stand beside the words."""

IFLE = SELECT
"""Meaning of the word of ``ifle``, which is a comparison and a selection."""

SQUARE = -2
"""Meaning of the word of ``square``, which is a product."""

_OPERANDS = tuple(row.columns.count("slot") for row in INSTRUCTIONS)


@kernel
def number_nodes(formulas, meanings, inputs, scratch, code, results):  # type: ignore[no-untyped-def]
    """Give each different node of formulas a slot, behind those of the inputs.

    Args:
        formulas: (words, bits, starts, ends): int32 and int64 (nodes,), formulas in prefix order, and the bits of
            constants; int64 (formulas,), where each begins and ends.
        meanings: int64 (words,), as above.
        inputs: how many there are.
        scratch: (pending, table): int64 (one more than the leaves of the longest formula,); int64 (a power of two,
            above twice the number of nodes,), −1 everywhere.
        code: int64 (twice the nodes, 4), written: the opcode of each slot and the slots of its operands, or CONSTANT
            and its bits.
        results: int64 (formulas,), written: the slot of each formula.

    Returns:
        The number of slots, without those of the inputs.
    """
    words, bits, starts, ends = formulas
    pending = scratch[0]
    slots = inputs
    for formula in range(starts.shape[0]):
        waiting = 0  # operands in ``pending``, the leftmost last, as the walk is backwards
        for place in range(ends[formula] - 1, starts[formula] - 1, -1):
            word = meanings[words[place]]
            if word >= FIRST_INPUT:
                slot = word - FIRST_INPUT
            elif word == CONSTANT:
                slot = _slot(scratch[1], code, inputs, slots, (word, bits[place], np.int64(0), np.int64(0)))
            else:
                if word == IFLE:  # what is compared gives way to the outcome
                    key, waiting = _operation(pending, waiting, np.int64(AT_MOST))
                    pending[waiting] = _slot(scratch[1], code, inputs, slots, key)
                    slots = max(slots, pending[waiting] + 1)
                    waiting += 1
                elif word == SQUARE:
                    pending[waiting] = pending[waiting - 1]
                    waiting += 1
                    word = np.int64(MUL)
                key, waiting = _operation(pending, waiting, word)
                slot = _slot(scratch[1], code, inputs, slots, key)
            slots = max(slots, slot + 1)
            pending[waiting] = slot
            waiting += 1
        results[formula] = pending[0]
    return slots - inputs


@inlined
def _operation(pending, waiting, opcode):  # type: ignore[no-untyped-def]
    """An instruction with its pending operands, and how many are still pending without them."""
    count = _OPERANDS[opcode]
    second = pending[waiting - 2] if count > 1 else np.int64(0)
    third = pending[waiting - 3] if count > 2 else np.int64(0)
    return (opcode, pending[waiting - 1], second, third), waiting - count


@inlined
def _slot(table, code, inputs, slots, key):  # type: ignore[no-untyped-def]
    """The slot of an instruction; ``slots``, the next one, and written there, where none has it yet."""
    mixed = np.uint64(0)
    for part in key:
        mixed = mixed_with(mixed, np.uint64(part))
    place = np.int64(mixed & np.uint64(table.shape[0] - 1))
    while table[place] >= 0:
        row = code[table[place]]
        if row[0] == key[0] and row[1] == key[1] and row[2] == key[2] and row[3] == key[3]:
            return inputs + table[place]
        place = (place + 1) & (table.shape[0] - 1)
    table[place] = slots - inputs
    row = code[slots - inputs]
    row[0], row[1], row[2], row[3] = key
    return slots


@kernel
def split_sums(code, results, inputs, most, pending, terms, ends):  # type: ignore[no-untyped-def]
    """Split formulas that add and subtract into what they add and subtract.

    Args:
        code: int64 (slots, 4), of ``number_nodes``.
        results: int64 (formulas,), of ``number_nodes``.
        inputs: how many there are.
        most: terms of a formula; what is left when there are so many stays whole.
        pending: int64 (most,), scratch.
        terms: int64 (formulas * most,), written: the slots of the terms of each formula, from left to right.
        ends: int64 (formulas,), written: where the terms of each formula end.
    """
    count = 0
    for formula in range(results.shape[0]):
        begun, waiting = count, 1
        pending[0] = results[formula]
        while waiting:
            waiting -= 1
            slot = pending[waiting]
            place = slot - inputs
            is_sum = place >= 0 and (code[place, 0] == ADD or code[place, 0] == SUB)
            if is_sum and count - begun + waiting + 2 <= most:
                pending[waiting], pending[waiting + 1] = code[place, 2], code[place, 1]
                waiting += 2
            else:
                terms[count] = slot
                count += 1
        ends[formula] = count


@kernel
def run_nodes(code, constants, results, columns, memory, values):  # type: ignore[no-untyped-def]
    """The values of formulas over rows of inputs.

    Args:
        code: int64 (slots, 4), of ``number_nodes``.
        constants: float64 (slots, 4), the same bits.
        results: int64 (formulas,), of ``number_nodes`` or ``split_sums``.
        columns: float64 (inputs, rows).
        memory: float64 (inputs + slots, rows of a block), scratch.
        values: float64 (formulas, rows), written.
    """
    inputs, rows = columns.shape
    for start in range(0, rows, memory.shape[1]):
        size = min(memory.shape[1], rows - start)
        for slot in range(inputs):
            for i in range(size):
                memory[slot, i] = columns[slot, start + i]
        for place in range(code.shape[0]):
            row = code[place]
            if row[0] == CONSTANT:
                for i in range(size):
                    memory[inputs + place, i] = constants[place, 1]
            else:
                apply_rows(memory, row[0], inputs + place, row[1], row[2], row[3])
        for formula in range(results.shape[0]):
            for i in range(size):
                values[formula, start + i] = memory[results[formula], i]
