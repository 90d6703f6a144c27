"""Functions that formulas call, in every target: the same numbers as the interpreter's."""

import numpy as np
import pytest
from strategies import ulps

import gpkit
from gpkit.core.errors import UsageError
from gpkit.export import c, python
from gpkit.export.lua import valued
from gpkit.export.subject import Exporting, Subject
from gpkit.languages.arithmetic.text import parse

TEXT = """
hypot(a, b): sqrt(a * a + b * b)
end(in, double): ifle(in, double, in - double, -in) / hypot(in - -0.0, double)
unread(a, b): tanh(b) - 0
far(x1, t1, u1): end(x1 - t1, 0.1) * hypot(u1, end(t1, x1)) + unread(x1, min(t1, u1))
play: far(A, B, env.suit) + hypot(math.random(), math.random()) - unread(0.0, -A)
send: end(A, -0.0) - far(B, 0.5, 2.0)
"""

SUBJECT = Subject(parse(TEXT).program, "functions", {}, None)


@pytest.mark.parametrize(
    ("exporting", "mode", "evaluations"),
    [
        (python.EXPORTING, "", 500),
        *(
            pytest.param(exporting, mode, evaluations, marks=mark)
            for exporting, mode in ((python.EXPORTING, ""), (c.EXPORTING, ""), (valued.EXPORTING, "module"))
            for evaluations, mark in ((2_000, pytest.mark.release), (100_000, pytest.mark.slow))
        ),
        *(
            pytest.param(valued.EXPORTING, mode, 500, marks=pytest.mark.release)
            for mode in ("function", "article", "luau")
        ),
    ],
)
def test_exports_are_the_interpreter(exporting: Exporting, mode: str, evaluations: int) -> None:
    report = exporting.check(SUBJECT, mode, evaluations, 0)
    assert [row for row in report.rows if row.failures] == []


def test_sympy_writes_functions_out() -> None:
    sympy = pytest.importorskip("sympy", reason="the extra `data` is not installed")
    text = TEXT.replace("math.random()", "env.suit").replace("tanh(b)", "-b")
    rng = np.random.default_rng(1)
    columns = {name: rng.normal(size=100_000) for name in ("A", "B", "env.suit")}
    head, play, send = text.rpartition("play")[0], *text.rpartition("play: ")[2].split("send: ")
    for formula in (play, send):
        program = gpkit.parse(f"{head}value: {formula}", language="arithmetic")
        names = {name: sympy.Symbol(name.removeprefix("env.")) for name in columns}
        called = sympy.lambdify([*names.values()], program.to_sympy())
        wanted = program.evaluate(columns)
        assert max(map(ulps, called(*columns.values()), wanted)) == 0


@pytest.mark.parametrize("exporting", [python.EXPORTING, valued.EXPORTING], ids=["python", "lua"])
def test_a_section_may_have_the_name_of_an_exported_function(exporting: Exporting) -> None:
    text = "worth(a): a * 2\nworth_(a): a * 3\nfn_worth: worth(x) - worth_(y)\nother: worth(x) + 1"
    subject = Subject(parse(text).program, "names", {}, None)
    report = exporting.check(subject, "module" if exporting is valued.EXPORTING else "", 50, 0)
    assert [row for row in report.rows if row.failures] == []
    assert report.rows


def test_c_refuses_a_section_with_the_name_of_a_function() -> None:
    subject = Subject(parse("worth(a): a * 2\nfn_worth: worth(x)\nother: y").program, "names", {}, None)
    with pytest.raises(UsageError, match="the C function for `worth` would also be named `fn_worth`"):
        c.EXPORTING.check(subject, "", 50, 0)
