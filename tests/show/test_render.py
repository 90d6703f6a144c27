"""The ladder of renderers: what it makes, what it refuses, and what it says when nothing is installed."""

import html
import shutil
import sys
from importlib import metadata
from pathlib import Path

import pytest

from gpkit.core.errors import LimitError, RenderError, UsageError
from gpkit.core.registry import data_folder
from gpkit.languages.arithmetic.forms.draw import analysed, marked
from gpkit.languages.arithmetic.text import parse
from gpkit.show import render as ladder
from gpkit.show.graph import Picture
from gpkit.show.render import FORMATS, NODE_LIMIT, Renderer, format_of, render, render_dot, renderers

MAGIC = {
    "svg": b"<?xml",
    "png": b"\x89PNG\r\n\x1a\n",
    "pdf": b"%PDF-",
    "dot": b"digraph",
    "txt": b"\xc3\x97\n",
    "html": b"<!DOC",
}
PROGRAMS = sorted(data_folder("programs").rglob("*.tree"))
SMALL = "digraph { a -> b }"


def picture(text: str, title: str = "a program") -> Picture:
    """The picture of a text."""
    program = parse(text).program
    return marked(program, [analysed(tree) for tree in program.trees], title=title, text=text)


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_begins_as_it_must(suffix: str) -> None:
    made = render(picture("env.a*(2 + env.b)"), suffix)
    assert made.startswith(MAGIC[suffix])
    assert suffix != "svg" or made.rstrip().endswith(b"</svg>")


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.release] * (path.parent.name != "sevens")) for path in PROGRAMS],
    ids=lambda path: path.stem,
)
def test_every_program_that_is_shipped_can_be_drawn(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    svg = html.unescape(render(picture(text, path.name), "svg").decode())
    assert svg.count('class="node"') == len(parse(text).program)
    assert path.name in svg


def test_there_are_programs() -> None:
    assert PROGRAMS


def test_the_page_of_a_picture_shows_the_text_of_the_program() -> None:
    page = render(picture("// <header>\nenv.a + 1"), "html").decode()
    assert "<svg" in page
    assert "// &lt;header&gt;\nenv.a + 1" in page


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf", "html"])
def test_what_is_too_large_is_refused_with_a_way_out(suffix: str) -> None:
    large = Picture("large", SMALL, "text\n", NODE_LIMIT + 1)
    with pytest.raises(LimitError, match=r"5001 nodes.*\.dot or \.txt"):
        render(large, suffix)
    assert render(large, "dot") == SMALL.encode()
    assert render(large, "txt") == b"text\n"


@pytest.mark.parametrize(
    ("path", "suffix"), [("x.svg", "svg"), ("a/b.c/x.PNG", "png"), ("x.tree.html", "html")]
)
def test_the_format_is_that_of_the_suffix(path: str, suffix: str) -> None:
    assert format_of(path) == suffix


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("x.jpg", "cannot write x.jpg as a picture; "),
        ("x.pgn", "did you mean .png?"),
        ("x", "use one of .svg, .png"),
        ("a.svg/x", "use one of .svg, .png"),
    ],
)
def test_an_unknown_suffix_is_explained(path: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        format_of(path)


def test_the_wheel_comes_before_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(metadata, "version", lambda name: "2.0.4")
    assert [r.name for r in renderers()] == ["pygraphviz", "dot"]
    monkeypatch.setattr(metadata, "version", lambda name: "1.14")
    assert [r.name for r in renderers()] == ["dot"]
    assert renderers()[0].command("pdf") == ["/usr/bin/dot", "-Tpdf"]


def test_without_a_renderer_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(metadata, "version", missing)
    with pytest.raises(RenderError, match=r"pip install 'pygraphviz>=2\.0'.*graphviz"):
        render_dot(SMALL, "svg")
    assert render(picture("a + 1"), "dot").startswith(b"digraph")


def _script(name: str, text: str) -> Renderer:
    return Renderer(name, "", lambda suffix: [sys.executable, "-c", text])


def test_a_rung_that_breaks_is_stepped_over(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = _script("first", "import os; os.abort()")
    absent = Renderer("second", "", lambda suffix: ["/does/not/exist"])
    sound = _script("third", "import sys; print(sys.stdin.read()[:7])")
    monkeypatch.setattr(ladder, "renderers", lambda: (broken, absent, sound))
    assert render_dot(SMALL, "svg") == b"digraph\n"


def test_the_reasons_of_all_rungs_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    rungs = (_script("first", "raise SystemExit('no fonts')"), _script("second", "pass"))
    monkeypatch.setattr(ladder, "renderers", lambda: rungs)
    with pytest.raises(RenderError, match="first: no fonts; second: exit code 0"):
        render_dot(SMALL, "svg")


def test_a_layout_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "renderers", lambda: (_script("slow", "import time; time.sleep(60)"),))
    monkeypatch.setattr(ladder, "TIME_LIMIT", 0.2)
    with pytest.raises(LimitError, match=r"\.dot or \.txt"):
        render_dot(SMALL, "svg")


def test_no_file_of_the_current_folder_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pygraphviz.py").write_text(
        "from pathlib import Path\nPath('ran').touch()\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert render_dot(SMALL, "svg").startswith(b"<?xml")
    assert not (tmp_path / "ran").exists()
