"""Simplified formulas have the same values, bit for bit, and make the same decisions."""

import math
import struct
from collections.abc import Sequence
from itertools import count

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from strategies import SENSORS, constants, doubles, trees

from gpkit.core.primitives import OPERATORS, Sensor, operators
from gpkit.genomes.tree import Tree, leaf, node
from gpkit.langkit.grids import Grid
from gpkit.languages.arithmetic.interpreter import evaluate
from gpkit.languages.arithmetic.parser import parse
from gpkit.languages.arithmetic.printer import print_formula
from gpkit.languages.arithmetic.simplify import Terms, simplify, simplify_decision

Row = dict[str, float]

WHOLE = (
    Sensor("A", "", -7.0, 13.0),
    Sensor("B", "", 0.0, 3.0),
    Sensor("S", "", 0.0, 999.0, shared=True),
    Sensor("P", "", 2.0, 7.0, shared=True),
)
"""Sensors as games have them: whole numbers, some the same for all candidates."""


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


def shifted_trees(sensors: Sequence[str]) -> SearchStrategy[Tree]:
    """Small formulas that constants and shared sensors shift and scale at the root."""
    shifts = st.one_of(st.sampled_from(["S", "P", 2.0**53, 2.0**52, 0.1, -1.0, 1e308]), constants()).map(leaf)
    shift = st.tuples(st.sampled_from("+-*"), shifts, st.booleans())

    def wrap(tree: Tree, layers: list[tuple[str, Tree, bool]]) -> Tree:
        for name, other, first in layers:
            tree = node(name, other, tree) if first else node(name, tree, other)
        return tree

    small = trees(sensors, operators=operators("+", "-", "*", "neg"), random=False, max_leaves=4)
    return st.builds(wrap, small, st.lists(shift, min_size=1, max_size=3))


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


@st.composite
def decisions(draw: st.DrawFn) -> list[Row]:
    """Candidates with sensors in their bounds; the shared ones are the same for all."""
    shared = {s.name: float(draw(st.integers(int(s.low), int(s.high)))) for s in WHOLE if s.shared}
    own = st.fixed_dictionaries(
        {s.name: st.integers(int(s.low), int(s.high)).map(float) for s in WHOLE if not s.shared}
    )
    return [{**row, **shared} for row in draw(st.lists(own, min_size=1, max_size=6))]


@pytest.mark.release
@given(st.one_of(trees("ABSP"), shifted_trees("AB"), identity_trees("AS")), decisions(), st.integers(0, 99))
@settings(max_examples=100)
def test_simplify_decision_with_sensors_keeps_every_choice(tree: Tree, rows: list[Row], seed: int) -> None:
    smaller = simplify_decision(tree, WHOLE)
    assert choice(smaller, rows, seed) == choice(tree, rows, seed)
    assert len(smaller) <= len(simplify_decision(tree))


@given(trees("ABSP", random=False), decisions())
def test_grids_hold_the_values_and_prove_exactness(tree: Tree, rows: list[Row]) -> None:
    terms = Terms(sensors=WHOLE)
    grid = terms.grid(terms.add_tree(tree)[0])
    if grid is not None:
        steps = math.ldexp(value(tree, rows[0], 0), -grid.exponent)
        assert steps == int(steps)
        assert grid.low <= steps <= grid.high


@pytest.mark.parametrize(
    ("text", "smaller"),
    [
        ("A + 1", "A"),
        ("1 - A", "-A"),
        ("(A * B + 3.5) * 2 - S", "A * B"),
        ("A * P", "A"),
        ("A * -P", "-A"),
        ("A * S", "A * S"),
        ("S * S + 1", "0.0"),
        ("A - A + B * 0", "0.0"),
        ("B / B + A", "A"),
        ("A + 0.1", "A + 0.1"),
        ("A + 1e15", "A"),
        ("A + 1e16", "A + 1e+16"),
        ("A + B * 1e-9 + 1e9", "A + B * 1e-09 + 1000000000.0"),
        ("max(A, 2) + 1", "max(A, 2.0)"),
        ("A / 2 + 1", "A / 2.0 + 1.0"),
        ("math.random() + 1", "math.random() + 1.0"),
    ],
)
def test_decision_rules_with_sensors(text: str, smaller: str) -> None:
    assert print_formula(simplify_decision(read(text), WHOLE)) == smaller


def test_grids_of_formulas() -> None:
    terms = Terms(sensors=WHOLE)

    def grid(text: str) -> Grid | None:
        return terms.grid(terms.add_tree(read(text))[0])

    assert grid("A") == Grid(-7, 13)
    assert grid("0.75") == Grid(3, 3, -2)
    assert grid("A * 0.5 - B") == Grid(-13, 13, -1)
    assert grid("abs(A)") == Grid(0, 13)
    assert grid("floor(A * 0.5)") == Grid(-4, 6)
    assert grid("ifle(A, B, 1, 0.5)") == Grid(1, 2, -1)
    assert grid("min(A, B) + max(A, B)") == Grid(-7, 16)
    assert grid("A / B") is None
    assert grid("A * 1e300 * 1e300") is None
    assert grid("A + 9007199254740993") is None


def test_depth_ten_thousand() -> None:
    signs = Tree.from_prefix(["neg"] * 9_999 + ["A"], [1] * 9_999 + [0])
    assert simplify(signs) == read("-A")
    chain = Tree.from_prefix(["+"] * 9_999 + ["A"] + [0.0] * 9_999, [2] * 9_999 + [0] * 10_000)
    assert simplify_decision(chain) == leaf("A")
    assert simplify(chain) == chain
    zeros = Tree.from_prefix(["+", 1.0] * 9_999 + ["A"], [2, 0] * 9_999 + [0])
    assert simplify_decision(zeros, WHOLE) == leaf("A")
