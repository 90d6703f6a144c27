"""Odd targets, weights and classes: labels that are no texts, classes without rows, numbers without squares."""

import datetime
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.data.table import read_table, table_of

pandas = pytest.importorskip("pandas")

LITTLE: dict[str, Any] = {"generations": 1, "population": 20, "seed": 1}


def drawn_label(rng: np.random.Generator) -> Any:
    """A label of a column of a frame: mostly no text."""
    number = int(rng.integers(1, 50))
    return [
        number,
        np.int64(number),
        number / 4,
        ("y", "" if number % 2 else number),
        datetime.date(2024, 1, 1) + datetime.timedelta(number),
        pandas.Timestamp("2024-01-01") + pandas.Timedelta(hours=number),
        f"y {number}",
        True,
        frozenset({number}),
    ][int(rng.integers(9))]


@pytest.mark.parametrize("number", range(8))
def test_a_column_is_its_label_and_its_values(number: int) -> None:
    rng = stream(0, "labels", number)
    x, label, other = rng.normal(size=30), drawn_label(rng), ("w", number)
    cells = np.stack([x, rng.normal(size=30), 3 * x + rng.normal(size=30), np.abs(x) + 1], axis=1)
    frame, weighed = pandas.DataFrame(cells[:, :3]), pandas.DataFrame(cells)
    frame.columns = pandas.Index(["x", "z", label], tupleize_cols=False)
    weighed.columns = pandas.Index(["x", "z", label, other], tupleize_cols=False)
    found = [
        gpkit.fit(data, target, weights=weights, **LITTLE)
        for data, target, weights in (
            (frame, label, None),
            (frame, frame.iloc[:, 2], None),
            (dict(frame.items()), label, None),
            (weighed, label, other),
            (weighed, weighed.iloc[:, 2], weighed.iloc[:, 3]),
        )
    ]
    for each in found:
        assert each.run.config.fit.target == str(label)
        assert {*each.program.inputs} <= {"x", "z"}, each.program
        assert not any("equals" in note for note in each.notes)
    assert [each.run.config.fit.weights for each in found] == ["", "", "", str(other), str(other)]
    assert str(found[0].program) == str(found[1].program) == str(found[2].program)
    absent = gpkit.GpkitError, r"data has no column .*(target|weights)"
    for arguments in (
        {"target": -1},
        {"target": datetime.date(1999, 1, 1)},
        {"target": "x", "weights": 2.25},
    ):
        with pytest.raises(absent[0], match=absent[1]):
            gpkit.fit(frame, **arguments, **LITTLE)
    noted = gpkit.fit(frame, frame.iloc[:, 2].to_numpy(), **LITTLE).notes
    assert any(f"`{label}` equals `y` in all rows" in note for note in noted)


