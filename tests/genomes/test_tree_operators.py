"""Operators on trees and programs: valid children, parents untouched, same seed same child, limits, distributions."""

import copy
import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.primitives import OPERATORS, RANDOM, Alphabet, operators
from gpkit.core.rng import stream
from gpkit.genomes.program_operators import vary
from gpkit.genomes.tree import (
    Symbol,
    Tree,
    TreeProgram,
    Variant,
    constant_positions,
    crossover,
    hoist,
    leaf,
    mutate_constants,
    mutate_point,
    mutate_subtree,
    node,
    ramped_tree,
    random_tree,
    round_constants,
    shrink,
    within,
    wrap,
)

FULL = Alphabet("full", ("A", "B", RANDOM), OPERATORS)
ARTICLE = Alphabet("article", ("A", "B", RANDOM), operators("+", "*"))
ARITY = {operator.name: operator.arity for operator in OPERATORS}

seeds = st.integers(0, 2**32)
depths = st.integers(1, 6)


def tree_of(seed: int, depth: int = 5) -> Tree:
    return random_tree(stream(seed, "tree"), FULL, depth)


def assert_valid(tree: Tree) -> None:
    arities = [ARITY[s] if isinstance(s, str) and s in ARITY else 0 for s in tree.symbols]
    assert Tree.from_prefix(tree.symbols, arities) == tree
    for symbol in tree.symbols:
        if isinstance(symbol, float):
            assert math.isfinite(symbol)
            assert math.copysign(1.0, symbol) == (1.0 if symbol >= 0.0 else -1.0), "no negative zero"
        else:
            assert symbol in ARITY or symbol in FULL.sensors


OPERATIONS: dict[str, Callable[[np.random.Generator, Tree], Variant]] = {
    "constants all": lambda rng, tree: mutate_constants(rng, tree, "all"),
    "constants one": lambda rng, tree: mutate_constants(rng, tree, "one"),
    "subtree": lambda rng, tree: mutate_subtree(rng, tree, FULL),
    "crossover": lambda rng, tree: crossover(rng, tree, tree_of(7)),
    "point": lambda rng, tree: mutate_point(rng, tree, FULL),
    "hoist": hoist,
    "shrink": lambda rng, tree: shrink(rng, tree, FULL),
    "wrap": lambda rng, tree: wrap(rng, tree, FULL),
}


@pytest.mark.parametrize("name", OPERATIONS)
@given(seed=seeds, depth=depths)
@settings(max_examples=40, deadline=None)
def test_children_are_valid_and_differ_only_at_the_place(name: str, seed: int, depth: int) -> None:
    tree = tree_of(seed, depth)
    symbols, sizes = tuple(tree.symbols), tuple(tree.sizes)
    child, position = OPERATIONS[name](stream(seed, name), tree)
    assert_valid(child)
    assert (tree.symbols, tree.sizes) == (symbols, sizes)
    assert OPERATIONS[name](stream(seed, name), tree) == (child, position)
    assert child.symbols[:position] == tree.symbols[:position]
    after = len(child) - position - child.sizes[position]
    assert child.symbols[len(child) - after :] == tree.symbols[len(tree) - after :]


@given(seed=seeds, depth=depths)
@settings(max_examples=100, deadline=None)
def test_random_trees_keep_their_depth(seed: int, depth: int) -> None:
    grown = random_tree(stream(seed, "t"), FULL, depth, "grow")
    full = random_tree(stream(seed, "t"), FULL, depth, "full")
    for tree in (grown, full):
        assert_valid(tree)
        assert tree.depth == max(tree.depths)
    assert grown.depth <= depth
    leaves = {d for d, size in zip(full.depths, full.sizes, strict=True) if size == 1}
    assert leaves == {depth}


def test_a_ramp_passes_through_every_depth_with_both_shapes() -> None:
    trees = [ramped_tree(stream(1, "ramp", index), ARTICLE, index, 2, 5) for index in range(80)]
    assert [trees[index].depth for index in range(0, 16, 2)] == [2, 3, 4, 5, 2, 3, 4, 5]
    assert max(tree.depth for tree in trees) == 5
    assert min(tree.depth for tree in trees[1::2]) == 1


def test_leaves_and_operators_are_drawn_evenly() -> None:
    rng = stream(3, "leaves")
    trees = [random_tree(rng, FULL, 2, "full") for _ in range(6000)]
    roots = Counter(tree.symbols[0] for tree in trees)
    expected = len(trees) / len(OPERATORS)
    assert set(roots) == set(ARITY)
    assert all(abs(n - expected) < 5 * math.sqrt(expected) for n in roots.values())
    leaves = [s for tree in trees for s in tree.symbols[1:]]
    constants = [s for s in leaves if isinstance(s, float)]
    for count in (len(constants), leaves.count("A"), leaves.count(RANDOM)):
        assert abs(count - len(leaves) / 4) < 5 * math.sqrt(len(leaves) * 3 / 16)
    assert min(constants) >= FULL.constant_low
    assert max(constants) <= FULL.constant_high
    assert abs(np.mean(constants)) < 0.15


