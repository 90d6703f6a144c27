"""Parquet files with columns of every type of Arrow: their cells are those of Python's values, and those of pandas."""

import datetime
import decimal
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.data import table as tables
from gpkit.data.table import EMPTY, Column, arrow_columns, number_text, read_table, table_of

pandas = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

TEXTS = ("a", "b ", " ü", "12", "012", "NA", "", "=1+1", "2024-5-1")
PER_DAY = {"s": 86_400, "ms": 86_400 * 10**3, "us": 86_400 * 10**6, "ns": 86_400 * 10**9}
WHOLE = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
FLOATS = [pa.float16(), pa.float32(), pa.float64()]
DECIMALS = [pa.decimal128(20, 2), pa.decimal256(50, 3)]
STRINGS = [pa.string(), pa.large_string(), pa.string_view()]
TIMES = [pa.timestamp(unit) for unit in PER_DAY]
SPANS = [pa.duration(unit) for unit in PER_DAY]
DATES = [pa.date32(), pa.date64()]
TAKEN = [*WHOLE, *FLOATS, *DECIMALS, *STRINGS, *TIMES, *SPANS, *DATES, pa.bool_(), pa.null()]
REFUSED = {
    pa.binary(): b"a",
    pa.large_binary(): b"a",
    pa.binary(2): b"ab",
    pa.binary_view(): b"a",
    pa.time32("s"): datetime.time(1, 2),
    pa.time64("us"): datetime.time(1, 2, 3),
    pa.list_(pa.int64()): [1, 2],
    pa.list_(pa.float64()): [math.nan],
    pa.list_(pa.string()): [],
    pa.list_(pa.int64(), 1): [5],
    pa.large_list(pa.bool_()): [True, None],
    pa.list_view(pa.int64()): [1],
    pa.struct([("a", pa.int64())]): {"a": 1},
    pa.map_(pa.string(), pa.int64()): [("a", 1)],
    pa.timestamp("us", "UTC"): datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC),
    pa.uuid(): bytes(16),
}


def value_of(kind: Any, rng: np.random.Generator) -> Any:
    """A value of a type of Arrow, whole numbers often such as doubles do not have."""
    pick = int(rng.integers(10**9))
    if kind in WHOLE:
        bits = kind.bit_width - ("u" not in str(kind))
        return max(0, 2 ** int(rng.integers(1, bits + 1)) - 1 - pick % 3)
    if kind in FLOATS:
        return float(np.float16(rng.normal() * 100))
    if kind in DECIMALS:
        return decimal.Decimal(pick).scaleb(-2)
    if kind in STRINGS:
        return TEXTS[pick % len(TEXTS)]
    if kind in DATES:
        return datetime.date(1969, 12, 1) + datetime.timedelta(days=pick % 30_000)
    if kind in TIMES:
        return datetime.datetime(1969, 12, 1) + datetime.timedelta(seconds=pick)
    return (
        None if kind == pa.null() else bool(pick % 2) if kind == pa.bool_() else datetime.timedelta(0, pick)
    )


def expected(kind: Any, cell: Any, is_word: bool) -> float | str | None:
    """The cell of a column that a value of Arrow, as one of Python, is; None is a gap."""
    if cell is None or cell != cell:
        return None
    if kind in STRINGS or kind == pa.bool_():
        text = str(cell).strip()
        return None if text in EMPTY else text
    if kind in DATES or kind in TIMES:
        return str(cell)[:10] if is_word else (cell - type(cell)(1970, 1, 1)) / datetime.timedelta(1)
    if is_word:
        return number_text(cell) if isinstance(cell, float) else str(cell)
    return cell / datetime.timedelta(1) if kind in SPANS else float(cell)


def cells_of(column: Column) -> list[Any]:
    """The cells of a column; None is a gap."""
    empty = column.empty.tolist()
    found = column.values.tolist() if column.words is None else column.texts().tolist()
    return [None if gap else cell for cell, gap in zip(found, empty, strict=True)]


def is_same(one: Any, other: Any) -> bool:
    """Whether two cells are the same, days but for a rounding."""
    return one == other or (isinstance(one, float) and math.isclose(one, other, rel_tol=1e-15))


def drawn(number: int, folder: Path) -> tuple[str, Any, dict[str, Any], list[str]]:
    """A Parquet file, its table of Arrow, the types of its columns, and the columns of words."""
    rng = stream(0, "tables of Arrow", number)
    rows = int(rng.integers(1, 12))
    kinds, columns = {}, {}
    for place in range(3):
        kind = TAKEN[(3 * number + place) % len(TAKEN)]
        share = (0.0, 0.3, 1.0)[int(rng.choice(3, p=[0.4, 0.5, 0.1]))]
        cells = [None if rng.random() < share else value_of(kind, rng) for _ in range(rows)]
        column = pa.array(cells, kind)
        is_plain = kind not in (*SPANS, pa.null(), pa.float16(), pa.string_view())  # files make ints of SPANS
        name = f"{kind} {place}"
        columns[name] = column.dictionary_encode() if is_plain and rng.random() < 0.4 else column
        kinds[name] = kind
    table = pa.table(columns)
    path = folder / f"{number}.parquet"
    parquet.write_table(table, path, row_group_size=int(rng.integers(1, rows + 1)))
    words = [name for name, kind in kinds.items() if rng.random() < 0.4 and kind not in SPANS]
    return str(path), table, kinds, words


