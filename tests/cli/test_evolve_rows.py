"""``gpkit evolve --data``: runs on the rows of a table, which hold some of them out, are gone on with and reported."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.evolution.rows import ROWS, LabelledRows, parse_rows_config, parted

SMALL = """preset = "rows"
[population]
size = 30
[stop]
generations = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    width, height = stream(1, "cells").uniform(-1.0, 1.0, (2, 80))
    names = np.where(width > 0.25, "wide", np.where(height > 0.0, "tall one", "0"))
    rows = [f"{w},{h},{name}" for w, h, name in zip(width, height, names, strict=True)]
    (tmp_path / "rows.csv").write_text("\n".join(["width,the height,kind", *rows, ""]))
    (tmp_path / "small.toml").write_text(SMALL)
    return tmp_path


def evolve(gpkit, *words: object):
    return gpkit("evolve", "small.toml", "--data", "rows.csv", "--target", "kind", *words)


def test_a_run_that_is_gone_on_with_ends_alike(gpkit, folder: Path) -> None:
    whole = evolve(gpkit, "--out", "whole", "--json")
    assert whole.code == 0, whole.err
    part = evolve(gpkit, "--out", "part", "--generations", 1)
    assert "held-out rows" in part.out
    assert part.out.startswith("// data: rows.csv\n// target: kind\n// seed: 1\n")
    on = gpkit("evolve", "--resume", "--out", "part", "--generations", 3, "--json")
    first, second = json.loads(whole.out), json.loads(on.out)
    assert first["sha256"] == second["sha256"]
    assert first["held_out"] == second["held_out"]
    held_out, learned, commonest = first["held_out"]
    assert held_out["count"] + learned["count"] == 80
    assert commonest["count"] == held_out["count"]
    assert commonest["mean"] < held_out["mean"] <= 1.0
    assert held_out["ci95"][0] < held_out["mean"]


def test_the_champion_classifies_as_is_told(gpkit, folder: Path) -> None:
    told = json.loads(evolve(gpkit, "--out", "run", "--json").out)
    outcome = gpkit("predict", told["champion"]["file"], "rows.csv", "--target", "kind", "--json")
    found = json.loads(outcome.out)
    right = sum(part["mean"] * part["count"] for part in told["held_out"][:2])
    assert found["metrics"][0]["mean"] * 80 == pytest.approx(right)
    assert sum(row.get(name, 0) for name, row in found["confusion"].items()) == round(right)


def test_a_run_is_reported_and_drawn(gpkit, folder: Path) -> None:
    evolve(gpkit, "--out", "run")
    outcome = gpkit("report", "run", "--json")
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    assert (found["data"], found["target"], len(found["generations"])) == ("rows.csv", "kind", 4)
    page = (folder / "run" / "report.html").read_text(encoding="utf-8")
    for part in (
        "An evolved decision tree",
        "held-out rows",
        "always the commonest class",
        "In other languages",
    ):
        assert part in page
    assert "champion in validation" in gpkit("draw", "run", "--what", "curves").out
    assert "leave out --opponent" in gpkit("report", "run", "--games", 3).err


def table(*columns: Sequence[object]) -> str:
    rows = (",".join(map(str, row)) for row in zip(range(len(columns[0])), *columns, strict=True))
    return "\n".join([",".join("xyz"[: len(columns) + 1]), *rows, ""])


@pytest.mark.parametrize(
    ("targets", "found"),
    [
        ([0.37 * number for number in range(200)], "200 different numbers, from 0 to 73.63"),
        ([1.5, 2.5, 3.5, 4.5, 2.5], "4 different numbers, from 1.5 to 4.5"),
        ([number % 40 for number in range(300)], "40 different numbers, from 0 to 39"),
    ],
)
def test_a_quantity_is_no_class_unless_it_is_said(
    gpkit, folder: Path, targets: list[float], found: str
) -> None:
    (folder / "many.csv").write_text(table(targets))
    words = (
        "evolve",
        "small.toml",
        "--data",
        "many.csv",
        "--target",
        "y",
        "--generations",
        0,
        "--out",
        "run",
    )
    outcome = gpkit(*words)
    assert outcome.code == 2
    assert f"the column `y` of many.csv holds {found}, where classes are needed" in outcome.err
    assert not (folder / "run").exists()
    assert gpkit(*words, "--words", "y").code == 0
    assert gpkit("evolve", "--resume", "--out", "run", "--generations", 1).code == 0


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["0.5", "", "2"], "line 3: the column `y` is empty, where a number is needed"),
        (["0.5", "1,5", "2"], "line 3: 4 cells for 3 columns"),
        (["0.5", "wide", "2"], "line 3: the column `y` is 'wide', where a finite number is needed"),
        (["tall", "wide", "2"], "line 2: the column `y` is 'tall', where a number is needed"),
        (["True", "False", ""], "line 2: the column `y` is 'True', where a number is needed"),
    ],
)
def test_a_cell_that_trees_cannot_test_is_told(gpkit, folder: Path, cells: list[str], found: str) -> None:
    (folder / "odd.csv").write_text(table(cells, ["low", "high", "low"]))
    outcome = gpkit("evolve", "--data", "odd.csv", "--target", "z")
    assert outcome.code == 2
    assert f"odd.csv, {found}" in outcome.err
    assert ("gpkit fit --as tree takes words and empty cells" in outcome.err) == ("a number" in found)
    (folder / "odd.csv").write_text(table([1, 2, 3], ["low", "", "high"]))
    missing = gpkit("evolve", "--data", "odd.csv", "--target", "z").err
    assert "odd.csv, line 3: the column `z` is empty, where a class is needed" in missing


