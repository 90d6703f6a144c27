"""Operators of the mathematical library: protected values, one meaning in all loops, and exports within two units."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NASTY, doubles, trees, ulps

from gpkit.core.primitives import LIBRARY_OPERATORS
from gpkit.core.rng import stream
from gpkit.export.conformance import evaluate_vector, same_number
from gpkit.export.lua.hosts import Loaded, LupaHost, runtime_names
from gpkit.export.lua.module import function_text
from gpkit.export.subject import Subject
from gpkit.genomes.tree import Tree
from gpkit.langkit.formulas import evaluate, print_formula
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.text import parse
from gpkit.vm import machine

CALLS = ("log(A)", "exp(A)", "sin(A)", "cos(A)", "tanh(A)", "pow(A, B)")
"""One call of each operator."""

LESS_EXACT = frozenset({"luajit20"})
"""Luas that compute with the x87, whose sines of large angles and powers are off by more."""


def formula(text: str) -> Tree:
    return parse(text).program.trees[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("log(1)", 0.0),
        ("log(0)", 0.0),
        ("log(-1)", 0.0),
        ("log(N)", 0.0),
        ("log(I)", math.inf),
        ("exp(0)", 1.0),
        ("exp(710)", math.inf),
        ("exp(-I)", 0.0),
        ("exp(N)", math.nan),
        ("sin(I)", 0.0),
        ("sin(N)", 0.0),
        ("cos(-I)", 0.0),
        ("cos(N)", 0.0),
        ("tanh(I)", 1.0),
        ("tanh(-I)", -1.0),
        ("tanh(N)", math.nan),
        ("pow(-2, 3)", -8.0),
        ("pow(-2, 0.5)", 0.0),
        ("pow(0, -1)", 1.0),
        ("pow(-0.0, -I)", 1.0),
        ("pow(0, 0)", 1.0),
        ("pow(0, 2)", 0.0),
        ("pow(-10, 309)", -math.inf),
        ("pow(-10, 310)", math.inf),
        ("pow(-I, 0.5)", 0.0),
        ("pow(-2, I)", math.inf),
        ("pow(-2, -I)", 0.0),
        ("pow(N, 2)", math.nan),
        ("pow(N, 0)", 1.0),
        ("pow(2, N)", math.nan),
        ("pow(-2, N)", 0.0),
        ("square(-3)", 9.0),
        ("square(-I)", math.inf),
        ("square(1e200)", math.inf),
        ("square(N)", math.nan),
    ],
)
def test_protected_values(text: str, value: float) -> None:
    env = {"I": math.inf, "N": math.nan}
    assert same_number(evaluate(formula(text), env, iter(()).__next__), value)


@pytest.mark.parametrize("text", [*CALLS, "square(A)"])
def test_the_machine_calls_what_python_calls(text: str) -> None:
    tree = formula(text)
    rng = stream(7, "library operators")
    scale = 10.0 ** rng.uniform(-3.0, 4.0, 4_000)
    some = [*NASTY, math.inf, -math.inf, math.nan, 709.8, -745.2]
    a = np.concatenate([np.repeat(some, len(some)), rng.normal(size=4_000) * scale])
    b = np.concatenate([np.tile(some, len(some)), rng.integers(-9, 9, 4_000) / 2.0])
    found = machine.evaluate(compile_tree(tree, ("A", "B")), np.array([a, b]))
    for x, y, value in zip(a.tolist(), b.tolist(), found.tolist(), strict=True):
        expected = evaluate(tree, {"A": x, "B": y}, iter(()).__next__)
        assert same_number(value, expected), (x, y)


@settings(max_examples=50, deadline=None)
@given(trees(("A", "B"), random=False), st.lists(st.tuples(doubles(), doubles()), min_size=1, max_size=4))
def test_formulas_read_back_and_mean_the_same(tree: Tree, rows: Sequence[tuple[float, float]]) -> None:
    assert formula(print_formula(tree)) == tree
    found = machine.evaluate(compile_tree(tree, ("A", "B")), np.array(rows).T.copy())
    for (x, y), value in zip(rows, found.tolist(), strict=True):
        assert same_number(value, evaluate(tree, {"A": x, "B": y}, iter(()).__next__))


@pytest.mark.parametrize(
    "lua",
    [
        pytest.param(name, marks=[pytest.mark.release] * (name not in ("lua54", "luajit21")))
        for name in runtime_names()
        if name not in LESS_EXACT
    ],
)
@pytest.mark.parametrize("text", CALLS)
def test_lua_is_within_two_units_in_the_last_place(text: str, lua: str) -> None:
    program = parse(text).program
    (tree,) = program.trees
    rng = stream(8, "library operators in Lua")
    rows: list[tuple[list[float], list[float]]] = [([x, y], []) for x in NASTY for y in (*NASTY, math.inf)]
    rows += [([x, -x], []) for x in (math.inf, -math.inf, math.nan, 709.8, 710.1, -745.2)]
    rows += [(pair, []) for pair in (rng.normal(size=(1_000, 2)) * [8.0, 3.0]).tolist()]
    rows = [(values[: len(tree.reads)], []) for values, _ in rows]
    found = Loaded(LupaHost(lua), function_text(Subject(program)), "function", program).evaluate(
        "value", tree, rows
    )
    for (values, _), value in zip(rows, found, strict=True):
        assert ulps(float(value), evaluate_vector(tree, tree.reads, values, ())) <= 2.0, (values, value)


def test_every_library_operator_is_called_here() -> None:
    assert {text.partition("(")[0] for text in CALLS} == LIBRARY_OPERATORS


def test_units_in_the_last_place() -> None:
    assert ulps(1.0, 1.0 + 2.0**-51) == 2.0
    assert ulps(5e-324, -5e-324) == 2.0
    assert ulps(0.0, -0.0) == ulps(math.nan, -math.nan) == 0.0
    assert ulps(math.nan, 1.0) == math.inf
