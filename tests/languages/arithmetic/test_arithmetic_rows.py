"""Formulas over many rows at once have the values that the machine gives them one by one, bit for bit."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SENSORS, doubles, trees

from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Tree, leaf, node
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.forms.fitting import evaluate_terms
from gpkit.vm.machine import ROWS, evaluate


def assert_as_the_machine(formulas: Sequence[Tree], columns: np.ndarray) -> None:
    together = evaluate_terms(formulas, SENSORS, columns, 1)[0]
    alone = np.array([evaluate(compile_tree(tree, SENSORS), columns) for tree in formulas])
    nan = np.isnan(alone)
    assert (np.isnan(together) == nan).all()
    assert together[~nan].tobytes() == alone[~nan].tobytes()


rows = st.lists(st.lists(doubles(), min_size=4, max_size=4), min_size=1, max_size=6)


@settings(max_examples=200, deadline=None)
@given(st.lists(trees(random=False), min_size=1, max_size=4), rows)
def test_together_is_one_by_one(formulas: list[Tree], values: list[list[float]]) -> None:
    assert_as_the_machine(formulas, np.array(values).T.copy())


def test_rows_beyond_one_block() -> None:
    columns = np.random.default_rng(0).normal(size=(4, 2 * ROWS + 3))
    inner = node("ifle", leaf("A"), leaf(0.25), leaf("B"), node("neg", leaf("A")))
    assert_as_the_machine([leaf("A"), leaf(0.5), node("/", inner, leaf("env.suit"))], columns)


@pytest.mark.parametrize("side", ["left", "right"])
def test_depth_is_no_matter(side: str) -> None:
    depth = 10_000
    symbols = ["+"] * depth + ["A"] * (depth + 1) if side == "left" else ["+", "A"] * depth + ["A"]
    tree = Tree.from_prefix(symbols, [2 if s == "+" else 0 for s in symbols])
    assert evaluate_terms([tree], ("A",), np.ones((1, 2)), 1)[0].tolist() == [[depth + 1] * 2]


@pytest.mark.parametrize("name", ["env.nothing", RANDOM])
def test_an_unknown_sensor_is_refused(name: str) -> None:
    with pytest.raises(KeyError, match=name):
        evaluate_terms([leaf(name)], SENSORS, np.ones((4, 1)), 1)[0]
