"""Which rows a fit held out: in Python, in the shell, and as the rows of a fair comparison."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream

ROWS = 60


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table with the run of a fit beside it; one row has no target."""
    rng = stream(1, "held-out rows")
    folder = tmp_path_factory.mktemp("fit")
    x, word = rng.uniform(size=ROWS), rng.choice(["a", "b"], ROWS)
    lines = [f"{row},{x[row]},{word[row]},{3 * x[row] + rng.normal() / 5}" for row in range(ROWS)]
    lines[7] = lines[7].rpartition(",")[0] + ","
    (folder / "t.csv").write_text("\n".join(["id,x,word,y", *lines, ""]), encoding="utf-8")
    return folder / "t.csv"


@pytest.fixture(scope="module")
def fit(table: Path) -> Any:
    return gpkit.fit(
        table, "y", without=["id"], population=20, generations=1, seed=2, folder=table.with_name("run")
    )


def test_they_are_those_of_the_metrics(fit: Any, table: Path) -> None:
    for program in (fit, fit.run, table.with_name("run"), str(table.with_name("run"))):
        found = gpkit.predict(program, table, target="y", held_out=True, keep=["id"])
        assert found.metrics == fit.metrics["held_out"]
        assert [int(each) for each in found.kept["id"]] == fit.held_out.tolist()
    assert len(fit.held_out) == fit.metrics["held_out"][0].interval.units
    assert repr(found).startswith(f"<Predicted {len(fit.held_out)} rows, r2 ")


def test_training_rows_among_those_that_are_measured_are_named(fit: Any, table: Path) -> None:
    learned = ROWS - len(fit.held_out) - 1
    told = f"{learned} of these {ROWS} rows are training rows; leave them out: held_out=..."
    assert told not in gpkit.predict(fit, table, target="y", held_out=True).notes
    with table.open(encoding="utf-8") as file:
        some = [row for row in csv.DictReader(file) if row["y"]]
    columns = {name: [float(row[name]) for row in some] for name in ("id", "x", "y")}
    others = {**columns, "word": [row["word"] for row in some]}
    assert gpkit.predict(fit, others, target="y").notes == ()  # another table
    found = gpkit.predict(fit, table, target="y").notes
    assert [note.replace(f"{ROWS - 1} rows", f"{ROWS} rows") for note in found] == [told]


def test_two_programs_are_compared_on_them(fit: Any, table: Path) -> None:
    mine = gpkit.parse("3 * x", name="mine")
    everywhere = gpkit.compare(fit, mine, data=table)
    assert "are training rows" in everywhere.notes[0]
    fair = gpkit.compare(mine, fit, data=table, held_out=True)
    assert fair.notes == ()
    assert fair.differences[0].second == fit.metrics["held_out"][0].interval
    with pytest.raises(UsageError, match="name the column that both programs predict: target"):
        gpkit.compare(mine, mine, data=table)
    with pytest.raises(UsageError, match=r"held_out=\.\.\. needs a fit, such as its folder, and the table"):
        gpkit.compare(mine, mine, data=table, target="y", held_out=True)


def test_a_data_frame_keeps_its_index(fit: Any, table: Path) -> None:
    frame = pytest.importorskip("pandas").read_csv(table).set_axis(range(100, 100 + ROWS))
    found = gpkit.predict(fit, frame, held_out=True).to_frame()
    assert found.index.tolist() == (fit.held_out + 100).tolist()
    fair = gpkit.compare(fit, gpkit.parse("3 * x"), data=frame, held_out=True)
    assert fair.differences[0].difference.units == len(fit.held_out)


def test_without_held_out_rows_there_are_none() -> None:
    data = {"x": [0, 1, 2, 3], "y": [0.5, 1, 2, 3]}
    found = gpkit.fit(data, "y", test=0, population=10, generations=0)
    assert found.held_out.tolist() == []
    assert np.isfinite(found.predict(data)).all()
