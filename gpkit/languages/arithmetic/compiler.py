"""Formulas to machine code: one instruction for each operator, leaves folded into operands, registers reused."""

from collections.abc import Sequence

import numpy as np

from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Symbol, Tree
from gpkit.langkit.operators import NOTATION
from gpkit.vm import isa
from gpkit.vm.program import Program

OPCODES: dict[Symbol, int] = {
    "+": isa.ADD,
    "-": isa.SUB,
    "*": isa.MUL,
    "/": isa.DIV,
    "min": isa.MIN,
    "max": isa.MAX,
    "neg": isa.NEG,
    "abs": isa.ABS,
    "sqrt": isa.SQRT,
    "floor": isa.FLOOR,
    "log": isa.LOG,
    "exp": isa.EXP,
    "sin": isa.SIN,
    "cos": isa.COS,
    "tanh": isa.TANH,
    "pow": isa.POW,
}
"""The operators that are one instruction; ``ifle`` is a comparison and a selection, ``square`` a product."""


def compile_tree(tree: Tree, inputs: Sequence[str]) -> Program:
    """The program that computes a formula.

    The formula is walked backwards, so that an operator finds its operands complete; of two operands the right one is
    therefore computed first, which no value can tell. An instruction never writes a slot that it reads: then the loops
    over rows can handle several rows at once.

    Args:
        tree: the formula.
        inputs: the sensors in the order of their slots, used by the formula or not; after them come the inputs of
            ``math.random()``, one for each occurrence, such as ``math.random#0``.

    Raises:
        KeyError: the formula reads a sensor that is not among the inputs.
    """
    symbols, names = tree.symbols, tuple(inputs)
    if RANDOM in symbols:
        randoms = tuple(f"{RANDOM}#{occurrence}" for occurrence in range(tree.draws))
        following = iter(randoms)
        symbols = tuple(next(following) if symbol == RANDOM else symbol for symbol in symbols)
        names += randoms
    constants = sorted({symbol for symbol in symbols if isinstance(symbol, float)})
    leaves: tuple[Symbol, ...] = (*names, *constants)
    slots = {symbol: slot for slot, symbol in enumerate(leaves)}
    first_register = size = len(leaves)
    free: list[int] = []  # registers whose value nobody needs any more
    values: list[int] = []  # the slots of complete operands, the leftmost last
    code: list[int] = []
    for symbol, nodes in zip(reversed(symbols), reversed(tree.sizes), strict=True):
        if nodes == 1:
            values.append(slots[symbol])
            continue
        if not free:
            free.append(size)
            size += 1
        result = free.pop()
        a = values.pop()
        if symbol == "ifle":
            condition, result = result, size
            size += 1
            b, x, y = values.pop(), values.pop(), values.pop()
            code += (isa.AT_MOST, condition, a, b, 0, isa.SELECT, result, condition, x, y)
            free += (slot for slot in (b, x, y, condition) if slot >= first_register)
        elif NOTATION[symbol].arity == 2:
            b = values.pop()
            code += (OPCODES[symbol], result, a, b, 0)
            if b >= first_register:
                free.append(b)
        elif symbol == "square":
            code += (isa.MUL, result, a, a, 0)
        else:
            code += (OPCODES[symbol], result, a, 0, 0)
        if a >= first_register:
            free.append(a)
        values.append(result)
    code += (isa.HALT, 0, 0, 0, 0)
    memory = np.zeros(size)
    memory[len(names) : first_register] = constants
    return Program(np.array(code, dtype=np.uint32).reshape(-1, isa.WIDTH), memory, names, values[0])
