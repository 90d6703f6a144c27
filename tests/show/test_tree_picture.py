"""Programs as DOT text: order, escaping, marks, and size.

Trees of text: every node once, no line grows with the depth.
"""

import re

import pytest
from hypothesis import given, settings
from strategies import programs, trees

from gpkit.genomes.tree import Tree, TreeProgram, leaf, node
from gpkit.langkit.operators import NOTATION
from gpkit.languages.arithmetic.forms.draw import analysed
from gpkit.languages.arithmetic.forms.draw import with_values as traced
from gpkit.languages.arithmetic.text import parse
from gpkit.show.graph import NO_ANNOTATIONS, Annotations, kind, label, short_number
from gpkit.show.trees import LEVELS, diff_text, program_dot, program_text

NODE = re.compile(r"^\t*t(\d+)n(\d+) \[", re.MULTILINE)
EDGE = re.compile(r"^\t*t(\d+)n(\d+) -> t(\d+)n(\d+)", re.MULTILINE)


def formula(text: str) -> Tree:
    """The formula of a text."""
    return parse(text).program.trees[0]


def tree_dot(tree: Tree, marks: Annotations = NO_ANNOTATIONS) -> str:
    """The picture of one formula."""
    return program_dot(TreeProgram(("value",), (tree,)), (marks,))


@given(programs())
@settings(max_examples=50)
def test_every_node_is_drawn_once_and_every_operand_in_its_order(program: TreeProgram) -> None:
    dot = program_dot(program)
    assert "ordering=out" in dot
    expected = [(i, p) for i, tree in enumerate(program.trees) for p in range(len(tree))]
    assert [(int(i), int(p)) for i, p in NODE.findall(dot)] == expected
    edges = [tuple(map(int, found)) for found in EDGE.findall(dot)]
    assert edges == [(i, p, i, c) for i, p in expected for c in program.trees[i].children(p)]


def test_every_operator_has_a_sign_of_its_own() -> None:
    assert len({each.sign for each in NOTATION.values()}) == len(NOTATION)


def test_kinds_differ_in_shape_and_in_colour() -> None:
    tree = formula("env.a + (3 + math.random())")
    lines = [line for line in tree_dot(tree).splitlines() if NODE.match(line)]
    looks = [re.search(r"fillcolor=(\S+).* shape=(\w+)( style=\S+)?", line) for line in lines]
    kinds = [kind(tree, p) for p in range(len(tree))]
    by_kind = {k: look.groups() for k, look in zip(kinds, looks, strict=True) if look}
    assert len(by_kind) == 4
    assert len({fill for fill, _, _ in by_kind.values()}) == 4
    assert len({(shape, style) for _, shape, style in by_kind.values()}) == 4


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (-4.0745883, "−4.075"),
        (0.025403308, "0.0254"),
        (3.0, "3"),
        (1.25e-07, "1.25e−7"),
        (1e300, "1e300"),
        (float("-inf"), "−∞"),
        (float("nan"), "nan"),
    ],
)
def test_numbers_are_shortened(value: float, shown: str) -> None:
    assert short_number(value) == shown


def test_a_shortened_constant_is_in_full_in_the_tooltip() -> None:
    assert 'label="−4.075"' in tree_dot(leaf(-4.0745883))
    assert "tooltip=-4.0745883]" in tree_dot(leaf(-4.0745883))


def test_labels_drop_only_the_name_of_the_environment() -> None:
    assert [label(leaf(name), 0) for name in ("env.suit", "A", "env.a.b")] == ["suit", "A", "a.b"]


@pytest.mark.parametrize(
    "name",
    ['x" URL="http://a.example', "x\\N", "<b>x</b>", "<x>", "&lt;", '\\" image="a.png', "a\nb [image=c]"],
)
def test_no_name_leaves_its_label(name: str) -> None:
    tree = node("+", leaf(name), leaf(1.0))
    dot = program_dot(TreeProgram((name,), (tree,)), caption=name)
    unquoted = re.sub(r'"(?:[^"\\]|\\.)*"|<<table.*?</table>>', "", dot)
    assert not re.search(r"image|URL|href", unquoted, re.IGNORECASE)
    assert "<b>" not in unquoted
    assert "\\N" not in dot
    assert "&lt;" not in dot.replace("&amp;lt;", "") or name in ("<x>", "<b>x</b>")


