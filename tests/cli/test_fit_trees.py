"""``gpkit fit --as tree`` of classes: rows are held out, runs are gone on with, reported, and start from programs."""

import json
from pathlib import Path

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit.data.table import table_of
from gpkit.evolution.subjects import config_from_data
from gpkit.evolution.table_subject import Rows, held_out

SMALL = ("--as", "tree", "--population", 30, "--generations", 3)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    width, height = stream(1, "cells").uniform(-1.0, 1.0, (2, 80))
    names = np.where(width > 0.25, "wide", np.where(height > 0.0, "tall one", "0"))
    rows = [f"{w},{h},{name}" for w, h, name in zip(width, height, names, strict=True)]
    (tmp_path / "rows.csv").write_text("\n".join(["width,the height,kind", *rows, ""]))
    return tmp_path


def fit(gpkit, *words: object):
    return gpkit("fit", "rows.csv", "--target", "kind", *SMALL, *words)


def test_a_run_that_is_gone_on_with_ends_alike(gpkit, folder: Path) -> None:
    whole = fit(gpkit, "--out", "whole", "--json")
    assert whole.code == 0, whole.err
    part = fit(gpkit, "--out", "part", "--generations", 1)
    assert "held-out rows" in part.out
    champion = (folder / "part" / "best" / "champion.decide").read_text()
    assert champion.startswith("// data: rows.csv\n// target: kind\n// task: classification\n")
    on = gpkit("fit", "--resume", "--out", "part", "--generations", 3, "--json")
    first, second = json.loads(whole.out), json.loads(on.out)
    assert first["sha256"] == second["sha256"]
    assert first["metrics"] == second["metrics"]
    assert sum(first["rows"][part] for part in ("learned", "held_out")) == 80
    accuracy = first["metrics"]["held_out"][0]
    assert 0.5 < accuracy["mean"] <= 1.0


def test_the_champion_classifies_as_is_told(gpkit, folder: Path) -> None:
    told = json.loads(fit(gpkit, "--out", "run", "--json").out)
    outcome = gpkit("predict", "run/best/champion.decide", "rows.csv", "--target", "kind", "--json")
    found = json.loads(outcome.out)
    parts = told["metrics"].values()
    right = sum(accuracy["mean"] * accuracy["rows"] for accuracy, *_ in parts)
    assert found["metrics"][0]["mean"] * 80 == pytest.approx(right)
    assert sum(row.get(name, 0) for name, row in found["confusion"].items()) == round(right)


@pytest.mark.release
def test_a_run_is_reported_and_drawn(gpkit, folder: Path) -> None:
    fit(gpkit, "--out", "run")
    outcome = gpkit("report", "run", "--json")
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    assert (found["data"], found["target"], len(found["generations"])) == ("rows.csv", "kind", 4)
    page = (folder / "run" / "report.html").read_text(encoding="utf-8")
    for part in ("held-out rows", "In other languages"):
        assert part in page
    assert "best so far" in gpkit("draw", "run", "--what", "curves").out
    assert "leave out --opponent" in gpkit("report", "run", "--games", 3).err


def test_a_run_on_rows_of_an_earlier_version_is_refused(gpkit, folder: Path) -> None:
    fit(gpkit, "--out", "run", "--generations", 0)
    described = json.loads((folder / "run" / "run.json").read_text())
    described["config"]["data"] = described["config"].pop("fit")
    (folder / "run" / "run.json").write_text(json.dumps(described))
    for command in ("evolve --resume --out run", "fit --resume --out run", "report run"):
        refused = gpkit(*command.split())
        assert refused.code == 2
        assert "another version of gpkit wrote it" in refused.err


@pytest.mark.release
def test_parquet_and_large_files_are_read(gpkit, folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.read_csv("rows.csv")
    frame.to_parquet("rows.parquet", index=False)
    words = ("--target", "kind", *SMALL, "--json")
    told = [
        json.loads(gpkit("fit", name, *words, "--out", name[5:]).out) for name in ("rows.csv", "rows.parquet")
    ]
    assert told[0]["sha256"] == told[1]["sha256"]
    assert gpkit("report", "parquet", "--json").code == 0
    pandas.concat([frame] * 400).to_csv("large.csv", index=False)
    assert Path("large.csv").stat().st_size > 1_000_000
    large = json.loads(gpkit("fit", "large.csv", *words, "--out", "large", "--generations", 0).out)
    assert large["rows"] == {"learned": 24_000, "held_out": 8_000, "dropped": 0}


def test_every_class_is_held_out_alike() -> None:
    targets = np.array([0.0] * 40 + [1.0] * 10 + [2.0])
    rows = Rows(table_of({"x": list(range(51))}, "data"), targets, np.ones(51))

    def hidden(share: float, seed: int) -> list[bool]:
        config = config_from_data({"seed": seed, "fit": {"held_out": share}})
        return held_out(rows, has_classes=True, config=config).tolist()

    assert np.bincount(targets[hidden(0.25, 1)].astype(int)).tolist() == [10, 2]
    assert hidden(0.25, 1) == hidden(0.25, 1) != hidden(0.25, 2)
    assert not any(hidden(0.0, 1))


def test_a_run_goes_on_with_its_own_rows_only(gpkit, folder: Path) -> None:
    fit(gpkit, "--out", "run", "--generations", 1)
    rows = (folder / "rows.csv").read_text()
    for text, code in ((rows, 0), (rows.replace("wide", "broad"), 2)):
        (folder / "other.csv").write_text(text)
        moved = gpkit("fit", "other.csv", "--out", "run", "--resume")
        assert moved.code == code, moved.err
    assert "the rows of other.csv have changed since the run started" in moved.err
    (folder / "rows.csv").write_text(rows.replace("wide", "broad"))
    for command in ("fit --resume --out run", "report run"):
        outcome = gpkit(*command.split())
        assert outcome.code == 2
        assert "have changed since the run started" in outcome.err


def test_a_name_that_no_tree_can_say_is_refused(gpkit, folder: Path) -> None:
    rows = (folder / "rows.csv").read_text()
    (folder / "rows.csv").write_text(rows.replace("wide", '"a ""b"""'))
    assert "a tree cannot name" in fit(gpkit, "--out", "run").err
    (folder / "rows.csv").write_text(rows.replace("width", "env.width"))
    refused = fit(gpkit, "--out", "run").err
    assert "cannot name 'env.width': rename the column, without `env.` before it" in refused


def test_a_fit_starts_from_trees_on_columns(gpkit, folder: Path) -> None:
    (folder / "mine.decide").write_text('test width > 0.25\n  yes: wide\n  no: "tall one"\n')
    told = fit(gpkit, "--start", "mine.decide", "--out", "run", "--generations", 0, "--json")
    assert told.code == 0, told.err
    assert json.loads(told.out)["metrics"]["learned"][0]["mean"] > 0.6
    (folder / "mine.decide").write_text("test widht > 0.25\n  yes: wide\n  no: 0\n")
    refused = fit(gpkit, "--start", "mine.decide", "--out", "other")
    assert refused.code == 2
    assert "population.start: mine.decide: a program tests `widht`; did you mean `width`?" in refused.err
