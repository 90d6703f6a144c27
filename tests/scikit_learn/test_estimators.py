"""Estimators for scikit-learn: its own checks without an exception, pipelines, searches, words and gaps, pickles."""

import math
import pickle
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examined
from hypothesis import strategies as st

from gpkit.core.rng import stream
from gpkit.core.timeouts import TimeUp
from gpkit.data.table import table_of

pytestmark = pytest.mark.skipif(
    find_spec("sklearn") is None or find_spec("pandas") is None,
    reason="scikit-learn or pandas is missing: pip install 'gpkit-games[data]'",
)
"""Each test imports what it needs of them, which takes seconds: collecting the tests does not."""

SMALL = {"operators": "+ - * /", "population": 60, "generations": 8, "random_state": 1}


FEW = {"operators": "+ - * /", "population": 20, "generations": 3}


@pytest.mark.release
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("FormulaRegressor", FEW),
        *(("FormulaRegressor", FEW | {"loss": loss}) for loss in ("absolute", "huber:1", "quantile:0.3")),
        ("FormulaRegressor", FEW | {"calibration": 0.2}),
        ("FormulaClassifier", FEW),
        ("TreeRegressor", {"size": 15, "population": 10, "generations": 2}),
        ("TreeClassifier", {"size": 15, "population": 10, "generations": 2}),
    ],
)
def test_all_checks_of_the_library_hold(name: str, settings: dict[str, Any]) -> None:
    from sklearn.utils.estimator_checks import check_estimator

    from gpkit import sklearn as estimators

    found = check_estimator(getattr(estimators, name)(**settings), on_fail=None)
    assert len(found) > 50
    assert [each for each in found if each["status"] not in ("passed", "skipped")] == []
    assert [each["check_name"] for each in found if each["status"] == "skipped"] == ["check_array_api_input"]


@pytest.fixture(scope="module")
def passengers():
    """A frame with words and gaps, of whom some were saved, and how old they are."""
    import pandas

    rng = stream(0, "passengers")
    rows = 200
    sex, age = rng.choice(["male", "female"], rows), rng.uniform(1.0, 80.0, rows)
    port = rng.choice(["Cherbourg", "Queenstown", None], rows)
    saved = rng.random(rows) < 1.0 / (1.0 + np.exp(np.where(sex == "male", 2.0, -2.0) + (age - 30.0) / 20.0))
    frame = pandas.DataFrame({"sex": sex, "age": age, "port": port, "fare": rng.uniform(5.0, 100.0, rows)})
    frame.loc[::7, "age"] = np.nan
    return frame, np.where(saved, "saved", "lost")


def test_a_frame_with_words_and_gaps_is_classified(passengers) -> None:
    from gpkit.sklearn import FormulaClassifier

    frame, saved = passengers
    model = FormulaClassifier(**SMALL).fit(frame, saved)
    assert model.score(frame, saved) > 0.75
    assert list(model.classes_) == ["lost", "saved"]
    assert model.predict_proba(frame).sum(axis=1) == pytest.approx(1.0)
    assert "sex_is_" in str(model.formula_)
    with pytest.warns(UserWarning, match="1 row of `sex` has words that were not learned from: `crew`"):
        model.predict(frame.assign(sex=["crew", *frame["sex"][1:]]))
    assert model.feature_importances_.shape == (4,)
    assert model.feature_importances_.argmax() == 0
    assert [member.size for member in model.front_] == sorted((m.size for m in model.front_), reverse=True)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame.rename(columns={"fare": "price"}))


def test_a_tree_sends_gaps_to_a_branch(passengers) -> None:
    from gpkit.sklearn import TreeClassifier, TreeRegressor

    frame, saved = passengers
    model = TreeClassifier(7, population=20, generations=3, random_state=1).fit(frame, saved)
    assert model.score(frame, saved) > 0.75
    assert "test sex_is_" in str(model.tree_)
    ages = frame["age"].to_numpy()
    there = np.isfinite(ages)
    halves = TreeRegressor(3, population=20, generations=3, choose="first", random_state=1)
    predicted = halves.fit(frame[["age"]], np.where(there & (ages < 40.0), 1.0, 5.0)).predict(frame[["age"]])
    assert set(predicted[~there]) == {5.0}
    assert predicted[there] == pytest.approx(np.where(ages[there] < 40.0, 1.0, 5.0))


