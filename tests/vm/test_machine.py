"""The compiled loops agree with the readable one, whatever verified code they are given.

Listings name inputs, constants, registers and targets.
The portable random numbers: compiled equals readable, known values, and no visible pattern.
"""

import numpy as np
import pytest
from disassembler import disassemble
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only
from numpy.typing import NDArray
from strategies import doubles

from gpkit.core.arrays import for_reading
from gpkit.core.compiled import kernel
from gpkit.genomes.tree import leaf, node
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.vm import isa, machine
from gpkit.vm.kernel import keyed as twins
from gpkit.vm.keyed import HALF, keyed_uniform_readable, keyed_word_readable
from gpkit.vm.machine import evaluate_rows, run_readable
from gpkit.vm.program import Program, link, verify

run = kernel(machine.run)

SLOTS = 6
HOSTS = (
    isa.Instruction(isa.HOST, "shoot", ("number", "-", "-", "-"), ""),
    isa.Instruction(isa.HOST + 1, "unless", ("target", "-", "-", "-"), ""),
)


def rows(draw: st.DrawFn, opcodes: list[int], length: int) -> NDArray[np.uint32]:
    """Random code over ``SLOTS`` slots that ends in halt."""
    code = np.zeros((length + 1, isa.WIDTH), dtype=np.uint32)
    for place in range(length):
        opcode = draw(st.sampled_from(opcodes))
        code[place, 0] = opcode
        columns = (isa.INSTRUCTIONS[opcode] if opcode < isa.HOST else HOSTS[opcode - isa.HOST]).columns
        for column, kind in enumerate(columns, start=1):
            bound = {"result": SLOTS, "slot": SLOTS, "target": length + 1, "number": 9}.get(kind, 1)
            code[place, column] = draw(st.integers(0, bound - 1))
    return for_reading(code)


@st.composite
def any_code(draw: st.DrawFn) -> NDArray[np.uint32]:
    """Code with jumps and host instructions."""
    opcodes = [i.opcode for i in isa.INSTRUCTIONS] + [isa.HOST, isa.HOST + 1]
    return rows(draw, opcodes, draw(st.integers(0, 12)))


@st.composite
def straight_code(draw: st.DrawFn) -> NDArray[np.uint32]:
    """Code of pure instructions only."""
    opcodes = [i.opcode for i in isa.INSTRUCTIONS if i.function is not None]
    return rows(draw, opcodes, draw(st.integers(0, 12)))


def memories() -> st.SearchStrategy[list[float]]:
    return st.lists(doubles(), min_size=SLOTS, max_size=SLOTS)


@settings(max_examples=200, deadline=None)
@given(any_code(), memories(), st.integers(0, 40))
def test_compiled_run_is_the_readable_one(code: NDArray[np.uint32], values: list[float], budget: int) -> None:
    verify(Program(code, np.array(values), (), 0, HOSTS))
    first, second = np.array(values), np.array(values)
    assert run(code, first, 0, budget) == run_readable(code, second, 0, budget)
    assert _same(first, second)


@settings(max_examples=100, deadline=None)
@given(any_code(), memories())
def test_running_in_pieces_is_running_at_once(code: NDArray[np.uint32], values: list[float]) -> None:
    whole, pieces = np.array(values), np.array(values)
    expected = run(code, whole, 0, 50)
    pc, taken, stopped = 0, 0, isa.OUT_OF_STEPS
    while stopped == isa.OUT_OF_STEPS and taken < 50:
        stopped, pc, steps = run(code, pieces, pc, 1)
        taken += steps
        if steps == 0:
            break
    if stopped == isa.OUT_OF_STEPS:
        stopped, pc, _ = run(code, pieces, pc, 0)
    assert (pc, taken) == expected[1:]
    assert _same(whole, pieces)


