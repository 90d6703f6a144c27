"""Exported files hold their program as a comment, which changes no code, and are read back unless they were edited."""

import ast
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from language_cases import language
from languages.test_round_trips import KNOWN, settled
from lupa.lua54 import LuaRuntime

from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.registry import LANGUAGES
from gpkit.export.exported import Exports, exports_of, read_subjects
from gpkit.export.registry import EXPORTERS
from gpkit.export.subject import COMMENTS, Subject, programs_in, with_texts
from gpkit.languages.arithmetic.text import parse

NASTY = (
    *(
        "*/",
        "/*",
        "]]",
        "]==]",
        "--[[",
        "--]]",
        '"""',
        "'''",
        "\\",
        "\\\n",
        "??/",
        "??",
        "\r",
        "\r\n",
        "\n",
        "\x85",
    ),
    *(
        "\u2028",
        "\u2029",
        "\0",
        "\x1b",
        "\x7f",
        "\u202e",
        "\ufeff",
        "\ud800",
        "\U0001f0a1",
        "\u00e9",
        "coding: utf-7",
    ),
    *("|> ", "|# ", "|= ", "\\u{41}", "\\u{", "}", " ", "#", "//", "%", "\t", "\f"),
)
texts = st.lists(st.sampled_from(NASTY) | st.text(max_size=3), max_size=8).map("".join)

HERE = replace(Subject(parse("value: A").program), name="here")


@pytest.mark.parametrize(
    ("name", "to"),
    [
        (entry.name, each.name)
        for entry in LANGUAGES
        for each in EXPORTERS
        if each.name in ("lua", "python", "c") and each.modes_of(entry.name)
    ],
)
@settings(max_examples=15)
@given(data=st.data())
def test_programs_of_every_language_are_read_back(name: str, to: str, data: st.DataObject) -> None:
    (exporter,) = (each for each in EXPORTERS if each.name == to)
    known, program = language(name), settled(data.draw(KNOWN[name][0]))
    subject = Subject(program, "some", known.parse(known.print_program(program, {})).header)
    try:
        document = exporter.export(subject, data.draw(st.sampled_from(exporter.modes_of(name))))[0]
    except GpkitError:  # this mode cannot say it
        return
    found = programs_in(document.text, "some", document.suffix)
    assert [each for each, _ in found] == [f"some{known.suffix}"]
    assert known.parse(found[0][1]).program == program


@pytest.mark.parametrize("suffix", COMMENTS)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=3), texts)
def test_any_text_is_read_back_from_comments_that_nothing_ends(
    suffix: str, programs: list[tuple[str, str]], code: str
) -> None:
    programs = [(name, f"{text}\n") for name, text in programs]
    code = code.encode("utf-8", "replace").decode()
    written = with_texts(code, programs, suffix)
    assert written.endswith(code)
    *lines, end = written[: len(written) - len(code)].split("\n")
    assert not end
    for line in lines:
        assert line.startswith(COMMENTS[suffix] + "|")
        assert line.isascii()
        assert line.isprintable()
        assert "??" not in line
        assert not line.endswith("\\")
    if not code.startswith(COMMENTS[suffix] + "|"):
        assert programs_in(written, "file", suffix) == programs


SOMEWHERE = tuple(f"{one}{other}" for one in ("", "a", "?", "\\") for other in NASTY)


def commented(code: str, suffix: str) -> str:
    """Code below comments with every nasty text in them."""
    return with_texts(code, [*zip(SOMEWHERE, ("\n".join(SOMEWHERE), *SOMEWHERE), strict=False)], suffix)


def test_python_reads_only_the_code() -> None:
    tree = ast.parse(commented("x = 1\n", ".py").encode())
    assert ast.unparse(tree) == "x = 1"


def test_lua_reads_only_the_code() -> None:
    assert LuaRuntime().execute(commented("return 7\n", ".lua")) == 7


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("standard", ["c99", "gnu17"])
def test_c_reads_only_the_code(standard: str, tmp_path: Path) -> None:
    path = tmp_path / "x.c"
    path.write_text(commented("int main(void) { return 0; }\n", ".c"), encoding="utf-8")
    words = [
        "gcc",
        f"-std={standard}",
        "-trigraphs",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsyntax-only",
        str(path),
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@settings(max_examples=60)
@given(st.data())
def test_an_edited_file_is_refused(data: st.DataObject) -> None:
    text = exports_of([HERE], "lua", data.draw(st.sampled_from(["module", "function", "article"]))).text
    code = len(re.match(r"(?:--\|[^\n]*\n)*", text)[0])  # type: ignore[index]
    start = data.draw(st.integers(code, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    changed = text[:start] + data.draw(st.text("ab(){}\n 1.+", max_size=4)) + text[end:]
    assume(changed != text)
    with pytest.raises(UsageError, match="this file was edited; gpkit reads back only what it wrote"):
        programs_in(changed, "x.lua", ".lua")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_are_no_edit(end: str) -> None:
    text = exports_of([HERE], "c").text
    assert programs_in("\ufeff" + text.replace("\n", end), "x.c", ".c") == programs_in(text, "x.c", ".c")


def test_a_roster_holds_all_its_programs(tmp_path: Path) -> None:
    hard = Subject(parse("// level: hard\nvalue: A * 2").program, "hard", {"level": "hard"})
    roster: Exports = exports_of([HERE, hard], "lua", "article")
    (path,) = roster.save(tmp_path)
    found = read_subjects(str(path), None, None, {}, 0)
    assert [(each.name, each.program, each.header) for each in found] == [
        (each.name, each.program, dict(each.header)) for each in (HERE, hard)
    ]


@given(texts)
def test_any_other_text_is_refused(text: str) -> None:
    for suffix in COMMENTS:
        with pytest.raises(UsageError, match="x holds no program"):
            programs_in(text, "x", suffix)
