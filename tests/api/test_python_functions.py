"""Functions of Python in formulas: values, derivatives, errors, exports, and names that are refused."""

import logging
import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import gpkit
from gpkit.core import plugins
from gpkit.core.compiled import kernel
from gpkit.core.errors import GuestError, UsageError
from gpkit.export import c, python
from gpkit.export.lua import valued
from gpkit.export.subject import Subject
from gpkit.langkit.formulas import evaluate
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.forms.fitting import evaluate_terms, with_parameters
from gpkit.languages.arithmetic.text import parse
from gpkit.languages.decision.compiler import compile_tree as compiled
from gpkit.vm import machine
from gpkit.vm.derivatives import tangents_readable
from gpkit.vm.program import Program, verify

run = kernel(machine.run)


@pytest.fixture(autouse=True)
def found_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "here", plugins.Discovery(installed=plugins.here.installed))


def chord(a, b):  # type: ignore[no-untyped-def]
    return math.sqrt(a * a + b * b) / (1.0 + abs(a))


def halved(a):  # type: ignore[no-untyped-def]
    while abs(a) > 1.0:
        a /= 2.0
    return a


def chosen(a, b, c):  # type: ignore[no-untyped-def]
    return b if a > 0.0 else c


TEXT = """
twice(a, b): chord(a, 2 * b) + halved(a)
value: chord(x, y) + 2 * halved(chord(y, 3)) + twice(chosen(x, y, 0.5), x)
"""


def test_machine_rows_and_interpreter_agree_bit_for_bit(caplog: pytest.LogCaptureFixture) -> None:
    for function in (chord, halved, chosen):
        gpkit.primitive(function)
    tree = parse(TEXT).program.trees[0]
    program = compile_tree(tree, ("x", "y"))
    verify(program)
    columns = np.random.default_rng(0).normal(size=(2, 300))
    columns[:, :3] = [[np.inf, -0.0, np.nan], [1.0, 0.0, 2.0]]
    rows, _ = evaluate_terms([tree], ("x", "y"), columns, 1)
    assert rows[0].tobytes() == machine.evaluate(program, columns).tobytes()
    for x, y, value in zip(*columns[:, 3:].tolist(), rows[0, 3:].tolist(), strict=True):
        first, second = program.memory.copy(), program.memory.copy()
        first[:2] = second[:2] = x, y
        assert run(program.code, first, 0, 99) == machine.run_readable(program.code, second, 0, 99)
        assert first.tobytes() == second.tobytes()
        assert evaluate(tree, {"x": x, "y": y}, lambda: 0.0) == value == first[program.result]
    told = [each.message for each in caplog.records if each.levelno == logging.WARNING]
    assert told == [
        "`halved` is not compiled, so each call takes microseconds: it has a loop that may have no end"
    ]


def test_derivatives_are_limits_of_differences() -> None:
    gpkit.primitive(chord)
    program, slots = with_parameters(parse("3.0 * chord(2.0 * x, 0.5)").program.trees[0], ("x",))
    memory = program.memory.copy()
    memory[0] = 1.5
    found = tangents_readable(program.code, memory, slots)[program.result]
    value = lambda k, a, b: k * chord(a * 1.5, b)  # noqa: E731
    for number, shift in enumerate(np.eye(3) * 1e-6):
        high, low = value(*np.array([3.0, 2.0, 0.5]) + shift), value(*np.array([3.0, 2.0, 0.5]) - shift)
        assert math.isclose(found[number], (high - low) / 2e-6, rel_tol=1e-6)


def test_only_addresses_of_known_functions_are_called() -> None:
    gpkit.primitive(chord)
    found = compile_tree(parse("chord(x, y)").program.trees[0], ("x", "y"))
    for slot, value in ((2, 1.0), (0, 0.0)):
        code, memory = found.code.copy(), found.memory.copy()
        code[0, 0] = slot + 1 << 8
        memory[2] = value
        with pytest.raises(ValueError, match=f"slot {slot} does not hold the address of a function"):
            verify(Program(code, memory, found.inputs, found.result))
    code = found.code.copy()
    code[0, 1] = 2
    with pytest.raises(ValueError, match="does not hold the address"):
        verify(Program(code, found.memory.copy(), found.inputs, found.result))


