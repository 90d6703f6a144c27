"""``gpkit draw``: to files by suffix, to standard output as text, and the mistakes that people make."""

from pathlib import Path

import pytest

PROGRAM = "// game: sevens\nplay: env.depth + 2.0 * env.selfblock\nsend: env.dist\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with a program."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.tree").write_text(PROGRAM)
    return tmp_path


def test_text_goes_to_standard_output(folder: Path, gpkit) -> None:
    outcome = gpkit("draw", "a.tree")
    assert outcome.code == 0
    assert outcome.out.splitlines()[:4] == ["play", "+", "├─ env.depth", "└─ ×"]
    assert gpkit("draw", "-", "--lang", "arithmetic", stdin=PROGRAM.encode()).out == outcome.out


@pytest.mark.parametrize(
    ("suffix", "magic"),
    [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("dot", b"digraph"), ("html", b"<!")],
)
def test_the_suffix_says_the_form(folder: Path, gpkit, suffix: str, magic: bytes) -> None:
    outcome = gpkit("draw", "a.tree", "-o", f"out.{suffix}")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", f"wrote out.{suffix}\n")
    assert (folder / f"out.{suffix}").read_bytes().startswith(magic)
    assert sorted(p.name for p in folder.iterdir()) == ["a.tree", f"out.{suffix}"]


def test_what_changed(folder: Path, gpkit) -> None:
    (folder / "b.tree").write_text(PROGRAM.replace("2.0", "3.0"))
    outcome = gpkit("draw", "b.tree", "--diff", "a.tree")
    assert outcome.code == 0
    assert any("2" in line and "3" in line for line in outcome.out.splitlines())


def test_mistakes(folder: Path, gpkit) -> None:
    wrong = gpkit("draw", "a.tree", "-o", "a.pgn")
    assert wrong.code == 2
    assert "did you mean .png?" in wrong.err
    assert "there is no file c.tree; did you mean a.tree?" in gpkit("draw", "c.tree").err
    missing = gpkit("draw", "a.tree", "-o", "none/a.svg")
    assert missing.code == 2
    assert "none/a.svg cannot be written" in missing.err
    (folder / "bad.tree").write_text("play: 1 +\n")
    assert gpkit("draw", "bad.tree").code == 2


def test_a_large_program_is_refused_as_a_picture_but_not_as_text(folder: Path, gpkit) -> None:
    (folder / "large.tree").write_text("play: " + " + ".join(["env.rank"] * 4000) + "\nsend: env.dist\n")
    refused = gpkit("draw", "large.tree", "-o", "large.svg")
    assert refused.code == 3
    assert ".dot" in refused.err
    assert gpkit("draw", "large.tree", "-o", "large.dot").code == 0
