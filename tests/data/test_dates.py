"""Dates in tables: the days since 1970-01-01 that they count as, in files, in frames and in arrays, and their texts."""

import csv
import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.data import table as tables
from gpkit.data.features import feature_columns
from gpkit.data.table import (
    Table,
    date_texts,
    days_of,
    days_of_times,
    is_date,
    joined,
    read_chunks,
    read_table,
    table_of,
)

DAYS = "when,y\n2024-05-31,1\n,2\n2024-05-31T13:45,3\n2024-05-31 13:45:07.25,4\n"


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    """``write(text)`` is the path of a CSV file."""

    def written(text: str) -> str:
        path = tmp_path / "table.csv"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return written


def days_by_definition(when: datetime) -> float:
    """The days since 1970-01-01: whole ones, and what the clock says of one more."""
    since = when - datetime(1970, 1, 1)
    return since.days + timedelta(seconds=since.seconds, microseconds=since.microseconds) / timedelta(days=1)


WHOLE = st.datetimes().map(lambda when: when.replace(microsecond=0))


@given(st.lists(WHOLE, min_size=1), st.sampled_from("T "))
def test_texts_of_seconds_are_days_and_texts_again(times: list[datetime], mark: str) -> None:
    texts = [when.isoformat(mark) for when in times]
    days = days_of(texts)
    assert all(map(is_date, texts))
    assert days.tolist() == [days_by_definition(when) for when in times]
    assert date_texts(days.tolist()) == [
        when.isoformat().removesuffix("T00:00:00") if when.time() == time() else when.isoformat()
        for when in times
    ]


UNITS = {
    "D": 86_400 * 10**9,
    "h": 3_600 * 10**9,
    "m": 60 * 10**9,
    "s": 10**9,
    "ms": 10**6,
    "us": 1_000,
    "ns": 1,
}


@given(st.integers(-(9 * 10**18), 9 * 10**18), st.sampled_from([*UNITS]))
def test_each_unit_of_a_time_and_its_text_are_the_same_days(nanoseconds: int, unit: str) -> None:
    count = nanoseconds // UNITS[unit]
    times = np.array([count], dtype=f"datetime64[{unit}]")
    found = days_of_times(times)
    for text in (str(times[0]), str(times.astype("datetime64[ns]")[0])):
        if "h" not in unit:  # of which a text has no minutes
            assert days_of([text]).tolist() == found.tolist()
    texts = date_texts(found.tolist())
    assert texts is not None
    assert days_of(texts).tolist() == found.tolist(), texts


def test_texts_that_are_no_dates() -> None:
    for text in (
        *("2021-02-30", "2021-2-03", "0000-01-01", "2021-13-01", "20210203", "2021-02", "2021-W01-1"),
        *("2021-02-03T", "2021-02-03T24:00", "2021-02-03T1:00", "2021-02-03T10:60", "2021-02-03T10:00:61"),
        *("2021-02-03T10:00Z", "2021-02-03T10:00:00+01:00", "2021-02-03T10:00:00.1234567890", "2021-02-03\n"),
        *("\u0662021-02-03", "5", "", "2021-02-03  10:00", "2021-02-03T10:00:00,5"),
    ):
        assert not is_date(text), text
    assert date_texts([1e9]) is None
    assert date_texts([1e-30]) is None, "between two nanoseconds"
    assert np.isnan(days_of_times(np.array(["NaT"], dtype="datetime64")))
    assert days_of_times(np.array(["1970-02"], dtype="datetime64[M]")).tolist() == [31.0]


