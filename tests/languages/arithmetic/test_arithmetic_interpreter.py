"""The readable meaning of formulas: values at the hard places, order, steps."""

from collections.abc import Callable, Sequence

import pytest

from gpkit.genomes.tree import Tree, leaf, node
from gpkit.langkit.formulas import evaluate, node_values
from gpkit.languages.arithmetic.text import parse


def draws(numbers: Sequence[float]) -> Callable[[], float]:
    """A source of ``math.random()`` that gives these numbers."""
    return iter(numbers).__next__


def value(text: str, **env: float) -> float:
    """The value of a formula over one-letter sensors."""
    return evaluate(parse(text).program.trees[0], env, draws([0.25, 0.5, 0.75]))


def test_random_numbers_are_drawn_from_left_to_right() -> None:
    assert value("math.random() - (math.random() - math.random())") == 0.25 - (0.5 - 0.75)
    assert value("ifle(math.random(), 0, math.random(), math.random())") == 0.75


def test_every_node_has_a_value_operands_first() -> None:
    tree = parse("a * (b + 2)").program.trees[0]
    values = node_values(tree, {"a": 3.0, "b": 1.0}, draws([]))
    assert [*values.items()] == [(1, 3.0), (3, 1.0), (4, 2.0), (2, 3.0), (0, 9.0)]


def test_an_unknown_sensor_is_a_key_error() -> None:
    with pytest.raises(KeyError, match=r"env\.suit"):
        evaluate(leaf("env.suit"), {}, draws([]))


def test_depth_ten_thousand() -> None:
    deep = Tree.from_prefix(["abs"] * 9_999 + ["a"], [1] * 9_999 + [0])
    assert evaluate(deep, {"a": -3.0}, draws([])) == 3.0
    left = Tree.from_prefix(["+"] * 9_999 + ["a"] * 10_000, [2] * 9_999 + [0] * 10_000)
    assert evaluate(left, {"a": 1.0}, draws([])) == 10_000.0
    right = Tree.from_prefix(["+", "a"] * 9_999 + ["a"], [2, 0] * 9_999 + [0])
    values = node_values(right, {"a": 1.0}, draws([]))
    assert len(values) == len(right)
    assert values[0] == 10_000.0


def test_both_branches_of_a_choice_are_evaluated() -> None:
    tree = node("ifle", leaf(0.0), leaf(1.0), leaf("a"), node("/", leaf("a"), leaf("b")))
    assert len(node_values(tree, {"a": 1.0, "b": 0.0}, draws([]))) == len(tree)