@given(seed=seeds, depth=depths)
@settings(max_examples=100, deadline=None)
def test_a_wrapped_branch_is_an_operand_beside_leaves(seed: int, depth: int) -> None:
    tree = tree_of(seed, depth)
    child, position = wrap(stream(seed, "wrap"), tree, FULL)
    wrapper, branch = child.subtree(position), tree.subtree(position)
    operands = [wrapper.subtree(place) for place in wrapper.children(0)]
    assert len(operands) == ARITY[str(wrapper.symbols[0])]
    places = [place for place, operand in enumerate(operands) if operand == branch]
    assert any(
        all(len(operand) == 1 for other, operand in enumerate(operands) if other != place) for place in places
    )


def test_a_branch_is_wrapped_in_every_operator_and_is_each_of_its_operands() -> None:
    tree = node("+", leaf("A"), leaf("A"))
    children = {wrap(stream(seed, "wrap"), tree, FULL).part for seed in range(2000)}
    roots = [child for child in children if child.symbols[0] in ARITY and len(child) > 3]
    assert {child.symbols[0] for child in roots} >= set(ARITY)
    for place in range(4):
        assert any(c.symbols[0] == "ifle" and c.subtree([*c.children(0)][place]) == tree for c in roots)


def test_an_alphabet_without_constants_or_operators_gives_sensors() -> None:
    alphabet = Alphabet("bare", ("A",), (), constants=False)
    assert random_tree(stream(1, "t"), alphabet, 5, "full") == leaf("A")
    assert wrap(stream(1, "t"), leaf("A"), alphabet) == (leaf("A"), 0)


def test_a_mutated_constant_is_log_uniform_between_half_and_double() -> None:
    rng = stream(5, "constants")
    tree = node("+", leaf(4.0), leaf(-3.0))
    octaves = []
    for _ in range(4000):
        child, position = mutate_constants(rng, tree)
        assert position == 0
        for new, old in zip(child.symbols[1:], tree.symbols[1:], strict=True):
            assert isinstance(new, float)
            assert isinstance(old, float)
            assert new * old > 0
            octaves.append(math.log2(new / old))
    histogram = np.histogram(octaves, bins=8, range=(-1, 1))[0]
    assert histogram.sum() == 8000
    assert np.abs(histogram - 1000).max() < 5 * math.sqrt(1000)


def test_one_constant_changes_when_asked_and_each_alike() -> None:
    rng = stream(6, "constants")
    tree = node("+", leaf(1.0), node("*", leaf(2.0), leaf(3.0)))
    changed: Counter[int] = Counter()
    for _ in range(3000):
        child, position = mutate_constants(rng, tree, "one")
        differing = [i for i, (a, b) in enumerate(zip(child.symbols, tree.symbols, strict=True)) if a != b]
        assert differing == [position]
        changed[position] += 1
    assert set(changed) == {1, 3, 4}
    assert all(abs(n - 1000) < 150 for n in changed.values())


@pytest.mark.parametrize("constant", [0.0, 5e-324, -5e-324, 1.7e308, -1.7e308])
def test_constants_never_overflow_vanish_or_change_sign(constant: float) -> None:
    rng = stream(1, "edge")
    for _ in range(50):
        symbol = mutate_constants(rng, leaf(constant)).part.symbols[0]
        assert isinstance(symbol, float)
        assert math.isfinite(symbol)
        assert math.copysign(1.0, symbol) == math.copysign(1.0, constant)
        assert (symbol == 0.0) == (constant == 0.0)


def test_the_branch_of_a_mutation_is_uniform_over_the_nodes() -> None:
    rng = stream(8, "branch")
    tree = node("+", leaf("A"), node("*", leaf("B"), leaf("A")))
    places = Counter(mutate_subtree(rng, tree, FULL).position for _ in range(5000))
    assert sorted(places) == [0, 1, 2, 3, 4]
    assert all(abs(n - 1000) < 150 for n in places.values())


def test_a_subtree_mutation_brings_at_most_two_levels() -> None:
    rng = stream(9, "depth")
    assert {mutate_subtree(rng, leaf("A"), FULL).part.depth for _ in range(200)} == {1, 2}


def test_crossover_brings_every_subtree_of_the_donor() -> None:
    rng = stream(10, "crossover")
    donor = node("+", leaf("B"), leaf(2.0))
    children = Counter(crossover(rng, leaf("A"), donor).part for _ in range(3000))
    assert set(children) == {donor, leaf("B"), leaf(2.0)}
    assert all(abs(n - 1000) < 150 for n in children.values())


