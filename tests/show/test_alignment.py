"""What a child kept of its parent: consistency on any two formulas, and the kinds of change by example."""

import pytest
from hypothesis import given, settings
from strategies import trees

from gpkit.genomes.tree import Symbol, Tree, TreeProgram, leaf, replace_subtree
from gpkit.languages.arithmetic.text import parse
from gpkit.show.graph import kind
from gpkit.show.trees import ABSENT, Alignment, Merged, diff_dot, diff_text, merge


def aligned(parent: str, child: str) -> Alignment:
    """The alignment of two texts."""
    return Alignment(parse(parent).program.trees[0], parse(child).program.trees[0])


def removed(alignment: Alignment) -> list[Symbol]:
    """The symbols of the nodes that the child lacks."""
    return [alignment.parent.symbols[p] for p, c in enumerate(alignment.in_child) if c == ABSENT]


def added(alignment: Alignment) -> list[Symbol]:
    """The symbols of the nodes that the parent lacked."""
    return [alignment.child.symbols[c] for c, p in enumerate(alignment.in_parent) if p == ABSENT]


def changed(alignment: Alignment) -> list[tuple[Symbol, Symbol]]:
    """The pairs of different symbols."""
    pairs = [(alignment.parent.symbols[p], alignment.child.symbols[c]) for p, c in matches(alignment)]
    return [pair for pair in pairs if pair[0] != pair[1]]


def matches(alignment: Alignment) -> list[tuple[int, int]]:
    """The positions of shared nodes."""
    return [(p, c) for p, c in enumerate(alignment.in_child) if c != ABSENT]


@given(trees(), trees())
@settings(max_examples=100)
def test_both_directions_agree_and_kinds_are_kept(parent: Tree, child: Tree) -> None:
    alignment = Alignment(parent, child)
    assert matches(alignment) == [
        (p, c) for c, p in sorted(enumerate(alignment.in_parent), key=_second) if p >= 0
    ]
    assert all(kind(parent, p) == kind(child, c) for p, c in matches(alignment))


def _second(pair: tuple[int, int]) -> int:
    return pair[1]


@given(trees(), trees())
@settings(max_examples=100)
def test_the_merged_graph_holds_both_formulas(parent: Tree, child: Tree) -> None:
    alignment = Alignment(parent, child)
    merged = merge(alignment)
    names = [f"p{p}" if c == ABSENT else f"c{c}" for p, c in enumerate(alignment.in_child)]
    for c in range(len(child)):
        assert _operands(merged, f"c{c}", "removed") == [f"c{k}" for k in child.children(c)]
    for p in range(len(parent)):
        before = [names[k] for k in parent.children(p)]
        assert sorted(_operands(merged, names[p], "added")) == sorted(before)


def _operands(merged: Merged, name: str, without: str) -> list[str]:
    return [operand for operand, state in merged[name].operands if state != without]


@given(trees())
@settings(max_examples=25)
def test_a_formula_is_all_that_it_was(tree: Tree) -> None:
    alignment = Alignment(tree, tree)
    assert alignment.in_child == alignment.in_parent == list(range(len(tree)))


@given(trees(), trees(max_leaves=4))
@settings(max_examples=50)
def test_only_the_replaced_branch_differs(tree: Tree, branch: Tree) -> None:
    position = len(tree) // 2
    alignment = Alignment(tree, replace_subtree(tree, position, branch))
    assert len(removed(alignment)) <= tree.sizes[position]
    assert len(added(alignment)) <= len(branch)


@pytest.mark.parametrize(
    ("parent", "child", "gone", "new", "other"),
    [
        ("a*2 + b", "a*3 + b", [], [], [(2.0, 3.0)]),
        ("a*b + c", "a*d + c", [], [], [("b", "d")]),
        ("max(a, 7)", "min(a, 7)", [], [], [("max", "min")]),
        ("a*b + c", "(a - d)*b + c", [], ["-", "d"], []),
        ("(a - d)*b + c", "a*b + c", ["-", "d"], [], []),
        ("a + b*c", "b*c + a", [], [], []),
        ("a + b", "sqrt(a + b)", [], ["sqrt"], []),
        ("a*b - c", "a*7 - c", ["b"], [7.0], []),
        ("a - b*c/2", "b*c - a", ["a", "/", 2.0], ["a"], []),
    ],
)
def test_changes_by_example(
    parent: str, child: str, gone: list[Symbol], new: list[Symbol], other: list[tuple[Symbol, Symbol]]
) -> None:
    alignment = aligned(parent, child)
    assert (removed(alignment), added(alignment), changed(alignment)) == (gone, new, other)


@pytest.mark.release
def test_ten_thousand_levels_are_compared() -> None:
    depth = 10_000
    parent = Tree(("neg",) * (depth - 1) + ("a",), tuple(range(depth, 0, -1)))
    child = replace_subtree(parent, depth - 2, leaf(1.0))
    programs = [TreeProgram(("value",), (tree,)) for tree in (parent, child)]
    assert diff_dot(programs[0], programs[1]).count(" -> ") == depth
    assert diff_text(programs[1], programs[0]).count("\n+ ") == 2
