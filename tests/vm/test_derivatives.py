"""Derivatives: every instruction has them, they are the limits of differences, and kernel and rules agree."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SENSORS, trees

import gpkit
from gpkit.core import plugins
from gpkit.evolution.kernel.fits import normal_equations
from gpkit.genomes.tree import Tree, constant_positions
from gpkit.languages.arithmetic.forms.fitting import with_parameters
from gpkit.languages.arithmetic.text import parse
from gpkit.vm.derivatives import PARTIALS, tangents_readable
from gpkit.vm.isa import CALL, INSTRUCTIONS


def formula(text: str) -> Tree:
    return parse(text).program.trees[0]


def readable(tree: Tree, inputs: tuple[str, ...], row: list[float]) -> dict[int, float]:
    """The derivatives of a formula by its constants, by their number, at one row of inputs."""
    program, slots = with_parameters(tree, inputs)
    memory = program.memory.copy()
    memory[: len(inputs)] = row
    with np.errstate(all="ignore"):
        return tangents_readable(program.code, memory, slots).get(program.result, {})


def compiled(tree: Tree, inputs: tuple[str, ...], columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives by constants, float64 (constants, rows), and by which of them the value depends on."""
    program, slots = with_parameters(tree, inputs)
    count, size, rows = len(slots), len(program.memory), columns.shape[1]
    tangents, depends = np.zeros((count, size, rows)), np.zeros((count, size), dtype=np.bool_)
    scratch = (np.zeros((size, rows)), tangents, depends, np.zeros((3, rows)), np.zeros((count + 4, rows)))
    code = (program.code, program.memory.copy(), np.array(slots, dtype=np.int64), program.result)
    data = (columns, np.zeros(rows), np.ones(rows))
    normal_equations(code, data, np.array([0.0, 1.0]), False, scratch, np.empty((count + 2, count + 3)))
    return tangents[:, program.result], depends[:, program.result]


def test_every_instruction_that_computes_has_partial_derivatives() -> None:
    assert {*PARTIALS} == {row.opcode for row in INSTRUCTIONS if row.function is not None} | {CALL.opcode}
    for row in INSTRUCTIONS:
        if row.function is not None:
            count = row.columns.count("slot")
            assert len(PARTIALS[row.opcode](*[1.5] * count)) == count, row.name


def test_partial_derivatives_are_limits_of_differences() -> None:
    rng = np.random.default_rng(0)
    for row in INSTRUCTIONS:
        if row.function is None:
            continue
        for _ in range(40):
            values = rng.uniform(-3.0, 3.0, row.columns.count("slot")).tolist()
            for k, partial in enumerate(PARTIALS[row.opcode](*values)):
                around = [[*values[:k], values[k] + h, *values[k + 1 :]] for h in (-1e-6, 1e-6)]
                low, high = (row.function(*each) for each in around)
                assert math.isclose(partial, (high - low) / 2e-6, rel_tol=1e-4, abs_tol=1e-6), row.name


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        ("2.0*x + 3.0", [5.0, 0.0], {0: 5.0, 1: 1.0}),
        ("x*x/(4.0 + y)", [6.0, 2.0], {0: -1.0}),
        ("sqrt(9.0*x)", [4.0, 0.0], {0: 4.0 * 0.5 / 6.0}),
        ("sqrt(-1.0*x)", [4.0, 0.0], {0: 0.0}),  # protected: 0
        ("x/(0.0*y)", [4.0, 7.0], {0: 0.0}),  # protected: 1
        ("max(2.0*x, 3.0*y)", [5.0, 1.0], {0: 5.0, 1: 0.0}),
        ("ifle(x, 1.0, 2.0*x, 3.0*y)", [5.0, 7.0], {0: 0.0, 1: 0.0, 2: 7.0}),
        ("floor(2.5*x) + abs(-3.0)*x", [2.0, 0.0], {0: 0.0, 1: -2.0}),
        ("log(2.0*x) + exp(0.0*y)", [4.0, 7.0], {0: 4.0 / 8.0, 1: 7.0}),
        ("log(-1.0*x)", [4.0, 7.0], {0: 0.0}),  # protected: 0
        ("sin(0.0*x) + cos(0.0*y)", [4.0, 7.0], {0: 4.0, 1: 0.0}),
        ("tanh(0.0*x)", [4.0, 7.0], {0: 4.0}),
        ("pow(x, 3.0)", [1.0, 0.0], {0: 0.0}),
        ("pow(2.0*x, y)", [1.5, 2.0], {0: 1.5 * 2.0 * 3.0}),
        ("pow(0.0*x, -1.0)", [4.0, 7.0], {0: 0.0, 1: 0.0}),  # protected: 1
        ("x + y", [1.0, 2.0], {}),
        ("2.0*x + 2.0*y", [3.0, 4.0], {0: 3.0, 1: 4.0}),  # equal constants are two parameters
    ],
)
def test_derivatives_by_hand(text: str, row: list[float], expected: dict[int, float]) -> None:
    assert readable(formula(text), ("x", "y"), row) == expected


@settings(max_examples=60, deadline=None)
@given(trees(random=False), st.integers(0, 10**6))
def test_kernel_and_rules_agree_bit_for_bit(tree: Tree, seed: int) -> None:
    columns = np.random.default_rng(seed).choice([-2.5, -1.0, 0.0, 0.5, 3.0, 1e200], (len(SENSORS), 5))
    found, depends = compiled(tree, SENSORS, columns)
    for number in range(len(constant_positions(tree))):
        for row in range(5):
            expected = readable(tree, SENSORS, columns[:, row].tolist()).get(number)
            assert depends[number] == (expected is not None)
            if expected is not None:
                assert np.array_equal(found[number, row], expected, equal_nan=True)


def gauge(a, b):  # type: ignore[no-untyped-def]
    return a * a * b + math.sin(b)


def test_functions_of_python_have_differences_for_derivatives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "here", plugins.Discovery())
    gpkit.primitive(gauge)
    tree = formula("3.0 * gauge(2.0 * x, y) - 0.5 * gauge(1.5, gauge(0.25, x))")
    columns = np.random.default_rng(2).normal(size=(2, 20))
    tangents, depends = compiled(tree, ("x", "y"), columns)
    assert depends.all()
    for place, row in enumerate(columns.T.tolist()):
        wanted = readable(tree, ("x", "y"), row)
        assert tangents[:, place].tolist() == [wanted[number] for number in range(len(wanted))]
        x, y = row
        assert math.isclose(wanted[1], 3.0 * 2.0 * 2.0 * x * y * x, rel_tol=1e-6, abs_tol=1e-6)
