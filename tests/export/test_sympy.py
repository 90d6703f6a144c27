"""Programs as expressions of SymPy: protected as they are, and equal to what is computed."""

import inspect
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray
from strategies import NASTY, trees, ulps

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.primitives import PORTABLE
from gpkit.core.rng import stream
from gpkit.export.formulas import symbol_names
from gpkit.genomes.tree import Tree
from gpkit.langkit.formulas import print_formula

sympy = pytest.importorskip("sympy", reason="the extra `data` is not installed")

NAMES = ("A", "B", "env.suit")

TREE = """test A <= 1
  yes: test B > 0
    yes: 1.5
    no: 2.0
  no: switch B
    below -1: 3.0
    below 4: 4.0
    else: test A != 2
      yes: 5.0
      no: -6.0
"""


def sampled(rows: int) -> dict[str, NDArray[np.float64]]:
    """Columns of numbers of all sizes, a third of them hard ones."""
    rng = stream(3, "rows for SymPy")
    hard = np.array([*NASTY, np.inf, -np.inf, np.nan])
    found = {}
    for name in NAMES:
        column = rng.normal(size=rows) * 10.0 ** rng.integers(-3, 4, rows)
        column[: rows // 3] = rng.choice(hard, rows // 3)
        found[name] = rng.permutation(column)
    return found


def lambdified(program: Any, columns: dict[str, NDArray[np.float64]], expression: Any) -> Any:
    """What ``lambdify`` computes: float64 (rows,)."""
    names = symbol_names(program.named.source.program)
    function = sympy.lambdify([sympy.Symbol(names[name]) for name in program.inputs], expression)
    with np.errstate(all="ignore"):
        values = function(*(columns[name] for name in program.inputs))
    return np.broadcast_to(np.asarray(values, dtype=np.float64), len(columns["A"]))


def assert_equal(program: Any, rows: int = 300) -> None:
    """``lambdify`` and ``evaluate`` agree, but for the sign of zeros."""
    columns = sampled(rows)
    found, expected = lambdified(program, columns, program.to_sympy()), program.evaluate(columns)
    differs = (found != expected) & ~(np.isnan(found) & np.isnan(expected))
    assert not differs.any(), (str(program), [{n: c[differs][0] for n, c in columns.items()}])


@settings(max_examples=40, deadline=None)
@given(trees(NAMES, operators=PORTABLE, random=False, max_leaves=12))
def test_lambdify_computes_the_formula(tree: Tree) -> None:
    program = gpkit.parse(print_formula(tree))
    if program.inputs:
        assert_equal(program)


@pytest.mark.parametrize(
    "formula",
    [
        "-(A * (A * B))",
        "-3 * (A * A)",
        "-1 / (A * 0)",
        "-(3 * (A / B))",
        "A / -(B * (A * A))",
        "-(-(A * B) * A)",
    ],
)
def test_signs_do_not_group_factors_anew(formula: str) -> None:
    assert_equal(gpkit.parse(formula), 3_000)


@pytest.mark.slow
def test_lambdify_computes_the_formula_on_a_million_rows() -> None:
    assert_equal(
        gpkit.parse("sqrt(A / B) - min(-3 * (A / env.suit), max(B, 0.1)) * floor(A - abs(B))"), 10**6
    )


@pytest.mark.parametrize(
    "call", ["log(A)", "exp(A)", "sin(A)", "cos(A)", "tanh(A)", "pow(A, B)", "pow(A, 3)"]
)
def test_calls_are_within_two_units_in_the_last_place(call: str) -> None:
    program, columns = gpkit.parse(call), sampled(3_000)
    found = lambdified(program, columns, program.to_sympy())
    assert max(map(ulps, found.tolist(), program.evaluate(columns).tolist())) <= 2.0


def test_trees_are_choices() -> None:
    assert_equal(gpkit.parse(TREE, language="decision"))


@pytest.mark.parametrize(
    ("formula", "written"),
    [
        ("a / b", "Piecewise((a/b, Ne(b, 0)), (1.0, True))"),
        ("a / 4", "a/4.0"),
        ("a * -3", "-3.0*a"),
        ("sqrt(a)", "Piecewise((sqrt(a), a > 0), (0.0, True))"),
        ("log(a)", "Piecewise((log(a), a > 0), (0.0, True))"),
        ("sin(a)", "Piecewise((sin(a), Abs(a) < oo), (0.0, True))"),
        ("min(a, b)", "Piecewise((b, b < a), (a, True))"),
        ("ifle(a, b, 1, a)", "Piecewise((1.0, a <= b), (a, True))"),
        ("pow(a, 2)", "a**2"),
        ("pow(a, -1)", "Piecewise((1.0, Eq(a, 0)), (1/a, True))"),
        ("pow(a, 0.5)", "Piecewise((a**0.5, a >= 0), (0.0, True))"),
        (
            "pow(a, b)",
            "Piecewise((1.0, Eq(a, 0) & (b < 0)), (a**b, (a >= 0) | Eq(b, floor(b))), (0.0, True))",
        ),
        ("a + (3 - 3 * 1)", "a + 0.0"),
    ],
)
def test_protection_is_written_out(formula: str, written: str) -> None:
    assert str(gpkit.parse(formula).to_sympy()) == written


def test_simplified_is_close() -> None:
    program = gpkit.parse("(A + A) * 3 - A * B / (2 + B * B) + sqrt(A * A) * 1")
    rng = stream(4, "rows for SymPy")
    columns = {name: rng.normal(size=1_000) for name in ("A", "B")}
    expression = program.to_sympy(simplified=True)
    assert sympy.count_ops(expression) < sympy.count_ops(program.to_sympy())
    found = lambdified(program, columns, expression)
    np.testing.assert_allclose(found, program.evaluate(columns), rtol=1e-9, atol=1e-9)


def test_values_go_in_by_name() -> None:
    assert gpkit.parse("x / y").to_sympy().subs({"x": 3.0, "y": 2.0}) == sympy.Float(1.5)


def test_symbols_have_names_of_python() -> None:
    tests = (f"test {name} > 1 yes: 1 no: " for name in ("env.x", '"x"', '"1 größe"', "class"))
    program = gpkit.parse("".join(tests) + "2", language="decision")
    names = symbol_names(program.named.source.program)
    assert list(names.values()) == ["x", "x_", "_1_größe", "class_"]


def test_sections_are_expressions_by_name() -> None:
    found = gpkit.parse("low: a + 1\nhigh: a * 2").to_sympy()
    assert {name: str(value) for name, value in found.items()} == {"low": "a + 1.0", "high": "a*2.0"}


@pytest.mark.parametrize(
    ("text", "language", "message"),
    [
        ("math.random() + a", "arithmetic", "this program draws random numbers"),
        ("abs(" * 101 + "a" + ")" * 101, "arithmetic", "at most 100 levels, but this one has 102"),
        ("test a <= 1 yes: low no: high", "decision", "the leaf `low` is a name"),
        ("sinking:\nJump", "sinking", "cannot write programs in sinking as expressions of SymPy"),
    ],
)
def test_what_sympy_cannot_say(text: str, language: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        gpkit.parse(text, language=language).to_sympy()


def test_the_deepest_formula_can_be_printed() -> None:
    program = gpkit.parse("abs(1 - " * 49 + "sqrt(A)" + ")" * 49)
    source = inspect.getsource(sympy.lambdify(sympy.Symbol("A"), program.to_sympy()))
    assert source.count("abs") == 49
