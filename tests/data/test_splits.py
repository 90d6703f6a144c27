"""Splits by person and by time: in fits, comparisons and estimators; warnings where a split separates a group."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpkit
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.rng import stream
from gpkit.data.metrics import regression_estimates
from gpkit.data.splits import groups_of, held_groups, latest, separated
from gpkit.data.table import Table, table_of

TINY = {"generations": 1, "population": 20, "operators": "+ *"}


def visits(seed: int, people: int = 12, each: int = 10) -> dict[str, np.ndarray]:
    """Rows of people whose effects differ, shuffled."""
    rng = stream(seed, "visits")
    person = np.repeat(np.arange(people), each)
    dose = rng.random(len(person))
    effect = 2.0 * dose + rng.normal(size=people)[person] + 0.1 * rng.normal(size=len(person))
    deal = rng.permutation(len(person))
    names = np.array([f"p{k}" for k in range(people)])
    day = np.tile(np.arange(each), people)
    rows = {"person": names[person], "number": 7 * person + 3, "day": day, "dose": dose, "effect": effect}
    return {name: cells[deal] for name, cells in rows.items()}


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.floats(0.0, 0.9))
def test_groups_stay_together_and_every_class_keeps_a_row(seed: int, classes: int, share: float) -> None:
    rng = stream(seed, "groups")
    groups = rng.integers(0, rng.integers(1, 30), 60)
    groups = np.unique(groups, return_inverse=True)[1]
    kinds = rng.integers(0, classes, 60).astype(np.float64)
    hidden = held_groups(stream(seed, "held"), groups, kinds, share)
    for group in range(int(groups.max()) + 1):
        assert len({*hidden[groups == group].tolist()}) == 1
    for kind in np.unique(kinds):
        assert not hidden[kinds == kind].all()
    if groups.max() > 15 and classes == 1:
        assert abs(hidden.mean() - share) < 0.15


def test_an_empty_cell_is_a_group_by_itself() -> None:
    column = table_of({"who": ["a", "", "b", "a", ""]}).column("who")
    assert len({*groups_of(column).tolist()}) == 4


@given(st.lists(st.integers(0, 9), min_size=2, max_size=40).filter(lambda times: len({*times}) > 1))
def test_the_latest_rows_are_later_than_all_others(times: list[int]) -> None:
    table = table_of({"day": times})
    hidden, days = latest(table, "day", 0.25), np.array(times)
    assert 0 < hidden.sum() < len(days)
    assert days[hidden].min() > days[~hidden].max()
    assert not latest(table, "day", 0.0).any()


def warned(table: dict[str, np.ndarray], target: str = "effect", without: tuple[str, ...] = ()) -> str:
    rows: Table = table_of(table)
    hidden = stream(1, "hidden").random(len(rows)) < 0.25
    targets = rows.column(target).values
    return " ".join(separated(rows, hidden, targets, {target, *without}))


def test_a_split_that_separates_people_is_warned_of() -> None:
    table = visits(1)
    assert "`person` (12 values) or `number` (12 values)" in warned(table)
    assert "person" not in warned(table, without=("person",))
    rows = table_of(table)
    whole = rows.column("number").values > 40
    assert "number" not in " ".join(separated(rows, whole, table["effect"], {"person", "day"}))


def test_categories_and_measured_whole_numbers_are_no_groups() -> None:
    rng = stream(2, "ages")
    age = rng.integers(20, 80, 2000)
    table = {
        "age": age,
        "sex": np.array(["m", "f"])[rng.integers(0, 2, 2000)],
        "doors": rng.integers(2, 6, 2000),
        "price": rng.random(2000),
        "effect": 0.1 * age + rng.normal(size=2000),
    }
    assert warned(table) == ""


@pytest.mark.release
def test_a_fit_holds_out_people_or_the_latest_rows_and_goes_on_with_them(tmp_path: Path) -> None:
    table = visits(3)
    found = gpkit.fit(table, "effect", group="person", folder=tmp_path / "a", **TINY)
    assert "all rows of 3 of the 12 values of `person`" in found.notes[0]
    assert not any("warning" in note for note in found.notes)
    assert [m.unit for m in found.metrics["held_out"]] == ["groups"] * 3
    assert found.metrics["held_out"][0].interval.units == 3
    more = {"folder": tmp_path / "a", "resume": True}
    with pytest.raises(GpkitError, match="group"):
        gpkit.fit(group="number", **more)
    assert "of the 12 values of `person`" in gpkit.fit(generations=2, **more).notes[0]
    later = gpkit.fit(
        {**table, "day": np.where(table["day"] == 4, np.nan, table["day"])}, "effect", after="day", **TINY
    )
    assert "those after `day` 7" in later.notes[0]
    assert "12 without a target, weight or `day`" in later.notes[0]
    assert any("`person` (12 values)" in note for note in gpkit.fit(table, "effect", **TINY).notes)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"group": "person", "after": "day"}, "each choose the held-out rows"),
        ({"group": "effect"}, "cannot choose the held-out rows"),
        ({"after": "person"}, "expected a number or a date"),
        ({"group": "persons"}, "did you mean `person`"),
        ({"after": "same"}, "none of them is the latest"),
        ({"group": "same"}, "no group of `same` is small enough"),
        ({"group": "person", "inputs": ["person"]}, "cannot be an input"),
    ],
)
def test_splits_that_cannot_be_are_refused(options: dict[str, object], told: str) -> None:
    table = {**visits(1), "same": np.ones(120)}
    with pytest.raises(UsageError, match=told):
        gpkit.fit(table, "effect", **TINY, **options)


def test_intervals_of_groups_hold_where_those_of_rows_are_too_narrow() -> None:
    rows = together = 0
    for seed in range(200):
        rng = stream(seed, "coverage")
        people = np.repeat(np.arange(30), 10)
        errors = rng.normal(size=30)[people] + rng.normal(size=300)
        mae = regression_estimates(np.zeros(300), errors)[1]
        true = np.sqrt(2.0) * np.sqrt(2.0 / np.pi)
        one, other = mae.measure.interval, mae.together(people).measure.interval
        assert one.mean == other.mean
        rows += not one.excludes(true)
        together += not other.excludes(true)
    assert rows < 160
    assert 180 <= together <= 198


def test_programs_are_compared_by_person_and_on_the_latest_rows() -> None:
    table = visits(5, each=8)
    first, second = gpkit.parse("2 * dose"), gpkit.parse("1.8 * dose + 0.2")
    rows = gpkit.compare(first, second, data=table, target="effect")
    people = gpkit.compare(first, second, data=table, target="effect", group="person")
    assert rows.differences[0].difference.mean == people.differences[0].difference.mean
    assert (rows.differences[0].difference.units, people.differences[0].difference.units) == (96, 12)
    assert people.to_rows()[0]["groups"] == 12
    late = gpkit.compare(first, second, data=table, target="effect", after="day")
    assert late.differences[0].difference.units == 24
    with pytest.raises(UsageError, match="this compares predictions for the rows of a table: add data"):
        gpkit.compare(first, second, group="person")


def test_groups_and_times_of_scikit_learn_reach_the_estimator() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    from gpkit.sklearn import FormulaRegressor

    table = visits(6)
    inputs = np.stack([table["dose"], table["day"]], axis=1)
    model = FormulaRegressor("+ *", population=20, generations=1, random_state=1)
    for cv in (selection.GroupKFold(3), selection.TimeSeriesSplit(3)):
        scores = selection.cross_val_score(model, inputs, table["effect"], groups=table["number"], cv=cv)
        assert len(scores) == 3
        assert np.isfinite(scores).all()
