"""Functions of formulas: one meaning in the interpreter, the machine, rows, intervals and exports."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SENSORS, doubles, programs_with_functions

from gpkit.core.errors import LimitError
from gpkit.core.registry import GAMES, find
from gpkit.export.certificate import certify
from gpkit.export.json import json_text, read_subject
from gpkit.export.subject import Subject
from gpkit.genomes.tree import TreeProgram, functions_in
from gpkit.langkit.formulas import MAX_FUNCTIONS, MAX_PARAMETERS, evaluate
from gpkit.langkit.operators import MAX_NODES
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.forms import joining
from gpkit.languages.arithmetic.forms.fitting import evaluate_terms
from gpkit.languages.arithmetic.intervals import Spans, spans
from gpkit.languages.arithmetic.language import LANGUAGE
from gpkit.languages.arithmetic.simplify import simplify
from gpkit.languages.arithmetic.text import parse, print_program
from gpkit.vm import machine
from gpkit.vm.program import verify

SEVENS = find(GAMES, "sevens", "game").load().offers["arithmetic"]

HYPOT = "hypot(a, b): sqrt(a * a + b * b)\n"


def same(a: float, b: float) -> bool:
    return repr(a) == repr(b)


@settings(max_examples=40, deadline=None)
@given(programs_with_functions())
def test_text_json_and_another_process_give_the_program_back(program: TreeProgram) -> None:
    for again in (
        parse(print_program(program)).program,
        read_subject(json_text(Subject(program, "p", {}, None))).program,
        pickle.loads(pickle.dumps(program)),  # noqa: S301
    ):
        assert again == program
        assert again.functions == program.functions
        assert hash(again) == hash(program)


@settings(max_examples=40, deadline=None)
@given(programs_with_functions(random=False), st.lists(doubles(), min_size=4, max_size=4))
def test_interpreter_machine_rows_and_simplification_agree(program: TreeProgram, values: list[float]) -> None:
    columns = np.array([values]).T.repeat(2, axis=1)
    together = evaluate_terms(program.trees, SENSORS, columns, 1)[0]
    for tree, row in zip(program.trees, together, strict=True):
        env = dict(zip(SENSORS, values, strict=True))
        value = evaluate(tree, env, lambda: 0.5)
        compiled = compile_tree(tree, SENSORS)
        verify(compiled)
        assert same(float(machine.evaluate(compiled, columns)[1]), value)
        spliced = joining.code(TreeProgram(("value",), (tree,)))
        assert spliced is not None
        verify(spliced)
        read = np.array([env[name] for name in tree.reads])[:, None].repeat(2, axis=1)
        assert same(float(machine.evaluate(spliced, read)[1]), value)
        assert same(float(row[1]), value)
        assert same(evaluate(simplify(tree), env, lambda: 0.5), value)


def test_a_call_computes_its_operands_once() -> None:
    tree = parse("twice(a): a + a\nvalue: twice(math.random())").program.trees[0]
    drawn = iter([0.25, 0.5])
    assert evaluate(tree, {}, lambda: next(drawn)) == 0.5
    assert compile_tree(tree, ()).inputs == ("math.random#0",)


def test_another_function_of_the_same_name_is_another_symbol() -> None:
    one, other = (parse(f"f(a): a + {k}\nvalue: f(x)").program for k in (1, 2))
    (function,) = functions_in(*one.trees)
    assert one != other
    assert one == parse("f(a): a + 1\nvalue: f(x)").program
    assert function != "f"
    assert function not in ["f", *"abc"]
    assert {function: 1}.get("f") is None  # type: ignore[call-overload]


def test_a_program_keeps_a_function_that_nobody_calls() -> None:
    program = parse(HYPOT + "value: x").program
    assert print_program(program) == HYPOT + "value: x\n"
    assert program == parse("x").program  # it means the same


def test_a_lone_formula_may_come_before_its_functions() -> None:
    assert parse(f"hypot(x, 1)\n{HYPOT}").program == parse(f"{HYPOT}value: hypot(x, 1)").program
    assert parse("max(a, b)").program.trees[0].symbols == ("max", "a", "b")


def test_terms_do_not_reach_into_a_function() -> None:
    tree = parse("sum(a, b): a + b\nvalue: sum(x, y) - sum(y, 1)").program.trees[0]
    values, ends = evaluate_terms([tree], ("x", "y"), np.array([[1.0], [2.0]]), 8)
    assert values.tolist() == [[3.0], [3.0]]
    assert ends.tolist() == [2]


def test_bounds_of_values_and_slopes_go_through_functions() -> None:
    tree = parse("line(a, b): 2 * a - b\nvalue: line(x, line(0, x))").program.trees[0]
    value, slope = spans(tree, {"x": Spans(np.array(0.0), np.array(1.0))}, "x")
    assert (float(value.low), float(value.high)) == (0.0, 3.0)
    assert (float(slope.low), float(slope.high)) == (3.0, 3.0)
    assert certify(parse("f(a): a * a\nvalue: f(3) + f(2)").program.trees[0], None).bits == 4
    assert "`sqrt` may round" in certify(parse(HYPOT + "value: hypot(3, 4)").program.trees[0], None).reason


def test_what_is_too_large() -> None:
    twice = "f0(a): a + a\n" + "".join(f"f{k}(a): f{k - 1}(a) + f{k - 1}(a)\n" for k in range(1, 30))
    heads = "".join(f"f{k}(a): a\n" for k in range(MAX_FUNCTIONS + 1))
    wide = ", ".join(f"a{k}" for k in range(MAX_PARAMETERS + 1))
    for text, message in (
        (f"{twice}value: f29(x)", f"more than {MAX_NODES} nodes"),
        (f"{twice.split('f13')[0]}value: " + " + ".join(["f12(x)"] * 20), f"more than {MAX_NODES} nodes"),
        (f"{heads}value: x", f"more than {MAX_FUNCTIONS} functions"),
        (f"f({wide}): a0\nvalue: x", f"at most {MAX_PARAMETERS} parameters"),
    ):
        with pytest.raises(LimitError, match=message):
            parse(text)


def test_findings_where_a_parameter_hides_a_sensor() -> None:
    source = parse("// game: g\nf(x): x * 2\nplay: f(x)")
    primitives = replace(SEVENS, sections=("play",), sensors=(replace(SEVENS.sensors[0], name="x"),))
    found = {each.code: each.message for each in LANGUAGE.check(source, {"arithmetic": primitives})}
    assert found["I040"] == "in the function `f`, `x` is the parameter, not the sensor of this name"


def test_a_simplified_program_keeps_what_a_function_is() -> None:
    program = LANGUAGE.simplify(parse("f(a): a * a\nvalue: f(x) + 0 * 3 + f(2)").program, {}, None)
    assert print_program(program) == "f(a): a * a\nvalue: f(x) + 4.0\n"
