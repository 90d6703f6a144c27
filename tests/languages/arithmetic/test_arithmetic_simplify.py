"""Simplified formulas have the same values, bit for bit, and make the same decisions."""

import math
import struct
from collections.abc import Sequence
from itertools import count

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from strategies import SENSORS, doubles, trees

from gpkit.core.primitives import OPERATORS
from gpkit.genomes.tree import Tree, leaf, node
from gpkit.langkit.formulas import evaluate, print_formula
from gpkit.languages.arithmetic.simplify import folded, simplify, simplify_decision
from gpkit.languages.arithmetic.text import parse

Row = dict[str, float]


def read(text: str) -> Tree:
    return parse(text).program.trees[0]


def bits(value: float) -> bytes:
    return struct.pack("<d", math.nan if value != value else value)


def value(tree: Tree, row: Row, seed: int) -> float:
    """The value when random numbers come from this seed."""
    numbers = ((37 * seed + 23 * k) % 64 / 64 for k in count())
    return evaluate(tree, row, numbers.__next__)


def choice(tree: Tree, rows: Sequence[Row], seed: int) -> int:
    """The candidate that a game would choose: the highest value, the first of equals, NaN below everything."""
    values = [value(tree, row, seed + candidate) for candidate, row in enumerate(rows)]
    numbers = [v for v in values if v == v]
    return values.index(max(numbers)) if numbers else 0


def nasty_rows() -> SearchStrategy[Row]:
    return st.fixed_dictionaries({name: doubles() for name in SENSORS})


def identity_trees(sensors: Sequence[str] = SENSORS) -> SearchStrategy[Tree]:
    """Formulas rich in what rules look for: few different leaves, zeros and ones, signs, equal operands, large sums."""
    numbers = st.sampled_from([0.0, 1.0, -1.0, 2.0, -2.5, 1e308, 5e-324, 2.0**53, -0.1])
    leaves = st.one_of(st.sampled_from(sensors[:2]), st.just("math.random"), numbers).map(leaf)
    arities = {operator.name: operator.arity for operator in OPERATORS}

    def grow(children: SearchStrategy[Tree]) -> SearchStrategy[Tree]:
        def over(name: str) -> SearchStrategy[Tree]:
            different = st.tuples(*[children] * arities[name])
            equal = children.map(lambda child: (child,) * arities[name])
            return st.one_of(different, equal).map(lambda operands: node(name, *operands))

        return st.sampled_from(["neg", "neg", "abs", "floor", "+", "-", *arities]).flatmap(over)

    return st.recursive(leaves, grow, max_leaves=8)


@given(st.one_of(trees(), identity_trees()), nasty_rows(), st.integers(0, 99))
@settings(max_examples=300)
def test_simplify_keeps_every_bit(tree: Tree, row: Row, seed: int) -> None:
    smaller = simplify(tree)
    assert bits(value(smaller, row, seed)) == bits(value(tree, row, seed))
    assert len(smaller) <= len(tree)
    assert simplify(smaller) == smaller


@given(
    st.one_of(trees(), identity_trees()), st.lists(nasty_rows(), min_size=1, max_size=6), st.integers(0, 99)
)
@example(
    node("*", node("neg", leaf("A")), node("neg", leaf(0.0))),
    [dict.fromkeys(("A", "B", "env.suit", "env.dist"), 0.0)],
    0,
)
@settings(max_examples=300)
def test_simplify_decision_keeps_every_choice(tree: Tree, rows: list[Row], seed: int) -> None:
    smaller = simplify_decision(tree)
    assert choice(smaller, rows, seed) == choice(tree, rows, seed)
    assert len(smaller) <= len(simplify(tree))
    assert simplify_decision(smaller) == smaller


def test_depth_ten_thousand() -> None:
    signs = Tree.from_prefix(["neg"] * 9_999 + ["A"], [1] * 9_999 + [0])
    assert simplify(signs) == read("-A")
    chain = Tree.from_prefix(["+"] * 9_999 + ["A"] + [0.0] * 9_999, [2] * 9_999 + [0] * 10_000)
    assert simplify_decision(chain) == leaf("A")
    assert simplify(chain) == chain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("29693 * (1.6829 / A)", "49970.3497 / A"),
        ("2 * (3 * A) - A / 2 + 4 * 5 + 3", "6.0 * A - A / 2.0 + 23.0"),
        ("A * 2 * (B * 3) * 4", "24.0 * A * B"),
        ("2 * A / (4 * B)", "0.5 * (A / B)"),
        ("B - -2 * A - 3 + 5", "B + 2.0 * A + 2.0"),
        ("3 * sqrt(4 * A) + exp(A + 0 * B)", "6.0 * sqrt(A) + exp(A)"),
        ("(A + B) / (A + B) - (A - A)", "1.0"),
        ("1e308 * (1e308 * A)", "1e+308 * (1e+308 * A)"),
        ("1e-300 * (1e-300 * A)", "1e-300 * (1e-300 * A)"),
        ("math.random() - math.random()", "math.random() - math.random()"),
        ("A / (B / 2)", "A / (B / 2.0)"),
    ],
)
def test_constants_are_joined_and_what_is_equal_cancels(text: str, expected: str) -> None:
    assert print_formula(folded(read(text))) == expected


def divides_by_zero(tree: Tree, row: Row, seed: int) -> bool:
    """Whether the value of a divisor is 0, or so small that joined constants may make it 0."""
    below = [tree.subtree([*tree.children(k)][1]) for k, s in enumerate(tree.symbols) if s == "/"]
    return any(abs(value(each, row, seed)) < 1e-9 for each in below)


@given(
    st.one_of(trees(), identity_trees()),
    st.fixed_dictionaries(dict.fromkeys(SENSORS, st.integers(-20, 20).map(float))),
    st.integers(0, 99),
)
@settings(max_examples=300)
def test_joined_constants_keep_values_up_to_rounding(tree: Tree, row: Row, seed: int) -> None:
    smaller = folded(tree)
    assert len(smaller) <= len(tree)
    assert folded(smaller) == smaller
    inner = [value(tree.subtree(k), row, seed) for k in range(len(tree)) if "math.random" not in tree.symbols]
    assume(
        all(each == 0.0 or 1e-9 < abs(each) < 1e9 for each in inner) and not divides_by_zero(tree, row, seed)
    )
    assume(not {"floor", "ifle", "pow"} & {*tree.symbols})  # rounding can turn them over
    largest = max(map(abs, inner), default=1.0)
    assert value(smaller, row, seed) == pytest.approx(value(tree, row, seed), rel=1e-9, abs=1e-9 * largest)