@settings(max_examples=200, deadline=None)
@given(straight_code(), st.lists(memories(), min_size=1, max_size=5))
def test_rows_are_runs_side_by_side(code: NDArray[np.uint32], values: list[list[float]]) -> None:
    columns = np.array(values).T.copy()
    evaluate_rows(code, columns)
    for column, memory in zip(columns.T, values, strict=True):
        single = np.array(memory)
        assert run(code, single, 0, 100)[0] == isa.HALT
        assert _same(column, single)


@pytest.mark.parametrize("row", [i for i in isa.INSTRUCTIONS if i.function is not None], ids=lambda i: i.name)
def test_no_loop_forgets_an_instruction(row: isa.Instruction) -> None:
    """Every pure instruction writes its meaning, in all three loops; the probe differs from what was there before."""
    assert row.function is not None
    operands = [2.5, -3.25, 7.0][: sum(kind == "slot" for kind in row.columns)]
    code = np.zeros((2, isa.WIDTH), dtype=np.uint32)
    code[0, :2] = row.opcode, 4
    code[0, 2 : 2 + len(operands)] = range(1, 1 + len(operands))
    code = for_reading(code)
    memory = np.array([99.0, 2.5, -3.25, 7.0, 99.0])
    expected = row.function(*operands)
    assert expected != 99.0
    by_rows = memory[:, None].copy()
    evaluate_rows(code, by_rows)
    assert by_rows[4, 0] == expected
    for loop in (run, run_readable):
        scratch = memory.copy()
        assert loop(code, scratch, 0, 9) == (isa.HALT, 1, 1)
        assert scratch[4] == expected


def test_the_table_is_indexed_by_opcode() -> None:
    assert [row.opcode for row in isa.INSTRUCTIONS] == list(range(len(isa.INSTRUCTIONS)))
    assert len({row.name for row in isa.INSTRUCTIONS}) == len(isa.INSTRUCTIONS) < isa.HOST


def test_host_instructions_suspend_and_resume() -> None:
    """Count down from 3, calling the host in every round: the shape of a register program."""
    code = np.array(
        [
            (isa.HOST, 5, 0, 0, 0),
            (isa.SUB, 0, 0, 1, 0),
            (isa.JUMP_UNLESS_ZERO, 0, 0, 0, 0),
            (isa.HALT, 0, 0, 0, 0),
        ],
        dtype=np.uint32,
    )
    verify(Program(code, np.array([3.0, 1.0]), ("counter",), 0, HOSTS))
    memory, pc, calls = np.array([3.0, 1.0]), 0, 0
    while True:
        stopped, pc, _ = run(for_reading(code), memory, pc, 100)
        if stopped == isa.HALT:
            break
        assert stopped == isa.HOST
        calls += 1
        pc += 1
    assert calls == 3


def test_an_endless_loop_stops_at_its_budget() -> None:
    code = np.array([(isa.JUMP, 0, 0, 0, 0)], dtype=np.uint32)
    verify(Program(code, np.zeros(1), (), 0))
    assert run(for_reading(code), np.zeros(1), 0, 1000) == (isa.OUT_OF_STEPS, 0, 1000)


BAD = {
    "unknown opcode": [(63, 0, 0, 0, 0), (0, 0, 0, 0, 0)],
    "host instruction that is not there": [(isa.HOST + 1, 0, 0, 0, 0), (0, 0, 0, 0, 0)],
    "result outside": [(isa.MOVE, 2, 0, 0, 0), (0, 0, 0, 0, 0)],
    "operand outside": [(isa.ADD, 0, 0, 2, 0), (0, 0, 0, 0, 0)],
    "third operand outside": [(isa.SELECT, 0, 0, 0, 2), (0, 0, 0, 0, 0)],
    "jump outside": [(isa.JUMP, 2, 0, 0, 0), (0, 0, 0, 0, 0)],
    "control runs out": [(isa.ADD, 0, 0, 1, 0)],
}


@pytest.mark.parametrize("code", BAD.values(), ids=BAD.keys())
def test_verify_refuses(code: list[tuple[int, ...]]) -> None:
    with pytest.raises(ValueError, match=r"instruction|slot"):
        verify(Program(np.array(code, dtype=np.uint32), np.zeros(2), (), 0, HOSTS[:1]))


