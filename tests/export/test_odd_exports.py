"""Exported files do nothing but compute, whatever stands in the header, the names and the labels of a program."""

import builtins
import json
import re
import subprocess
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from c_files import built, compiled
from hypothesis import given
from hypothesis import strategies as st
from odd_exports import BoxedLua, in_python, odd_subject, same_labels

from gpkit.export import python
from gpkit.export.c_rows import CRows
from gpkit.export.lua.hosts import Loaded, runtime_names
from gpkit.export.lua.module import row_literal
from gpkit.export.python import python_text
from gpkit.export.registry import check_export, exporter
from gpkit.export.rows import row_form
from gpkit.export.subject import Subject
from gpkit.languages.arithmetic.text import parse

SHARES = [
    pytest.param(20, id="some"),
    pytest.param(650, id="more", marks=pytest.mark.release),
    pytest.param(6_500, id="all", marks=pytest.mark.slow),
]
"""Programs of 16 texts each, 10^5 in all."""

EVIL = """
// target: ', open('gone', 'w'), '
// classes: ["SUMMARY", "b"]
x - 1
"""


def test_a_header_is_not_executed() -> None:
    source = parse(EVIL)
    subject = Subject(source.program, "evil", dict(source.header))
    assert in_python([(python_text(subject), [{"x": 0.0}, {"x": 2.0}])]) == [["SUMMARY", "b"]]
    assert check_export(subject, "python", "module", evaluations=20).is_equal


@pytest.mark.parametrize("count", SHARES)
def test_python_and_lua_do_nothing_but_compute(count: int) -> None:
    hosts = [BoxedLua(name) for name in runtime_names()]
    files, wanted = [], []
    for seed in range(count):
        subject, rows = odd_subject(seed)
        form = row_form(subject)
        assert form is not None
        wanted.append([form.predicted(row) for row in rows])
        files.append((python_text(subject), rows))
        text, literals = exporter("lua").export(subject, "module")[0].text, [*map(row_literal, rows)]
        for host in hosts if count < 100 else [hosts[seed % len(hosts)]]:
            loaded = Loaded(host, text, "module", subject.program)
            assert same_labels([json.loads(each) for each in loaded.predict(literals)], wanted[-1]), (
                seed,
                host.name,
            )
            assert loaded.selftest() == (0, ""), (seed, host.name)
    for seed, (found, labels) in enumerate(zip(in_python(files), wanted, strict=True)):
        assert same_labels(found, labels), (seed, found)


def test_sections_can_have_the_names_that_a_python_file_uses() -> None:
    subject, rows = next(
        each for each in map(odd_subject, range(100)) if "def cell_of" in python_text(each[0])
    )
    wanted = [row_form(subject).predicted(row) for row in rows]  # type: ignore[union-attr]
    used = re.findall(r"^(?:def )?(\w+)(?: = |\()", python_text(subject), re.MULTILINE)
    files = []
    for name in used:
        names = (name, *subject.program.names[1:])
        renamed = replace(subject, program=replace(subject.program, names=names))
        files.append((python_text(renamed), rows))
    assert {"cell_of", "number_of", "predict", "NUMBER", "EMPTY"} < {*used}
    assert all(same_labels(found, wanted) for found in in_python(files))


_NAMES = ("backslash", "asciicircum", "asciitilde", "bar", "less", "greater", "asciigrave")
_MACROS = {
    **{f"text{name}{{}}": sign for name, sign in zip(_NAMES, "\\^~|<>`", strict=True)},
    **{f"{letter}": unicodedata.lookup(f"GREEK SMALL LETTER {letter}") for letter in ("alpha", "mu", "pi")},
    "symbol{34}": '"',
    **{sign: sign for sign in "#$%&_{} "},
}


