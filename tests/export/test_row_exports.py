"""Programs for data in Python and Lua predict rows as ``gpkit predict`` does, with words, gaps and labels."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import lupa.lua54
import pytest
from c_files import COMPILER
from hypothesis import example, given
from hypothesis import strategies as st

import gpkit
from gpkit.export.lua import module as lua_rows
from gpkit.export.lua.module import row_literal
from gpkit.export.registry import check_export, exporter
from gpkit.export.rows import row_form
from gpkit.export.subject import Subject
from gpkit.languages.arithmetic.text import parse
from gpkit.languages.decision.text import parse as parse_tree

ODDS = """
// classes: [false, true]
// fills: {"Age (years)": 2.5, "log": 1}
// words: {"what is it": ["a", "b, c", "7"]}
0.2 * "Age (years)" * "what is it_is_a" + "what is it_is_b, c" - env.log + "what is it_is_7" + log_is_empty
"""
THREE = """
// classes: ["one", "two", "so, \\"three\\""]
// words: {"w": ["a", "b"]}
// fills: {"x": 1, "y": -2}
one: x * w_is_a
two: y
three: x - y / w_is_b
"""
TREE = """
// classes: [1, 2.5, 7]
// fills: {"x": 3}
test w_is_a <= 0.5
  yes: test x <= 2 yes: 1 no: test w_is_empty <= 0.5 yes: "7" no: 2.5
  no: 1
