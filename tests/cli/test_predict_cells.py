"""Cells that ``gpkit predict`` keeps are written as they were read, and words of a program are words of each table."""

import csv
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import gpkit as toolkit
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.core.wording import ORDERS

SIGNS = (
    *("a", "B", " ", "  ", "=", "+", "-", "@", '"', ",", ";", "\n", "\r", "\r\n", "\t", "'", "0", "1", "é"),
    *("\x1b[31m", "\x07", "\u202e", "\xa0", "\x9b", "\x00", "\x7f"),
)
"""Parts of texts, some of which are orders to a terminal."""


def drawn_cell(kind: str, rng: np.random.Generator) -> str:
    """A cell of a column of some kind, as people and other tools write them."""
    number = int(rng.integers(10**6))
    if kind == "text":
        text = "".join(SIGNS[place] for place in rng.integers(len(SIGNS), size=int(rng.integers(1, 6))))
        return rng.choice(["x", "=x", " x"]) + text
    texts = {
        "id": f"{9_007_199_254_000_000 * 10 + number}",
        "padded": f"{number:09}",
        "code": f"{number % 90}E{number % 20}",
        "amount": f"{number / 100:.3f}0",
        "date": f"2024-05-{1 + number % 30:02}" + ("", " 13:45", "T13:45:00.500")[number % 3],
        "flag": ("TRUE", "FALSE", "true")[number % 3],
        "spaced": f"  {number} ",
        "gap": ("", "NA", "null", " nan", "7")[number % 5],
    }
    return texts[kind]


KINDS = ("id", "padded", "code", "amount", "date", "flag", "spaced", "gap", "text")


def drawn_columns(number: int) -> dict[str, list[str]]:
    """Columns of a table by the kind of their cells."""
    rng = stream(0, "kept cells", number)
    rows = int(rng.integers(1, 8))
    return {kind: [drawn_cell(kind, rng) for _ in range(rows)] for kind in KINDS}


