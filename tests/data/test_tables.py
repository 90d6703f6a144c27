"""Tables, their features, and metrics: against files written by a library, definitions and other libraries."""

import csv
import math
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, paired_difference, student_quantile
from gpkit.data import table as tables
from gpkit.data.features import Facts, classes_of, feature_columns, fitted_facts, sources
from gpkit.data.metrics import Estimate, classification_estimates, regression_estimates
from gpkit.data.table import EMPTY, Column, joined, read_chunks, read_table, table_of

SHIP = 'class,"age, in years",sex,name\n1,22,male,Ann\n3,,female,Bob\n2,30.5,,Cid\n3,4,male,Eve\n'


@pytest.fixture
def ship(tmp_path: Path) -> Path:
    """A table with text and gaps."""
    path = tmp_path / "ship.csv"
    path.write_text(SHIP, encoding="utf-8")
    return path


def cells_of(column: Column) -> list[object]:
    """The cells of a column; None where they are empty."""
    if column.words is None:
        return [None if math.isnan(value) else value for value in column.values.tolist()]
    return [None if code < 0 else column.words[code] for code in column.values.tolist()]


def test_numbers_words_and_gaps_are_told_apart(ship: Path) -> None:
    table = read_table(str(ship))
    assert table.names == ("class", "age, in years", "sex", "name")
    assert cells_of(table.column("age, in years")) == [22.0, None, 30.5, 4.0]
    assert cells_of(table.column("sex")) == ["male", "female", None, "male"]
    assert table.place_of(1) == f"{ship}, line 3"
    assert cells_of(read_table(str(ship), words=["class"]).column("class")) == ["1", "3", "2", "3"]
    ship.write_text('"a; b; c",y\n1,2\n', encoding="utf-8")
    assert read_table(str(ship)).names == ("a; b; c", "y"), "no delimiter stands in quotation marks"
    assert classes_of(table_of({"y": ["b", "NAN", "10", "inf", "9"]}).column("y")) == (
        "9",
        "10",
        "NAN",
        "b",
        "inf",
    )
    with pytest.raises(
        UsageError, match=r"the column `w` of the table has a text with '\\ud800', which is not a char"
    ):
        table_of({"w": ["a", "\ud800"]})
    scalars = table_of({"x": [np.float64(1.5), np.int64(2)], "y": [np.True_, False]})
    assert [cells_of(column) for column in scalars.columns] == [[1.5, 2.0], ["True", "False"]]


HEADS = st.lists(
    st.text("abxyz _\"'é", min_size=1, max_size=6).map(str.strip).filter(bool),
    unique=True,
    min_size=2,
    max_size=4,
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
WORDS = st.text("abc \",\n;'é", max_size=5).map(str.strip).filter(lambda text: text not in EMPTY)


@given(HEADS, st.sampled_from(tables.DELIMITERS), st.data())
def test_a_file_that_a_library_writes_is_read_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, heads: list[str], delimiter: str, data: st.DataObject
) -> None:
    rows = data.draw(st.integers(1, 5))
    kinds = [data.draw(st.sampled_from([NUMBERS, WORDS])) for _ in heads]
    columns = [data.draw(st.lists(st.none() | kind, min_size=rows, max_size=rows)) for kind in kinds]
    path = tmp_path_factory.getbasetemp() / "written.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=delimiter)
        writer.writerow(heads)
        writer.writerows(zip(*columns, strict=True))
    found = read_table(str(path))
    assert found.names == tuple(heads)
    assert [cells_of(column) for column in found.columns] == columns


def test_parts_of_a_file_are_the_whole(ship: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_table(str(ship))
    monkeypatch.setattr(tables, "CHUNK", 2)
    parts = list(read_chunks(str(ship)))
    assert [len(part) for part in parts] == [2, 2]
    again = joined(parts)
    assert [cells_of(c) for c in again.columns] == [cells_of(c) for c in whole.columns]
    assert again.sha256 == whole.sha256


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty: the first line names the columns"),
        ("a,b\n", "has no rows: the first line names the columns"),
        ("a,b\n\n\n", "has no rows"),
        ("a,a\n1,2\n", "line 1: columns 1 and 2 are both named `a`"),
        ("a,\n1,2\n", "line 1: column 2 has no name"),
        ("a,b\n1,2\n1\n", "line 3: 1 cell for 2 columns"),
        (
            "a,b\n1,2\n3,x\n4,5\n",
            "line 3: the column `b` is 'x', where a finite number is needed; if its cells are wo",
        ),
        (
            "a;b\n1,5;1\n2;3\n3;4\n",
            "line 2: the column `a` is '1,5', where a finite number is needed; a decimal point",
        ),
        ("a\n1\n2\ninf\n", "line 4: the column `a` is 'inf', where a finite number is needed"),
        ('a,b\n1,2\n"3,4\n', "line 3: a quotation mark is not closed"),
    ],
)
def test_bad_tables_are_refused_with_their_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(told)):
        read_table(str(path))