def broken(a):  # type: ignore[no-untyped-def]
    return 1.0 / (a - a)


def texts(a):  # type: ignore[no-untyped-def]
    return "3.5"


def empty(a):  # type: ignore[no-untyped-def]
    return None


def listed(a):  # type: ignore[no-untyped-def]
    return [a, a]


def huge(a):  # type: ignore[no-untyped-def]
    return 10 ** (400 + int(a) - int(a))


def deep(a):  # type: ignore[no-untyped-def]
    return deep(a)


def interrupted(a):  # type: ignore[no-untyped-def]
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (broken, r"broken\(2\.0\): .*test_python_functions.py, line \d+: ZeroDivisionError: float division"),
        (texts, r"texts\(2\.0\) returned '3\.5' \(str\); expected a number"),
        pytest.param(
            empty, r"empty\(2\.0\) returned None \(NoneType\); expected a number", marks=pytest.mark.release
        ),
        pytest.param(listed, r"listed\(2\.0\): .*TypeError", marks=pytest.mark.release),
        pytest.param(huge, r"huge\(2\.0\): .*OverflowError: int too large", marks=pytest.mark.release),
        (deep, r"deep\(2\.0\): .*RecursionError"),
    ],
)
def test_errors_name_operands_and_lines(function: Callable[..., object], message: str) -> None:
    gpkit.primitive(function)
    program = gpkit.parse(f"{function.__name__}(x)", language="arithmetic")
    for given in (2.0, np.full(3, 2.0)):
        with pytest.raises(GuestError, match=message):
            program(x=given)
    rows = {"x": [1.0, 2.0] * 15, "y": [*range(30)]}
    with pytest.raises(GuestError, match=message.replace(r"2\.0", ".*")):
        gpkit.fit(rows, "y", operators=[gpkit.primitive(function)], generations=1, seed=1)


def slope(a, b):  # type: ignore[no-untyped-def]
    return a * b - 1.0


def test_conditions_of_decision_trees_call_it() -> None:
    gpkit.primitive(slope)
    program = gpkit.parse("test slope(x, 2) <= 3\n  yes: 1\n  no: 2", language="decision")
    assert [program(x=value) for value in (2.0, 2.5)] == [1.0, 2.0]
    assert program(x=np.array([2.0, 2.5])).tolist() == [1.0, 2.0]
    code = compiled(program.named.source.program.trees[0], ("x",))
    verify(code)
    for value, wanted in ((2.0, 1.0), (2.5, 2.0)):
        memory = code.memory.copy()
        memory[0] = value
        machine.run(code.code, memory, np.uintp(0), 99)
        assert memory[code.result] == wanted
    gpkit.primitive(broken)
    with pytest.raises(GuestError, match=r"broken\(2\.0\)"):
        gpkit.parse("test broken(x) <= 3\n  yes: 1\n  no: 2", language="decision")(x=2.0)


def test_an_interrupt_in_a_function_stays_one() -> None:
    gpkit.primitive(interrupted)
    with pytest.raises(KeyboardInterrupt):
        gpkit.parse("interrupted(x)", language="arithmetic")(x=1.0)


def endless(a):  # type: ignore[no-untyped-def]
    while True:
        a += 1.0


def test_a_loop_without_an_end_is_stopped() -> None:
    settings = {"problem": {"seconds": 0.2}, "population": {"size": 6}}
    given = {"sensors": "x", "operators": ["+", gpkit.primitive(endless)], "settings": settings}
    problem = gpkit.problem(lambda program: program(x=1.0), name="loops", **given)
    with pytest.raises(GuestError, match=r"loops, for the program .*endless\(.*line \d+: timed out"):
        gpkit.evolve(problem, generations=1, seed=1)


def pow(a, b):  # type: ignore[no-untyped-def]  # noqa: A001
    return a**b


def many(a, b, c, d):  # type: ignore[no-untyped-def]
    return a


