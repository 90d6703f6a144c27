"""``gpkit draw``: to files by suffix, to standard output as text, and the mistakes that people make.

``gpkit draw`` of waves: boards in text, curves beside densities in pictures.
"""

from pathlib import Path
from shutil import copytree

import pytest
from kernel_marks import compiled_only
from tiny_run import evolve_tiny

PROGRAM = "// game: sevens\nplay: env.depth + 2.0 * env.selfblock\nsend: env.dist\n"
FILES = {"a.tree": PROGRAM}


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


def test_some_sections_alike_are_compared(folder: Path, gpkit) -> None:
    (folder / "b.tree").write_text("play: 1\n")
    outcome = gpkit("draw", "a.tree", "--diff", "b.tree")
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.release
def test_a_large_program_is_refused_as_a_picture_but_not_as_text(folder: Path, gpkit) -> None:
    (folder / "large.tree").write_text("play: " + " + ".join(["env.rank"] * 4000) + "\nsend: env.dist\n")
    refused = gpkit("draw", "large.tree", "-o", "large.svg")
    assert refused.code == 3
    assert ".dot" in refused.err
    assert gpkit("draw", "large.tree", "-o", "large.dot").code == 0


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has ended."""
    path = tmp_path_factory.mktemp("runs") / "tiny"
    evolve_tiny(path)
    return path


def test_a_run_stands_for_its_champion(folder: Path, gpkit, run: Path) -> None:
    champion = run / "best" / "champion.tree"
    assert gpkit("draw", run).out == gpkit("draw", champion).out
    assert gpkit("draw", run, "--what", "champion").out == gpkit("draw", champion).out
    assert gpkit("draw", run, "--diff", "a.tree").out == gpkit("draw", champion, "--diff", "a.tree").out
    assert gpkit("draw", "a.tree", "--diff", run).code == 0


@pytest.mark.parametrize(
    ("what", "heading"),
    [
        ("curves", "generation  best in training    median  champion in validation"),
        ("sizes", "generation  best  mean of all"),
        ("diversity", "generation  different individuals"),
        ("lineage", "generation  fitness"),
    ],
)
def test_the_parts_of_a_run(folder: Path, gpkit, run: Path, what: str, heading: str) -> None:
    shown = gpkit("draw", run, "--what", what)
    assert shown.code == 0
    assert shown.out.startswith(heading)
    for suffix in ("svg", "html"):
        assert gpkit("draw", run, "--what", what, "-o", f"x.{suffix}").code == 0
        assert b"<svg" in (folder / f"x.{suffix}").read_bytes()


def test_a_chart_has_a_line_for_each_run(folder: Path, gpkit, run: Path) -> None:
    copy = folder / "copy"
    copytree(run, copy)
    alone = gpkit("draw", run, "--what", "curves").out.splitlines()
    both = gpkit("draw", run, copy, "--what", "curves").out.splitlines()
    assert both[0].split() == ["generation", str(run), str(copy)]
    assert [line.split()[1:] for line in both[1:]] == [line.split()[-1:] * 2 for line in alone[1:]]
    for words, told in (
        (("--what", "front"), "--what curves or sizes or diversity"),
        ((), "several runs need"),
    ):
        refused = gpkit("draw", run, copy, *words)
        assert (refused.code, told in refused.err) == (2, True), refused.err
    nothing = gpkit("draw")
    assert (nothing.code, nothing.err) == (2, "error: name a program or a run\n")


@pytest.mark.release
def test_a_chart_and_a_lineage_are_pictures_of_every_kind(folder: Path, gpkit, run: Path) -> None:
    for what in ("curves", "lineage"):
        for suffix, magic in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
            assert gpkit("draw", run, "--what", what, "-o", f"x.{suffix}").code == 0
            assert (folder / f"x.{suffix}").read_bytes().startswith(magic)
    refused = gpkit("draw", run, "--what", "curves", "-o", "x.dot")
    assert refused.code == 2
    assert "use .svg, .png, .pdf, .html and .txt" in refused.err


CHOICE = "// game: sevens\nplay: ifle(env.selfblock, env.block, env.depth, env.rank + 1.0)\nsend: env.dist\n"


def test_a_trace_shows_values_and_what_was_executed(folder: Path, gpkit) -> None:
    (folder / "choice.tree").write_text(CHOICE)
    outcome = gpkit("draw", "choice.tree", "--trace", "--deal", 3)
    assert outcome.code == 0
    assert "choice.tree, seed 0, deal 3: " in outcome.err
    assert "play in step" in outcome.err
    assert outcome.out.count("(not executed)") == 1
    assert " = " in outcome.out
    again = gpkit("draw", "-", "--lang", "arithmetic", "--trace", stdin=CHOICE.encode())
    assert again.out == gpkit("draw", "choice.tree", "--trace").out
    other = gpkit("draw", "choice.tree", "--trace", "--opponent", "simple", "--seed", 5, "-o", "x.svg")
    assert other.code == 0
    assert "not executed" in (folder / "x.svg").read_text()


def test_a_trace_stops_where_it_is_told(folder: Path, gpkit) -> None:
    (folder / "choice.tree").write_text(CHOICE)
    early = gpkit("draw", "choice.tree", "--trace", "--until", "mine and candidates > 1 and decision == play")
    late = gpkit("draw", "choice.tree", "--trace")
    assert early.code == late.code == 0
    assert early.out != late.out
    assert "send" not in early.err, "no card has been sent by then"


def test_what_never_holds_is_a_finding(folder: Path, gpkit) -> None:
    outcome = gpkit("draw", "a.tree", "--trace", "--until", "turn > 9999")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "error: turn > 9999 holds in no step\n"


WAVE = "1 1 0 1\n0 1 0.5 2\n0 1 0 1\n0 1 0 1\n0 1 0 1\n"


def test_a_wave_without_a_density_is_a_board(folder: Path, gpkit) -> None:
    (folder / "a.wave").write_text(f"// rules: board=4x3 fleet=2\n{WAVE}")
    drawn = gpkit("draw", "a.wave")
    assert drawn.code == 0
    lines = drawn.out.splitlines()
    assert lines[0].startswith("a.wave, 0 is −1.5 and 99 is 0.75")
    assert [len(line.split()) for line in lines[1:4]] == [4, 4, 4]
    assert gpkit("draw", "a.wave", "-o", "a.svg").code == 0
    assert "1 sin 1t" in (folder / "a.svg").read_text()


@compiled_only
def test_a_wave_is_compared_with_the_density_of_its_header(folder: Path, gpkit) -> None:
    (folder / "a.wave").write_text(f"// density: wall\n{WAVE}")
    drawn = gpkit("draw", "a.wave")
    assert "correlation −" in drawn.out.replace("-", "−")
    assert "density of wall, 0 is 0 and 99 is 0.5" in drawn.out
    assert gpkit("draw", "a.wave", "-o", "a.svg").code == 0
    assert "wave, to scale" in (folder / "a.svg").read_text()
