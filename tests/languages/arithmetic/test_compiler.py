"""The compiled machine computes what the interpreter says, bit for bit."""

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SENSORS, doubles, trees

from gpkit.core.compiled import kernel
from gpkit.genomes.tree import Tree, leaf, node
from gpkit.langkit.formulas import evaluate
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.vm import machine
from gpkit.vm.isa import HALT, INSTRUCTIONS
from gpkit.vm.machine import ROWS
from gpkit.vm.machine import evaluate as evaluate_rows
from gpkit.vm.program import verify

run = kernel(machine.run)

RANDOMS = (0.25, 0.0, 0.999, 0.5)


def compiled_value(tree: Tree, values: list[float]) -> float:
    """The value by the machine; the k-th ``math.random()`` is RANDOMS[k % 4]."""
    program = compile_tree(tree, SENSORS)
    verify(program)
    memory = program.memory.copy()
    memory[: len(SENSORS)] = values
    for k in range(len(program.inputs) - len(SENSORS)):
        memory[len(SENSORS) + k] = RANDOMS[k % 4]
    stopped, _, _ = run(program.code, memory, 0, len(program.code))
    assert stopped == HALT
    return float(memory[program.result])


def interpreted_value(tree: Tree, values: list[float]) -> float:
    numbers = (RANDOMS[k % 4] for k in range(len(tree)))
    return evaluate(tree, dict(zip(SENSORS, values, strict=True)), lambda: next(numbers))


def bits(value: float) -> bytes:
    return b"nan" if value != value else struct.pack("d", value)


@settings(max_examples=300, deadline=None)
@given(trees(), st.lists(doubles(), min_size=len(SENSORS), max_size=len(SENSORS)))
def test_machine_is_interpreter(tree: Tree, values: list[float]) -> None:
    assert bits(compiled_value(tree, values)) == bits(interpreted_value(tree, values))


@settings(max_examples=100, deadline=None)
@given(trees(random=False), st.lists(st.lists(doubles(), min_size=4, max_size=4), min_size=1, max_size=6))
def test_rows_are_interpreter(tree: Tree, rows: list[list[float]]) -> None:
    computed = evaluate_rows(compile_tree(tree, SENSORS), np.array(rows).T.copy())
    assert [bits(float(v)) for v in computed] == [bits(interpreted_value(tree, row)) for row in rows]


def test_rows_beyond_one_block() -> None:
    """Rows are handled in blocks; the last one is partly filled."""
    columns = np.random.default_rng(0).normal(size=(2, 2 * ROWS + 3))
    computed = evaluate_rows(
        compile_tree(node("*", leaf("A"), node("+", leaf("B"), leaf(0.5))), ("A", "B")), columns
    )
    assert computed.tobytes() == (columns[0] * (columns[1] + 0.5)).tobytes()


@pytest.mark.slow
@settings(max_examples=50_000, deadline=None)
@given(trees(max_leaves=60), st.lists(doubles(), min_size=len(SENSORS), max_size=len(SENSORS)))
def test_machine_is_interpreter_at_length(tree: Tree, values: list[float]) -> None:
    assert bits(compiled_value(tree, values)) == bits(interpreted_value(tree, values))


@pytest.mark.parametrize("side", ["left", "right"])
def test_depth_is_no_matter(side: str) -> None:
    """10,000 levels: a chain needs two registers, whichever way it leans."""
    depth = 10_000
    symbols: list[str | float] = (
        ["+"] * depth + ["A"] * (depth + 1) if side == "left" else ["+", "A"] * depth + ["A"]
    )
    tree = Tree.from_prefix(symbols, [2 if s == "+" else 0 for s in symbols])
    program = compile_tree(tree, ("A",))
    assert len(program.memory) == 3
    assert evaluate_rows(program, np.ones((1, 1)))[0] == depth + 1


def test_a_leaf_costs_no_instruction() -> None:
    program = compile_tree(node("+", leaf("A"), leaf(3.0)), SENSORS)
    assert len(program.code) == 2
    assert len(compile_tree(leaf("B"), SENSORS).code) == 1


@settings(max_examples=100, deadline=None)
@given(trees())
def test_no_instruction_writes_what_it_reads(tree: Tree) -> None:
    for opcode, target, *operands in compile_tree(tree, SENSORS).code.tolist():
        reads = [
            o for o, kind in zip(operands, INSTRUCTIONS[opcode].columns[1:], strict=True) if kind == "slot"
        ]
        assert opcode == HALT or target not in reads


def test_an_unknown_sensor_is_refused() -> None:
    with pytest.raises(KeyError):
        compile_tree(leaf("env.nothing"), SENSORS)