@pytest.mark.parametrize("number", range(6))
def test_classes_without_weight_or_rows_are_never_predicted(number: int) -> None:
    rng = stream(0, "classes without rows", number)
    count = int(rng.integers(3, 6))
    x = rng.normal(size=20 * count)
    y = np.array([f"c{k}" for k in np.minimum((np.argsort(np.argsort(x)) * count) // len(x), count - 1)])
    gone = f"c{int(rng.integers(count))}"
    kind: Any = ("formula", "tree")[number % 2]
    table = {"x": x, "z": rng.normal(size=len(x)), "y": y}
    parts = np.where(y == gone, "test", "train")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for found in (
            gpkit.fit(table, "y", kind=kind, class_weights={gone: 0}, **LITTLE),
            gpkit.fit({**table, "part": parts}, "y", kind=kind, split="part", **LITTLE),
        ):
            assert found.run.score > 0.0
            assert gone not in found.predict(table)
            assert math.isfinite(found.metrics["held_out"][0].interval.mean)


@pytest.mark.parametrize("number", range(4))
def test_estimators_give_classes_without_weight_no_chance(number: int) -> None:
    estimators = pytest.importorskip("gpkit.sklearn")
    rng = stream(0, "samples without weight", number)
    X, count = rng.normal(size=(60, 2)), 3 + number % 2  # noqa: N806
    y = rng.permutation(np.arange(60) % count)
    gone = int(rng.integers(count))
    made = (estimators.FormulaClassifier, estimators.TreeClassifier)[number % 2]
    weights = {place: 1 + place for place in range(count)} if number > 1 else None
    model = made(population=20, generations=1, random_state=number, class_weight=weights)
    model.fit(X, y, sample_weight=(y != gone) * rng.uniform(0.5, 2, size=60))
    assert model.classes_.tolist() == [*range(count)]
    shares = model.predict_proba(X)
    assert shares.shape == (60, count)
    assert not shares[:, gone].any()
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert gone not in model.predict(X)


@pytest.mark.parametrize("number", range(8))
def test_rows_of_classes_that_are_not_learned_are_errors(number: int) -> None:
    rng = stream(0, "classes not learned", number)
    known, strange = [f"k{k}" for k in range(2 + number % 2)], ["new", "other"][: 1 + number % 2]
    y = np.array([*known, *strange, *rng.choice([*known, *strange], size=30)])
    x = np.array([known.index(each) if each in known else int(rng.integers(len(known))) for each in y], float)
    tests = f"test x <= 0.5 yes: {known[0]} no: " + (
        f"test x <= 1.5 yes: k1 no: {known[-1]}" if number % 2 else "k1"
    )
    classes = str(known).replace("'", '"')
    tree = gpkit.parse(f"// classes: {classes}\n{tests}", language="decision")
    found = gpkit.predict(tree, {"x": x, "y": y}, target="y")
    right = np.isin(y, known)
    assert found.metrics[0].interval.mean == pytest.approx(right.mean())
    assert found.metrics[1].interval.mean == pytest.approx(len(known) / len({*known, *strange}))
    assert {*found.confusion} == {*known, *strange}
    assert any(f"has not learned ({', '.join(sorted(strange))})" in note for note in found.notes)
    compared = gpkit.compare(tree, tree, data={"x": x, "y": y}, target="y")
    assert compared.verdict == "not distinguished"
    formula = gpkit.parse('// classes: ["k0", "k1"]\nx - 0.5')
    found = gpkit.predict(formula, {"x": x, "y": y}, target="y", probabilities=True)
    assert [each.name for each in found.metrics] == ["accuracy", "balanced", "log_loss"]
    assert found.metrics[0].interval.mean == pytest.approx(np.isin(y, ["k0", "k1"]).mean())
    with pytest.raises(UsageError, match="expected one of k0"):
        gpkit.predict(tree, {"x": x[:1], "y": ["nobody"]}, target="y")


def test_trees_of_words_and_numbers_are_measured() -> None:
    for number in range(8):
        rng = stream(0, "mixed leaves", number)
        leaves: list[Any] = [*rng.choice(["a", "b", '"4"', "red"], 2, replace=False), *rng.integers(5, 9, 2)]
        one, two, three, four = (str(leaves[place]) for place in rng.permutation(4))
        text = f"test x <= 1 yes: test x <= 0 yes: {one} no: {two} no: test x <= 2 yes: {three} no: {four}"
        x = np.arange(20) % 4
        y = [[one, two, three, four][place].strip('"') for place in x]
        known = sorted({*y})
        for head in ("", f"// classes: {known}\n".replace("'", '"')):
            tree = gpkit.parse(head + text, language="decision")
            found = gpkit.predict(tree, {"x": x, "y": y}, target="y")
            assert found.metrics[0].interval.mean == 1.0
            assert [*map(str, found.values)] == y or not head
            assert gpkit.compare(tree, tree, data={"x": x, "y": y}, target="y").verdict == "not distinguished"


@pytest.mark.parametrize("number", range(10))
def test_numbers_without_squares_are_refused_and_others_scale(number: int) -> None:
    rng = stream(0, "extreme targets", number)
    x, power = rng.normal(size=40), int(rng.integers(2, 1000)) * (1 if number % 2 else -1)
    y = np.ldexp(3 * x + 1, power)
    table = {"x": x, "y": y}
    if abs(power) > 470:
        for learn in (
            lambda: gpkit.fit(table, "y", **LITTLE),
            lambda: gpkit.fit(table, "y", kind="tree", **LITTLE),
        ):
            with pytest.raises(
                UsageError, match=f"`y` are too {'large' if power > 0 else 'small'} to be squared"
            ):
                learn()
        with pytest.raises(UsageError, match="to be squared: divide them by"):
            gpkit.predict(gpkit.parse("// task: regression\nx"), table, target="y")
        return
    if abs(power) < 460:
        plain, found = (gpkit.fit({"x": x, "y": each}, "y", **LITTLE) for each in (3 * x + 1, y))
        assert found.run.score == pytest.approx(plain.run.score)


@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=[pytest.mark.release] * (number > 1)) for number in range(6)]
)
def test_a_stored_table_keeps_the_types_of_its_columns(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng, rows = stream(0, "stored types", number), 40
    unit = ("D", "h", "s", "ms", "us", "ns")[number]
    flags = rng.random(rows) < 0.5
    table = {
        "x": rng.normal(size=rows),
        "span": rng.integers(-(10**15), 10**15, size=rows).astype(f"m8[{unit}]"),
        "flag": flags,
        "gappy": [None if rng.random() < 0.3 else bool(flag) for flag in flags],
        "text": [str(rng.random() < 0.5) for _ in range(rows)],
    }
    table["span"][rng.random(rows) < 0.2] = np.timedelta64("NaT")
    held = table_of(table)
    for target in [("flag", "text", "x")[number % 3]]:
        alone = gpkit.fit(table, target, kind="tree", **LITTLE)
        kept = gpkit.fit(table, target, kind="tree", folder=f"runs {target}", **LITTLE)
        assert kept.classes == alone.classes
        assert [*map(type, kept.classes)] == [*map(type, alone.classes)]
        assert kept.notes == alone.notes
        assert kept.run.digest == alone.run.digest
        words = kept.run.config.fit.words
        stored = read_table(f"runs {target}.csv", words)
        assert stored.sha256 == held.sha256
        assert [each.kind for each in stored.columns] == [each.kind for each in held.columns]
        again = gpkit.fit(folder=f"runs {target}", resume=True, generations=2)
        assert (again.classes, again.notes) == (alone.classes, alone.notes)


@pytest.mark.parametrize("number", range(5))
def test_labels_and_targets_of_any_size_are_predicted_and_drawn(number: int) -> None:
    rng = stream(0, "large labels", number)
    high = int(rng.integers(60, 900))
    tree = gpkit.parse(
        f"// classes: [{2**high}, 5]\ntest x <= 0.5 yes: {float(2**high)!r} no: 5", language="decision"
    )
    x = np.arange(8) % 2
    found = gpkit.predict(tree, {"x": x, "y": np.where(x < 1, float(2**high), 5.0)}, target="y")
    assert found.metrics[0].interval.mean == 1.0
    assert found.values.tolist() == [2**high if each < 1 else 5 for each in x]
    base = float(rng.integers(1, 9)) * 10.0 ** int(rng.integers(10, 40))
    near = np.where(np.arange(20) < 12, base, base * (1 + rng.random(20)))
    parts = np.where(np.arange(20) < 6, "test", "train")
    drawn = gpkit.fit({"x": rng.normal(size=20), "part": parts, "y": near}, "y", split="part", **LITTLE)
    assert drawn.svg.startswith("<svg")
