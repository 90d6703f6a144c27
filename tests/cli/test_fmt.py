"""``gpkit fmt``: in place, to standard output, as a check and as a diff."""

import subprocess
from pathlib import Path

import pytest

UGLY = "// game: sevens\nplay: (env.depth)*2 // why\nsend: env.dist\n"
BROKEN = "play: env.depth +\nsend: env.dist\n"


def test_in_place_and_idempotent(folder: Path, gpkit) -> None:
    (folder / "a.tree").write_text(UGLY)
    first = gpkit("fmt", "a.tree")
    assert (first.code, first.out, first.err) == (0, "", "1 of 1 files reformatted\n")
    text = (folder / "a.tree").read_text()
    assert "(env.depth) * 2  // why" in text
    second = gpkit("fmt", ".")
    assert second.err == "0 of 1 files reformatted\n"
    assert (folder / "a.tree").read_text() == text


def test_unchanged_file_is_not_written(folder: Path, gpkit) -> None:
    path = folder / "a.tree"
    path.write_text(UGLY)
    gpkit("fmt", "a.tree")
    before = path.stat()
    gpkit("fmt", "a.tree")
    assert path.stat().st_ino == before.st_ino
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_check_writes_nothing(folder: Path, gpkit) -> None:
    path = folder / "a.tree"
    path.write_text(UGLY)
    outcome = gpkit("fmt", "--check", "a.tree")
    assert outcome.code == 1
    assert outcome.err == "1 of 1 files would be reformatted\n"
    assert path.read_text() == UGLY
    gpkit("fmt", "a.tree")
    assert gpkit("fmt", "--check", "a.tree").code == 0


def test_diff_is_a_patch(folder: Path, gpkit) -> None:
    path = folder / "a.tree"
    path.write_text(UGLY.rstrip("\n"))
    outcome = gpkit("fmt", "--diff", "a.tree")
    assert outcome.code == 0
    assert path.read_text() == UGLY.rstrip("\n")
    subprocess.run(["patch", "-s", "-p0"], input=outcome.out, text=True, cwd=folder, check=True)
    patched = path.read_text()
    path.write_text(UGLY)
    gpkit("fmt", "a.tree")
    assert path.read_text() == patched


def test_standard_input_goes_to_standard_output(gpkit) -> None:
    outcome = gpkit("fmt", "-", "--lang", "arithmetic", stdin=b"A+B  *7")
    assert (outcome.code, outcome.out, outcome.err) == (0, "A + B * 7\n", "")


def test_broken_file_is_left_and_the_others_are_laid_out(folder: Path, gpkit) -> None:
    (folder / "a.tree").write_text(BROKEN)
    (folder / "b.tree").write_text(UGLY)
    outcome = gpkit("fmt", ".")
    assert outcome.code == 2
    assert "error[E001]" in outcome.err
    assert (folder / "a.tree").read_text() == BROKEN
    assert (folder / "b.tree").read_text() != UGLY


@pytest.mark.parametrize("faulty", ["A\n", "// game: sevens\nA + B\n"])
def test_layout_that_would_change_the_program_or_its_header_is_never_written(
    faulty: str, folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpkit.core.registry import language_of

    class Faulty:
        """A language whose formatter loses something."""

        parse = staticmethod(language_of("a.tree").load().parse)
        format_source = staticmethod(lambda source: faulty)

    (folder / "a.tree").write_text("A + B")
    monkeypatch.setattr("gpkit.langkit.checking.text_and_language", lambda path, name: ("A + B", Faulty))
    assert gpkit("fmt", "a.tree").code == 70
    assert (folder / "a.tree").read_text() == "A + B"


@pytest.mark.parametrize(
    ("name", "text", "character"),
    [
        ("a.tree", "\r// game: sevens\nplay: env.depth\nsend: env.dist\n", "U+000D"),
        ("a.sink", "\r// game: battleship\ntargeting:\n  Shoot\n", "U+000D"),
        ("a.rules", "# game: dots_and_boxes\n\r# level: 1\nx_0 w => x_0 - w\n", "U+000D"),
        ("a.sink", "// title: a\ufeff\ntargeting:\n  Shoot\n", "U+FEFF"),
        ("a.rules", "# title: a\u202eb\nx_0 w => x_0 - w\n", "U+202E"),
    ],
)
def test_odd_line_ends_and_invisible_characters_are_refused(
    name: str, text: str, character: str, folder: Path, gpkit
) -> None:
    (folder / name).write_text(text, newline="")
    outcome = gpkit("fmt", name)
    assert (outcome.code, f"the character {character} is not allowed here" in outcome.err) == (2, True)
    assert (folder / name).read_bytes().decode() == text