def test_pipelines_searches_clones_and_pickles() -> None:
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from gpkit.sklearn import FormulaRegressor

    rng = stream(1, "rows")
    rows = rng.uniform(-2.0, 2.0, (80, 3))
    numbers = 3.0 * rows[:, 0] * rows[:, 1] - rows[:, 2]
    search = GridSearchCV(
        make_pipeline(StandardScaler(), FormulaRegressor(**SMALL)), {"formularegressor__size": [3, 20]}, cv=2
    )
    search.fit(rows, numbers)
    assert search.best_params_ == {"formularegressor__size": 20}
    model = search.best_estimator_[-1]
    again = pickle.loads(pickle.dumps(model))  # noqa: S301  # its formula is text
    scaled = search.best_estimator_[0].transform(rows)
    assert again.predict(scaled).tolist() == model.predict(scaled).tolist()
    assert again.formula_ == model.formula_
    same = clone(model).fit(scaled, numbers)
    assert same.formula_ == model.formula_
    assert model.predict(scaled) == pytest.approx(model.formula_.evaluate(scaled, columns=["x0", "x1", "x2"]))
    assert "x0" in model.to_latex() == model._repr_latex_()
    assert "FormulaRegressor" in model._repr_html_()
    assert "return" in model.to_lua()
    assert "double" in model.to_c()


def test_weights_are_repetition_and_the_order_means_nothing() -> None:
    from gpkit.sklearn.estimators import merged

    table = table_of({"x": [1.0, math.nan, 1.0, math.nan], "y": [2, 3, 2, 4], "w": [1.0, 2.0, 3.0, 0.5]})
    found = merged(table, "w")
    assert found.column("w").values.tolist() == [4.0, 2.0, 0.5]
    assert found.column("y").values.tolist() == [2.0, 3.0, 4.0]
    turned = merged(table.part(np.array([3, 2, 1, 0])), "w")
    assert turned.sha256 == found.sha256


def test_mistakes_are_values_that_are_wrong() -> None:
    from gpkit.sklearn import FormulaClassifier, FormulaRegressor

    rows = np.arange(12.0).reshape(6, 2)
    for settings, told in (
        ({"operators": "+ sinn"}, "there is no operator of formulas `sinn`"),
        ({"population": 1}, "population.size"),
        ({"choose": "knees"}, "did you mean `knee`"),
        ({"settings": {"scheme": {"nam": "plus"}}}, "has no key `nam`"),
    ):
        with pytest.raises(ValueError, match=told):
            FormulaRegressor(**{**SMALL, **settings}).fit(rows, rows[:, 0])
    with pytest.raises(ValueError, match='expected None, "balanced", or a dict'):
        FormulaClassifier(**SMALL, class_weight="equal").fit(rows, rows[:, 0] > 4)


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([3, -1], "[-1, 3]"),
        ([True, False], "[false, true]"),
        (["b", "a"], '["a", "b"]'),
    ],
)
def test_programs_have_the_labels_as_they_are(labels: list[Any], classes: str) -> None:
    import gpkit
    from gpkit.sklearn import TreeClassifier

    samples = np.linspace(-1.0, 1.0, 60)[:, None]
    targets = np.array([labels[int(value > 0.2)] for value in samples[:, 0]])
    model = TreeClassifier(3, population=10, generations=2, random_state=0).fit(samples, targets)
    assert f"// classes: {classes}\n" in str(model.formula_)
    predicted = gpkit.predict(model.formula_, {"x0": samples[:, 0]}).values
    assert predicted.tolist() == model.predict(samples).tolist() == targets.tolist()


def test_dates_are_days_as_columns_and_words_as_classes() -> None:
    import pandas

    from gpkit.sklearn import FormulaClassifier, FormulaRegressor

    days = pandas.Series(pandas.date_range("2024-01-01", periods=60, freq="7h"))
    frame = pandas.DataFrame({"day": days, "x": np.arange(60.0) % 5})
    texts = frame.assign(day=days.dt.strftime("%Y-%m-%d %H:%M"))
    model = FormulaRegressor(**SMALL).fit(frame, np.arange(60.0) * 2)
    assert model.predict(texts).tolist() == model.predict(frame).tolist()
    classes = np.where(np.arange(60) < 30, "2024-05-31T13:45", "2024-06-01")
    assert FormulaClassifier(**SMALL).fit(texts, classes).score(frame, classes) > 0.9


