"""FastSRB: its equations, the forms that count, and two easy equations that are found."""

from functools import partial

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit_experiments import fastsrb
from gpkit_experiments.fastsrb import cell, relative_weights, shares
from gpkit_experiments.fastsrb_equations import (
    binary_nodes,
    equations,
    evaluated,
    in_sympy,
    judged,
    largest_error,
    points,
    symbols_of,
)

pytest.importorskip("yaml")
sympy = pytest.importorskip("sympy")


def test_all_equations_have_points() -> None:
    assert len(equations()) == 120
    for equation in equations().values():
        columns, targets = points(equation, 20, stream(1, "test"))
        assert columns.shape == (len(equation.variables), 20)
        assert np.isfinite(targets).all()
        for column, (low, high, _distribution, sign) in zip(columns, equation.ranges, strict=True):
            sizes = np.abs(column) if sign == "pos_neg" else column
            assert (sizes >= low - 1e-9 * abs(low)).all()
            assert (sizes <= high + 1e-9 * abs(high)).all()


def judgement(name: str, formula: str) -> dict[str, object]:
    equation = equations()[name]
    expression = evaluated(formula, partial(in_sympy, symbols_of(equation)))
    return judged(expression, equation, *points(equation, 50, stream(1, "test")))


@pytest.mark.parametrize("name", ["II.38.3", "II.38.14", "I.12.2", "II.15.4"])
def test_a_form_of_the_list_counts_however_it_is_written(name: str) -> None:
    for form in equations()[name].forms:
        assert judgement(name, f"(1.000000001*{form}+0.0)*2.0/2.0")["success"]


def test_other_values_do_not_count() -> None:
    found = judgement("II.38.14", "v1/(2.0*(v2+1.0001))")
    assert not found["success"]
    assert not found["acceptable"]


def test_an_offset_that_no_value_shows_is_left_out() -> None:
    assert judgement("I.14.3", "9.80665*v1*v2+1.0e-17")["success"]


def test_a_formula_that_divides_by_zero_fits_nothing() -> None:
    expression = sympy.Add(sympy.Symbol("v1"), sympy.zoo, evaluate=False)
    assert largest_error(expression, ("v1",), np.ones((1, 3)), np.ones(3)) == np.inf


def test_a_form_with_far_more_nodes_does_not_count() -> None:
    found = judgement("II.38.14", "v1*cos(v2-v2*tanh(v2)/tanh(v2))/(2.0+2.0*v2)+sin(v1)*0.0")
    assert found["success"], "SymPy sees through it"
    assert binary_nodes(sympy.sympify("a*b*c")) == 5


@pytest.mark.parametrize("name", ["I.29.4", pytest.param("I.14.3", marks=pytest.mark.slow)])
def test_an_easy_equation_is_found(name: str) -> None:
    found = cell(name, 1, 2.0)
    assert found["success"], found
    assert found["largest"] <= 1e-8


def test_weights_are_those_of_relative_errors() -> None:
    targets = np.array([2.0, -4.0, 1e-3, 0.0, 1e-12])
    weights = relative_weights(targets)
    assert weights.mean() == pytest.approx(1.0)
    assert weights[:3] * targets[:3] ** 2 == pytest.approx(weights[0] * 4.0)
    assert weights[3] == weights[4] == weights.max(), "rounding leaves no more of them"


def test_a_search_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fastsrb, "ROUND", 0.4)
    found = cell("I.16.6", 1, 1.5)
    assert not found["success"]
    assert found["rounds"] >= 2
    seeds = []
    trial = fastsrb.Trial(equations()["I.16.6"], 1, 1.0)
    for _ in range(3):
        seeds.append((trial.run.config.seed, trial.run.config.fit.weights))
        trial.begin()
    assert seeds == [(100, "weight"), (101, ""), (102, "weight")]


def test_shares_count_failures() -> None:
    cells = {("a", 1): {"success": True, "acceptable": True}, ("b", 1): {"error": "Killed"}}
    assert "in a listed form: 1 of 2, 50.0%" in shares(cells)
    assert "failed: 1" in shares(cells)
