"""Shapes of predictions: monotone in a column and between bounds, in fits, run folders and estimators."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpkit
from gpkit.api.fits import Fitted
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.rng import stream
from gpkit.evolution.shapes import POINTS, bounds_text, monotone_text, shape_of

SMALL = {"generations": 5, "population": 60, "seed": 1}


def trial(rows: int = 120) -> dict[str, np.ndarray]:
    """Effects that rise with the dose up to 7 and then fall."""
    rng = stream(1, "trial")
    dose, age = rng.uniform(0, 10, rows), rng.integers(20, 80, rows)
    effect = 1.0 - ((dose - 7.0) / 7.0) ** 2 - 0.002 * age + 0.05 * rng.normal(size=rows)
    return {"daily dose": dose, "age": age, "effect": effect}


def falls(found: Fitted) -> bool:
    """Whether predictions fall somewhere as the dose rises, looking closely."""
    doses = np.linspace(0.1, 9.9, 400)
    return any(
        (np.diff(found.predict({"daily dose": doses, "age": np.full(400, age)})) < -1e-9).any()
        for age in (25, 75)
    )


def test_a_fit_keeps_its_shape_in_the_search_the_choice_and_the_front(tmp_path: Path) -> None:
    table, folder = trial(), tmp_path / "run"
    free = gpkit.fit(table, "effect", **SMALL)
    assert falls(free)
    assert free.shapes == ()
    found = gpkit.fit(table, "effect", monotone="daily dose+ age-", bounds="..3", folder=folder, **SMALL)
    assert not falls(found)
    assert [each.partition(":")[0] for each in found.shapes] == [
        "the prediction never falls as `daily dose` rises",
        "the prediction never rises as `age` rises",
        "the prediction is at most 3",
    ]
    assert not any("broken" in each for each in found.shapes)
    assert found.document()["shapes"] == list(found.shapes)
    assert found.metrics["learned"][0].interval.mean > 0.2
    for path in (folder / "front").glob("*.tree"):
        one = gpkit.predict(path, {"daily dose": np.linspace(0.1, 9.9, 200), "age": np.full(200, 50)}).values
        assert (np.diff(one) >= -1e-9).all(), path.read_text()
    again = gpkit.fit(folder=folder, resume=True, generations=6)
    assert not falls(again)
    with pytest.raises(GpkitError, match="monotone"):
        gpkit.fit(folder=folder, resume=True, monotone="age+")
    page = tmp_path / "page.html"
    gpkit.report(folder).save(page)
    assert again.shapes[0].partition(":")[0] in page.read_text().replace("&#x27;", "'")


@pytest.mark.release
def test_a_program_that_somebody_edits_is_broken_with_a_witness(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    gpkit.fit(trial(), "effect", monotone={"daily dose": 1}, folder=folder, **SMALL)
    champion = folder / "best" / "champion.tree"
    header = "".join(line for line in champion.read_text().splitlines(True) if line.startswith("//"))
    champion.write_text(header + '3 - "daily dose"\n')
    told = gpkit.report(folder).to_json()["fit"]["shapes"]
    assert told[0].startswith("the prediction never falls as `daily dose` rises: broken, ")
    assert "where `daily dose` is" in told[0]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"monotone": "age"}, "`age` has no sign"),
        ({"monotone": "ages+"}, "did you mean `age`"),
        ({"monotone": "age+ daily dose"}, "`daily dose` has no sign"),
        ({"monotone": {"age": 2}}, "expected a text such as"),
        ({"monotone": "age+ age-"}, "`age` is named twice"),
        ({"bounds": "5.."}, "no row has a `effect` between these bounds"),
        (
            {"bounds": "0.95.."},
            r"the prediction is at least 0\.95; the mean of the targets is 0\.[0-9]+: relax the shape",
        ),
        ({"bounds": "1"}, "expected the smallest and the largest"),
        ({"bounds": "2..1"}, "expected the smallest and the largest"),
        ({"bounds": "a..b"}, "expected the smallest and the largest"),
        ({"bounds": (1, 2, 3)}, "expected a text such as"),
        ({"bounds": "0..", "kind": "tree"}, "for formulas, not for trees"),
        ({"bounds": "0..", "task": "classification"}, "`bounds` are for numbers"),
        ({"monotone": "age+", "task": "classification"}, "for two classes"),
    ],
)
def test_shapes_that_cannot_be_are_refused(options: dict[str, object], told: str) -> None:
    table = trial()
    if options.get("task"):
        table["effect"] = np.arange(120) % 3
    with pytest.raises(UsageError, match=told):
        gpkit.fit(table, "effect", **SMALL, **options)


def test_odds_of_two_classes_can_be_monotone() -> None:
    table = trial()
    table["effect"] = np.where(table["effect"] > 0.7, "yes", "no")
    found = gpkit.fit(table, "effect", monotone="age-", **SMALL)
    assert len(found.shapes) == 1
    assert found.shapes[0].startswith("the probability of `yes` never rises as `age` rises: ")
    assert "broken" not in found.shapes[0]


def test_bounds_are_those_of_predicted_counts_and_not_of_their_logarithms() -> None:
    table = trial()
    table["effect"] = stream(3, "counts").poisson(np.exp(0.3 * table["daily dose"] - 2.0))
    found = gpkit.fit(
        table, "effect", loss="poisson", task="regression", monotone="daily dose+", bounds="0..60", **SMALL
    )
    assert found.program.named.source.program.trees[0].symbols[0] == "exp"
    assert found.predict(table).min() < 1.0
    assert not any("broken" in each for each in found.shapes)


@pytest.mark.release
def test_words_of_one_column_are_never_together() -> None:
    rng = stream(2, "firms")
    firm = rng.integers(0, 4, 200)
    spend = 9.0 - 2.5 * firm + rng.normal(size=200) * 0.1
    table = {"firm": np.array(["a", "b", "c", "d"])[firm], "size": rng.random(200), "spend": spend}
    found = gpkit.fit(table, "spend", bounds="0..", generations=15, population=100, operators="+ - *")
    assert found.metrics["held_out"][0].interval.mean > 0.99, "its effects add up to less than 0"
    assert found.shapes[0].startswith("the prediction is at least 0: ")
    assert "broken" not in found.shapes[0]


def test_shapes_of_python_values() -> None:
    assert monotone_text({"daily dose": 1, "age": "-", "sex": 0}) == "daily dose+ age-"
    quoted = shape_of("'a b'+ K++ \"x-y\"-", "", ("a b", "K+", "x-y"), np.ones((3, 2)), 1)
    assert quoted is not None
    assert quoted.rises == ((0, 1.0), (1, 1.0), (2, -1.0))
    assert [*map(bounds_text, ((0, None), (None, 1.5), "0..1", None))] == ["0..", "..1.5", "0..1", None]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6))
def test_points_lie_in_the_ranges_and_move_one_column_up(seed: int) -> None:
    rng = stream(seed, "columns")
    columns = np.stack([rng.normal(size=30), np.round(rng.random(30)), rng.integers(0, 9, 30)])
    shape = shape_of("a+ b-", "0..", ("a", "b", "c"), columns, seed)
    assert shape is not None
    base, *moved = (shape.points[:, k * POINTS : (k + 1) * POINTS] for k in range(3))
    for points in (base, *moved):
        assert (points >= shape.ranges[0][:, None]).all()
        assert (points <= shape.ranges[1][:, None]).all()
        assert {*points[1].tolist()} <= {0.0, 1.0}
    for place, points in enumerate(moved):
        assert (points[place] >= base[place]).all()
        assert (np.delete(points, place, 0) == np.delete(base, place, 0)).all()


def test_an_estimator_keeps_its_shape() -> None:
    sklearn = pytest.importorskip("gpkit.sklearn")
    table = trial()
    inputs = np.stack([table["daily dose"], table["age"]], axis=1)
    options = {"population": 40, "generations": 2, "random_state": 1}
    model = sklearn.FormulaRegressor(monotone={"x0": 1}, bounds=(None, 9), **options).fit(
        inputs, table["effect"]
    )
    assert len(model.shapes_) == 2
    line = np.stack([np.linspace(0.1, 9.9, 300), np.full(300, 40)], axis=1)
    assert (np.diff(model.predict(line)) >= -1e-9).all()
    classes = sklearn.FormulaClassifier(monotone="x1-", **options).fit(inputs, table["effect"] > 0.7)
    assert len(classes.shapes_) == 1
    with pytest.raises(ValueError, match="has no sign"):
        sklearn.FormulaRegressor(monotone="x0", **options).fit(inputs, table["effect"])
