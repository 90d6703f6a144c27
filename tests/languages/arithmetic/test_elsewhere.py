"""Formulas from elsewhere: how they read, that they mean the same, and how they are refused."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import gpkit
from gpkit.core.arrays import Floats
from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import OPERATORS, Alphabet
from gpkit.core.rng import stream
from gpkit.genomes.tree import random_tree
from gpkit.langkit.formulas import print_formula

CASES = tomllib.loads((Path(__file__).parents[2] / "cases" / "elsewhere.toml").read_text(encoding="utf-8"))
READ = [(notation, *case) for notation, cases in CASES["read"].items() for case in cases]
ROWS = stream(1, "elsewhere").uniform(-3.0, 3.0, (4, 10_000))
ROWS[3] = np.abs(ROWS[3])
INPUTS = {f"{letter}{number}": ROWS[number - (letter == "o")] for letter in "xX" for number in range(4)}


@pytest.mark.parametrize(("notation", "text", "formula"), READ)
def test_what_tools_print_is_read(notation: str, text: str, formula: str) -> None:
    assert gpkit.parse(text, notation=notation).print() == formula


def test_there_are_enough_cases() -> None:
    assert len(READ) >= 55
    assert len(CASES["refused"]) >= 35


def agree(found: Floats, expected: Floats, where: Any = True) -> int:
    """Assert that values agree where the expected ones are finite; return at how many inputs."""
    finite = np.isfinite(expected) & where
    np.testing.assert_allclose(found[finite], expected[finite], rtol=1e-9, atol=1e-12)
    return int(finite.sum())


class OfGplearn:
    """The functions of gplearn by its documentation; ``is_near`` marks the rows that a protection near zero changed."""

    def __init__(self) -> None:
        self.is_near = np.zeros(ROWS.shape[1], dtype=np.bool_)

    def _guarded(self, at: Floats, value: Floats, otherwise: float) -> Floats:
        near = np.abs(at) <= 0.001
        self.is_near |= near
        return np.where(near, otherwise, value)

    def names(self) -> Mapping[str, Any]:
        simple = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "neg": np.negative, "abs": np.abs}
        simple |= {"max": np.maximum, "min": np.minimum, "sin": np.sin, "cos": np.cos, "tan": np.tan}
        return {
            **simple,
            "div": lambda a, b: self._guarded(b, a / b, 1.0),
            "inv": lambda a: self._guarded(a, 1.0 / a, 0.0),
            "sqrt": lambda a: np.sqrt(np.abs(a)),
            "log": lambda a: self._guarded(a, np.log(np.abs(a)), 0.0),
            "sig": lambda a: 1.0 / (1.0 + np.exp(-a)),
        }


@pytest.mark.parametrize("text", [text for notation, text, _ in READ if notation == "gplearn"])
@pytest.mark.parametrize("exact", [False, True])
def test_texts_of_gplearn_mean_the_same(text: str, exact: bool) -> None:
    known = OfGplearn()
    rows = {name: np.where(np.abs(row) < 0.3, np.round(row, 1) * 0.005, row) for name, row in INPUTS.items()}
    with np.errstate(all="ignore"):
        expected = np.broadcast_to(eval(text, {"__builtins__": {}}, {**known.names(), **rows}), (10_000,))  # noqa: S307
    found = np.broadcast_to(gpkit.parse(text, notation="gplearn", exact=exact)(**rows), (10_000,))
    assert agree(found, expected, True if exact else ~known.is_near) > (9000 if exact else 0) or text.count(
        "sub(X1, X1)"
    )


SYMPY_NAMES = {
    "square": lambda a: a**2,
    "cube": lambda a: a**3,
    "inv": lambda a: 1 / a,
    "neg": lambda a: -a,
    "relu": lambda a: sympy.Max(a, 0),
    "logical_or": lambda a, b: sympy.Piecewise((1.0, (a > 0) | (b > 0)), (0.0, True)),
    "logical_and": lambda a, b: sympy.Piecewise((1.0, (a > 0) & (b > 0)), (0.0, True)),
    "cond": lambda a, b: sympy.Piecewise((b, a > 0), (0.0, True)),
    "mod": sympy.Mod,
    "max": sympy.Max,
    "min": sympy.Min,
    "ceil": sympy.ceiling,
    "log2": lambda a: sympy.log(a, 2),
    "log10": lambda a: sympy.log(a, 10),
    "log1p": lambda a: sympy.log(a + 1),
    "cbrt": lambda a: sympy.sign(a) * sympy.Abs(a) ** sympy.Rational(1, 3),
    "aq": lambda a, b: a / sympy.sqrt(1 + b**2),
    "logabs": lambda a: sympy.log(sympy.Abs(a)),
    "sqrtabs": lambda a: sympy.sqrt(sympy.Abs(a)),
    "fmax": sympy.Max,
    "pow": lambda a, b: a**b,
}


IN_NUMPY = {"np": np, "greater": np.greater, "logical_or": lambda a, b: (a > 0.0) | (b > 0.0)}
IN_NUMPY |= {"fmin": np.minimum, "powabs": lambda a, b: np.abs(a) ** b}


def reference(text: str) -> Floats:
    """The values of a text of PySR or Operon at the rows, by SymPy, or by NumPy if it compares numbers."""
    text = re.sub(r"^\((.+) (fmin|powabs) (.+)\)$", r"\2(\1, \3)", text)
    with np.errstate(all="ignore"):
        if re.search("[<>]|fmin|powabs", text):
            found = eval(text.replace("^", "**"), {"__builtins__": {}}, {**IN_NUMPY, **INPUTS})  # noqa: S307
        else:
            names = {name: sympy.Symbol(name) for name in INPUTS}
            expression = sympy.sympify(text, locals={**SYMPY_NAMES, **names})
            found = sympy.lambdify(list(names.values()), expression, "numpy")(*INPUTS.values())
    return np.broadcast_to(np.asarray(found, dtype=np.float64), (10_000,))


def values(program: gpkit.Program) -> Floats:
    return np.broadcast_to(program(**INPUTS, x=ROWS[0], y=ROWS[1], z=ROWS[2]), (10_000,))


@pytest.mark.parametrize(("notation", "text"), [case[:2] for case in READ if case[0] != "gplearn"])
def test_texts_mean_the_same_as_in_sympy(notation: str, text: str) -> None:
    assert agree(values(gpkit.parse(text, notation=notation)), reference(text)) > 1000


X, Y, Z = sympy.symbols("x y z")
KEPT = {"evaluate": False}

EXPRESSIONS = {
    X / Y - 3 * X**2 + sympy.sqrt(2): "sqrt(2.0) + x / y - 3.0 * square(x)",
    sympy.Max(X, Y, Z) - sympy.Min(X, Y): "max(max(x, y), z) - min(x, y)",
    -2.5 * X + 1: "1.0 - 2.5 * x",
    X**-2 * Y / 3: "0.3333333333333333 * y / square(x)",
    sympy.exp(-X) * sympy.Abs(Y): "abs(y) * exp(-x)",
    sympy.pi * X - sympy.E: "3.141592653589793 * x - 2.718281828459045",
    sympy.Mod(X, 2) + sympy.floor(Y) + sympy.ceiling(Z): "x - 2.0 * floor(x / 2.0) + floor(y) - floor(-z)",
    sympy.sign(X) * sympy.tan(Y): "ifle(x, 0.0, ifle(0.0, x, 0.0, -1.0), 1.0) * (sin(y) / cos(y))",
    sympy.tanh(X)
    + sympy.sinh(Y)
    - sympy.cosh(Z): "(exp(y) - exp(-y)) / 2.0 + tanh(x) - (exp(z) + exp(-z)) / 2.0",
    -X - Y: "-x - y",
    X**Y: "pow(x, y)",
    sympy.log(X) / sympy.log(10): "log(x) / log(10.0)",
    sympy.Integer(7): "7.0",
    sympy.Rational(1, 3): "0.3333333333333333",
    sympy.Float("1e-300") * X: "1e-300 * x",
    sympy.Add(X, sympy.Mul(X, Y, **KEPT), X, **KEPT): "x + x * y + x",
    sympy.Piecewise((X / Y, sympy.Ne(Y, 0)), (1.0, True)): "x / y",
    sympy.Piecewise((Y, X < Y), (X, True)): "max(x, y)",
    sympy.Piecewise((0.0, X < 0), (X, True)): "max(x, 0.0)",
    sympy.Piecewise((1, (X > 0) & (Y < 2)), (2, sympy.Eq(Z, 0) | (X <= -1)), (Y, True)): (
        "ifle(x, 0.0, ifle(abs(z - 0.0), 0.0, 2.0, ifle(x, -1.0, 2.0, y)), "
        "ifle(2.0, y, ifle(abs(z - 0.0), 0.0, 2.0, ifle(x, -1.0, 2.0, y)), 1.0))"
    ),
    sympy.Piecewise((X, sympy.Not(sympy.Eq(X, Y), **KEPT)), (Z, True)): "ifle(abs(x - y), 0.0, z, x)",
    sympy.Piecewise((X, X > 0)): "x",
    sympy.Function("square")(X): "square(x)",
}


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_expressions_of_sympy_are_read_and_mean_the_same(expression: Any) -> None:
    program = gpkit.parse(expression)
    assert program.print() == EXPRESSIONS[expression]
    if not expression.has(sympy.Function("square")):
        with np.errstate(all="ignore"):
            found = sympy.lambdify([X, Y, Z], expression, "numpy")(*ROWS[:3])
        expected = np.broadcast_to(np.asarray(found, dtype=np.float64), (10_000,))
        assert agree(values(program), expected) > 1000


def test_formulas_come_back_from_sympy() -> None:
    alphabet = Alphabet("all", ("x", "y", "z"), OPERATORS)
    rows = stream(2, "rows").integers(-2, 3, (3, 300)) * stream(3, "rows").uniform(0.5, 1.0, (3, 300))
    for number in range(40):
        program = gpkit.parse(print_formula(random_tree(stream(number, "back"), alphabet, 4)))
        back = gpkit.parse(program.to_sympy())
        inputs = dict(zip("xyz", rows, strict=True))
        before, after = (np.broadcast_to(each(**inputs), (300,)) for each in (program, back))
        agree(after, before)


def test_protected_operators_come_back_as_they_were() -> None:
    text = "log(x) / y - sqrt(max(x, y)) * min(sin(x), cos(y))"
    assert gpkit.parse(gpkit.parse(text).to_sympy()).print() == text


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["text"])
def test_mistakes_are_shown(case: Mapping[str, Any]) -> None:
    with pytest.raises(SourceError) as raised:
        gpkit.parse(case["text"], notation=case["notation"], columns=case.get("columns", ()), name="theirs")
    lines = str(raised.value).split("\n")
    assert [line for line in lines if line.startswith(("error", " -->", "  = "))] == case["message"].split(
        "\n"
    )[:-1]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (1 + sympy.gamma(X), "`gamma` has no counterpart in gpkit formulas: it is in gamma(x)"),
        (sympy.asin(X), "`asin` has no counterpart in gpkit formulas: it is in asin(x)"),
        (sympy.Function("squar")(X), "did you mean `square`?"),
        (sympy.I * X, "`ImaginaryUnit` has no counterpart in gpkit formulas: it is in I"),
        (X + sympy.oo, "`inf` cannot be written: constants are finite"),
        (sympy.nan, "`nan` cannot be written"),
        (sympy.zoo, "`ComplexInfinity` has no counterpart"),
        (sympy.Integer(10) ** 400 * X, "`inf` cannot be written: constants are finite"),
        (sympy.Integral(X, X), "has no counterpart"),
        (sympy.Symbol("w"), "`w` is not one of the 2 columns"),
        (sympy.Symbol("x2"), "`x2` is not one of the 2 columns: it is in x2; x0 is `a`, the first of them"),
        (sympy.Tuple(X, Y), "`Tuple` has no counterpart"),
        (sympy.Matrix([X]), "expected a string or a SymPy expression"),
        (None, "None: expected a string or a SymPy expression"),
        (5.0, "5.0: expected a string or a SymPy expression"),
    ],
    ids=str,
)
def test_expressions_without_counterpart_are_refused(expression: Any, message: str) -> None:
    with pytest.raises((UsageError, SourceError), match=re.escape(message)):
        gpkit.parse(expression, columns=["a", "b"] if isinstance(expression, sympy.Symbol) else ())


def test_columns_get_their_names() -> None:
    names = ["Age (years)", "log", "mass"]
    assert gpkit.parse("add(X0, X1)", notation="gplearn", columns=names).inputs == ("Age (years)", "env.log")
    assert gpkit.parse("x0 * mass", notation="pysr", columns=names).inputs == ("Age (years)", "mass")
    assert gpkit.parse("(X1 + X3)", notation="operon", columns=names).inputs == ("Age (years)", "mass")
    assert gpkit.parse(X + Y, columns={"x": "Age (years)"}).inputs == ("Age (years)", "y")
    assert gpkit.parse(sympy.Symbol("x1"), columns=names).inputs == ("env.log",)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"columns": ["a"]}, "columns are for formulas from other tools"),
        ({"exact": True}, "exact is for gplearn"),
        ({"notation": "pysr", "exact": True}, "exact is for gplearn"),
        ({"notation": "pysrr"}, "expected 'gpkit' or 'pysr' or 'gplearn' or 'operon'"),
        ({"notation": "pysr", "columns": ['a"b']}, "a formula cannot name"),
        (
            {"notation": "pysr", "language": "sinking"},
            "cannot read formulas of other tools as programs in sinking",
        ),
    ],
)
def test_arguments_that_do_not_fit_are_refused(given: Mapping[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        gpkit.parse("x0", **given)


@pytest.mark.release
def test_large_and_deep_formulas_end() -> None:
    deep = "sin(" * 1200 + "x0" + ")" * 1200
    assert gpkit.parse(deep, notation="pysr").size == 1201
    for text in ("tan(" * 40 + "x0" + ")" * 40, "x0 + " * 20_000 + "x0", f"0.{'1' * 400}", "x" * 1_000_001):
        with pytest.raises(LimitError):
            gpkit.parse(text, notation="pysr")
    wide = sympy.Piecewise((1, sympy.And(*(k * Y < X for k in range(1, 1500)))), (0, True))
    assert gpkit.parse(wide).size > 1500
    many = sympy.Piecewise(*((k, X * Y**k > k) for k in range(1, 60)), (0, True))
    assert gpkit.parse(many)(x=1.0, y=2.0) == 1.0
    equal = sympy.Piecewise(*((k, sympy.Eq(X, k)) for k in range(100)), (-1, True))
    assert gpkit.parse(equal)(x=[3.0, 99.0, 0.5]).tolist() == [3.0, 99.0, -1.0]
    both = sympy.Piecewise(*((k, (k < X) & (k < Y)) for k in range(60)), (-1, True))
    shared = X
    for _ in range(40):
        shared = sympy.sin(shared) + sympy.cos(shared)
    for expression in (both, shared):
        with pytest.raises((LimitError, UsageError), match="more than"):
            gpkit.parse(expression)


def test_texts_are_not_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sympy, "sympify", None)
    assert gpkit.parse("x0 ** 9 ** 9 ** 9", notation="pysr").size == 7
    assert gpkit.parse(sympy.Pow(9, sympy.Pow(9, X, evaluate=False), evaluate=False)).size == 5


def test_a_formula_from_elsewhere_starts_a_fit_and_is_compared(tmp_path: Path) -> None:
    rows = {"length": ROWS[0], "mass": ROWS[1]}
    table = {name: row[:80] for name, row in rows.items()}
    table["y"] = 2.0 * np.sin(table["length"]) + table["mass"]
    theirs = gpkit.parse("add(mul(2.0, sin(X0)), X1)", notation="gplearn", columns=["length", "mass"])
    found = gpkit.fit(table, "y", start=theirs, generations=1, population=20, seed=1)
    assert found.metrics["held_out"][0].interval.mean > 0.9999
    other = gpkit.parse(sympy.Symbol("x0"), columns=["length", "mass"])
    assert gpkit.compare(theirs, other, data=table, target="y").verdict == "better"
    theirs.save(tmp_path / "theirs.tree")
    assert gpkit.load(tmp_path / "theirs.tree") == theirs
    predicted = gpkit.predict(tmp_path / "theirs.tree", table, target="y")
    assert predicted.metrics[0].interval.mean == pytest.approx(1.0)
