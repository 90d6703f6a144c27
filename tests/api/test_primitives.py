"""Functions of one's own as operators of problems and fits."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import UsageError
from gpkit.langkit.operators import function_of, operator_text, operators_named

HYPOT = gpkit.primitive("hypot(a, b) = sqrt(a * a + b * b)")
SMALL = {"population": {"size": 20}}


def score(program: gpkit.Program) -> float:
    x, y = np.linspace(-1, 1, 9), np.linspace(2, 0, 9)
    return -float(np.abs(program(x=x, y=y) - (np.hypot(x, y) + x)).sum())


def test_text_of_a_function_gives_it_back() -> None:
    space = gpkit.primitive("space(a, b, c): hypot(hypot(a, b), c)", calls=[HYPOT])
    assert operator_text(space) == "hypot(a, b): sqrt(a * a + b * b)\nspace(a, b, c): hypot(hypot(a, b), c)"
    assert function_of(operator_text(space)) == space
    assert [operator.arity for operator in operators_named(["+", operator_text(space)])] == [2, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x + 1", r"`x \+ 1` defines no function"),
        ("", "`` defines no function"),
        ("f() = 1", "defines no function"),
        ("f(a) == a", "defines no function"),
        ("max(a, b) = a", "`max` already has a meaning"),
        ("f(a) = b", "`b` is not one of them"),
        ("f(a) = f(a)", "which never ends"),
        ("f(a) = a + math.random()", "draws no random numbers"),
        ("f(a) = a\nplay: 1", "a section without parameters"),
        ("f(a) = a\nvalue: 1", "the section `value` appears twice"),
        ("f(a) = __import__('os')", "not allowed"),
        pytest.param(f"f(a) = {'a + ' * 100_000}a", "more than 100000 nodes", marks=pytest.mark.release),
    ],
)
def test_what_is_no_function_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        gpkit.primitive(text)


@pytest.mark.parametrize(
    ("operators", "message"),
    [
        (["+", HYPOT, "hypot(a, b) = a"], "two functions have the name `hypot`"),
        (["+", gpkit.primitive("x(a) = a")], "the function `x` has the name of a sensor"),
    ],
)
def test_names_are_apart(operators: Sequence[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        gpkit.evolve(gpkit.problem(score, sensors="x y", operators=operators), generations=1)
    with pytest.raises(UsageError, match=message):
        gpkit.fit({"x": [1, 2, 3] * 5, "y": [2, 3, 4] * 5}, "y", operators=operators, generations=1)


def test_a_run_evolves_and_resumes_with_a_function(tmp_path: Path) -> None:
    problem = gpkit.problem(score, sensors="x y", operators=["+", HYPOT], settings=SMALL)
    best, _ = gpkit.evolve(problem, seed=1, generations=2, folder=tmp_path / "run")
    at = {"x": 3.0, "y": 4.0}
    assert "hypot(a, b): sqrt(a * a + b * b)\nvalue: " in str(best)
    assert gpkit.load(tmp_path / "run")(**at) == best(**at)
    again, run = gpkit.evolve(problem, folder=tmp_path / "run", resume=True, generations=4)
    whole, at_once = gpkit.evolve(problem, seed=1, generations=4)
    assert run.score == at_once.score
    assert str(again) == str(whole)


def test_a_fit_finds_a_formula_with_a_function() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 60))
    found = gpkit.fit(
        {"x": x, "y": y, "z": 2 * np.hypot(x, y) + x}, "z", operators=["+", "*", HYPOT], generations=8, seed=1
    )
    assert "hypot(a, b): sqrt(a * a + b * b)\n" in str(found.program)
    assert float(found.program(x=3.0, y=4.0)) == pytest.approx(13.0)


def test_parents_with_other_functions_of_one_name_have_no_child_with_both() -> None:
    starts = [gpkit.parse(f"f(a, b): a * {k} + b\nvalue: f(x, y) + f(y, x)") for k in (2, 3)]
    problem = gpkit.problem(score, sensors="x y", operators="+ *", settings=SMALL)
    best, run = gpkit.evolve(problem, start=starts, seed=1, generations=4)
    assert gpkit.parse(str(best))(x=1.5, y=2.5) == best(x=1.5, y=2.5)
    assert run.score is not None


def test_the_size_of_a_program_counts_its_functions() -> None:
    assert gpkit.parse("f(a, b): a * a - b\nvalue: f(x, 1) + 2").size == 5 + 5