def test_other_mistakes_are_told(ship: Path) -> None:
    with pytest.raises(UsageError, match="did you mean `class`"):
        read_table(str(ship), words=["clas"])
    with pytest.raises(UsageError, match="did you mean `sex`"):
        read_table(str(ship)).column("sx")
    ship.write_bytes(b"a,b\n1,\xff\n")
    with pytest.raises(UsageError, match=r"line 2, is not UTF-8 text: byte 0xff"):
        read_table(str(ship))


def mutated_tables(folder: Path, count: int) -> list[str]:
    """Read mutations of a table; returns what is told of those that are refused."""
    told, path, text = [], folder / "mutated.csv", (SHIP + SHIP.partition("\n")[2] * 3).encode()
    for number in range(count):
        rng = stream(0, "mutated tables", number)
        content = bytearray(text)
        for _ in range(int(rng.integers(1, 4))):
            place, other = (int(rng.integers(len(content))) for _ in range(2))
            match int(rng.integers(4)):
                case 0:
                    content[place] = int(rng.integers(256))
                case 1:
                    del content[place : place + int(rng.integers(1, 20))]
                case 2:
                    content[place:place] = content[other : other + int(rng.integers(1, 40))]
                case _:
                    content[place:place] = b'",;\n\t\0\r\xef'[int(rng.integers(8)) :][:1]
        path.write_bytes(content)
        try:
            table = read_table(str(path))
            inputs = [name for name in table.names if name != "class"]
            facts = fitted_facts(table, inputs, fills_gaps=True)
            assert np.isfinite(feature_columns(facts.names, table, facts.fills)).all()
        except GpkitError as error:
            told.append(str(error))
    return told


def test_a_few_mutated_tables_are_read_or_refused(tmp_path: Path) -> None:
    told = mutated_tables(tmp_path, 150)
    assert 20 < len(told) < 150
    assert all(message.startswith(str(tmp_path)) or "mutated.csv" in message for message in told)


@pytest.mark.slow
def test_many_mutated_tables_are_read_or_refused(tmp_path: Path) -> None:
    told = mutated_tables(tmp_path, 10_000)
    assert all("mutated.csv" in message for message in told)