def written(path: Path, columns: dict[str, list[str]]) -> None:
    """Write a table to a file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def read(text: str) -> dict[str, list[str]]:
    """The columns of the text of a CSV file."""
    head, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    return {name: [row[place] for row in rows] for place, name in enumerate(head)}


@pytest.mark.parametrize("number", range(12))
def test_kept_cells_are_written_as_they_were_read(gpkit, tmp_path: Path, number: int) -> None:
    columns, mine, out = drawn_columns(number), tmp_path / "mine.tree", tmp_path / "out.csv"
    table = tmp_path / "table.csv"
    written(table, {**columns, "x": ["1.5"] * len(columns["id"])})
    mine.write_text("// task: regression\n2 * x\n", encoding="utf-8")
    keep = [word for kind in KINDS for word in ("--keep", kind)]
    assert gpkit("predict", mine, table, *keep, "-o", out).code == 0
    for text in (out.read_bytes().decode(), gpkit("predict", mine, table, *keep).out):
        assert read(text) == {**columns, "prediction": ["3"] * len(columns["id"])}
        assert text.count("\r\n") == "".join(map("".join, columns.values())).count("\r\n")
    found = toolkit.predict(str(mine), str(table), keep=KINDS)
    assert {name: list(cells) for name, cells in found.kept.items()} == columns
    held = toolkit.predict(str(mine), {**columns, "x": [1.5] * len(columns["id"])}, keep=KINDS)
    assert {name: list(cells) for name, cells in held.kept.items()} == columns


@pytest.mark.parametrize("number", range(6))
def test_kept_cells_give_no_orders_to_a_terminal(
    gpkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    columns, table, mine = drawn_columns(100 + number), tmp_path / "table.csv", tmp_path / "mine.tree"
    written(table, {**columns, "x": ["1"] * len(columns["id"])})
    classes = json.dumps(["\x1b[2J", "b\u202e"])
    mine.write_text(f"// classes: {classes}\nx\n", encoding="utf-8")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    keep = [word for kind in KINDS for word in ("--keep", kind)]
    found = gpkit("predict", mine, table, *keep, "--probabilities")
    assert (found.code, bool(ORDERS.search(found.out))) == (0, False), found.err


def test_kept_cells_of_parquet_and_of_memory_lose_nothing(gpkit, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    decimal = pytest.importorskip("decimal")
    mine, table = tmp_path / "mine.tree", tmp_path / "table.parquet"
    mine.write_text("// task: regression\n2 * x\n", encoding="utf-8")
    columns = {
        "id": [2**60 + 1, 2**63 - 1, 7],
        "gappy": pandas.array([2**60 + 1, None, 7], dtype="Int64"),
        "text": [" a ", "=1", None],
        "kind": pandas.Categorical(["b", None, "NA"]),
        "price": [decimal.Decimal("1.10"), None, decimal.Decimal("2.00")],
        "when": pandas.to_datetime(["2024-05-31T00:00", None, "2024-05-31T13:45"]),
        "flag": [True, False, True],
        "part": [0.5, None, 3.0],
    }
    pandas.DataFrame({**columns, "x": [1.0, 2.0, 3.0]}).to_parquet(table)
    keep = [word for name in columns for word in ("--keep", name)]
    wanted = {
        "id": [f"{2**60 + 1}", f"{2**63 - 1}", "7"],
        "gappy": [f"{2**60 + 1}", "", "7"],
        "text": [" a ", "=1", ""],
        "kind": ["b", "", "NA"],
        "price": ["1.10", "", "2.00"],
        "when": ["2024-05-31", "", "2024-05-31T13:45:00"],
        "flag": ["True", "False", "True"],
        "part": ["0.5", "", "3"],
    }
    assert read(gpkit("predict", mine, table, *keep).out) == {**wanted, "prediction": ["2", "4", "6"]}
    for data in (str(table), {**columns, "x": [1, 2, 3]}, pandas.DataFrame({**columns, "x": [1, 2, 3]})):
        kept = toolkit.predict(str(mine), data, keep=[*columns]).kept
        assert {name: list(cells) for name, cells in kept.items()} == wanted


CODES = ("01", "1", "1.0", "1e0", "10", "1e1", "0010", "2", "-0", "0", "00")
"""Words that are numbers, too, some of them the same number."""


@pytest.fixture
def coded(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Path, Path, Path]:
    """A table of codes, a program that knows them as words, and a tree that names them."""
    rng = stream(0, "codes", request.param)
    words = sorted(rng.choice(CODES, size=int(rng.integers(2, 6)), replace=False).tolist())
    worth = dict(zip(words, rng.integers(2, 9, size=len(words)).tolist(), strict=True))
    cells = [*words, *rng.choice(words, size=20).tolist()]
    table, mine, tree = tmp_path / "table.csv", tmp_path / "mine.tree", tmp_path / "mine.decide"
    written(table, {"code": cells, "again": cells, "y": [str(worth[cell]) for cell in cells]})
    terms = " + ".join(f'{worth[word]} * "code_is_{word}"' for word in words)
    mine.write_text(f"// words: {json.dumps({'code': words, 'gone': ['5']})}\n// task: regression\n{terms}\n")
    tests = f'"{words[0]}"'
    for word in words[1:]:
        tests = f'test "code_is_{word}" <= 0.5 yes: {tests} no: "{word}"'
    header = f"// words: {json.dumps({'code': words})}\n// classes: {json.dumps(words)}\n"
    tree.write_text(f"{header}{tests}\n", encoding="utf-8")
    return table, mine, tree


@pytest.mark.parametrize("coded", range(8), indirect=True)
def test_words_of_a_program_are_words_of_each_table(gpkit, coded: tuple[Path, Path, Path]) -> None:
    table, mine, tree = coded
    for program, target, metric in ((mine, "y", "r2"), (tree, "again", "accuracy")):
        found = json.loads(gpkit("predict", program, table, "--target", target, "--json").out)["metrics"]
        means = {each["name"]: each["mean"] for each in found}
        assert means.get(metric, 1.0) == pytest.approx(1.0)
        assert means.get("rmse", 0.0) == pytest.approx(0.0)
        assert gpkit("check", program, "--data", table).code == 0
        assert not any(each.severity == "error" for each in toolkit.check(str(program), data=str(table)))
        estimates = toolkit.predict(str(program), str(table), target=target).metrics
        assert {each.name: each.interval.mean for each in estimates} == means
    number = table.with_name("number.tree")
    number.write_text("// task: regression\n2 * code\n", encoding="utf-8")
    alone = json.loads(gpkit("predict", number, table, "--target", "y", "--json").out)["metrics"]
    both = gpkit("compare", mine, number, "--data", table, "--target", "y", "--json")
    wanted = {each["name"]: each["mean"] for each in alone}
    assert {each["metric"]: each["means"][1] for each in json.loads(both.out)["results"]} == wanted
    rows = toolkit.compare(str(mine), str(number), data=str(table), target="y").to_rows()
    assert [each["means"] for each in rows] == [each["means"] for each in json.loads(both.out)["results"]]
    assert rows[-1]["means"][0] == pytest.approx(0.0)


@pytest.mark.parametrize("form", ["{:d}", "{:d}.0", "{:d}e0", "0{:d}"])
def test_leaves_that_numbers_are_written_as_mean_numbers(gpkit, tmp_path: Path, form: str) -> None:
    table, tree = tmp_path / "table.csv", tmp_path / "mine.decide"
    written(table, {"x": [str(x) for x in range(9)], "y": [form.format(x // 3) for x in range(9)]})
    tree.write_text('test x <= 2 yes: "0" no: test x <= 5 yes: "1" no: 2\n', encoding="utf-8")
    found = json.loads(gpkit("predict", tree, table, "--target", "y", "--json").out)["metrics"]
    assert [each["mean"] for each in found] == [1.0, 1.0]


def test_a_word_among_numbers_is_named_with_what_is_expected() -> None:
    mine = toolkit.parse("bp + bmi", name="mine")
    with pytest.raises(UsageError, match="row 1: the column `bp` is 'a'; expected a number, or no text"):
        toolkit.predict(mine, {"bp": ["a", "3"], "bmi": [1, 2]})
    with pytest.raises(UsageError, match=r'first lines of the program: // fills: \{"bp": 4.5, "bmi": 4.0}'):
        toolkit.predict(mine, {"bp": [np.nan, 4, 5], "bmi": [1, np.nan, 7]})
