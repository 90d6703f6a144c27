"""Columns that ``gpkit fit`` doubts, leaves out or refuses: numbers of rows, texts like numbers, times, names."""

from pathlib import Path

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import UsageError

SMALL = ("--generations", 1, "--population", 30)


def written(folder: Path, head: str, lines: list[str]) -> Path:
    path = folder / "table.csv"
    path.write_text("\n".join([head, *lines, ""]), encoding="utf-8")
    return path


def test_a_column_that_counts_rows_is_doubted_and_can_be_left_out(gpkit, tmp_path: Path) -> None:
    table = written(tmp_path, "row no,x,y", [f"{x},{x % 7},{x % 7 * 2.5}" for x in range(40)])
    out = tmp_path / "run"
    told = gpkit("fit", table, "--target", "y", *SMALL, "--out", out)
    assert "all cells of `row no` differ" in told.err
    assert "leave it out (without)" in told.err, "which serves Python, too"
    told = gpkit("fit", table, "--target", "y", *SMALL, "--without", "row no", "--out", tmp_path / "less")
    assert told.code == 0, told.err
    assert "differ" not in told.err
    assert "row no" not in told.out
    wrong = gpkit("fit", table, "--target", "y", "--without", "row", "--out", tmp_path / "none")
    assert (wrong.code, "has no column `row`; did you mean `row no`?" in wrong.err) == (2, True)
    none = gpkit("fit", table, "--target", "y", "--without", '"row no",x', "--out", tmp_path / "none")
    assert "it has no other column" in none.err


def test_texts_that_look_like_numbers_are_told(gpkit, tmp_path: Path) -> None:
    lines = [f'"1,{100 + x}",{x % 5} %,{x * 1.5}' for x in range(40)]
    table = written(tmp_path, "cost,share,y", lines)
    told = gpkit("fit", table, "--target", "y", *SMALL, "--out", tmp_path / "run")
    assert (
        "the cells of `cost` are read as words: write numbers such as `1,100` with digits alone" in told.err
    )
    assert "the cells of `share` are read as words: write numbers such as `0 %`" in told.err
    refused = gpkit("fit", table, "--target", "cost", "--out", tmp_path / "none")
    assert refused.code == 2
    assert "`cost`" in refused.err
    assert "40 different cells in 40 rows" in refused.err
    assert "write numbers such as `1,100` with digits alone" in refused.err


def test_a_target_with_a_class_for_each_row_is_refused(gpkit, tmp_path: Path) -> None:
    lines = [f"Smith, Mr. {x};{x % 7};{x * 1.5}" for x in range(40)]
    table = written(tmp_path, "Full Name;x;y", lines)
    for kind in ("formula", "tree"):
        refused = gpkit("fit", table, "--target", "Full Name", "--as", kind, "--out", tmp_path / "run")
        assert refused.code == 2
        assert "classes of several rows each: name another column" in refused.err


def test_the_index_of_a_frame_is_recognized(gpkit, tmp_path: Path) -> None:
    table = written(tmp_path, ",x,y", [f"{x},{x % 7},{x % 7 * 2.5}" for x in range(40)])
    refused = gpkit("fit", table, "--target", "y", "--out", tmp_path / "run")
    assert "column 1 has no name; pandas writes its index so: write the table with index=False" in refused.err


def test_times_count_as_days() -> None:
    days = np.arange(30)
    table = {
        "when": np.datetime64("1970-01-11") + days.astype("m8[D]"),
        "long": (days % 7 * 24).astype("m8[h]"),
        "y": 2.0 * days + days % 7,
    }
    found = gpkit.fit(table, "y", operators="+ *", generations=3, population=50, seed=1)
    assert "the times of `when` count as days since 1970-01-01" in found.notes
    assert "the times of `long` count as days" in found.notes
    assert found.predict(table)[:2] == pytest.approx([0.0, 3.0], abs=1e-6)
    told = gpkit.predict(gpkit.parse("when + long"), table)
    assert told.values[:3].tolist() == [10.0, 12.0, 14.0]
    pandas = pytest.importorskip("pandas")
    zoned = pandas.DataFrame({"when": pandas.to_datetime(["2020-01-01"] * 2, utc=True), "y": [1, 2]})
    with pytest.raises(UsageError, match=r"drop the zone: \.dt\.tz_localize\(None\)"):
        gpkit.predict(gpkit.parse("y"), zoned)