READ_LARGE = """
import resource, sys
from gpkit.data.table import read_table
assert len(read_table(sys.argv[1])) == 1_000_000
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
def test_a_million_rows_of_twenty_columns_take_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    line = ",".join(f"{number / 7:.6g}" for number in range(20)) + "\n"
    path.write_text(
        ",".join(f"x{number}" for number in range(20)) + "\n" + line * 1_000_000, encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-c", READ_LARGE, str(path)], capture_output=True, check=True, text=True
    )
    assert int(done.stdout) < 1_000_000, "kilobytes"


def test_arrays_and_lists_are_tables() -> None:
    table = table_of({"x": [1, None, 3], "w": ["a", None, "b "], "b": [True, False, True], "n": np.arange(3)})
    assert [cells_of(column) for column in table.columns] == [
        [1.0, None, 3.0],
        ["a", None, "b"],
        ["True", "False", "True"],
        [0.0, 1.0, 2.0],
    ]
    with pytest.raises(UsageError, match=r"different lengths: 1, 2"):
        table_of({"a": [1], "b": [1, 2]})
    with pytest.raises(UsageError, match=r"row 2: the column `a` is infinite"):
        table_of({"a": [1.0, math.inf]})
    with pytest.raises(UsageError, match=r"neither a number nor a text; make it one of them"):
        table_of({"a": [1, [2]]})
    with pytest.raises(UsageError, match=r"row 1: .* is a time with a zone; drop the zone: .dt.tz_loc"):
        table_of({"a": [datetime(2020, 1, 1, tzinfo=UTC)]})
    with pytest.raises(UsageError, match="neither numbers nor texts"):
        table_of({"a": np.array([1j])})


def test_frames_and_parquet_are_read_as_csv_is(ship: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.read_csv(ship)
    frame.to_parquet(ship.with_suffix(".parquet"))
    whole = [cells_of(column) for column in read_table(str(ship)).columns]
    read = read_table(str(ship.with_suffix(".parquet")))
    assert [cells_of(column) for column in read.columns] == whole
    frame["sex"] = frame["sex"].astype("category")
    assert [cells_of(column) for column in table_of({name: frame[name] for name in frame}).columns] == whole
    ship.with_suffix(".parquet").write_text("no", encoding="utf-8")
    with pytest.raises(UsageError, match="not a Parquet file"):
        read_table(str(ship.with_suffix(".parquet")))


def test_features_are_numbers_words_and_gaps(ship: Path) -> None:
    table = read_table(str(ship))
    facts = fitted_facts(table, table.names[:3], fills_gaps=True)
    assert facts == Facts(
        ("class", "age, in years", "age, in years_is_empty", "sex_is_female", "sex_is_male", "sex_is_empty"),
        {"class": 2.5, "age, in years": 22.0},
        {"sex": ("female", "male")},
    )
    assert feature_columns(facts.names, table, facts.fills).tolist() == [
        [1.0, 3.0, 2.0, 3.0],
        [22.0, 22.0, 30.5, 4.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [1.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 0.0],
    ]
    assert sources(facts.names, table) == table.names[:3]
    assert fitted_facts(table, table.names[1:2], fills_gaps=False).fills == {}
    assert feature_columns(["class_is_3", "sex_is_other"], table).tolist() == [[0, 1, 0, 1], [0, 0, 0, 0]]
    with pytest.raises(
        UsageError, match=r"line 2: the column `sex` holds words such as 'male', .*; use `sex_is_female`"
    ):
        feature_columns(["sex"], table)
    with pytest.raises(UsageError, match="did you mean `class`"):
        feature_columns(["clas"], table)


def test_useless_columns_are_left_out_with_the_reason() -> None:
    table = table_of(
        {"same": [1, 1] * 20, "no": [None] * 40, "id": [f"n{k}" for k in range(40)], "x": range(40)}
    )
    facts = fitted_facts(table, table.names, fills_gaps=True)
    assert facts.names == ("x",)
    assert facts.left_out == {
        "same": "all of its cells are equal",
        "no": "all of its cells are empty",
        "id": "40 different words in 40 rows",
    }
    with pytest.raises(UsageError, match="no column to learn from: same: all of its cells are equal"):
        fitted_facts(table, ["same"], fills_gaps=True)


def values_of(metrics: tuple[Estimate, ...]) -> dict[str, float]:
    """The estimates by name, without their intervals."""
    return {metric.name: metric.value for metric in metrics}


def test_metrics_are_those_of_another_library() -> None:
    reference = pytest.importorskip("sklearn.metrics")
    rng = stream(0, "metrics")
    targets, predicted, weights = rng.normal(size=50), rng.normal(size=50), rng.random(50)
    for own in (None, weights):
        found = values_of(regression_estimates(targets, predicted, own))
        assert found["r2"] == pytest.approx(reference.r2_score(targets, predicted, sample_weight=own))
        squared = reference.mean_squared_error(targets, predicted, sample_weight=own)
        assert found["rmse"] == pytest.approx(math.sqrt(squared))
        assert found["mae"] == pytest.approx(
            reference.mean_absolute_error(targets, predicted, sample_weight=own)
        )
    classes = rng.integers(0, 3, 50)
    shares = rng.dirichlet([1, 1, 1], 50)
    for own in (None, weights):
        found = values_of(classification_estimates(classes, shares, shares.argmax(1), own))
        chosen = shares.argmax(1)
        assert found["accuracy"] == pytest.approx(
            reference.accuracy_score(classes, chosen, sample_weight=own)
        )
        balanced = reference.balanced_accuracy_score(classes, chosen, sample_weight=own)
        assert found["balanced"] == pytest.approx(balanced)
        assert found["log_loss"] == pytest.approx(reference.log_loss(classes, shares, sample_weight=own))
    two = classes % 2
    found = values_of(classification_estimates(two, shares[:, :2], two))
    assert found["auc"] == pytest.approx(reference.roc_auc_score(two, shares[:, 1]))


def test_differences_are_paired_by_row() -> None:
    rng = stream(2, "differences")
    targets, classes = rng.normal(size=80), rng.integers(0, 2, 80)
    first, second = targets + rng.normal(size=80), targets + 0.3 * rng.normal(size=80)
    mine, other = (
        dict(zip(("r2", "rmse", "mae"), regression_estimates(targets, each), strict=True))
        for each in (first, second)
    )
    sizes = paired_difference(abs(first - targets), abs(second - targets))
    assert parts(mine["mae"].less(other["mae"])) == pytest.approx(parts(sizes))
    squares = paired_difference((first - targets) ** 2, (second - targets) ** 2)
    variance = float(np.var(targets))
    lost = mine["r2"].less(other["r2"])
    assert lost.mean == pytest.approx(-squares.mean / variance)
    shares = [rng.dirichlet([1, 1], 80) for _ in range(2)]
    one, two = (classification_estimates(classes, each, each.argmax(1)) for each in shares)
    right = [(each.argmax(1) == classes).astype(float) for each in shares]
    accuracies = paired_difference(*right, support=(0.0, 1.0))
    assert parts(one[0].less(two[0])) == pytest.approx(parts(accuracies))
    assert one[-1].name == "auc"
    assert one[-1].less(two[-1]).mean == pytest.approx(one[-1].value - two[-1].value)
    spread = (targets - targets.mean()) ** 2
    closed = [
        ((each - targets) ** 2 - np.mean((each - targets) ** 2) / variance * spread) / -variance
        for each in (first, second)
    ]
    shown = paired_difference(*closed)
    assert lost.high - lost.low == pytest.approx(shown.high - shown.low)


@pytest.mark.parametrize("sizes", [(1, 20, 60), (2, 60), (1, 1, 1, 50), (30, 30)])
def test_the_interval_of_balanced_accuracy_holds_for_rare_classes(sizes: tuple[int, ...]) -> None:
    rng, truth = stream(4, "rare", *sizes), np.array([0.7, 0.9, 0.8, 0.95])[: len(sizes)]
    targets, held = np.repeat(np.arange(len(sizes)), sizes), 0
    for _ in range(100):
        right = rng.random(len(targets)) < truth[targets]
        chosen = np.where(right, targets, (targets + 1) % len(sizes))
        found = classification_estimates(targets, np.eye(len(sizes))[chosen], chosen)[1]
        held += not found.measure.interval.excludes(truth.mean())
    assert held >= 90
    assert found.less(found).high >= (1 in sizes) / len(sizes), (
        "other rows of that class may be right and wrong"
    )
    alone = np.arange(3)
    found = classification_estimates(alone, np.eye(3), alone)[1]
    assert found.measure.interval == Interval(1.0, pytest.approx(1.0 - 1.0 / math.sqrt(3.0)), 1.0, 3)
    weights = np.array([0.0, 2.0, 1.0])
    (_, weighted, *_) = classification_estimates(alone, np.eye(3), np.array([1, 1, 1]), weights)
    assert weighted.value == 0.5, "a class without weight does not count"


def test_the_interval_of_an_area_is_that_of_delong() -> None:
    rng = stream(3, "areas")
    true, score = np.repeat([1, 0], (5, 40)), rng.normal(size=45) + np.repeat([1.0, 0.0], (5, 40))
    (area,) = (
        each
        for each in classification_estimates(true, np.stack([-score, score], 1), true)
        if each.name == "auc"
    )
    wins = np.array([[float(a > b) + 0.5 * float(a == b) for b in score[5:]] for a in score[:5]])
    variance = wins.mean(1).var(ddof=1) / 5 + wins.mean(0).var(ddof=1) / 40
    half = student_quantile(0.975, 44) * math.sqrt(variance)
    found = area.measure.interval
    assert (found.mean, found.low) == pytest.approx((wins.mean(), wins.mean() - half))
    alone = classification_estimates(true[4:], np.stack([-score, score], 1)[4:], true[4:])[-1]
    assert (alone.measure.interval.low, alone.measure.interval.high) == (0.0, 1.0)
    assert parts(alone.less(alone))[1:3] == (-1.0, 1.0)


def test_rounding_and_few_rows_show_no_difference() -> None:
    x = np.arange(40) + 0.7
    targets = np.arange(40.0) ** 2 % 7
    for one, two in zip(
        regression_estimates(targets, 0.1 * x * 3), regression_estimates(targets, 0.3 * x), strict=True
    ):
        assert one.less(two).mean == 0.0
        assert not one.less(two).excludes(0.0)
    for rows in (1, 2, 5, 6):
        targets = np.arange(float(rows))
        one, two = (
            {each.name: each for each in regression_estimates(targets, targets + off)} for off in (1, 5)
        )
        assert one["mae"].less(two["mae"]).excludes(0.0) == (rows > 5)


def parts(interval: Interval) -> tuple[float, ...]:
    """The numbers of an interval."""
    return interval.mean, interval.low, interval.high, interval.units


def test_nineteen_of_twenty_intervals_hold_the_value_of_the_whole() -> None:
    held = {"r2": 0, "rmse": 0, "mae": 0, "accuracy": 0, "log_loss": 0}
    true = {"r2": 0.5, "rmse": 1.0, "mae": math.sqrt(2 / math.pi)}
    samples = 300
    rng = stream(1, "coverage")
    large = 1 / (1 + np.exp(-rng.normal(size=200_000)))
    true["accuracy"] = float(np.maximum(large, 1 - large).mean())
    true["log_loss"] = float(-(large * np.log(large) + (1 - large) * np.log(1 - large)).mean())
    for _ in range(samples):
        x = rng.normal(size=600)
        share = 1 / (1 + np.exp(-x))
        classes = (rng.random(600) < share).astype(np.int64)
        two = np.stack([1 - share, share], 1)
        found = [
            *regression_estimates(x + rng.normal(size=600), x),
            *classification_estimates(classes, two, two.argmax(1)),
        ]
        for metric in found:
            if metric.name in held:
                held[metric.name] += not metric.measure.interval.excludes(true[metric.name])
    assert all(0.92 < count / samples < 0.985 for count in held.values()), held
