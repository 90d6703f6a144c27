"""Dates in CSV: ``gpkit fit`` counts them as days, and ``gpkit predict`` repeats them as they are."""

from pathlib import Path
from typing import Any

import pytest

SMALL = ("--generations", 1, "--population", 30, "--operators", "+ *")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "sales.csv"
    days = [f"2024-{1 + x // 28:02}-{1 + x % 28:02}" for x in range(60)]
    lines = [f"{day},{day} {x % 24:02}:30,{x}" for x, day in enumerate(days)]
    path.write_text("\n".join(["Sale Date,at,y", *lines, ""]), encoding="utf-8")
    return path


@pytest.mark.release
def test_a_file_with_dates_is_fitted_and_predicted(gpkit, table: Path) -> None:
    out = table.parent / "run"
    told = gpkit("fit", table, "--target", "y", *SMALL, "--out", out)
    assert told.code == 0, told.err
    assert "the times of `Sale Date` count as days since 1970-01-01" in told.err
    assert "left out" not in told.err
    text = (out / "best" / "champion.tree").read_text(encoding="utf-8")
    assert '// dates: ["Sale Date", "at"]' in text
    found = gpkit("predict", out, table, "--keep", "Sale Date", "--keep", "at")
    assert found.code == 0, found.err
    assert found.out.splitlines()[1].startswith("2024-01-01,2024-01-01 00:30,")
    for to in ("python", "lua"):
        checked = gpkit("export", out, "--to", to, "--check")
        assert checked.code == 0, checked.out + checked.err


def test_dates_are_words_where_it_is_said(gpkit, table: Path) -> None:
    words = ("--words", "Sale Date", "--words", "at")
    told = gpkit("fit", table, "--target", "y", *SMALL, *words, "--out", table.parent / "run")
    assert told.code == 2
    assert "60 different words in" in told.err or "45 different words in" in told.err


def test_a_line_of_dates_that_is_none_is_told(gpkit, table: Path) -> None:
    mine = table.parent / "mine.tree"
    for line, told in (("[1]", "dates[0] = 1: expected a string"), ("{}", "expected a list of strings")):
        mine.write_text(f"// dates: {line}\n// task: regression\n3 * at\n", encoding="utf-8")
        found = gpkit("predict", mine, table)
        assert (found.code, told in found.err) == (2, True), found.err


def test_trees_of_rows_know_their_dates(gpkit, tmp_path: Path) -> None:
    lines = [f"20{20 + k // 12}-{k % 12 + 1:02}-15,{'late' if k > 30 else 'early'}" for k in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["when,c", *lines]) + "\n")
    words = ("--as", "tree", "--target", "c", "--generations", 3, "--out", tmp_path / "run")
    assert gpkit("fit", tmp_path / "t.csv", *words).code == 0
    assert gpkit("export", tmp_path / "run", "--to", "python", "-o", tmp_path / "m.py").code == 0
    namespace: dict[str, Any] = {}
    exec((tmp_path / "m.py").read_text(), namespace)  # noqa: S102
    assert [namespace["predict"]({"when": day}) for day in ("2020-03-01", "2024-03-01")] == ["early", "late"]
