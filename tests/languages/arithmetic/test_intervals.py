"""Intervals of values and slopes: what they prove, no point contradicts, and what is broken has a witness."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.arrays import Floats
from gpkit.core.primitives import OPERATORS, RANDOM, Alphabet
from gpkit.core.rng import stream
from gpkit.evolution.fitting import sample_of
from gpkit.evolution.shapes import Shape, shape_of
from gpkit.genomes.tree import Tree, TreeProgram, random_tree, round_constants
from gpkit.languages.arithmetic.forms.fitting import PROVED, fitting_problem, values
from gpkit.languages.arithmetic.intervals import ROWS, Spans, boxes_of, proved, spans
from gpkit.languages.arithmetic.text import parse

INPUTS = ("x", "y", "s", "t")
KNOWN = tuple(operator for operator in OPERATORS if operator.name != RANDOM)
EXACT = ("+", "-", "*", "/", "min", "max", "neg", "abs", "sqrt", "floor", "ifle", "square")


def drawn(seed: int, operators: Sequence[str] = ()) -> tuple[Tree, Shape]:
    rng = stream(seed, "formula")
    chosen = tuple(each for each in KNOWN if not operators or each.name in operators)
    tree = random_tree(rng, Alphabet("test", INPUTS, chosen), int(rng.integers(2, 6)), "grow")
    tree = round_constants(tree, 1.0) if seed % 2 else tree
    low, width = rng.normal(size=4) * 3.0, np.exp(rng.normal(size=4) * 2.0)
    columns = low[:, None] + width[:, None] * rng.random((4, 20))
    columns[2] = np.arange(20) % 3 == 0
    columns[3] = np.arange(20) % 3 == 1
    shape = shape_of("x+ y- s+" if seed % 4 else "x+ y-", "0..5", INPUTS, columns, seed)
    assert shape is not None
    return tree, shape


def computed(tree: Tree, points: Floats) -> Floats:
    return values(TreeProgram(("choice",), (tree,)), INPUTS, points)


def largest(tree: Tree, points: Floats) -> Floats:
    """The largest value of any part of a formula at each point: rounding is small beside it."""
    parts = [computed(tree.subtree(place), points) for place in range(len(tree))]
    return np.abs(parts).max(axis=0)


def test_every_operator_has_intervals() -> None:
    assert {operator.name for operator in KNOWN} == {*ROWS}


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_values_and_slopes_stay_in_their_intervals(seed: int, is_exact: bool) -> None:
    tree, shape = drawn(seed, EXACT if is_exact else ())
    low, high = boxes_of(tree, shape)
    inputs = {name: Spans(low[k], high[k]) for k, name in enumerate(INPUTS)}
    rng = stream(seed, "points")
    for place, name in enumerate(INPUTS):
        value, slope = spans(tree, inputs, name)
        for _ in range(3):
            one = low + rng.random(low.shape) * (high - low)
            one = np.clip(one, low, high)
            other = one.copy()
            other[place] = one[place] + rng.random(low.shape[1]) * (high[place] - one[place])
            here, there = computed(tree, one), computed(tree, other)
            slack = 0.0 if is_exact else 1e-9 * largest(tree, one)
            known = np.isfinite(here) & np.isfinite(there)
            assert ((value.low - slack <= here) & (here <= value.high + slack))[known].all()
            step = other[place] - one[place]
            slack = 1e-9 * (largest(tree, one) + largest(tree, other))
            known &= np.isfinite(slack) & (step > 0.0)
            with np.errstate(all="ignore"):
                assert (
                    there - here >= slope.low * step * (1.0 + 1e-9) - slack - 1e-9 * abs(slope.low * step)
                )[known].all()
                assert (there - here <= slope.high * step + slack + 1e-9 * abs(slope.high * step))[
                    known
                ].all()


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9))
def test_proofs_are_never_contradicted_and_a_broken_shape_has_a_witness(seed: int) -> None:
    tree, shape = drawn(seed)
    found = computed(tree, shape.points)
    most, sets = (each.reshape(1 + len(shape.rises), -1) for each in (largest(tree, shape.points), found))
    for number, ((_, sign), is_proved) in enumerate(
        zip(shape.rises, proved(tree, shape), strict=False), start=1
    ):
        change, slack = sign * (sets[number] - sets[0]), 1e-9 * (most[number] + most[0])
        assert not is_proved or not (change < -slack)[np.isfinite(slack) & np.isfinite(change)].any()
    if proved(tree, shape)[-1]:
        assert (sets[0] >= -1e-9 * most[0]).all()
        assert (sets[0] <= 5.0 + 1e-9 * most[0]).all()
    witnesses = shape.witnesses(shape.points, found, tree.symbols)
    for told, broken in zip(witnesses, shape.breaks(found[None]), strict=True):
        assert bool(told) == bool(broken.any())
    assert len(proved(tree, shape)) == len(shape.sentences) == len(witnesses) == 1 + len(shape.rises)


@pytest.mark.parametrize(
    ("text", "monotone", "bounds", "verdict"),
    [
        ("x * x + y", "x+", "", "proved"),
        ("x * x - 8 * x", "x+", "", "broken"),
        ("x / (x + 3)", "x+", "0..1", "proved"),
        ("1 / (1 + exp(-x))", "x+", "0..1", "proved"),
        ("exp(x) / (1 + exp(x))", "x+", "0..2", "not proved"),
        ("sin(x)", "x+", "-1..1", "broken"),
        ("min(x, 4) - abs(y)", "x+ y-", "", "proved"),
        ("log(x) + sqrt(x)", "x+", "", "proved"),
        ("1 / x", "x-", "0..", "proved"),
        ("1 / (x - 5)", "x-", "", "broken"),
        ("floor(x) - tanh(y)", "x+ y-", "", "proved"),
        ("ifle(s, 0.5, x, 3 * x)", "x+", "0..", "proved"),
        ("ifle(x, 5, x, x - 9)", "x+", "", "broken"),
        ("x * s + (1 - s) * square(x)", "x+", "", "proved"),
        ("pow(x, 3) - square(y)", "x+ y-", "", "proved"),
        ("pow(x, 0.5) * y", "x+ y+", "", "proved"),
        ("x - x * x / 40", "x+", "", "proved"),
        ("x * x - x * x + x", "x+", "", "proved"),
        ("y", "x-", "..9", "proved"),
    ],
)
def test_verdicts_on_known_formulas(text: str, monotone: str, bounds: str, verdict: str) -> None:
    rng = stream(1, "rows")
    columns = np.stack(
        [rng.uniform(1, 10, 50), rng.uniform(0, 2, 50), np.arange(50) % 2.0, np.arange(50) % 3.0]
    )
    columns[0, :2] = 1.0, 10.0
    problem = fitting_problem(sample_of(INPUTS, columns, columns[0]))
    problem = replace(problem, shape=shape_of(monotone, bounds, INPUTS, columns, 1))
    told = problem.verdicts(TreeProgram(("choice",), parse(text).program.trees))
    assert any(verdict in each for each in told), told
    if verdict == "proved":
        assert all(each.endswith(PROVED) for each in told), told
