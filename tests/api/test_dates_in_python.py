"""Dates in Python: what is fitted on a frame predicts a file, and the other way round, stored and exported."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import UsageError
from gpkit.data.table import read_table, table_of

HOURS = np.datetime64("2024-05-31") + (np.arange(40) * 7).astype("m8[h]")
TABLE: dict[str, Any] = {
    "Sale Date": HOURS,
    "seen at": HOURS.astype("datetime64[ns]") + (np.arange(40) * 1_234_567_891).astype("m8[ns]"),
    "y": np.arange(40.0),
}
LITTLE: dict[str, Any] = {"operators": "+ * -", "generations": 2, "population": 40, "seed": 1}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written into a folder of their own."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.release
@pytest.mark.parametrize("kind", ["formula", pytest.param("tree", marks=pytest.mark.release)])
def test_a_table_with_times_is_stored_and_read_again(kind: Any) -> None:
    target = np.array(["a", "b"] * 20)
    gpkit.fit({**TABLE, "y": target}, "y", kind=kind, folder="stored", generations=0)
    stored = read_table("stored.csv")
    assert stored.sha256 == table_of({**TABLE, "y": target}).sha256
    assert [column.kind for column in stored.columns] == ["days", "days", ""]
    gpkit.fit(folder="stored", resume=True, generations=1)


def test_frames_files_and_dates_are_predicted_alike() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(TABLE)
    frame.to_csv("t.csv", index=False)
    texts = pandas.read_csv("t.csv")
    by_frame, by_file = (gpkit.fit(data, "y", **LITTLE) for data in (frame, "t.csv"))
    mine = gpkit.parse('// dates: ["Sale Date"]\n// task: regression\n2 * "Sale Date" - "seen at"')
    assert "the times of `Sale Date` count as days since 1970-01-01" in by_file.notes
    assert str(by_frame.program).splitlines()[1:] == str(by_file.program).splitlines()[1:]
    assert '// dates: ["Sale Date", "seen at"]' in str(by_file.program)
    objects = {**TABLE, "Sale Date": [*map(pandas.Timestamp, HOURS)]}
    for fit in (by_frame, by_file, mine):
        wanted = gpkit.predict(fit, frame).values.tolist()
        for data in (frame, "t.csv", texts, objects, {**TABLE, "Sale Date": HOURS.tolist()}):
            assert gpkit.predict(fit, data).values.tolist() == wanted
    kept = gpkit.predict(by_frame, frame, keep=["Sale Date"]).to_rows()
    assert [row["Sale Date"] for row in kept[:2]] == ["2024-05-31", "2024-05-31T07:00:00"]
    with pytest.raises(
        UsageError, match=r"row 1: the column `Sale Date` is .* a time with a zone; drop the zone"
    ):
        gpkit.predict(by_frame, frame.assign(**{"Sale Date": frame["Sale Date"].dt.tz_localize("UTC")}))


def test_dates_as_classes_are_texts() -> None:
    table = {"x": np.arange(40.0), "day": np.datetime64("2024-05-31") + (np.arange(40) // 20).astype("m8[D]")}
    found = gpkit.fit(table, "day", **LITTLE)
    assert set(gpkit.predict(found, table, target="day").values.tolist()) <= {"2024-05-31", "2024-06-01"}
    assert '// classes: ["2024-05-31", "2024-06-01"]' in str(found.program)


def test_words_that_a_program_knows_are_found_in_dates() -> None:
    program = gpkit.parse('// task: regression\n"when_is_2024-05-31" + 2 * "when_is_2024-06-01 12:30"')
    for cells in (
        ["2024-05-31", "2024-06-01T12:30", None],
        np.array(["2024-05-31", "2024-06-01T12:30", ""], "M8[m]"),
    ):
        assert gpkit.predict(program, {"when": cells}).values.tolist() == [1.0, 2.0, 0.0]
