"""Programs for data in C: ``predict`` of a ``struct row`` is what ``gpkit predict`` says of the row of the table."""

import json
import math
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from c_files import COMPILER, assert_same_bits, built, compiled
from strategies import NASTY, ulps

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.export.c import FLAGS, c_text, documents
from gpkit.export.c_notation import check_function, function_names, is_reserved, member_names
from gpkit.export.exported import exports_of
from gpkit.export.registry import check_export
from gpkit.export.subject import Subject
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.languages.arithmetic.text import parse
from gpkit.languages.decision.text import parse as parse_tree

FACTS = """// fills: {"x": 1.5, "y": -0.0}
// words: {"a word": ["a", "b c"]}
"""
EXACT = (
    FACTS
    + """
sqrt(x / y) - min(-3 * (x / y), max("a word_is_a", 0.1)) * floor(x - abs(y)) + ifle(x, y, x_is_empty, -x)
+ x * "a word_is_b c" / "a word_is_empty"
"""
)
"""Of operations that are IEEE's alone."""

ONE_CALL = (
    FACTS
    + """
ifle("a word_is_a", 0.5, ifle("a word_is_b c", 0.5, ifle("a word_is_empty", 0.5, sin(x), log(y)), exp(x / 9)), tanh(y))
"""
)
"""Of one call of the mathematical library for each row."""

SCORES = (
    """// classes: ["one", "two", 3]
"""
    + FACTS
    + """
one: x * 1e300 * 1e300 - 1
two: y * 1e300 * 1e300 - y * 1e300 * 1e300 + "a word_is_a"
three: "a word_is_b c" * 7000 - y
"""
)
"""Of infinite scores, and of some that are no numbers."""


def sampled(rows: int) -> dict[str, Any]:
    """Columns of numbers of all sizes and of words, with gaps."""
    rng = stream(7, "cells for C")
    columns: dict[str, Any] = {}
    for name in "xy":
        column = rng.normal(size=rows) * 10.0 ** rng.integers(-3, 4, rows)
        column[rng.random(rows) < 0.2] = rng.choice(np.array(NASTY))
        column[rng.random(rows) < 0.2] = math.nan
        columns[name] = column
    words = np.array(["a", "b c", " a\t", "\u00a0b c\u2003", "b", "", "NA", " nan", None], dtype=object)
    columns["a word"] = words[rng.integers(len(words), size=rows)]
    return columns


