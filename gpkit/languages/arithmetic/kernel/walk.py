"""Evaluates formulas over rows, block by block; equal nodes of all formulas are evaluated only once.

Formulas of one generation share most of their branches, because they come from the same parents.
"""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.shared import mixed_with
from gpkit.vm.isa import ADD, AT_MOST, HOST, INSTRUCTIONS, MUL, OPCODE, OPCODE_BITS, SELECT, SUB
from gpkit.vm.machine import apply_rows

FIRST_INPUT = HOST
"""The first meaning of a word that stands for an input; smaller ones are opcodes."""

CONSTANT = -1
"""The meaning of the word for constants; their values are in another array."""

IFLE = SELECT
"""The meaning of the word for ``ifle``, which becomes a comparison and a selection."""

SQUARE = -2
"""The meaning of the word for ``square``, which becomes a product."""

FUNCTION = -3
"""The meaning of the word for the first function; the meanings of further functions are smaller."""

_OPERANDS = tuple(row.columns.count("slot") for row in INSTRUCTIONS)


@kernel
def number_nodes(formulas, meanings, functions, inputs, scratch, code, results):  # type: ignore[no-untyped-def]
    """Give each distinct node of the formulas a slot after the inputs.

    Args:
        formulas: (words, bits, starts, ends): the words of the formulas in prefix order, int32 (nodes,); the bits of
            their constants, int64 (nodes,); where each formula begins and where it ends, int64 (formulas,) each.
        meanings: int64 (words,), the meaning of each word: an opcode, or one of the numbers above.
        functions: (rows, ends): the code of functions, int64 (rows, 4), in the form of ``code``; for each function,
            where its rows end and the number of its parameters, int64 (functions, 2). An operand is the number of a row
            of the same function, or −1 for the first parameter, −2 for the second, and so on. The opcode of a call
            holds the number of a row plus one.
        inputs: the number of inputs.
        scratch: (pending, table, made): int64, one more than the longest formula has leaves; int64, −1 everywhere,
            whose length is a power of two and more than twice the number of slots; int64 (rows of functions,).
        code: int64 (slots, 4), written: the opcode of each slot and the slots of its operands, or CONSTANT and its
            bits. It has room for two slots for each node, and for the rows of the functions that are called.
        results: int64 (formulas,), written: the slot of each formula.

    Returns:
        The number of slots, not counting the slots of the inputs.
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
            elif word <= FUNCTION:
                slot, slots = _call(
                    functions, FUNCTION - word, (pending, waiting), scratch, code, inputs, slots
                )
                waiting -= functions[1][FUNCTION - word, 1]
            else:
                if word == IFLE:  # the result of the comparison replaces its operands
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
def _call(functions, called, operands, scratch, code, inputs, slots):  # type: ignore[no-untyped-def]
    """The slot of the value of a function for the pending operands, and the new number of slots."""
    rows, ends = functions
    start, slot = ends[called - 1, 0] if called else np.int64(0), np.int64(0)
    for number in range(start, ends[called, 0]):
        row = rows[number]
        key = (row[0], row[1], row[2], row[3])
        if row[0] != CONSTANT:
            first = _operand(row, 1, operands, scratch[2], start)
            second = _operand(row, 2, operands, scratch[2], start)
            opcode = row[0]
            if opcode > OPCODE:
                opcode = (scratch[2][start + (opcode >> OPCODE_BITS) - 1] + 1) << OPCODE_BITS
            key = (opcode, first, second, _operand(row, 3, operands, scratch[2], start))
        slot = _slot(scratch[1], code, inputs, slots, key)
        scratch[2][number] = slot
        slots = max(slots, slot + 1)
    return slot, slots


@inlined
def _operand(row, place, operands, made, start):  # type: ignore[no-untyped-def]
    """The slot of an operand in the code of a function; 0 if the instruction has no such operand."""
    if row[0] <= OPCODE and place > _OPERANDS[row[0]]:
        return np.int64(0)
    number = row[place]
    return operands[0][operands[1] + number] if number < 0 else made[start + number]


@inlined
def _operation(pending, waiting, opcode):  # type: ignore[no-untyped-def]
    """An instruction with its pending operands, and the number of operands that are still pending."""
    count = _OPERANDS[opcode]
    second = pending[waiting - 2] if count > 1 else np.int64(0)
    third = pending[waiting - 3] if count > 2 else np.int64(0)
    return (opcode, pending[waiting - 1], second, third), waiting - count


@inlined
def _slot(table, code, inputs, slots, key):  # type: ignore[no-untyped-def]
    """The slot of an instruction; a new instruction is written to the next slot, ``slots``."""
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
    """Split formulas into the terms that they add and subtract.

    Args:
        code: int64 (slots, 4), from ``number_nodes``.
        results: int64 (formulas,), from ``number_nodes``.
        inputs: the number of inputs.
        most: the maximum number of terms of a formula; the last one holds the rest of the formula.
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
    """Compute the values of formulas over rows of inputs.

    Args:
        code: int64 (slots, 4), from ``number_nodes``.
        constants: float64 (slots, 4), ``code`` read as doubles.
        results: int64 (formulas,), from ``number_nodes`` or ``split_sums``.
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
