"""Tables and exported files read the same texts as numbers, whatever the language and its locale."""

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from c_files import built, compiled
from hypothesis import example, given, settings
from hypothesis import strategies as st
from odd_exports import BoxedLua

import gpkit
from gpkit.core.errors import UsageError
from gpkit.data.table import EMPTY, number_text
from gpkit.export.c import c_text
from gpkit.export.lua.hosts import runtime_names
from gpkit.export.lua.layout import quoted
from gpkit.export.subject import Subject
from gpkit.languages.arithmetic.text import parse

PROGRAM = '// task: regression\n// fills: {"x": 7.25}\nx\n'

SPACE: dict[str, Any] = {"__name__": "exported"}
exec(gpkit.parse(PROGRAM).export("python"), SPACE)  # noqa: S102 - what was just written
LUA = gpkit.parse(PROGRAM).export("lua")

digits = st.text("0123456789", max_size=3)
written = st.tuples(
    *(st.sampled_from(["", "-", "+", " "]), digits, st.sampled_from(["", ".", "_", ","]), digits),
    st.sampled_from(["", "e", "E-", "e+", "e40", "_", "x"]),
    *(digits, st.sampled_from(["", " ", "\u00a0", "f", "\t"])),
).map("".join)
cells = st.one_of(
    written,
    st.text("0123456789_.+-eExXnaNifINF１٣'\u00a0 ", min_size=1, max_size=7),
    st.sampled_from(
        ["1_10", "１５", "-nan", "+nan", "0x10", "0x1p4", "1e400", "-1e999", "inf", "INF", "Infinity", "NaN"]
    ),
)


def read_in_table(cell: str, folder: Path) -> str:
    """The number that a table has in a cell among numbers, or what is said where it is none."""
    path = folder / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([["x"], ["1"], ["2"], ["3"], [cell]])
    try:
        return number_text(float(gpkit.predict(gpkit.parse(PROGRAM), str(path)).values[-1]))
    except UsageError as error:
        assert "a finite number is needed" in str(error), error
        return "refused"


def read_in_python(cell: str) -> str:
    """The same of an exported Python file."""
    try:
        return number_text(SPACE["predict"]({"x": cell}))
    except ValueError as error:
        assert "where a finite number is needed" in str(error), error
        return "refused"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cells")


@settings(deadline=None, max_examples=60)
@example("1_10")
@example("-nan")
@example("1e400")
@given(cells)
def test_tables_and_python_read_the_same(folder: Path, cell: str) -> None:
    if cell.strip() or cell == "":
        assert read_in_python(cell) == read_in_table(cell, folder), cell


@settings(deadline=None, max_examples=10)
@given(st.lists(cells, min_size=12, max_size=12))
def test_every_lua_reads_the_same(texts: list[str]) -> None:
    listed = ", ".join(map(quoted, texts))
    each = "local fine, v = pcall(M.predict, { x = cell }) out[k] = fine and string.format('%.17g', v) or 'refused'"
    chunk = f"local M = (function(...) {LUA}\nend)()\nlocal out = {{}}"
    chunk += f" for k, cell in ipairs({{ {listed} }}) do {each} end return table.concat(out, ' ')"
    wanted = [read_in_python(text) for text in texts]
    for name in runtime_names():
        found = BoxedLua(name).run(chunk).split(" ")
        assert [each if each == "refused" else number_text(float(each)) for each in found] == wanted, name


@compiled
def test_c_reads_the_same(tmp_path: Path) -> None:
    program = built(tmp_path, c_text(Subject(parse(PROGRAM).program, "p", dict(parse(PROGRAM).header))))

    @settings(deadline=None, max_examples=40)
    @given(cells)
    def same(cell: str) -> None:
        if cell.strip() in EMPTY or "\t" in cell or not cell.isascii():
            return
        done = subprocess.run(
            [program, "predict"], input=f"{cell}\n", capture_output=True, text=True, check=False
        )
        found = number_text(float(done.stdout)) if done.returncode == 0 else "refused"
        assert found == read_in_python(cell), cell

    same()


@pytest.mark.parametrize("word", ["1_10", "0x10", "-nan", "1e400", "１５"])
def test_a_word_that_is_no_number_is_none(word: str) -> None:
    program = gpkit.parse(f'// task: regression\n"x_is_{word}" + x_is_5\n')
    numbers = [110.0, 16.0, 15.0, 5.0]
    assert gpkit.predict(program, {"x": numbers}).values.tolist() == [0.0, 0.0, 0.0, 1.0]
    space: dict[str, Any] = {"__name__": "exported"}
    exec(program.export("python"), space)  # noqa: S102 - what was just written
    assert [space["predict"]({"x": number}) for number in numbers] == [0.0, 0.0, 0.0, 1.0]


_COMMA = """
import json, sys
from importlib import import_module
module, cells = json.loads(sys.stdin.read())
found = {}
for name in ("lua51", "lua52", "lua54", "luajit20"):
    try:
        lua = import_module(f"lupa.{name}").LuaRuntime()
    except ImportError:
        continue
    assert lua.eval("os.setlocale(\\"comma\\", \\"numeric\\")") and lua.eval("tostring(1.5)") == "1,5", name
    loaded = lua.execute(module)
    found[name] = [loaded.selftest()[0], [float(loaded.predict(lua.table_from({"x": cell}))) for cell in cells]]
print(json.dumps(found))
"""


_NUMERIC = """comment_char %
escape_char /
LC_NUMERIC
decimal_point ","
thousands_sep ""
grouping -1
END LC_NUMERIC
"""


@pytest.mark.skipif(shutil.which("localedef") is None, reason="there is no localedef on the path")
def test_lua_under_a_decimal_comma(tmp_path: Path) -> None:
    (tmp_path / "source").write_text(_NUMERIC, encoding="ascii")
    made = [
        "localedef",
        "-c",
        "-i",
        str(tmp_path / "source"),
        "-f",
        "ANSI_X3.4-1968",
        str(tmp_path / "comma"),
    ]
    subprocess.run(made, capture_output=True, check=False)  # which warns that all else is missing
    texts = ["1.5", " 2.25e1\u00a0", ".5", "5.", "-3", "+0.125E+1"]
    done = subprocess.run(
        [sys.executable, "-c", _COMMA],
        input=json.dumps([LUA, texts]),
        env={"LOCPATH": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    wanted = [0, [float(text) for text in texts]]
    assert {"lua51", "lua52"} <= {*(found := json.loads(done.stdout))}
    assert all(each == wanted for each in found.values()), found