def latex_names(text: str) -> list[str]:
    """The names in an equation, by a reader of TeX that knows no other command than those of texts."""
    names = []
    place = 0
    while found := re.compile(r"\\(text|mathit)\{").search(text, place):
        name, place = "", found.end()
        while text[place] != "}":
            assert text[place] not in '#%&_^~<>|`"' or text[place] == "~", text[place : place + 20]
            if text.startswith("{}", place):
                place += 2
                continue
            if math := re.compile(r"\$\\([a-z]+)\$").match(text, place):
                name, place = name + _MACROS[math[1]], math.end()
            elif text[place] == "\\":
                word = next(
                    each
                    for each in sorted(_MACROS, key=len, reverse=True)
                    if text.startswith(each, place + 1)
                )
                name, place = name + _MACROS[word], place + 1 + len(word)
            else:
                name, place = name + text[place].replace("~", "\u00a0"), place + 1
        names.append(name)
        place += 1
    return names


def as_latex_shows(name: str) -> str:
    """A name as its equation shows it: composed, blanks of all kinds as blanks, invisible characters as escapes."""
    shown = unicodedata.normalize("NFC", name.removeprefix("env."))
    blanks = (
        " " if c.isspace() and c != "\u00a0" else c if c.isprintable() or c == "\u00a0" else ascii(c)[1:-1]
        for c in shown
    )
    return "".join(blanks)


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(20, id="some"),
        pytest.param(100, id="more", marks=pytest.mark.release),
        pytest.param(1_000, id="all", marks=pytest.mark.slow),
    ],
)
def test_latex_has_names_as_text_alone(count: int) -> None:
    for seed in range(count):
        subject, _ = odd_subject(seed)
        text = exporter("latex").export(subject, "equations")[0].text
        body = text.split("\\begin{align*}\n")[1].removesuffix("\\end{align*}\n")
        read = {
            each for tree in subject.program.trees for each in (*tree.reads, *getattr(tree, "leaves", ()))
        }
        header, names = subject.header, subject.program.names
        if header.get("task") == "regression" and header.get("loss") != "poisson" and len(names) == 1:
            names = (header.get("target", names[0]),)
        assert {*latex_names(body)} == {as_latex_shows(name) for name in (*names, *read)}, seed
        rest = re.sub(r"\\(text|mathit)\{([^{}\\]|\\[^{}]|\\[{}]|\{\}|\{34\})*\}", "", body)
        assert {*re.findall(r"\\[a-z]+", rest)} <= {
            "\\cdot",
            "\\begin",
            "\\end",
            "\\left",
            "\\right",
            "\\le",
            "\\ne",
        }, seed


@compiled
@pytest.mark.parametrize(
    "count",
    [
        pytest.param(1, id="some"),
        pytest.param(10, id="more", marks=pytest.mark.release),
        pytest.param(105, id="all", marks=pytest.mark.slow),
    ],
)
def test_c_compiles_and_does_nothing_but_compute(count: int, tmp_path: Path) -> None:
    """A hundred texts are in each file, and no warning."""
    for seed in range(count):
        subject, rows = odd_subject(seed, texts=30 if count == 1 else 90, without="\0")
        form = row_form(subject)
        assert form is not None
        program = built(tmp_path, exporter("c").export(subject, "module")[0].text)
        assert subprocess.run([program], check=False, capture_output=True).returncode == 0, seed
        reader = CRows(form)
        lines = "".join(map(reader.line, rows))
        done = subprocess.run(
            [program, "predict"], input=lines, capture_output=True, encoding="utf-8", check=True
        )
        found = [json.loads(reader.answer(each)) for each in done.stdout.split("\n")[:-1]]
        assert same_labels(found, [form.predicted(row) for row in rows]), seed


@given(st.lists(st.sampled_from([*dir(builtins), "play", "_", "__x", "row"]), unique=True))
def test_no_section_of_python_takes_a_name_that_the_file_uses(names: list[str]) -> None:
    names = ["__builtins__", *names]
    called = python.function_names(names, frozenset(dir(builtins)), "section")
    assert len({*called.values()}) == len(names)
    assert not {*called.values()} & {"__builtins__", *dir(builtins)}