def test_constant_and_redundant_parts_are_greyed_and_explained() -> None:
    tree = formula("env.a*(2 + 3) + 0*env.b")
    marks = analysed(tree)
    assert [tree.symbols[p] for p in sorted(marks.constant)] == ["+", 2.0, 3.0]
    assert [tree.symbols[p] for p in sorted(marks.redundant)] == ["env.b"]
    dot = tree_dot(tree, marks)
    assert dot.count("always the same value") == 3 + 1
    assert dot.count("cannot change the result") == 1 + 1
    assert dot.count('style="rounded,filled,dashed"') == 1
    assert "always the same value" not in tree_dot(tree)


def test_a_trace_shows_values_and_what_was_taken() -> None:
    tree = formula("ifle(env.a, 1, env.b, 7)")
    marks = traced(tree, {0: 7.0, 1: 2.0, 2: 1.0, 3: 5.5, 4: 7.0})
    assert marks.executed == frozenset({0, 1, 2, 4})
    lines = [line for line in tree_dot(tree, marks).splitlines() if NODE.match(line)]
    assert ["penwidth=2" in line for line in lines] == [True, True, True, False, True]
    assert "5.5" in lines[3]


def test_a_trace_in_which_all_was_executed_adds_only_values() -> None:
    assert traced(formula("env.a + 1"), {0: 3.0, 1: 2.0, 2: 1.0}).executed is None


def test_the_operands_of_a_choice_are_named() -> None:
    dot = tree_dot(formula("ifle(1, 2, 3, 4)"))
    assert re.findall(r"-> \w+ \[label=(\w+)", dot) == ["a", "b", "then", "else"]


@given(trees())
@settings(max_examples=25)
def test_marks_change_no_structure(tree: Tree) -> None:
    everything = frozenset(range(len(tree)))
    marks = Annotations(everything, everything, everything, dict.fromkeys(range(len(tree)), 1.0))
    assert EDGE.findall(tree_dot(tree, marks)) == EDGE.findall(tree_dot(tree))


@pytest.mark.release
def test_ten_thousand_levels_are_drawn() -> None:
    depth = 10_000
    tree = Tree(("neg",) * (depth - 1) + ("env.a",), tuple(range(depth, 0, -1)))
    assert len(EDGE.findall(tree_dot(tree, analysed(tree)))) == depth - 1


@given(programs())
@settings(max_examples=50)
def test_every_node_has_a_line(program: TreeProgram) -> None:
    lines = program_text(program).splitlines()
    sections = 2
    blanks = 1
    cuts = sum("…" in line for line in lines)
    assert len(lines) == len(program) + sections + blanks + 3 * cuts
    text = program_text(program)
    for tree in program.trees:
        for symbol in tree.symbols:
            assert not isinstance(symbol, float) or repr(symbol) in text


@given(trees())
@settings(max_examples=25)
def test_what_did_not_change_has_no_marks(tree: Tree) -> None:
    program = TreeProgram(("value",), (tree,))
    assert diff_text(program, program) == "".join(
        f"  {line}\n" for line in program_text(program).splitlines() if ": " not in line
    ) or any(symbol == "ifle" for symbol in tree.symbols)


def test_deep_formulas_are_continued_below() -> None:
    depth = 10_000
    tree = Tree(("neg",) * (depth - 1) + ("env.a",), tuple(range(depth, 0, -1)))
    lines = program_text(TreeProgram(("value",), (tree,))).splitlines()
    assert max(map(len, lines)) < 4 * LEVELS
    assert lines[LEVELS].endswith("… [1]")
    assert lines[LEVELS + 1 : LEVELS + 4] == ["", "[1]", "neg"]
    assert lines[-1].endswith("env.a")
    assert sum(line.endswith("neg") for line in lines) == depth - 1
