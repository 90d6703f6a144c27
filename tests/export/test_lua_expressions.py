"""Formulas as Lua: the same value in every Lua, bit for bit, in every layout and at every size."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import SENSORS, doubles, trees

from gpkit.core.primitives import PORTABLE, RANDOM, operators
from gpkit.export.conformance import evaluate_vector, same_number
from gpkit.export.lua.hosts import Loaded, LupaHost, runtime_names
from gpkit.export.lua.module import (
    Inputs,
    function_text,
    is_plain,
    operator_texts,
    parameters,
    roster_text,
    target,
)
from gpkit.export.statements import Body, Target, local_names, nested, ssa
from gpkit.export.subject import Subject
from gpkit.genomes.tree import Tree, TreeProgram, leaf, node
from gpkit.languages.arithmetic.text import parse, print_article

LUAS = runtime_names()
ROWS = 6
Layout = Callable[[Tree, Target], Body | None]


def few_registers(tree: Tree, lua: Target) -> Body:
    """``ssa`` in a language of three locals, so that registers spill."""
    return ssa(tree, replace(lua, locals=3))


def few_constants(tree: Tree, lua: Target) -> Body:
    """``ssa`` in a language that holds one number a function."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpkit.export.statements.MOST_CONSTANTS", 1)
        return ssa(tree, lua)


def text_in(layout: Layout, tree: Tree) -> str:
    """A formula as a Lua function in one layout."""
    inputs = Inputs.of(TreeProgram(("value",), (tree,)))
    body = layout(tree, target(inputs.load))
    assert body is not None
    return "\n".join(
        [f"return function({parameters(tree, inputs)})", *operator_texts([body]), *body.lines, "end"]
    )


def test_the_sign_of_zero_survives_compilation() -> None:
    """LuaJIT 2.0 takes -x for 0.0 where x is 0.0 in every call, once it has compiled the calls."""
    for text in ("-sqrt(A)", "-(sqrt(A) * 1.0)", "-min(0.0, -A)", "-ifle(A, 0.0, 0.0, A)", "-(-(-sqrt(A)))"):
        program = parse(text).program
        (tree,) = program.trees
        rows: list[tuple[list[float], list[float]]] = [([-1.0], [])] * 400
        assert_equal_everywhere(function_text(Subject(program)), tree, rows)


def assert_equal_everywhere(text: str, tree: Tree, rows: Sequence[tuple[list[float], list[float]]]) -> None:
    """Every Lua computes what the interpreter does."""
    expected = [evaluate_vector(tree, tree.reads, values, random) for values, random in rows]
    for lua in LUAS:
        found = Loaded(LupaHost(lua), text, "function", TreeProgram(("value",), (tree,))).evaluate(
            "value", tree, rows
        )
        for value, want in zip(found, expected, strict=True):
            assert same_number(float(value), want), (lua, value, want, text)


@st.composite
def formulas_with_rows(draw: st.DrawFn) -> tuple[Tree, list[tuple[list[float], list[float]]]]:
    """A formula and inputs for it, of every nasty kind."""
    tree = draw(trees(operators=(*PORTABLE, *operators("square"))))
    sensors, places = tree.reads, tree.symbols.count(RANDOM)
    row = st.tuples(
        st.lists(doubles(), min_size=len(sensors), max_size=len(sensors)),
        st.lists(st.floats(0.0, 1.0, exclude_max=True), min_size=places, max_size=places),
    )
    return tree, draw(st.lists(row, min_size=ROWS, max_size=ROWS))


def test_lupa_carries_every_lua() -> None:
    assert {"lua51", "lua52", "lua53", "lua54"} < set(LUAS)
    assert any(name.startswith("luajit") for name in LUAS)


@pytest.mark.parametrize("layout", [nested, ssa, few_registers, few_constants])
@settings(max_examples=20)
@given(case=formulas_with_rows())
def test_layouts_compute_the_formula(
    layout: Layout, case: tuple[Tree, list[tuple[list[float], list[float]]]]
) -> None:
    tree, rows = case
    assert_equal_everywhere(text_in(layout, tree), tree, rows)


def test_the_number_zero_drawn_is_a_float() -> None:
    tree = node("neg", leaf(RANDOM))
    for layout in (nested, ssa, few_registers):
        assert_equal_everywhere(text_in(layout, tree), tree, [([], [0.0])])


@pytest.mark.release
@settings(max_examples=30)
@given(st.data())
def test_formulas_of_constants_alone(data: st.DataObject) -> None:
    tree = data.draw(trees((), operators=(*PORTABLE, *operators("square")), random=False))
    for layout in (nested, ssa):
        assert_equal_everywhere(text_in(layout, tree), tree, [([], [])])


@settings(max_examples=40)
@example(tree=Tree(("*", "A", "-", "A", "A"), (5, 1, 3, 1, 1)))
@given(tree=trees(operators=operators("+", "-", "*"), max_leaves=30))
def test_the_articles_text_computes_the_formula(tree: Tree) -> None:
    program = TreeProgram(("value",), (tree,))
    text = roster_text({"easy": [program]})
    assert (print_article(tree) in text) == is_plain(tree)
    sensors, places = tree.reads, tree.symbols.count(RANDOM)
    rows = [([k * 1.5 - 2.0] * len(sensors), [0.375] * places) for k in range(3)]
    expected = [evaluate_vector(tree, sensors, values, random) for values, random in rows]
    for lua in LUAS:
        found = Loaded(LupaHost(lua), text, "article", program).evaluate("value", tree, rows)
        assert all(same_number(float(a), b) for a, b in zip(found, expected, strict=True)), (lua, text)