"""
NAMES = """
// target: kind
test x <= 2 yes: "a b" no: test z > 0 yes: "it's so" no: gap
"""
DATES = """
// fills: {"Sale Date": 2.5}
// dates: ["Sale Date", "z"]
"Sale Date" - sqrt(z) + "Sale Date_is_empty"
"""
NUMBERS = "// task: regression\nsqrt(x) / w_is_a + exp(z)\n"


def subject_of(text: str) -> Subject:
    text = text.replace("\\\\", "\\")
    source = (parse_tree if "test" in text else parse)(text)
    return Subject(source.program, "program", dict(source.header))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ODDS, id="odds"),
        pytest.param(THREE, id="three", marks=pytest.mark.release),
        pytest.param(TREE, id="tree"),
        pytest.param(NAMES, id="names", marks=pytest.mark.release),
        pytest.param(NUMBERS, id="numbers", marks=pytest.mark.release),
        pytest.param(DATES, id="dates"),
    ],
)
def test_exports_predict_rows_as_the_interpreter_does(text: str) -> None:
    subject = subject_of(text)
    form = row_form(subject)
    assert form is not None
    predicted = [label for _, label in form.trials(200)]
    assert len(set(map(repr, predicted))) > 1
    assert not form.facts.labels or {*predicted} == {*form.facts.labels}
    for to in ("python", "lua", *["c"] * (COMPILER is not None)):
        if to == "c":  # where a function gives names, or numbers
            subject = subject_of(text.replace('yes: "7"', "yes: 7"))
        report = check_export(subject, to, "module", evaluations=200)
        assert report.is_equal, report
        assert {row.evaluations for row in report.rows} == {200 * (len(subject.program.names) + 1)}


def test_predictions_of_another_program_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = subject_of(NUMBERS)
    form = row_form(subject)
    assert form is not None
    assert form.differing([({"x": 1.0}, "a"), ({"x": 2.0}, 2.0)], ['"a"', "3"]) == [
        "predict({'x': 2.0}) is 3 instead of 2.0"
    ]
    assert form.differing([({"x": 1.0}, "a")], []) == ["0 answers for 1 rows"]
    monkeypatch.setattr(lua_rows, "_READ", dict.fromkeys(lua_rows._READ, "1.0"))
    assert not check_export(subject, "lua", "module", evaluations=50).is_equal


@pytest.mark.parametrize("kind", ["formula", "tree"])
def test_a_fit_that_is_exported_predicts_the_table(kind: Any, tmp_path: Path) -> None:
    table: dict[str, Any] = {
        "Age (years)": [None if x % 6 == 0 else x % 40 for x in range(80)],
        "sex": [["male", "female", None][x % 3] for x in range(80)],
        "alive": [x % 3 == 1 or x % 40 > 30 for x in range(80)],
    }
    size = {"population": 40, "generations": 3, "seed": 1, "test": 0.0, "choose": "first"}
    found = gpkit.fit(table, "alive", kind=kind, **size)
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    wanted = gpkit.predict(found, table, probabilities=True)
    space: dict[str, Any] = {"__name__": "exported"}
    exec(found.program.export("python"), space)  # noqa: S102 - what was just written
    assert [space["predict"](row) for row in rows] == wanted.values.tolist()
    runtime = lupa.lua54.LuaRuntime()
    module = runtime.execute(found.program.export("lua"))
    in_lua = [runtime.execute(f"return {row_literal(row)}") for row in rows]
    assert [module.predict(row) for row in in_lua] == wanted.values.tolist()
    if kind == "formula":
        assert wanted.probabilities is not None
        for row, there, shares in zip(rows, in_lua, wanted.probabilities.tolist(), strict=True):
            assert space["probabilities"](row) == pytest.approx(shares)
            assert list(module.probabilities(there).values()) == pytest.approx(shares)
        space["features"]({**rows[1], "Age (years)": "NA"})


def test_a_gap_without_a_fill_and_a_game_have_no_row() -> None:
    subject = subject_of(NUMBERS)
    (python, _) = exporter("python").export(subject, "module")
    space: dict[str, Any] = {"__name__": "exported"}
    exec(python.text, space)  # noqa: S102 - what was just written
    with pytest.raises(ValueError, match="the column x is empty, and the formula has no value for gaps"):
        space["predict"]({"x": "", "w": "a", "z": 1})
    with pytest.raises(ValueError, match="the row has no column x"):
        space["predict"]({"w": "a", "z": 1})
    assert row_form(Subject(subject.program)) is None
    assert "choose" in exporter("python").export(Subject(subject.program), "module")[0].text


def python_of(text: str) -> dict[str, Any]:
    """The names of an exported Python file."""
    space: dict[str, Any] = {"__name__": "exported"}
    exec(exporter("python").export(subject_of(text), "module")[0].text, space)  # noqa: S102 - what was just written
    return space


DAY = '// dates: ["Sale Date"]\n// task: regression\n"Sale Date"\n'
EXPORTED = python_of(DAY)


@example(datetime.max, "T", 999)
@given(st.datetimes(), st.sampled_from("T "), st.integers(0, 999))
def test_python_takes_dates_as_tables_do(when: datetime, mark: str, nanoseconds: int) -> None:
    texts = [when.isoformat(mark), f" {when.isoformat(mark)[:16]}", str(when.date()), when.isoformat()]
    texts.append(f"{when.isoformat(mark, 'microseconds')}{nanoseconds:03}")
    wanted = gpkit.predict(gpkit.parse(DAY), {"Sale Date": texts}).values.tolist()
    cells = [texts[0], texts[1], when.date(), when, texts[4]]
    assert [EXPORTED["predict"]({"Sale Date": cell}) for cell in cells] == wanted
    assert EXPORTED["predict"]({"Sale Date": wanted[0]}) == wanted[0]


def test_exports_say_the_unit_of_dates() -> None:
    for cell in ("soon", "2021-02-30", datetime(2024, 5, 31, tzinfo=UTC), "2024-05-31T13:45Z"):
        with pytest.raises(
            ValueError, match=r"the column Sale Date is .*, where a date such as 2024-05-31, without"
        ):
            EXPORTED["predict"]({"Sale Date": cell})
    with pytest.raises(ValueError, match="the column Sale Date is empty"):
        EXPORTED["predict"]({"Sale Date": "NA"})
    subject = subject_of(DAY)
    assert (
        '-- "Sale Date" is a number: days since 1970-01-01.'
        in exporter("lua").export(subject, "module")[0].text
    )
    assert "/* Sale Date; days since 1970-01-01; must not" in exporter("c").export(subject, "module")[0].text
    assert "days_of" not in exporter("python").export(subject_of(NUMBERS), "module")[0].text


@pytest.mark.parametrize("to", ["python", "lua"])
def test_a_word_that_is_called_empty_is_a_gap_as_in_predict(to: str) -> None:
    text = '// task: regression\n// words: {"c": ["a", "empty"]}\n2 * c_is_empty + c_is_a\n'
    assert gpkit.predict(gpkit.parse(text), {"c": ["a", "empty", None]}).values.tolist() == [1.0, 0.0, 2.0]
    assert check_export(subject_of(text), to, "module", evaluations=50).is_equal
