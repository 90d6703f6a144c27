"""Programs as C: compiled without a warning where there is a compiler, and equal to what is computed."""

import math
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from c_files import assert_same_bits, built, compiled
from hypothesis import given, settings
from numpy.typing import NDArray
from strategies import NASTY, programs

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.export.c import c_text
from gpkit.export.python import executed
from gpkit.export.registry import check_export
from gpkit.export.subject import Subject
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.text import parse

FORMULA = "sqrt(square(A) / B) - min(-3 * (A / C), max(B, 0.1)) * floor(A - abs(B)) + ifle(A, B, C, -C)"
"""Of operations that are IEEE's alone."""

CLASSES = """test "sepal length" <= 3.5
  yes: test "größe" < 1
    yes: setosa
    no: "versi ??/ color\\"
  no: switch "sepal length"
    below 5: setosa
    else: "*/"
"""


def computed(program: Path, rows: Sequence[Sequence[float]]) -> list[str]:
    """What a program prints for rows of numbers."""
    text = "".join(" ".join(map(repr, row)) + "\n" for row in rows)
    done = subprocess.run([program, "value"], input=text, capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[:-1]


def sampled(names: Sequence[str], rows: int) -> dict[str, NDArray[np.float64]]:
    """Columns of numbers of all sizes, a third of them hard ones."""
    rng = stream(6, "rows for C")
    hard = np.array([*NASTY, math.inf, -math.inf, math.nan])
    columns = {name: rng.normal(size=rows) * 10.0 ** rng.integers(-3, 4, rows) for name in names}
    for column in columns.values():
        column[rng.random(rows) < 0.3] = rng.choice(hard)
    return columns


@compiled
@settings(max_examples=8, deadline=None)
@given(program=programs(max_leaves=8))
def test_c_computes_the_program(program: TreeProgram) -> None:
    report = check_export(Subject(program), "c", "module", evaluations=10)
    assert report.is_equal, report


@compiled
@pytest.mark.parametrize(
    ("text", "language"),
    [(FORMULA, "arithmetic"), ("1 / 3", "arithmetic"), (CLASSES, "decision"), ("2.5", "decision")],
)
def test_files_compile_without_a_warning_and_test_themselves(
    tmp_path: Path, text: str, language: str
) -> None:
    program = built(tmp_path, gpkit.parse(text, language=language).export("c"))
    assert subprocess.run([program], check=False).returncode == 0


@compiled
def test_a_changed_file_fails_its_own_test(tmp_path: Path) -> None:
    text = gpkit.parse("A + B").export("c").replace("return A + B;", "return A - B;")
    done = subprocess.run([built(tmp_path, text)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("value, row 1: 0 instead of -20\n")


@compiled
def test_names_are_what_trees_come_to(tmp_path: Path) -> None:
    program = gpkit.parse(CLASSES, language="decision")
    columns = sampled(program.inputs, 500)
    found = computed(built(tmp_path, program.export("c")), np.column_stack(list(columns.values())).tolist())
    assert found == program.evaluate(columns).tolist()
    assert set(found) == {"setosa", "versi ??/ color\\", "*/"}


def everywhere(tmp_path: Path, rows: int) -> None:
    """C, Python and Lua compute FORMULA bit for bit as ``evaluate`` does, and SymPy but for the sign of zeros."""
    program = gpkit.parse(FORMULA)
    columns = sampled(program.inputs, rows)
    expected = program.evaluate(columns)
    table = np.column_stack(list(columns.values())).tolist()
    assert_same_bits(computed(built(tmp_path, program.export("c")), table), expected)
    assert_same_bits(by_python(program.export("python"), columns), expected)
    assert_same_bits(by_lua(program.export("lua", "function"), columns), expected)
    sympy = pytest.importorskip("sympy")
    function = sympy.lambdify([sympy.Symbol(name) for name in program.inputs], program.to_sympy())
    with np.errstate(all="ignore"):
        assert_same_bits(function(*columns.values()) + 0.0, expected + 0.0)


def by_python(text: str, columns: Mapping[str, NDArray[np.float64]]) -> list[float]:
    """What the function of an exported Python file gives for each row."""
    names: dict[str, Any] = {"__name__": "exported"}
    exec(compile(text, "exported", "exec"), names)  # noqa: S102 - a file just exported
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [names["value"](dict(zip(columns, row, strict=True)), None) for row in rows]


def by_lua(text: str, columns: Mapping[str, NDArray[np.float64]]) -> list[float]:
    """What an exported Lua function gives for each row."""
    lua = pytest.importorskip("lupa").LuaRuntime()
    function = lua.execute(text)
    call = lua.eval("function(f, a, b, c) return string.format('%.17g', f({ A = a, B = b, C = c })) end")
    rows = zip(*(columns[name].tolist() for name in "ABC"), strict=True)
    return [float(call(function, *row)) for row in rows]


@pytest.mark.release
@compiled
def test_all_targets_compute_the_same(tmp_path: Path) -> None:
    everywhere(tmp_path, 10_000)


@compiled
@pytest.mark.slow
def test_all_targets_compute_the_same_on_a_million_rows(tmp_path: Path) -> None:
    everywhere(tmp_path, 10**6)


def test_names_and_numbers_are_not_mixed() -> None:
    program = gpkit.parse("test a < 1 yes: low no: 1.0", language="decision")
    with pytest.raises(UsageError, match="some leaves of `value` are names and some are numbers"):
        program.export("c")


@pytest.mark.parametrize("name", ["main", "log", "sinf", "double", "gp_div", "I"])
def test_functions_that_c_cannot_have(name: str) -> None:
    with pytest.raises(UsageError, match=name):
        c_text(Subject(parse(f"{name}: A").program))


def test_locals_that_c_cannot_have() -> None:
    text = gpkit.parse("env.double + env.log + env.NAN").export("c")
    assert "double x1 = in[0] + 0.0;" in text
    assert "double log = in[1] + 0.0;" in text
    assert "double x3 = in[2] + 0.0;" in text


def test_a_header_stays_a_comment() -> None:
    text = c_text(Subject(parse("A").program, "x", {"note": "*/ int x; /* größe"}))
    assert "/* note: * / int x; / * gr\\xf6\\xdfe */" in text


def test_without_a_compiler_the_check_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/none")
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(UsageError, match="checking C needs a compiler: cc, gcc or clang"):
        check_export(Subject(parse("A").program), "c", "module")


@compiled
def test_a_file_can_go_without_tests(tmp_path: Path) -> None:
    text = gpkit.parse("A").export("c", tests=False)
    assert "test_value" not in text
    assert computed(built(tmp_path, text), [[2.5]]) == ["2.5"]


ODD = '"sepal length (cm)" * 2 - "größe" / "nan" + "C:\\\\x" + env.log'
"""A formula over columns whose names are no words."""


@compiled
@pytest.mark.parametrize(
    ("to", "mode"), [("lua", "module"), ("lua", "function"), ("python", "module"), ("c", "module")]
)
def test_columns_may_have_any_name(to: str, mode: str) -> None:
    report = gpkit.parse(ODD).check_export(to, mode, evaluations=20)
    assert report.is_equal, report


def test_columns_of_any_name_are_found() -> None:
    table = {"sepal length (cm)": [1.0, 2.0], "größe": 3.0, "nan": 2.0, "C:\\\\x": 0.5, "log": 10.0}
    assert gpkit.parse(ODD).evaluate(table).tolist() == [11.0, 13.0]


# Leaves that are names, and close values, in other languages.


@pytest.mark.parametrize(("to", "mode"), [("lua", "function"), ("python", "module")])
def test_trees_of_classes_are_checked(to: str, mode: str) -> None:
    program = gpkit.parse(CLASSES, language="decision")
    report = program.check_export(to, mode, evaluations=50)
    assert report.is_equal, report
    assert all(row.evaluations == 50 for row in report.rows)


def test_an_exported_tree_of_classes_prints_names() -> None:
    text = gpkit.parse(CLASSES, language="decision").export("python")
    call = '{"section": "value", "env": {"sepal length": 7, "größe": 0}, "random": []}\n'
    assert executed(text, call).stdout == "*/\n"


def test_library_functions_may_differ_in_their_last_bits() -> None:
    report = gpkit.parse("tanh(A) * pow(2, B) + log(abs(A))").check_export("lua", evaluations=300)
    assert report.is_equal, report
    assert 0.0 < max(row.largest for row in report.rows) < 1e-12


def test_other_operators_may_not() -> None:
    report = gpkit.parse("sqrt(A * A) / B").check_export("lua", evaluations=300)
    assert report.is_equal
    assert {row.largest for row in report.rows} == {0.0}
