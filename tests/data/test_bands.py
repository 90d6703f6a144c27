"""Intervals: predictions by held-out errors, standard errors of constants, and metrics of skewed errors."""

import math
from pathlib import Path

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.data.losses import margin_of
from gpkit.data.metrics import regression_estimates
from gpkit.evolution.fitting import fitting_of, sample_of
from gpkit.languages.arithmetic.text import parse

SMALL = {"operators": "+ - *", "population": 30, "generations": 2}


def rows_of(purpose: str, count: int) -> dict[str, np.ndarray]:
    rng = stream(57, purpose)
    x = rng.uniform(0.0, 3.0, count)
    return {"x": x, "y": 1.0 + 2.0 * x + rng.standard_t(3, count)}


def test_margins_are_order_statistics() -> None:
    scores = np.arange(1.0, 40.0)
    assert margin_of(scores, np.ones(39), 0.95) == 38.0
    assert margin_of(scores[:19], np.ones(19), 0.95) == 19.0
    with pytest.raises(UsageError, match="need at least 19 held-out rows; there are 18"):
        margin_of(scores[:18], np.ones(18), 0.95)


@pytest.mark.release
def test_intervals_hold_new_rows(tmp_path: Path) -> None:
    found = gpkit.fit(rows_of("fit", 400), "y", folder=tmp_path / "run", test=0.5, **SMALL)
    new = rows_of("new", 4000)
    predicted = gpkit.predict(found, new, target="y", interval=90)
    assert predicted.interval.shape == (4000, 2)
    (coverage,) = [each for each in predicted.metrics if each.name == "coverage"]
    assert coverage.interval.mean == pytest.approx(0.9, abs=0.06)
    inside = (predicted.interval[:, 0] <= new["y"]) & (new["y"] <= predicted.interval[:, 1])
    assert coverage.interval.mean == inside.mean()
    assert "hold 0.9 of new rows" in predicted.notes[-1]
    stored = gpkit.predict(tmp_path / "run", new, interval=90)
    assert stored.interval.tolist() == predicted.interval.tolist()
    assert list(stored.to_rows()[0])[-2:] == ["low", "high"]
    with pytest.raises(UsageError, match="name the folder of the fit"):
        gpkit.predict(found.program, new, interval=90)
    quantile = gpkit.fit(rows_of("fit", 100), "y", loss="quantile:0.9", **SMALL)
    told = ["\n".join(map(str, each.told())) for each in (quantile, found)]
    assert ["of medians and quantiles" in each for each in told] == [True, False]
    with pytest.raises(UsageError, match="predicts a quantile"):
        gpkit.predict(quantile, new, interval=90)


def test_held_out_groups_are_the_units_and_their_rows_do_not_test_the_band_that_they_set() -> None:
    rows = {**rows_of("fit", 120), "g": np.arange(120) % 12}
    found = gpkit.fit(rows, "y", group="g", **SMALL)
    predicted = gpkit.predict(found, rows, target="y", interval=80, held_out=True)
    assert {each.unit for each in predicted.metrics} == {"groups"}
    assert "coverage" not in {each.name for each in predicted.metrics}
    assert "intervals can hold fewer" in predicted.notes[-1]


def test_standard_errors_are_those_of_the_sandwich() -> None:
    rows = rows_of("errors", 300)
    data = sample_of(("x",), rows["x"][None], rows["y"])
    problem = fitting_of("arithmetic").fitting_problem(data, "squares", 1, 10)
    ((_, constants, errors),) = problem.constants(problem.written(parse("x").program))
    design = np.vstack([np.ones(300), rows["x"]]).T
    inverse = np.linalg.inv(design.T @ design)
    left = rows["y"] - design @ constants
    expected = inverse @ (design.T * left**2) @ design @ inverse * 300 / 298
    assert errors == pytest.approx(np.sqrt(np.diag(expected)), rel=1e-9)
    ((_, _, errors),) = problem.constants(parse("1.5 + 2 * x * 3").program)
    assert np.isnan(errors).tolist() == [False, True, True]
    assert problem.constants(parse("x").program) == []


def test_intervals_of_skewed_errors_reach_further_where_they_may_be_larger() -> None:
    rng = stream(57, "skew")
    held, y = 0, rng.normal(size=4000)
    for number in range(200):
        targets = y[number * 20 : number * 20 + 20]
        errors = rng.lognormal(0.0, 1.0, 20)
        (rmse,) = [each for each in regression_estimates(targets, targets + errors) if each.name == "rmse"]
        interval = rmse.measure.interval
        assert 0.0 < interval.low <= interval.mean <= interval.high
        held += interval.low <= math.exp(1.0) <= interval.high
    assert held >= 150


@pytest.mark.parametrize(("freedom", "held", "warned"), [(2, 55, 50), (np.inf, 54, 0)])
def test_intervals_of_heavy_tails_hold_or_are_doubted(freedom: float, held: int, warned: int) -> None:
    """R² of the formula that made the targets, whose errors have Student's distribution, on 200 rows."""
    rng, found = stream(57, f"tails of {freedom}"), []

    def errors(count: int) -> np.ndarray:
        return rng.normal(size=count) if math.isinf(freedom) else rng.standard_t(freedom, count)

    many = errors(1_000_000)
    truth = 1.0 - (many**2).mean() / (4.0 + many.var())
    for _ in range(60):
        predicted = 2.0 * rng.normal(size=200)
        (r2,) = [e for e in regression_estimates(predicted + errors(200), predicted) if e.name == "r2"]
        interval = r2.measure.interval
        found.append((interval.low <= truth <= interval.high, r2.heaviest[1] > 0.0))
    assert sum(holds or doubted for holds, doubted in found) >= held
    assert warned <= sum(doubted for _, doubted in found) <= warned + 10
    assert r2.together(np.arange(200) // 10).heaviest[1] == 0.0


def test_an_estimator_gives_intervals() -> None:
    pytest.importorskip("sklearn")
    from gpkit.sklearn import FormulaRegressor

    rows, new = rows_of("fit", 300), rows_of("new", 2000)
    small = {"operators": "+ - *", "population": 30, "generations": 2, "random_state": 1}
    model = FormulaRegressor(calibration=0.5, **small).fit(rows["x"][:, None], rows["y"])
    found, ends = model.predict(new["x"][:, None], return_interval=0.9)
    assert found.tolist() == model.predict(new["x"][:, None]).tolist()
    assert np.mean((ends[:, 0] <= new["y"]) & (new["y"] <= ends[:, 1])) == pytest.approx(0.9, abs=0.07)
    with pytest.raises(ValueError, match="expected a share"):
        model.predict(new["x"][:, None], return_interval=95)
    with pytest.raises(ValueError, match=r"calibration=0\.25"):
        FormulaRegressor(**small).fit(rows["x"][:, None], rows["y"]).predict([[1.0]], return_interval=0.9)
