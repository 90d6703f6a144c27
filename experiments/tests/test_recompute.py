"""Values of rows: intervals keep them, files hold them, and what is recorded comes out of them again."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from secrets import randbelow
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.core import statistics
from gpkit.core.rng import stream
from gpkit.core.statistics import student_quantile
from gpkit_experiments import recompute
from gpkit_experiments.papers.page import DATA, record_of, state_of
from gpkit_experiments.papers.paper import Row, above
from gpkit_experiments.papers.registry import PAPERS
from gpkit_experiments.papers.units import (
    Array,
    digest,
    entry,
    least,
    mean_interval,
    packed,
    paired_difference,
    remade,
    smallest,
    stored,
    told,
    total,
    write_record,
)
from gpkit_experiments.recompute import intervals

VALUES = DATA / "values"
KEPT = sorted(entry.name for entry in PAPERS if (VALUES / f"{entry.name}.npz").is_file())
SCRIPTS = sorted({path.stem for path in VALUES.glob("*.npz")} - set(KEPT))

numbers = st.one_of(
    st.integers(0, 255),
    st.integers(-200, 10**6),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.floats(-1e6, 1e6, width=32),
    st.floats(-1e100, 1e100),
)
lists = st.lists(numbers, min_size=1, max_size=30)
supports = st.sampled_from([None, (-math.inf, math.inf), (-1e101, 1e101), (-1e101, math.inf)])


def kept_again(interval: Any) -> statistics.Interval:
    """The interval from what a record and a file have of it."""
    row = json.loads(json.dumps(Row("table", "quantity", interval, "runs").to_json("full")))
    return remade(row["values"], interval.said.arrays)


def parts(interval: statistics.Interval) -> tuple[float, float, float, int]:
    return interval.mean, interval.low, interval.high, interval.units


@given(lists, supports)
def test_an_interval_comes_again_from_its_values(values: list[float], support: Any) -> None:
    named = {} if support is None else {"support": support}
    for found, plain in (
        (mean_interval(values, **named), statistics.mean_interval(values, **named)),
        (
            paired_difference(values, values[::-1], **named),
            statistics.paired_difference(values, values[::-1], **named),
        ),
    ):
        assert parts(found) == parts(plain) == parts(kept_again(found))
    assert kept_again(least(values)).mean == least(values).mean == min(values)
    assert kept_again(total(values)).low == total(values).low == math.fsum(values)
    assert least(values).units == total(values).units == len(values)


@given(lists)
def test_values_are_stored_exactly_and_bytes_are_equal_for_equal_values(values: list[float]) -> None:
    assert smallest(values).tolist() == values
    intervals = [mean_interval(values), least(values), mean_interval([*values, 1.0])]
    assert packed(intervals) == packed(intervals[::-1])


def test_small_types_are_taken() -> None:
    for values, dtype in (
        ([0, 255], np.uint8),
        ([-1, 255], np.int16),
        ([0, 40_000], np.int32),
        ([0.5, 1.0], np.float16),
        ([0.1], np.float64),
    ):
        assert smallest(values).dtype == dtype


def test_a_row_says_how_it_is_made_again_or_why_not() -> None:
    row = Row("table", "quantity", mean_interval([1.0, 2.0], support=(0.0, math.inf)), "runs", "", above(0.0))
    data = json.loads(json.dumps(row.to_json("full")))
    assert data["values"] == {
        "way": "mean_interval",
        "of": [digest(smallest([1, 2]))],
        "support": [0.0, None],
    }
    assert Row.from_json(data).to_json("full") == data
    plain = statistics.mean_interval([1.0, 2.0])
    said = Row("table", "quantity", plain, "runs", values="summary only: 2 h").to_json("full")
    assert (said["values"], state_of(said["values"])) == ("summary only: 2 h", "summary only")
    assert Row("table", "quantity", plain, "runs", exact=True).to_json("full")["values"] == "exact"
    assert "values" not in Row("table", "quantity", plain, "runs").to_json("full")
    assert told(plain) == {"mean": 1.5, "ci95": [round(plain.low, 4), round(plain.high, 4)]}


# The rows of the records, by formulas of this file.


def mean_and_half(values: list[float]) -> tuple[float, float]:
    """The mean, and half of the 95% interval of Student; at least two values."""
    count = len(values)
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    return mean, student_quantile(0.975, count - 1) * math.sqrt(variance / count)


def by_mean(values: list[float], low: float, high: float) -> tuple[float, float, float, int]:
    """Mean, ends and units, as the docstring of ``mean_interval`` has them."""
    count = len(values)
    if count == 1:
        return values[0], low, high, 1
    mean, half = mean_and_half(values)
    if max(values) - min(values) <= 1e-12 * max(map(abs, values)):
        unseen = 1.0 - 0.025 ** (1.0 / count)
        down, up = (unseen * reach if math.isfinite(reach) else 0.0 for reach in (mean - low, high - mean))
    else:
        down = up = half
    return mean, max(mean - down, low), min(mean + up, high), count


def by_hand(said: Mapping[str, Any], arrays: Mapping[str, Array]) -> tuple[float, float, float, int] | None:
    """Mean, ends and units of a row; None for a way that is not a matter of statistics."""
    values = [arrays[name].astype(float).tolist() for name in said["of"]]
    low, high = said.get("support", (None, None))
    ends = -math.inf if low is None else low, math.inf if high is None else high
    if said["way"] == "mean_interval":
        return by_mean(values[0], *ends)
    if said["way"] == "paired_difference":
        reach = ends[1] - ends[0]
        return by_mean([one - other for one, other in zip(*values, strict=True)], -reach, reach)
    if said["way"] == "between":
        means, halves = zip(*map(mean_and_half, values), strict=True)
        fewest, counts = min(map(len, values)), [len(each) for each in values]
        errors = [h / student_quantile(0.975, n - 1) for h, n in zip(halves, counts, strict=True)]
        half = student_quantile(0.975, fewest - 1) * math.hypot(*errors)
        return means[0] - means[1], means[0] - means[1] - half, means[0] - means[1] + half, fewest
    if said["way"] in ("min", "fsum"):
        value = {"min": min, "fsum": sum}[said["way"]](values[0])
        return value, value, value, len(values[0])
    if said["way"] == "deciding":
        _, half = mean_and_half([one - other for one, other in zip(*values[:2], strict=True)])
        count = len(values[0])
        deviation = half * math.sqrt(count) / student_quantile(0.975, count - 1)
        pairs = math.ceil(2.8**2 * deviation**2 / values[2] ** 2)
        return pairs, pairs, pairs, count
    return None


def verdict_of(low: float, high: float, claim: Mapping[str, Any]) -> str:
    """The verdict on the ends of an interval by the bounds of a claim."""
    above_, below_ = claim["above"], claim["below"]
    if (above_ and high < above_[0]) or (below_ and below_[1] < low):
        return "fails"
    holds = (not above_ or above_[1] < low) and (not below_ or high < below_[0])
    return "holds" if holds else "open"


def rows_with_values() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in KEPT:
        for row in record_of(name)["rows"]:
            if state_of(row.get("values", "")) == "values":
                yield name, row


def test_ten_rows_drawn_anew_come_out_of_their_values_by_other_formulas() -> None:
    """Other rows with every run; a failure names the seed."""
    seed, rows = randbelow(10**6), list(rows_with_values())
    for place in stream(seed, "drawn rows").permutation(len(rows))[:10]:
        name, row = rows[place]
        where = f"seed {seed}, {name}, {row['table']}: {row['quantity']}"
        with np.load(VALUES / f"{name}.npz") as file:
            found = by_hand(row["values"], {key: file[key] for key in row["values"]["of"]})
        if found is None:
            continue
        mean, low, high, units = found
        expected = [-math.inf, math.inf]
        ends = [e if end is None else end for e, end in zip(expected, row["ci95"], strict=True)]
        assert row["units"] == units, where
        assert [row["measured"], *ends] == pytest.approx([mean, low, high], rel=1e-9, abs=1e-12), where
        assert row["verdict"] == (verdict_of(low, high, row["claim"]) if row["claim"] else None), where


def changed(values: Mapping[str, Array], key: str, rng: np.random.Generator) -> Array:
    """An array with one of its values changed to a near one."""
    array = values[key].copy()
    place = int(rng.integers(array.size))
    array.flat[place] = array.flat[place] - 1 if array.flat[place] else array.flat[place] + 1
    return array


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """``files(name, arrays, record)`` puts these in the place of those of a paper."""

    def put(name: str, arrays: Mapping[str, Array], record: Mapping[str, Any]) -> None:
        (tmp_path / "values").mkdir(exist_ok=True)
        np.savez_compressed(tmp_path / "values" / f"{name}.npz", **arrays)
        monkeypatch.setattr(recompute, "DATA", tmp_path)
        monkeypatch.setattr(recompute, "record_of", lambda _: record)

    return put


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("way", ["changed", "missing", "changed with its name"])
def test_a_changed_value_is_found(way: str, seed: int, files, capsys: pytest.CaptureFixture[str]) -> None:
    rng = stream(seed, "changed values", len(way))
    rows = [
        each for each in rows_with_values() if each[1]["values"]["way"] not in ("fsum", "min", "deciding")
    ]
    name, row = rows[int(rng.integers(len(rows)))]
    with np.load(VALUES / f"{name}.npz") as file:
        arrays = {key: file[key] for key in row["values"]["of"]}
    files(name, arrays, {"rows": [row]})
    assert recompute.main(name) == 0
    key = row["values"]["of"][0]
    other = changed(arrays, key, rng)
    del arrays[key]
    if way == "changed":
        arrays[key] = other
    elif way == "changed with its name":
        arrays[digest(other)] = other
        of = [digest(other) if each == key else each for each in row["values"]["of"]]
        row = row | {"values": row["values"] | {"of": of}}
    files(name, arrays, {"rows": [row]})
    capsys.readouterr()
    assert recompute.main(name) == 1
    assert f"{name}: {row['table']}: {row['quantity']}: " in capsys.readouterr().out


@pytest.mark.parametrize("name", KEPT)
def test_a_record_with_values_has_those_of_all_its_other_rows(name: str) -> None:
    rows = record_of(name)["rows"]
    states = [state_of(row.get("values", "")) for row in rows]
    assert set(states) <= set(recompute.STATES)
    assert states.count("summary only") <= len(rows) / 4
    of = {key for row in rows if isinstance(row.get("values"), dict) for key in row["values"]["of"]}
    with np.load(VALUES / f"{name}.npz") as file:
        assert set(file.files) == of


def test_all_files_together_are_small() -> None:
    assert sum(path.stat().st_size for path in VALUES.iterdir()) < 15e6


def test_what_has_no_values_is_listed_with_its_time() -> None:
    lines = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8").splitlines()
    for path in set(DATA.glob("*.json")) - set(DATA.glob("paper-*")):
        if any("values" not in each for each in intervals(json.loads(path.read_text(encoding="utf-8")))):
            command, about = recompute.SUMMARIES[path.stem]
            assert f"| `{path.name}` | `{command}` | {about} |" in lines
    for name in KEPT:
        for row in record_of(name)["rows"]:
            if state_of(row["values"]) == "summary only":
                about = row["values"].removeprefix("summary only: ")
                ends = f"| `paper-{name}.json`, ", f" | {about} |"
                assert any(line.startswith(ends[0]) and line.endswith(ends[1]) for line in lines), name


def test_pages_of_results_mark_what_is_a_summary_only() -> None:
    pages = *(DATA.parent / "results").glob("*.md"), Path(__file__).parents[2] / "docs/reference/held-out.md"
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(pages))
    for name in set(recompute.SUMMARIES) - {"optimal-battleship"}:
        cited = f"`experiments/data/{name}.json`"
        assert text.count(cited) == text.count(f"{cited}, summary only"), name


def test_at_most_a_quarter_of_all_rows_and_intervals_is_a_summary_only() -> None:
    """But for the intervals of single boards in ``optimal-battleship.json``, which nothing quotes."""
    scripts = set(DATA.glob("*.json")) - {*DATA.glob("paper-*"), DATA / "optimal-battleship.json"}
    found = [
        *(state_of(row.get("values", "")) for name in KEPT for row in record_of(name)["rows"]),
        *(
            "values" if "values" in each else "summary only"
            for path in scripts
            for each in intervals(json.loads(path.read_text(encoding="utf-8")))
        ),
    ]
    assert found.count("summary only") <= len(found) / 4


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_record_of_a_script_has_all_values_that_are_stored(name: str) -> None:
    text = (DATA / f"{name}.json").read_text(encoding="utf-8")
    of = {key for each in intervals(json.loads(text)) if "values" in each for key in each["values"]["of"]}
    with np.load(VALUES / f"{name}.npz") as file:
        assert set(file.files) == of


def test_ten_intervals_of_scripts_drawn_anew_come_out_of_their_values_by_other_formulas() -> None:
    """Other intervals with every run; a failure names the seed."""
    found = [
        (name, each)
        for name in SCRIPTS
        for each in intervals(json.loads((DATA / f"{name}.json").read_text(encoding="utf-8")))
        if "values" in each
    ]
    seed = randbelow(10**6)
    for place in stream(seed, "drawn intervals").permutation(len(found))[:10]:
        name, interval = found[place]
        with np.load(VALUES / f"{name}.npz") as file:
            made = by_hand(interval["values"], {key: file[key] for key in interval["values"]["of"]})
        assert made is not None
        said = [interval.get("mean", interval.get("measured")), *interval["ci95"]]
        assert said == pytest.approx(made[:3], abs=5.1e-5), (seed, name, interval)


def test_values_of_a_script_give_its_record_and_others_do_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "values").mkdir()
    monkeypatch.setattr(recompute, "DATA", tmp_path)
    path = tmp_path / "played.json"
    share = mean_interval([0.0, 1.0, 1.0], support=(0.0, 1.0))
    more = paired_difference([1.0, 2.0, 4.0], [0.0, 1.0, 1.0])
    write_record(path, {"share": told(share), "rows": [entry(more), told(statistics.mean_interval([1, 2]))]})
    assert recompute.print_records() == 0
    assert capsys.readouterr().out.split()[-5:] == ["played.json", "3", "2", "1", "0"]
    before = json.loads(path.read_text(encoding="utf-8"))
    write_record(path, {"share": before["share"]})
    assert list(stored(path)) == before["share"]["values"]["of"]
    assert recompute.print_records() == 0
    path.write_text(json.dumps({"share": {**before["share"], "mean": 0.6666}}), encoding="utf-8")
    assert recompute.print_records() == 1
    path.write_text(json.dumps(before), encoding="utf-8")
    assert recompute.print_records() == 1, "the values of the other interval are gone"


@pytest.mark.release
@compiled_only
def test_everything_comes_out_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert recompute.main() == 0, capsys.readouterr().out