def test_a_point_mutation_keeps_the_shape() -> None:
    rng = stream(11, "point")
    tree = node("+", leaf("A"), node("neg", leaf(1.0)))
    for _ in range(100):
        child, position = mutate_point(rng, tree, FULL)
        assert child.sizes == tree.sizes
        if position in (0, 2):
            assert child.symbols[position] != tree.symbols[position]
    only_plus = Alphabet("plus", ("A",), operators("+"), constants=False)
    assert mutate_point(rng, node("+", leaf("A"), leaf("A")), only_plus).part == node(
        "+", leaf("A"), leaf("A")
    )


@given(seed=seeds)
@settings(max_examples=50, deadline=None)
def test_hoist_and_shrink_make_a_tree_smaller(seed: int) -> None:
    tree = tree_of(seed)
    for child, _ in (hoist(stream(seed, "h"), tree), shrink(stream(seed, "s"), tree, FULL)):
        assert len(child) < len(tree) or len(tree) == 1


@pytest.mark.parametrize(
    ("constant", "step", "rounded"),
    [(0.3, 0.25, 0.25), (-0.1, 0.25, 0.0), (-0.375, 0.25, -0.5), (1e300, 0.25, 1e300), (7.0, 2.0, 8.0)],
)
def test_constants_are_rounded_to_the_grid(constant: float, step: float, rounded: float) -> None:
    tree = node("+", leaf("A"), leaf(constant))
    assert repr(round_constants(tree, step).symbols[2]) == repr(rounded)
    again = round_constants(tree, step)
    assert round_constants(again, step) is again


@given(seed=seeds, size=st.integers(1, 40), depth=st.integers(1, 8))
@settings(max_examples=100, deadline=None)
def test_limits(seed: int, size: int, depth: int) -> None:
    tree = tree_of(seed)
    assert within(tree, size, depth) == (len(tree) <= size and tree.depth <= depth)
    assert within(tree)


def deep(levels: int) -> Tree:
    symbols: list[Symbol] = ["neg"] * (levels - 1) + [1.0]
    return Tree(tuple(symbols), tuple(range(levels, 0, -1)))


@pytest.mark.parametrize("name", OPERATIONS)
def test_operators_work_ten_thousand_levels_deep(name: str) -> None:
    assert_valid(OPERATIONS[name](stream(1, name), deep(10_000)).part)


PROGRAM = TreeProgram(("play", "send"), (node("+", leaf("A"), leaf(1.0)), leaf("B")))


def to_c(_: np.random.Generator, tree: Tree) -> Variant:
    return Variant(leaf(f"C{len(tree)}"), len(tree))


def test_one_formula_is_chosen_evenly_or_each_is_acted_on() -> None:
    rng = stream(1, "scope")
    touched = Counter(vary(rng, PROGRAM, to_c).places for _ in range(2000))
    assert set(touched) == {(("play", 3),), (("send", 1),)}
    assert all(abs(n - 1000) < 150 for n in touched.values())
    each = vary(rng, PROGRAM, to_c, scope="each")
    assert each.genome == TreeProgram(("play", "send"), (leaf("C3"), leaf("C1")))
    assert each.places == (("play", 3), ("send", 1))


def test_an_operator_acts_only_where_it_applies() -> None:
    with_constants = vary(stream(1, "c"), PROGRAM, to_c, scope="each", applies=constant_positions)
    assert with_constants.places == (("play", 3),)
    assert vary(stream(1, "c"), PROGRAM, to_c, applies=lambda tree: False) == (PROGRAM, ())
    assert constant_positions(PROGRAM.trees[0]) == [2]


def test_only_sections_that_both_have_can_cross() -> None:
    def taken(_: np.random.Generator, tree: Tree, donor: Tree) -> Variant:
        return Variant(node("-", tree, donor), 0)

    other = TreeProgram(("send", "bid"), (leaf("A"), leaf("C")))
    crossed = vary(stream(1, "c"), PROGRAM, taken, other, scope="each")
    assert crossed.genome.trees == (PROGRAM.trees[0], node("-", leaf("B"), leaf("A")))
    assert crossed.places == (("send", 0),)
    both = vary(stream(1, "c"), PROGRAM, taken, PROGRAM, scope="each")
    assert both.places == (("play", 0), ("send", 0))
    assert vary(stream(1, "c"), PROGRAM, taken, TreeProgram(("bid",), (leaf("A"),))) == (PROGRAM, ())


def test_equal_trees_hash_alike_and_take_no_hash_to_another_process() -> None:
    tree = tree_of(11)
    again = Tree(tuple(tree.symbols), tuple(tree.sizes))
    assert hash(tree) == hash(again)
    assert tree.depths
    assert tree.__reduce__() == (Tree, (tree.symbols, tree.sizes))
    copied = copy.copy(tree)
    assert copied == tree
    assert vars(copied).keys() == {"symbols", "sizes"}