@pytest.mark.parametrize("labels", [[2**60, 5], [2**53, 2**53 + 1], ["NA", "B"], ["nan", "null"]])
def test_odd_labels_are_told_apart(labels: list[Any]) -> None:
    from gpkit.sklearn import TreeClassifier

    samples = np.linspace(-1.0, 1.0, 60)[:, None]
    targets = np.array(labels)[(samples[:, 0] > 0.2).astype(int)]
    model = TreeClassifier(3, population=10, generations=2, random_state=0).fit(samples, targets)
    assert model.predict(samples).tolist() == targets.tolist()


@given(st.data())
@examined(max_examples=30, deadline=None)
def test_a_message_names_the_row_that_was_given(data: st.DataObject) -> None:
    from gpkit.sklearn import FormulaRegressor, TreeRegressor

    rng = stream(data.draw(st.integers(0, 1000)), "rows")
    rows = data.draw(st.integers(3, 20))
    row, estimator = (
        data.draw(st.integers(0, rows - 1)),
        data.draw(st.sampled_from([FormulaRegressor, TreeRegressor])),
    )
    x, weights = rng.integers(0, 4, (rows, 2)).astype(float), np.ones(rows)
    weights[row] = -1.0
    with pytest.raises(ValueError, match=rf"row {row + 1}: the weight"):
        estimator(population=3, generations=0).fit(x, x[:, 0], sample_weight=weights)


@given(
    st.none() | st.integers() | st.text() | st.lists(st.integers()), st.sampled_from(["fit", "stop", "front"])
)
@examined(max_examples=20, deadline=None)
def test_settings_that_are_no_tables_are_refused(value: Any, name: str) -> None:
    from gpkit.sklearn import FormulaRegressor

    with pytest.raises(ValueError, match=rf"{name} = .*: expected a table"):
        FormulaRegressor(population=3, settings={name: value}).fit([[1.0], [2.0]], [1.0, 2.0])
    if value is not None:
        with pytest.raises(ValueError, match=r"settings = .*: expected a table"):
            FormulaRegressor(population=3, settings=value).fit([[1.0], [2.0]], [1.0, 2.0])


@given(st.sampled_from([TimeUp, KeyboardInterrupt]), st.integers(0, 4), st.integers(0, 3))
@examined(max_examples=12, deadline=None)
@pytest.mark.filterwarnings("ignore:interrupted")
def test_time_and_interrupts_end_a_fit_with_the_best_so_far(
    error: type[BaseException], last: int, which: int
) -> None:
    from gpkit import sklearn
    from gpkit.api.runs import RunFollower

    name = ("FormulaRegressor", "FormulaClassifier", "TreeRegressor", "TreeClassifier")[which]
    x = np.arange(24.0).reshape(12, 2)
    y = (x[:, 0] > 9) if which % 2 else x[:, 0] ** 2
    model = getattr(sklearn, name)(population=10, generations=1000, random_state=1, time_limit=1000)
    as_ever = RunFollower.generation

    def generation(self: Any, summary: Any, state: Any) -> None:
        as_ever(self, summary, state)
        if summary.generation == last:
            raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunFollower, "generation", generation)
        model.fit(x, y)
    assert model.n_iter_ == last
    assert model.predict(x).shape == (12,)
    assert len(model.front_) > 0
    assert model.feature_importances_.shape == (2,)


@given(st.text(max_size=3) | st.just(-1.0) | st.just(math.nan) | st.lists(st.integers()))
@examined(max_examples=10, deadline=None)
def test_a_time_limit_that_is_none_is_refused(limit: Any) -> None:
    from gpkit.sklearn import TreeRegressor

    with pytest.raises(ValueError, match="time_limit="):
        TreeRegressor(time_limit=limit).fit([[1.0], [2.0]], [1.0, 2.0])


def test_a_fit_ends_in_time() -> None:
    from gpkit.sklearn import FormulaRegressor

    x = np.linspace(-3, 3, 200).reshape(-1, 2)
    limit = 20.0
    model = FormulaRegressor(population=30, generations=10**6, time_limit=limit, random_state=1)
    ticks = iter(range(10**6))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpkit.api.progress.countdown", lambda _: lambda: -next(ticks) / 4)
        model.fit(x, x[:, 0] * x[:, 1])
    assert 10 < model.n_iter_ < 2 * limit