def computed(program: Path, columns: Mapping[str, Any], order: tuple[str, ...]) -> list[str]:
    """What a program predicts for the rows of a table, whose columns are read in an order."""
    cells = []
    for name in order:
        texts = ("" if cell is None or cell != cell else cell for cell in columns[name].tolist())
        cells.append([cell.replace("\t", "\\t") if isinstance(cell, str) else repr(cell) for cell in texts])
    text = "".join("\t".join(row) + "\n" for row in zip(*cells, strict=True))
    done = subprocess.run([program, "predict"], input=text, capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[:-1]


MANY = [3_000, pytest.param(10**6, marks=pytest.mark.release)]


@compiled
@pytest.mark.parametrize("rows", MANY)
def test_numbers_are_those_of_predict(tmp_path: Path, rows: int) -> None:
    columns = sampled(rows)
    for text, order in ((EXACT, ("x", "y", "a word")), (ONE_CALL, ("a word", "x", "y"))):
        program = gpkit.parse(text)
        wanted = gpkit.predict(program, columns).values
        found = computed(built(tmp_path, program.export("c")), columns, order)
        assert len(set(found)) > rows // 5
        if text == EXACT:
            assert_same_bits(found, wanted)
        else:
            assert max(map(ulps, map(float, found), wanted.tolist())) <= 2.0


@compiled
@pytest.mark.parametrize("rows", MANY)
def test_classes_are_those_of_predict(tmp_path: Path, rows: int) -> None:
    columns, program = sampled(rows), gpkit.parse(SCORES)
    wanted = gpkit.predict(program, columns)
    found = computed(built(tmp_path, program.export("c")), columns, ("x", "y", "a word"))
    assert [("one", "two", 3)[int(place)] for place in found] == wanted.values.tolist()
    assert set(found) == {"0", "1", "2"}


CALLER = """
#include "file.h"
#include <stdio.h>
#include "file.h"

int main(void)
{
    struct row rows[] = {ROWS};
    size_t k, n = sizeof classes / sizeof *classes;
    for (k = 0; k < sizeof rows / sizeof *rows; k++) {
        double shares[sizeof classes / sizeof *classes];
        probabilities(rows + k, shares);
        printf("%s %.17g %.17g\\n", predict(rows + k) < 0 ? "" : classes[predict(rows + k)], shares[0], shares[n - 1]);
    }
    return 0;
}
"""


def called(folder: Path, text: str, rows: str) -> list[list[str]]:
    """The class, and the probabilities of the first and of the last one, of rows in C: of a program with a header."""
    source = parse(text)
    found = documents(Subject(source.program, "file", dict(source.header)), "module")
    (folder / "file.h").write_text(found[1].text)
    (folder / "caller.c").write_text(f"#include <math.h>\n{CALLER.replace('ROWS', rows)}")
    done = subprocess.run(
        [built(folder, found[0].text, "caller.c")], capture_output=True, text=True, check=True
    )
    return [line.split(" ") for line in done.stdout.splitlines()]


@compiled
def test_a_program_of_ones_own_includes_the_header(tmp_path: Path) -> None:
    text = '// classes: ["no", "yes"]\n// fills: {"Age (years)": 2.5}\n"Age (years)" - 4 * class_is_it + class_is_empty'
    rows = '{.class_ = "it", .Age_years = NAN}, {.class_ = NULL, .Age_years = -1.5}, {NAN, "NA"}, {3, "x"}'
    table = {"Age (years)": [None, -1.5, None, 3], "class": ["it", None, None, "x"]}
    wanted = gpkit.predict(gpkit.parse(text), table, probabilities=True)
    assert wanted.probabilities is not None
    found = called(tmp_path, text, rows)
    assert [row[0] for row in found] == wanted.values.tolist() == ["no", "no", "yes", "yes"]
    assert [[float(share) for share in row[1:]] for row in found] == wanted.probabilities.tolist()


BOTH = """
#include <stdio.h>
#include "one.h"
#define row row_two
#define predict predict_two
#include "two.h"
#undef row
#undef predict

int main(void)
{
    struct row one = {2};
    struct row_two two = {3, "NA"};
    printf("%g %g\\n", predict(&one), predict_two(&two));
    return 0;
}
"""


@compiled
def test_two_files_in_one_program_have_their_own_names(tmp_path: Path) -> None:
    (tmp_path / "both.c").write_text(BOTH)
    header = {"task": "regression", "words": '{"w": ["a"]}'}
    one, two = (
        documents(Subject(parse(text).program, "p", header), "module")
        for text in ("x + 1", "x * 2 + w_is_empty")
    )
    (tmp_path / "one.h").write_text(one[1].text)
    (tmp_path / "two.h").write_text(two[1].text)
    (tmp_path / "two.c").write_text(two[0].text)
    names = [f"-D{name}={name}_two" for name in ("row", "predict", "value", "value_inputs")]
    subprocess.run([str(COMPILER), *FLAGS, *names, "-c", "two.c"], cwd=tmp_path, check=True)
    program = built(tmp_path, one[0].text, "both.c", "two.o")
    assert subprocess.run([program], capture_output=True, text=True, check=True).stdout == "3 7\n"


@pytest.mark.release
@compiled
def test_a_cell_that_is_needed_is_missing(tmp_path: Path) -> None:
    text = '// classes: ["a", "b", "c"]\na: x\nb: y_is_5 - x\nc: 0.25'
    assert called(tmp_path, text, "{NAN, 1}, {1, 5}, {-0.5, 5}, {-9, NAN}")[0] == ["", "nan", "nan"]
    assert [row[0] for row in called(tmp_path, text, "{NAN, 1}, {1, 5}, {-0.5, 5}, {-9, NAN}")] == [
        "",
        "a",
        "b",
        "b",
    ]
    program = built(tmp_path, c_text(Subject(parse("max(x, 1)").program, "p", {"task": "regression"})))
    assert computed(program, {"x": np.array([math.nan, 2.0])}, ("x",)) == ["nan", "2"]


@compiled
@pytest.mark.parametrize("text", ["// task: regression\n1 / 3", SCORES, f"{FACTS}exp(x)"])
def test_rows_can_go_without_tests(tmp_path: Path, text: str) -> None:
    found = gpkit.parse(text).export("c", tests=False)
    assert "test_predict" not in found
    built(tmp_path, found)


@compiled
def test_rows_that_are_none_are_told(tmp_path: Path) -> None:
    text = c_text(Subject(parse("x + y_is_a").program, "p", {"task": "regression"}))
    program = built(tmp_path, text)
    for row, message in (
        ("1\n", "a row has too few cells"),
        ("1\ta\tb\n", "a row has too many cells"),
        ("one\ta\n", "not a number: one"),
        (f"1\t{'a' * 70_000}\n", "a row is too long"),
    ):
        done = subprocess.run([program, "predict"], input=row, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (2, f"{message}\n")
    (tmp_path / "changed").mkdir()
    changed = built(tmp_path / "changed", text.replace("gp_is_word(row->y", "!gp_is_word(row->y"))
    done = subprocess.run([changed], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("predict, row ")


ODD = (
    *(
        "double",
        "class",
        "1st",
        'say "hi"',
        "new\nline",
        "größe",
        "年龄",
        "*/",
        "/* x",
        "??/",
        "what???/",
        "a b",
        "a-b",
    ),
    *(
        "a_b",
        "row",
        "predict",
        "classes",
        "NULL",
        "NAN",
        "errno",
        "I",
        "linux",
        "_id",
        "__x",
        "in",
        "odds",
        "gp_div",
    ),
    *("env.sin", "main", "%d %s %n", "back\\slash", "\\", "", " ", "é", "e", "x" * 100, "M_PI", "🎉", "\x07"),
)
"""Names of columns, words and classes that C has for itself, or cannot have."""


CLASSES = r'["%d \"\\\\ ???/", "new\nline", "double"]'


@pytest.mark.release
@compiled
def test_names_may_be_any_text(tmp_path: Path) -> None:
    words = {name: [name, f"{name}2"] for name in ODD}
    header = {"classes": CLASSES, "words": json.dumps(words), "fills": json.dumps(dict.fromkeys(ODD, 1.0))}
    read = {"a": [f"{name} number" for name in ODD], "b": [f"{name}_is_{name}2" for name in ODD], "c": [*ODD]}
    trees = tuple(
        Tree.from_prefix((*["+"] * (len(names) - 1), *names), (*[2] * (len(names) - 1), *[0] * len(names)))
        for names in read.values()
    )
    subject = Subject(TreeProgram(tuple(read), trees), "program", header)
    assert subprocess.run([built(tmp_path, c_text(subject))], check=False).returncode == 0


@compiled
@pytest.mark.parametrize("to", ["c", "python", "lua"])
def test_words_and_classes_may_be_any_text(to: str) -> None:
    words = [
        "new\nline",
        "tab\there",
        "cr\rx",
        "back\\slash",
        "🎉",
        'say "hi"',
        "%d",
        " padded ",
        "NA",
        "7",
        "\x07",
    ]
    names = [f"🎉_is_{word}" for word in words]
    values = [part for k, name in enumerate(names) for part in ("+", "*", 3.0**k, name)]
    tree = Tree.from_prefix((*values, -20.0), (*[2, 2, 0, 0] * len(names), 0))
    header = {"classes": json.dumps(["new\nline \x07", "🎉"]), "words": json.dumps({"🎉": words})}
    report = check_export(
        Subject(TreeProgram(("value",), (tree,)), "p", header), to, "module", evaluations=100
    )
    assert report.is_equal, report


@compiled
def test_no_macro_that_a_compiler_knows_names_anything() -> None:
    headers = [f"-include{each}.h" for each in ("float", "math", "stdio", "stdlib", "string")]
    told = subprocess.run(
        [str(COMPILER), "-std=c99", "-DGPKIT_MAIN", *headers, "-dM", "-E", "-xc", "-"],
        input="",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    macros = {*re.findall(r"^#define ([A-Za-z]\w*)", told, re.M)}
    assert {"GPKIT_MAIN", "NULL", "stdout"} <= macros
    for name in macros:
        assert is_reserved(name), name
        with pytest.raises(UsageError, match=f"a C file cannot have a section named `{name}`"):
            check_function(name, "section")


@pytest.mark.release
@compiled
def test_sections_may_be_named_as_anything(tmp_path: Path) -> None:
    words = "predict classes row double main log free open run_x x test_x x_rows odds k found in same gp_div NULL I"
    words += " isalpha toupper"
    text = "\n".join(f"{name}: {k} * a - {k * k} * w_is_a" for k, name in enumerate(words.split()))
    header = {"classes": json.dumps(words.split()), "fills": '{"a": 1}'}
    program = built(tmp_path, c_text(Subject(parse(text).program, "p", header)))
    assert subprocess.run([program], check=False).returncode == 0


def test_members_are_named_as_columns() -> None:
    assert member_names(
        ["Age (years)", "sibSp", "class", "größe", "2nd", "%", "年", "M_PI", "GPKIT_MAIN", "_x"]
    ) == {
        "Age (years)": "Age_years",
        "sibSp": "sibSp",
        "class": "class_",
        "größe": "gro_u00df_e",
        "2nd": "column_2nd",
        "%": "column",
        "年": "u5e74",
        "M_PI": "M_PI_",
        "GPKIT_MAIN": "GPKIT_MAIN_",
        "_x": "x",
    }
    found = member_names(["a b", "a-b", "c", "y" * 70 + "1" + "y" * 70, "y" * 70 + "2" + "y" * 70])
    assert [*found.values()][:3] == ["a_b_c8687a08", "a_b_d44362d6", "c"]
    assert len(set(found.values())) == 5
    with pytest.raises(UsageError, match="the columns `a_b_c8687a08` and `a b` are both `a_b_c8687a08` in C"):
        member_names(["a_b_c8687a08", "a b", "a-b"])
    assert not any(is_reserved(name) for name in function_names(["int", "gp_x", "yes"]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('// classes: ["a", "c"]\ntest x < 1 yes: a no: b', "leaf `b` is not one of the classes a, c"),
        ('// classes: ["a", "b", "c"]\nx', "p has 1 section; expected 3 for 3 classes"),
        ('// classes: ["a"]\nx', "p has one class, a; a formula distinguishes at least two"),
        ("// task: regression\na: x\nb: x", "p has 2 sections; expected 1 for a prediction"),
        ('// classes: ["a", "\\u0000"]\nx', r"a C string cannot contain '\\x00'"),
        (
            '// words: {"x": ["a", "\\ud800"]}\nx_is_a',
            r"its line words\.x\[1\] contains \\ud800, an unpaired surrogate",
        ),
        ('// fills: {"x": Infinity}\nx', "its line fills: Infinity is not a number"),
        ('// words: {"x": [1]}\nx_is_1', r"its line words\.x\[0\] = 1: expected a string"),
    ],
)
def test_what_c_cannot_have_is_refused(text: str, message: str) -> None:
    source = (parse_tree if "test" in text else parse)(text)
    with pytest.raises(UsageError, match=message):
        c_text(Subject(source.program, "p", dict(source.header)))


def test_a_header_of_ones_own_is_not_overwritten(tmp_path: Path) -> None:
    found = exports_of([Subject(parse("x").program, "p", {"task": "regression"})], "c")
    found.save(tmp_path / "p.c")
    assert "struct row" in (tmp_path / "p.h").read_text()
    found.save(tmp_path / "p.c")
    (tmp_path / "own.h").write_text("int x;\n")
    with pytest.raises(UsageError, match=r"own\.h is not a header that gpkit wrote"):
        found.save(tmp_path / "own.c")
    assert (tmp_path / "own.h").read_text() == "int x;\n"
    with pytest.raises(UsageError, match=r"new\.h would be both the program and a file beside it"):
        found.save(tmp_path / "new.h")


def test_an_export_without_a_table_has_no_predict() -> None:
    text = c_text(Subject(parse("x").program))
    assert "predict" not in text
    assert "string.h" not in text.partition("GPKIT_MAIN\n")[0]
