"""Listings name inputs, constants, registers and targets."""

import numpy as np

from gpkit.genomes.tree import leaf, node
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.vm import isa
from gpkit.vm.disassembler import disassemble
from gpkit.vm.program import Program


def test_a_formula() -> None:
    tree = node("ifle", leaf("a"), leaf(2.0), node("*", leaf("a"), leaf("math.random")), leaf("b"))
    assert disassemble(compile_tree(tree, ("a", "b"))) == (
        "   0  mul     r0, a, math.random#0\n"
        "   1  atmost  r1, a, 2.0\n"
        "   2  select  r2, r1, r0, b\n"
        "   3  halt\n"
        "      result r2"
    )


def test_jumps_and_host_instructions() -> None:
    code = np.array(
        [(isa.HOST, 5, 0, 0, 0), (isa.JUMP_IF_ZERO, 0, 0, 0, 0), (isa.HALT, 0, 0, 0, 0)], dtype=np.uint32
    )
    shoot = isa.Instruction(isa.HOST, "shoot", ("number", "-", "-", "-"), "")
    listing = disassemble(Program(code, np.zeros(1), ("hit",), 0, (shoot,)))
    assert listing.splitlines()[:2] == ["   0  shoot   5", "   1  jumpz   @0, hit"]
