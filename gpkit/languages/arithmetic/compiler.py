"""Formulas to machine code: one instruction for each operator, leaves folded into operands, registers reused."""

from collections.abc import Sequence

import numpy as np

from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Symbol, Tree
from gpkit.vm import isa
from gpkit.vm.program import Program

OPCODES = {
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
}
"""The operators that are one instruction; ``ifle`` is a comparison and a selection."""


def random_input(occurrence: int) -> str:
    """The name of the input that carries the number of one ``math.random()``, counted from 0 in prefix order."""
    return f"{RANDOM}#{occurrence}"


def compile_tree(tree: Tree, inputs: Sequence[str]) -> Program:
    """The program that computes a formula.

    Args:
        tree: the formula.
        inputs: the sensors in the order of their slots, used by the formula or not; after them come the inputs of
            ``math.random()``, one for each occurrence.

    Raises:
        KeyError: the formula reads a sensor that is not among the inputs.
    """
    lowering = _Lowering(tree, inputs)
    return lowering.program()


class _Lowering:
    """One walk over a formula in prefix order; an operator is emitted when its last operand is complete."""

    def __init__(self, tree: Tree, inputs: Sequence[str]) -> None:
        randoms = tree.symbols.count(RANDOM)
        self.tree = tree
        self.inputs = (*inputs, *(random_input(k) for k in range(randoms)))
        self.slots: dict[Symbol, int] = {name: slot for slot, name in enumerate(inputs)}
        self.next_random = len(inputs)
        constants = sorted({s for s in tree.symbols if isinstance(s, float)})
        self.first_constant = len(self.inputs)
        self.constants = constants
        self.slots.update({c: self.first_constant + k for k, c in enumerate(constants)})
        self.first_register = self.first_constant + len(constants)
        self.registers = 0
        self.free: list[int] = []
        self.code: list[tuple[int, int, int, int, int]] = []

    def program(self) -> Program:
        """Emit everything; the value of the whole formula is the last operand completed."""
        open_operators: list[tuple[str, int, list[int]]] = []
        value = 0
        for position, symbol in enumerate(self.tree.symbols):
            if self.tree.sizes[position] > 1:
                assert isinstance(symbol, str)
                open_operators.append((symbol, self.tree.arity(position), []))
                continue
            value = self._leaf(symbol)
            while open_operators:
                name, arity, operands = open_operators[-1]
                operands.append(value)
                if len(operands) < arity:
                    break
                open_operators.pop()
                value = self._emit(name, operands)
        self.code.append((isa.HALT, 0, 0, 0, 0))
        memory = np.zeros(self.first_register + self.registers)
        memory[self.first_constant : self.first_register] = self.constants
        return Program(np.array(self.code, dtype=np.uint32), memory, self.inputs, value)

    def _leaf(self, symbol: Symbol) -> int:
        if symbol == RANDOM:
            self.next_random += 1
            return self.next_random - 1
        return self.slots[symbol]

    def _emit(self, name: str, operands: list[int]) -> int:
        if name == "ifle":
            a, b, *branches = operands
            condition = (
                self._register()
            )  # taken before the operands are released: the branches are read after it
            self.code.append((isa.AT_MOST, condition, a, b, 0))
            self._release(*operands, condition)
            result = self._register()
            self.code.append((isa.SELECT, result, condition, branches[0], branches[1]))
            return result
        self._release(*operands)
        result = self._register()
        self.code.append((OPCODES[name], result, operands[0], operands[1] if len(operands) > 1 else 0, 0))
        return result

    def _release(self, *slots: int) -> None:
        self.free.extend(slot for slot in slots if slot >= self.first_register)

    def _register(self) -> int:
        if self.free:
            return self.free.pop()
        self.registers += 1
        return self.first_register + self.registers - 1