def check_tables(numbers: range, folder: Path) -> None:
    """Check that tables are read as their values are, from the file, from pandas, and from memory."""
    for number in numbers:
        path, table, kinds, words = drawn(number, folder)
        read, frame = read_table(path, words), parquet.read_table(path).to_pandas()
        held = table_of(arrow_columns(table, "data", words), "data", words)
        for name, kind in kinds.items():
            wanted = [expected(kind, cell, name in words) for cell in table.column(name).to_pylist()]
            found = cells_of(read.column(name))
            if kind in TIMES and name in words:
                found = [None if cell is None else cell[:10] for cell in found]
            assert len(found) == len(wanted)
            assert all(map(is_same, found, wanted)), (number, name, words, found, wanted)
            assert cells_of(held.column(name)) == cells_of(read.column(name))
            with_gaps = frame[name].isna().any() and (kind in WHOLE or "dictionary" in str(frame[name].dtype))
            if not (with_gaps and name in words):  # which pandas makes doubles of
                mine = table_of({name: frame[name]}, words=[name] if name in words else []).columns[0]
                assert cells_of(mine) == cells_of(read.column(name)), (number, name, words)
        Path(path).unlink()


def test_a_few_tables_of_every_type_are_read_as_their_values_are(tmp_path: Path) -> None:
    check_tables(range(40), tmp_path)


@pytest.mark.release
def test_a_thousand_tables_of_every_type_are_read_as_their_values_are(tmp_path: Path) -> None:
    check_tables(range(1_000), tmp_path)


@pytest.mark.slow
def test_many_tables_of_every_type_are_read_as_their_values_are(tmp_path: Path) -> None:
    check_tables(range(10_000), tmp_path)


@pytest.mark.parametrize("kind", REFUSED, ids=str)
def test_cells_that_are_no_cells_are_refused_by_name(kind: Any, tmp_path: Path) -> None:
    path = tmp_path / "odd.parquet"
    for gaps in range(3):
        table = pa.table({"n": list(range(gaps + 1)), "odd": pa.array([None] * gaps + [REFUSED[kind]], kind)})
        parquet.write_table(table, path)
        with pytest.raises(UsageError, match="the column `odd`") as told:
            read_table(str(path))
        assert "zone" in str(told.value) or "uuid" in str(told.value) or f"row {gaps + 1}" in str(told.value)
        if not isinstance(REFUSED[kind], bytes):
            with pytest.raises(UsageError, match=f"row {gaps + 1}: the column `odd`"):
                table_of(dict(table.to_pandas()))


def test_types_of_others_are_refused_by_name_with_and_without_pandas(tmp_path: Path) -> None:
    path = str(tmp_path / "months.parquet")
    pandas.DataFrame({"month": pandas.period_range("2020-01", periods=3, freq="M")}).to_parquet(path)
    with pytest.raises(UsageError, match=r"the column `month` of .* holds pandas.period, which is neither"):
        read_table(path)
    field = pa.field("month", pa.int64(), metadata={"ARROW:extension:name": "pandas.period"})
    with pytest.raises(UsageError, match=r"the column `month` of data holds pandas.period"):
        arrow_columns(pa.table([[600]], schema=pa.schema([field])), "data")
    with pytest.raises(UsageError, match="data has two columns named `a`"):
        arrow_columns(pa.table([[1], [2]], names=["a", "a"]), "data")


def test_parts_and_columns_on_their_own_make_the_same_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = {
        "a": [1, None, 3],
        "b": [0.5, 1.5, -0.0],
        "when": [datetime.date(2024, 5, day) for day in (1, 2, 3)],
    }
    words = {"kind": ["x", None, "y"], "a.b": [True, False, True]}
    for number, chosen in enumerate((columns, columns | words)):
        path, table = tmp_path / f"{number}.parquet", pa.table(chosen)
        parquet.write_table(table, path)
        expected = table_of(arrow_columns(table, ""), "")
        for rows in (2, 20):
            monkeypatch.setattr(tables, "CHUNK", rows)
            read = read_table(str(path))
            assert read.sha256 == expected.sha256
            assert read.numbers.tolist() == [1, 2, 3]
            assert [each.kind for each in read.columns] == [each.kind for each in expected.columns]