def any_number(*a):  # type: ignore[no-untyped-def]
    return a


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (pow, "`pow` already has a meaning"),
        (many, "`many` takes a, b, c, d; expected 1 to 3 numbers"),
        (any_number, r"takes \*a; expected 1 to 3 numbers"),
        (lambda a: a, "`<lambda>"),
        (max, "the parameters of .* are unknown"),
    ],
)
def test_what_formulas_cannot_call_is_refused(function: Callable[..., object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        gpkit.primitive(function)


@pytest.mark.parametrize(
    ("exporting", "mode", "text"),
    [
        (python.EXPORTING, "", {"python": "math.sqrt({0} * {0} + {1} * {1}) / (1.0 + abs({0}))"}),
        (valued.EXPORTING, "module", {"lua": "math.sqrt({0} * {0} + {1} * {1}) / (1 + math.abs({0}))"}),
        (c.EXPORTING, "", {"c": "sqrt({0} * {0} + {1} * {1}) / (1.0 + fabs({0}))"}),
        (c.EXPORTING, "", {"c": "sqrt({0} * {0} + {1} * {1}) / (2.0 + fabs({0}))"}),
    ],
    ids=["python", "lua", "c", "wrong"],
)
def test_exports_take_its_text_and_prove_it(exporting, mode: str, text: dict[str, str]) -> None:  # type: ignore[no-untyped-def]
    gpkit.primitive(chord)
    subject = Subject(parse("a: 3 * chord(x, chord(y, 2))\nb: x - y").program, "chords", {}, None)
    with pytest.raises(UsageError, match="`chord` is a Python function: an export needs its text"):
        exporting.check(subject, mode, 50, 0)
    gpkit.primitive(chord, **text)
    subject = Subject(parse("a: 3 * chord(x, chord(y, 2))\nb: x - y").program, "chords", {}, None)
    rows = exporting.check(subject, mode, 50, 0).rows
    assert any(row.failures for row in rows) == ("2.0 +" in str(text))


def test_sympy_and_json_know_it() -> None:
    pytest.importorskip("sympy", reason="the extra `data` is not installed")
    gpkit.primitive(chord, sympy="sqrt({0}**2 + {1}**2) / (1 + Abs({0}))")
    program = gpkit.parse("2 * chord(x, 3)", language="arithmetic")
    assert float(program.to_sympy().subs("x", 4.0)) == program(x=4.0) == 2.0


@pytest.mark.release
def test_a_run_goes_on_with_it_and_refuses_another(tmp_path) -> None:  # type: ignore[no-untyped-def]
    def score(program: gpkit.Program) -> float:
        return -abs(program(x=3.0) - 5.0)

    def problem() -> object:
        small = {"population": {"size": 10}}
        return gpkit.problem(score, sensors="x", operators=["+", gpkit.primitive(chord)], settings=small)

    _, whole = gpkit.evolve(problem(), seed=1, generations=3)
    gpkit.evolve(problem(), seed=1, generations=1, folder=tmp_path / "run")
    _, found = gpkit.evolve(problem(), folder=tmp_path / "run", resume=True, generations=3)
    assert found.score == whole.score
    old = problem()
    namespace: dict[str, object] = {}
    exec("def chord(a, b):\n    return a", namespace)  # noqa: S102
    gpkit.primitive(namespace["chord"])
    with pytest.raises(UsageError, match="the code of the primitive `chord` has changed since the run"):
        gpkit.evolve(old, folder=tmp_path / "run", resume=True, generations=4)
    plugins.here.functions.clear()
    with pytest.raises(UsageError, match=r"there is no operator of formulas `chord`; .*--primitives"):
        gpkit.evolve(old, folder=tmp_path / "run", resume=True, generations=4)


def test_symbols_are_pickled_by_name() -> None:
    tree = parse_with(chord)
    assert pickle.loads(pickle.dumps(tree)) == tree  # noqa: S301


def parse_with(function: Callable[..., object]) -> object:
    gpkit.primitive(function)
    return parse("chord(x, 1)").program
