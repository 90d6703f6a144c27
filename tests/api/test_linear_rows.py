"""The linear model beside a fit: least squares on the same columns and rows, and a verdict that can go either way."""

from typing import Any

import numpy as np
import pytest

import gpkit
from gpkit.core.rng import stream

ROWS = 200


def table(ends: str) -> dict[str, Any]:
    """Five columns, a word with gaps, and a target that is linear, crooked, or one of three classes."""
    rng = stream(1, "linear rows")
    columns: dict[str, Any] = {name: rng.normal(size=ROWS) for name in "abcde"}
    a, b, c, d, e = columns.values()
    word = np.where(rng.random(ROWS) < 0.3, "left", "right").astype(object)
    word[::17] = ""
    noise = rng.normal(size=ROWS)
    y = {
        "linear": 3 * a - 2 * b + c + d + e + 4 * (word == "left") + noise,
        "crooked": a * a + 0.1 * noise,
        "classes": np.array(["low", "mid", "high"])[np.digitize(a + 0.01 * noise, [-0.5, 0.5])],
    }[ends]
    part = np.where(np.arange(ROWS) % 4 == 0, "test", "train")
    return {**columns, "word": word, "part": part, "y": y}


def fitted(data: dict[str, Any], **more: Any) -> Any:
    return gpkit.fit(data, "y", split="part", population=50, generations=2, **more)


def test_it_is_the_least_squares_of_the_training_rows() -> None:
    data = table("linear")
    found = fitted(data, size=3)
    words = [data["word"] == each for each in ("left", "right", "")]
    columns = np.column_stack([np.ones(ROWS), *(data[name] for name in "abcde"), *words]).astype(float)
    is_held = data["part"] == "test"
    weights = np.linalg.lstsq(columns[~is_held], data["y"][~is_held], rcond=None)[0]
    errors = columns[is_held] @ weights - data["y"][is_held]
    r2, rmse, _ = found.linear
    assert (r2.name, rmse.name) == ("r2", "rmse")
    assert rmse.second.mean == pytest.approx(np.sqrt(np.mean(errors**2)))
    assert r2.first.mean == found.metrics["held_out"][0].interval.mean
    assert r2.difference.mean == pytest.approx(r2.first.mean - r2.second.mean)
    assert r2.verdict == "worse"
    told = [str(each) for each in found.told()]
    assert any("A linear model of all columns predicts the held-out rows better: r2" in each for each in told)
    assert any("linear model, held-out rows" in each for each in told)


def test_a_formula_that_bends_is_better() -> None:
    found = fitted(table("crooked"), operators="+ *")
    assert found.linear[0].verdict == "better"
    assert any("The formula predicts the held-out rows better" in str(each) for each in found.told())


@pytest.mark.parametrize("kind", ["formula", "tree"])
def test_classes_and_gaps_have_one_too(kind: str) -> None:
    data = table("classes")
    data["a"] = np.where(np.arange(ROWS) % 20 == 1, np.nan, data["a"])
    found = fitted(data, kind=kind)
    assert 0.6 < found.linear[0].second.mean < 1.0
    names = [each.name for each in found.linear]
    assert names == ["accuracy", "balanced", "log_loss"][: 3 if kind == "formula" else 2]


def test_without_held_out_rows_it_is_measured_on_the_training_rows() -> None:
    found = gpkit.fit(
        {"x": [0, 1, 2, 3], "y": [1, 3, 5, 7]}, "y", generations=1, population=20, test=0, task="regression"
    )
    assert found.linear[1].second.mean == pytest.approx(0.0, abs=1e-9)
    assert any("training rows" in str(each) for each in found.told())


def test_too_many_columns_leave_it_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.analysis.predictions.MOST_PRODUCTS", 1000)
    found = fitted(table("linear"))
    assert found.linear == ()
    assert not any("linear model" in str(each) for each in found.told())