def test_verify_refuses_a_result_outside() -> None:
    with pytest.raises(ValueError, match="result slot"):
        verify(Program(np.zeros((1, isa.WIDTH), dtype=np.uint32), np.zeros(2), (), 2))


@settings(max_examples=50, deadline=None)
@given(st.lists(any_code(), min_size=1, max_size=4), memories())
def test_linked_programs_run_as_alone(codes: list[NDArray[np.uint32]], values: list[float]) -> None:
    programs = [Program(code, np.array(values), (), 0, HOSTS) for code in codes]
    linked, memory, entries = link(programs)
    for number, (program, entry) in enumerate(zip(programs, entries, strict=True)):
        alone = np.array(values)
        opcode, pc, steps = run(program.code, alone, 0, 30)
        assert run(for_reading(linked), memory[number], entry, 30) == (opcode, pc + entry, steps)
        assert _same(alone, memory[number])


def test_linking_moves_the_jumps_of_the_machine_and_of_the_host() -> None:
    code = np.array([(isa.HOST, 1, 7, 0, 0), (isa.JUMP, 0, 0, 0, 0)], dtype=np.uint32)
    unless = isa.Instruction(isa.HOST, "unless", ("target", "number", "-", "-"), "")
    program = Program(code, np.zeros(1), ("hit",), 0, (unless,))
    other = Program(code, np.ones(1), ("hit",), 0, (unless,))
    linked, _, entries = link([program, other, program])
    assert entries == [0, 2, 0]
    assert linked[:, :3].tolist() == [[isa.HOST, 1, 7], [isa.JUMP, 0, 0], [isa.HOST, 3, 7], [isa.JUMP, 2, 0]]


def _same(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    """Equal bit for bit, all NaN alike."""
    nan = np.isnan(first)
    return bool((nan == np.isnan(second)).all() and first[~nan].tobytes() == second[~nan].tobytes())


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


keyed_word, keyed_uniform = kernel(twins.keyed_word), kernel(twins.keyed_uniform)

KNOWN = [1044755717906833, 3530193480830082, 2242904220430247]
WORDS = st.integers(0, HALF - 1)


@settings(max_examples=200, deadline=None)
@given(WORDS, WORDS, WORDS)
def test_compiled_is_readable(key: int, left: int, right: int) -> None:
    assert keyed_word(key, left, right) == keyed_word_readable(key, left, right)
    assert keyed_uniform(key, left, right) == keyed_uniform_readable(key, left, right)


def test_known_values() -> None:
    """Pinned, because stored runs and exported modules depend on them."""
    assert [keyed_word_readable(*words) for words in ((0, 0, 0), (1, 2, 3), (HALF - 1,) * 3)] == KNOWN


def test_a_key_and_counter_give_distinct_words() -> None:
    """The cipher is a permutation for every key, so a stream never repeats."""
    words = [keyed_word_readable(7, 0, right) for right in range(20000)]
    assert len(set(words)) == 20000


@compiled_only
@pytest.mark.parametrize("varied", [0, 1, 2], ids=["key", "left", "right"])
def test_neighbouring_counters_look_independent(varied: int) -> None:
    """Chi-square over a grid of successive pairs: 2,499 degrees of freedom, five standard deviations."""
    words = [5, 7, 11]
    values = np.empty(100_000)
    for n in range(len(values)):
        words[varied] = n
        values[n] = keyed_uniform(words[0], words[1], words[2])
    pairs, _, _ = np.histogram2d(values[:-1], values[1:], bins=50, range=((0, 1), (0, 1)))
    expected = (len(values) - 1) / 2500
    statistic = ((pairs - expected) ** 2 / expected).sum()
    assert abs(statistic - 2499) < 5 * (2 * 2499) ** 0.5
    assert values.min() >= 0.0
    assert values.max() < 1.0