def test_a_part_that_folds_to_negative_zero_is_not_left_to_the_compiler() -> None:
    tree = node("+", node("*", leaf(0.0), leaf(-4.0)), node("*", leaf("A"), leaf(0.0)))
    assert not is_plain(tree)
    assert_equal_everywhere(
        function_text(Subject(TreeProgram(("value",), (tree,)))), tree, [([-1.0], []), ([1.0], [])]
    )


def test_a_constant_that_is_subtracted_keeps_the_sign_of_zero_once_luajit_compiles() -> None:
    tree = node("-", node("*", leaf("A"), leaf(-1.0)), node("neg", leaf(0.0)))
    text = function_text(Subject(TreeProgram(("value",), (tree,))))
    assert "sub(" in text
    assert_equal_everywhere(text, tree, [([0.0], [])] * 500)


def test_random_numbers_are_drawn_in_the_order_of_their_places() -> None:
    tree = node("-", leaf(RANDOM), node("*", node("+", leaf(RANDOM), leaf(RANDOM)), leaf(RANDOM)))
    for layout in (nested, ssa, few_registers):
        assert_equal_everywhere(text_in(layout, tree), tree, [([], [0.5, 0.25, 0.125, 0.75])])


def chain(operator: str, operands: int, depth: int, leaf_of: Callable[[int], str | float]) -> Tree:
    """A formula that is ``depth`` deep to the right."""
    symbols: list[str | float] = []
    arities: list[int] = []
    for level in range(depth - 1):
        symbols += [operator, *(leaf_of(level + k) for k in range(operands - 1))]
        arities += [operands, *[0] * (operands - 1)]
    return Tree.from_prefix([*symbols, leaf_of(depth)], [*arities, 0])


def bush(operator: str, operands: int, nodes: int, leaf_of: Callable[[int], str | float]) -> Tree:
    """A formula of about that many nodes, as flat as possible."""
    symbols: list[str | float] = []
    arities: list[int] = []
    pending = [(nodes - 1) // operands]  # operators still to place below
    while pending:
        inner = pending.pop() - 1
        symbols.append(operator if inner >= 0 else leaf_of(len(symbols)))
        arities.append(operands if inner >= 0 else 0)
        if inner >= 0:
            pending += [inner // operands + (k < inner % operands) for k in range(operands)]
    return Tree.from_prefix(symbols, arities)


MIXED = (*SENSORS, 1.5, -2.25, RANDOM)


@pytest.mark.parametrize(
    "tree",
    [
        chain("+", 2, 80, lambda k: MIXED[k % len(MIXED)]),
        chain("min", 2, 80, lambda k: MIXED[k % len(MIXED)]),
        chain("neg", 1, 80, lambda k: "A"),
        chain("/", 2, 10_000, lambda k: MIXED[k % len(MIXED)]),
        chain("neg", 1, 10_000, lambda k: "A"),
        pytest.param(chain("*", 2, 10_000, lambda k: RANDOM), marks=pytest.mark.release),
        pytest.param(chain("ifle", 4, 10_000, lambda k: MIXED[k % len(MIXED)]), marks=pytest.mark.release),
        bush("-", 2, 20_000, lambda k: MIXED[k % len(MIXED)]),
        pytest.param(bush("ifle", 4, 100_000, lambda k: k / 3.0), marks=pytest.mark.release),
        pytest.param(bush("max", 2, 20_000, lambda k: f"sensor.number{k % 1000}"), marks=pytest.mark.release),
    ],
    ids=lambda tree: f"{tree.symbols[0]} {len(tree)} nodes {tree.depth} deep",
)
def test_depth_and_size_load_in_every_lua(tree: Tree) -> None:
    row = ([0.5 + k for k in range(len(tree.reads))], [0.75] * tree.symbols.count(RANDOM))
    assert_equal_everywhere(function_text(Subject(TreeProgram(("value",), (tree,)))), tree, [row])


@pytest.mark.parametrize("operator", "+-*")
def test_the_articles_text_loads_to_its_greatest_depth(operator: str) -> None:
    for tree in (chain(operator, 2, 80, lambda k: "env.suit"), chain(operator, 2, 81, lambda k: "env.suit")):
        program = TreeProgram(("play",), (tree,))
        text = roster_text({"deep": [program]})
        assert (print_article(tree) in text) == (tree.depth == 80)
        for lua in LUAS:
            (value,) = Loaded(LupaHost(lua), text, "article", program).evaluate("play", tree, [([0.5], [])])
            assert float(value) == evaluate_vector(tree, ("env.suit",), (0.5,), ())


def test_names_of_locals_avoid_what_is_taken() -> None:
    names = local_names(("env.suit", "other.suit", "env.end", "env.r1", "x" * 30), frozenset({"end"}))
    assert names == {"env.suit": "suit", "other.suit": "x2", "env.end": "x3", "env.r1": "x4", "x" * 30: "x5"}


@given(trees(max_leaves=60))
def test_lines_fit_and_only_needed_functions_are_written(tree: Tree) -> None:
    text = function_text(Subject(TreeProgram(("value",), (tree,))))
    assert max(len(line.expandtabs(4)) for line in text.split("\n")) <= 120
    for name, operator in (("min", "min"), ("max", "max"), ("div", "/"), ("ifle", "ifle"), ("sqrt", "sqrt")):
        assert (f"local function {name}(" in text) == (operator in tree.symbols)
