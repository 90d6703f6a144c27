"""Compiles formulas to machine code: operators become instructions, leaves become operands, registers are reused."""

from collections.abc import Mapping, Sequence

import numpy as np

from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Function, Symbol, Tree, functions_in
from gpkit.langkit.foreign import Foreign
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
"""The operators that become one instruction; ``ifle`` becomes a comparison and a selection, ``square`` a product."""


def compile_tree(tree: Tree, inputs: Sequence[str]) -> Program:
    """The program that computes a formula.

    The compiler walks the formula backwards, so it always compiles the operands of an operator before the operator. The
    code computes right operands before left operands; this does not change any value. An instruction never writes a
    slot that it reads, so the loops over rows can handle several rows at once.

    Args:
        tree: the formula.
        inputs: the sensors in the order of their slots, whether the formula uses them or not. They are followed by an
            input for each occurrence of ``math.random()``, such as ``math.random#0``.

    Raises:
        KeyError: the formula reads a sensor that is not among the inputs.
    """
    symbols, names = tree.symbols, tuple(inputs)
    if RANDOM in symbols:
        randoms = tuple(f"{RANDOM}#{occurrence}" for occurrence in range(tree.draws))
        following = iter(randoms)
        symbols = tuple(next(following) if symbol == RANDOM else symbol for symbol in symbols)
        names += randoms
    formulas = (symbols, *(function.body.symbols for function in functions_in(tree)))
    constants = sorted({symbol for formula in formulas for symbol in formula if isinstance(symbol, float)})
    called = sorted({symbol for formula in formulas for symbol in formula if isinstance(symbol, Foreign)})
    leaves: tuple[Symbol, ...] = (*names, *constants, *called)
    slots = {symbol: slot for slot, symbol in enumerate(leaves)}
    writer = _Assembler(len(leaves), {symbol: slots[symbol] for symbol in leaves[len(names) :]})
    result = writer.write(symbols, tree.sizes, slots)
    code = [*writer.code, isa.HALT, 0, 0, 0, 0]
    memory = np.zeros(writer.size)
    memory[len(names) : len(leaves) - len(called)] = constants
    memory[len(leaves) - len(called) : len(leaves)].view(np.int64)[:] = [each.address for each in called]
    return Program(np.array(code, dtype=np.uint32).reshape(-1, isa.WIDTH), memory, names, result)


class _Assembler:
    """An assembler that inlines the code of a function at each call.

    Attributes:
        code: the instructions so far.
        size: the number of slots so far; the registers come after the first ``leaves`` slots.
    """

    def __init__(self, leaves: int, constants: Mapping[Symbol, int]) -> None:
        self.code: list[int] = []
        self.constants = constants
        self.leaves = self.size = leaves
        self.free: list[int] = []  # registers whose values are no longer needed
        self.held = frozenset[int]()  # the registers of operands that a function reads, perhaps again

    def write(self, symbols: Sequence[Symbol], sizes: Sequence[int], slots: Mapping[Symbol, int]) -> int:
        """Write the code of a formula, given the slots of its leaves, and return the slot of its value."""
        code, free = self.code, self.free
        values: list[int] = []  # the slots of complete operands, the leftmost last
        for symbol, nodes in zip(reversed(symbols), reversed(sizes), strict=True):
            if nodes == 1:
                values.append(slots[symbol])
                continue
            if isinstance(symbol, Function):
                values.append(self.call(symbol, [values.pop() for _ in symbol.parameters]))
                continue
            if not free:
                free.append(self.size)
                self.size += 1
            result = free.pop()
            if isinstance(symbol, Foreign):
                address, taken = self.constants[symbol], [values.pop() for _ in symbol.parameters]
                unused = [address] * (isa.MOST_OPERANDS - len(taken))
                code += (address + 1 << isa.OPCODE_BITS, result, *taken, *unused)
                self.release(*dict.fromkeys(taken))
                values.append(result)
                continue
            a = values.pop()
            if symbol == "ifle":
                condition, result = result, self.size
                self.size += 1
                b, x, y = values.pop(), values.pop(), values.pop()
                code += (isa.AT_MOST, condition, a, b, 0, isa.SELECT, result, condition, x, y)
                self.release(b, x, y, condition)
            elif NOTATION[symbol].arity == 2:
                b = values.pop()
                code += (OPCODES[symbol], result, a, b, 0)
                self.release(b)
            elif symbol == "square":
                code += (isa.MUL, result, a, a, 0)
            else:
                code += (OPCODES[symbol], result, a, 0, 0)
            self.release(a)
            values.append(result)
        return values[0]

    def release(self, *slots: int) -> None:
        """Free registers whose values are no longer needed."""
        for slot in slots:
            if slot >= self.leaves and slot not in self.held:
                self.free.append(slot)

    def call(self, function: Function, operands: Sequence[int]) -> int:
        """Write the code of a function, given the slots of its operands, and return the slot of its value."""
        held = self.held
        self.held = held.union(operands)
        body, own = function.body, dict[Symbol, int](zip(function.parameters, operands, strict=True))
        result = self.write(body.symbols, body.sizes, {**self.constants, **own})
        self.held = held
        self.release(*(slot for slot in dict.fromkeys(operands) if slot != result))
        return result