def test_dates_in_a_file_are_days(write: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_table(write(DAYS))
    column = whole.column("when")
    seconds = (13 * 60 + 45) * 60
    part = [seconds / 86_400, (seconds + 7.25) / 86_400]
    assert (column.kind, column.words) == ("days", None)
    assert column.values[[0, 2, 3]].tolist() == [19_874.0, *(19_874.0 + each for each in part)]
    assert column.texts().tolist() == ["2024-05-31", "", "2024-05-31T13:45:00", "2024-05-31T13:45:07.25"]
    assert column.is_word("2024-05-31 13:45").tolist() == [False, False, True, False]
    assert column.label_of("2024-05-31") == "2024-05-31"
    path = write("when,y\n,1\nNA,2\n2024-05-31,3\n,4\n")
    monkeypatch.setattr(tables, "CHUNK", 2)
    again = joined(list(read_chunks(path)))
    assert [again.column("when").kind, again.column("y").kind] == ["days", ""]
    as_words = read_table(path, words=["when"]).column("when")
    assert (as_words.words, as_words.kind) == (("2024-05-31",), "")


def test_later_cells_that_are_no_dates_are_refused(
    write: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_table(write("when\n2021-02-27\n2021-02-30\n")).column("when").words is not None
    monkeypatch.setattr(tables, "CHUNK", 2)
    for text in ("soon", "2021-02-30", "5"):
        path = write(f"y,the day\n1,2021-02-27\n2,NA\n3,2021-03-01\n4,{text}\n")
        told = (
            f"{path}, line 5: the column `the day` is {text!r}, where a date such as 2024-05-31 is needed; if"
        )
        with pytest.raises(
            UsageError, match=re.escape(f"{told} its cells are words, say so: --words 'the day'")
        ):
            read_table(path)
        assert len(read_table(path, words=["the day"]).column("the day").words or ()) == 3


NOON = datetime(2024, 5, 31, 12)


@pytest.mark.parametrize(
    "cells",
    [
        ["2024-05-31", "NA", " 2024-05-31 12:00"],
        [NOON.date(), None, NOON],
        [np.datetime64("2024-05-31"), np.datetime64("NaT"), NOON],
        np.array(["2024-05-31", "", "2024-05-31T12"], dtype="datetime64[h]"),
        np.array(["2024-05-31", "", "2024-05-31T12:00"]),
    ],
)
def test_dates_in_memory_are_days(cells: Any) -> None:
    column = table_of({"when": cells}).column("when")
    assert (column.kind, column.values.tolist()[::2]) == ("days", [19_874.0, 19_874.5])
    assert np.isnan(column.values[1])
    column = table_of({"when": cells}, words=["when"]).column("when")
    assert column.words is not None
    assert (column.words[0], len(column.words)) == ("2024-05-31", 2)
    assert column.empty.tolist() == [False, True, False]


def test_other_columns_in_memory_stay_what_they_are() -> None:
    table = table_of(
        {
            "mixed": ["2024-05-31", "soon"],
            "long": np.array([36, 12], dtype="m8[h]"),
            "day": ["2021-02-30", "2021-02-28"],
        }
    )
    assert table.column("mixed").words == ("2024-05-31", "soon")
    assert table.column("day").words == ("2021-02-28", "2021-02-30")
    assert (table.column("long").kind, table.column("long").texts().tolist()) == ("span", ["1.5", "0.5"])
    with pytest.raises(
        UsageError, match=r"row 1: .* is datetime.time\(1, 0\), which is neither a number nor"
    ):
        table_of({"at": [time(1)]})
    with pytest.raises(UsageError, match="row 2: the column `mixed` is 'soon'; expected a number, or a date"):
        feature_columns(["mixed"], table)


def test_files_frames_and_parquet_have_equal_days(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    rng = np.random.default_rng(3)
    times = pandas.Series(rng.integers(-(10**18), 2 * 10**18, 200).astype("datetime64[ns]"))
    times[rng.random(200) < 0.2] = None
    frame = pandas.DataFrame({"fine": times, "second": times.dt.floor("s"), "day": times.dt.floor("D")})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    as_texts = pandas.read_csv(tmp_path / "t.csv")
    coarse = frame.assign(second=frame["second"].astype("datetime64[s]"), day=frame["day"].dt.date)
    tables = [read_table(str(tmp_path / name)) for name in ("t.csv", "t.parquet")]
    tables += [table_of({name: each[name] for name in each}) for each in (frame, as_texts, coarse)]
    assert {table.sha256 for table in tables} == {tables[0].sha256}
    assert {column.kind for table in tables for column in table.columns} == {"days"}
    assert written_again(tables[0], tmp_path).sha256 == tables[0].sha256
    frame["day"] = frame["day"].dt.tz_localize("Europe/Berlin")
    frame.to_parquet(tmp_path / "zone.parquet")
    with pytest.raises(
        UsageError, match=r"`day` has times with the time zone Europe/Berlin; remove the zone"
    ):
        read_table(str(tmp_path / "zone.parquet"))


def written_again(table: Table, folder: Path) -> Table:
    """The table read from the texts of its cells."""
    path = folder / "again.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(table.names)
        writer.writerows(zip(*(column.texts() for column in table.columns), strict=True))
    return read_table(str(path))


def test_a_date_of_python_is_that_of_numpy() -> None:
    days = [date(1, 1, 1), date(1969, 12, 31), date(2000, 2, 29), date(9999, 12, 31)]
    found = days_of([day.isoformat() for day in days])
    assert found.tolist() == [day.toordinal() - date(1970, 1, 1).toordinal() for day in days]
    assert date_texts(found.tolist()) == [day.isoformat() for day in days]


def test_the_last_moment_is_a_date_and_spans_are_days_or_refused() -> None:
    moments = [datetime.max, datetime(2020, 1, 1)]
    (column,) = table_of({"when": moments}).columns
    assert [text[:10] for text in column.texts().tolist()] == ["9999-12-31", "2020-01-01"]
    spans = np.array([1, 36], dtype="m8[h]").astype("m8[ns]")
    assert [table_of({"d": each}).columns[0].values.tolist() for each in (spans, list(spans))] == [
        [1 / 24, 1.5]
    ] * 2
    with pytest.raises(UsageError, match=r"holds timedelta64\[M\]"):
        table_of({"d": np.arange(3).astype("m8[M]")})