def test_parquet_and_large_files_are_read(gpkit, folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.read_csv("rows.csv")
    frame.to_parquet("rows.parquet", index=False)
    words = ("evolve", "small.toml", "--target", "kind", "--generations", 1, "--json")
    told = [
        json.loads(gpkit(*words, "--data", name, "--out", name[5:]).out)
        for name in ("rows.csv", "rows.parquet")
    ]
    assert told[0]["sha256"] == told[1]["sha256"]
    assert gpkit("report", "parquet", "--json").code == 0
    pandas.concat([frame] * 400).to_csv("large.csv", index=False)
    assert Path("large.csv").stat().st_size > 1_000_000
    large = json.loads(gpkit(*words, "--data", "large.csv", "--out", "large", "--generations", 0).out)
    assert sum(part["count"] for part in large["held_out"][:2]) == 32_000


def test_every_class_is_held_out_alike() -> None:
    targets = np.array(["a"] * 40 + ["b"] * 10 + ["c"])
    table = LabelledRows(("x",), np.arange(51.0).reshape(1, 51), targets)
    learned, hidden = parted(table, 0.25, 1)
    counts = [
        dict(zip(*np.unique(part.targets, return_counts=True), strict=True)) for part in (learned, hidden)
    ]
    assert counts == [{"a": 30, "b": 8, "c": 1}, {"a": 10, "b": 2}]
    assert sorted([*learned.columns[0], *hidden.columns[0]]) == list(range(51))
    assert not np.array_equal(parted(table, 0.25, 2)[1].columns, hidden.columns)
    assert len(parted(table, 0.0, 1)[1].targets) == 0


def test_a_run_goes_on_with_its_own_rows_only(gpkit, folder: Path) -> None:
    evolve(gpkit, "--out", "run", "--generations", 1)
    rows = (folder / "rows.csv").read_text()
    for text, code in ((rows, 0), (rows.replace("wide", "broad"), 2)):
        (folder / "other.csv").write_text(text)
        moved = evolve(gpkit, "--out", "run", "--resume", "--data", "other.csv")
        assert moved.code == code, moved.err
    assert "with another configuration: data" in moved.err
    (folder / "rows.csv").write_text(rows.replace("wide", "broad"))
    for command in ("evolve --resume --out run", "report run"):
        outcome = gpkit(*command.split())
        assert outcome.code == 2
        assert "have changed since the run started" in outcome.err


def test_the_configuration_says_what_means_something(gpkit) -> None:
    assert parse_rows_config(gpkit("new", "config", "--preset", "rows").out) == ROWS
    for text, message in (
        ("population.size = 4", "scheme.elites = 4: expected less than"),
        ("fitness.deals = 3", "has no key `fitness`"),
    ):
        with pytest.raises(UsageError, match=message):
            parse_rows_config(text)


def test_a_name_that_no_tree_can_say_is_refused(gpkit, folder: Path) -> None:
    rows = (folder / "rows.csv").read_text()
    (folder / "rows.csv").write_text(rows.replace("wide", '"a ""b"""'))
    assert "a tree cannot name" in evolve(gpkit, "--out", "run").err
    (folder / "rows.csv").write_text(rows.replace("width", "env.width"))
    for words in (("evolve", "--data", "rows.csv"), ("fit", "rows.csv", "--as", "tree")):
        refused = gpkit(*words, "--target", "kind", "--out", "run").err
        assert "cannot name 'env.width': rename the column, without `env.` before it" in refused


def test_evolution_starts_from_trees_on_columns(gpkit, folder: Path) -> None:
    (folder / "mine.decide").write_text('test width > 0.25\n  yes: wide\n  no: "tall one"\n')
    told = evolve(gpkit, "--start", "mine.decide", "--out", "run", "--generations", 0, "--json")
    assert told.code == 0, told.err
    accuracy = json.loads(told.out)["held_out"][1]["mean"]
    assert accuracy > 0.6, "of three classes, two are found"
    (folder / "mine.decide").write_text("test widht > 0.25\n  yes: wide\n  no: 0\n")
    refused = evolve(gpkit, "--start", "mine.decide", "--out", "other")
    assert refused.code == 2
    assert "population.start: mine.decide: a program tests `widht`; did you mean `width`?" in refused.err
