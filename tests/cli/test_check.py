"""``gpkit check``: findings, forms of output, exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpkit.core.registry import language_of
from gpkit.editing.document import Document, all_findings

GOOD = "// game: sevens\nplay: env.depth\nsend: env.dist\n"
UNKNOWN = "// game: sevens\nplay: env.detph\nsend: env.dist\n"
BROKEN = "// game: sevens\nplay: env.depth +\nsend: env.dist\n"


def _write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.tree").write_text(text)


def test_clean_program(folder: Path, gpkit) -> None:
    _write(folder, good=GOOD)
    outcome = gpkit("check", "good.tree")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "1 file, 0 errors, 0 warnings\n")


def test_unknown_name_is_shown_with_its_place_and_the_nearest(folder: Path, gpkit) -> None:
    _write(folder, wrong=UNKNOWN)
    outcome = gpkit("check", "wrong.tree")
    assert outcome.code == 1
    assert " --> wrong.tree:2:7\n" in outcome.out
    assert "2 | play: env.detph\n" in outcome.out
    assert "did you mean `env.depth`?" in outcome.out
    assert outcome.err == "1 file, 1 error, 0 warnings\n"


def test_syntax_error_is_a_finding_and_the_others_are_checked(folder: Path, gpkit) -> None:
    _write(folder, a=BROKEN, b=UNKNOWN, c=GOOD)
    outcome = gpkit("check", ".")
    assert outcome.code == 1
    assert "a.tree:3:1" in outcome.out or "a.tree:2:" in outcome.out
    assert "b.tree:2:7" in outcome.out
    assert outcome.err == "3 files, 2 errors, 0 warnings\n"


def test_all_errors_of_a_file_are_findings_and_running_refuses_the_first(folder: Path, gpkit) -> None:
    (folder / "wrong.sink").write_text(
        "// game: battleship\ntargetin:\n  Target Shoot\nlocking:\n  Shoot;\n  Shoott\n"
    )
    outcome = gpkit("check", "--output-format", "github", "wrong.sink")
    assert outcome.code == 1
    places = [line.partition("line=")[2].partition("::")[0] for line in outcome.out.splitlines()]
    assert places == ["3,col=10,title=E122", "2,col=1,title=E125", "5,col=8,title=E121", "6,col=3,title=E130"]
    refused = gpkit("run", "wrong.sink")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.count("error[") == 1
    assert "wrong.sink:3:10" in refused.err


def test_unreadable_and_too_large_files_win_over_findings(folder: Path, gpkit) -> None:
    _write(folder, wrong=UNKNOWN)
    missing = gpkit("check", "wrong.tree", "wrng.tree")
    assert missing.code == 2
    assert "wrong.tree:2:7" in missing.out
    assert "error: there is no file wrng.tree; did you mean wrong.tree?\n" in missing.err
    _write(folder, large="1.0 + " * 200_000 + "1.0")
    assert gpkit("check", "wrong.tree", "wrng.tree", "large.tree").code == 3


def test_limit_of_the_language_is_exit_code_3(folder: Path, gpkit) -> None:
    _write(folder, deep="(" * 30_000 + "1.0" + ")" * 30_000)
    outcome = gpkit("check", "deep.tree")
    assert outcome.code == 3
    assert outcome.err.startswith("error[E0")


@pytest.mark.parametrize("option", [["--output-format", "json"], ["--json"]])
def test_json(option: list[str], folder: Path, gpkit) -> None:
    _write(folder, wrong=UNKNOWN)
    outcome = gpkit("check", *option, "wrong.tree", "missing.tree")
    assert outcome.code == 2
    report = json.loads(outcome.out)
    assert report["schema"] == "gpkit/check/1"
    assert report["files"] == 2
    (finding,) = report["findings"]
    assert finding["path"] == "wrong.tree"
    assert finding["severity"] == "error"
    assert finding["span"] == {"start": 22, "end": 31, "line": 2, "column": 7}
    assert [u["path"] for u in report["unreadable"]] == ["missing.tree"]


def test_github_annotations(folder: Path, gpkit) -> None:
    (folder / "a,b.tree").write_text(UNKNOWN)
    outcome = gpkit("check", "--output-format", "github", "a,b.tree")
    assert outcome.code == 1
    assert outcome.out.startswith("::error file=a%2Cb.tree,line=2,col=7,title=E0")
    assert outcome.out.count("\n") == 1


def test_standard_input_needs_its_language_or_its_game(gpkit) -> None:
    assert gpkit("check", "-", "--lang", "arithmetic", stdin=UNKNOWN.encode()).code == 1
    assert gpkit("check", "-", stdin=GOOD.encode()).code == 0
    outcome = gpkit("check", "-", stdin=GOOD.partition("\n")[2].encode())
    assert outcome.code == 2
    assert "name its language or its game" in outcome.err


@pytest.mark.parametrize(
    ("game", "text", "found"),
    [
        ("sevens", "play: env.dept\nsend: env.dist", "`sevens` has no sensor `env.dept`"),
        (
            "sevens",
            "play: test env.dept > 1\n  yes: 2\n  no: 3\nsend: env.dist",
            "`sevens` has no sensor `env.dept`",
        ),
        ("battleship", "Targeting:\n  Shoo", "`battleship` has no instruction `Shoo`"),
        ("dots_and_boxes", "play:", "E160"),
    ],
)
def test_standard_input_is_in_a_language_of_the_game(game: str, text: str, found: str, gpkit) -> None:
    """The first one that reads the text, or else the first one of the game."""
    outcome = gpkit("check", "-", "--game", game, stdin=text.encode())
    assert outcome.code == 1
    assert found in outcome.out


def test_a_program_without_a_game_is_checked_for_the_only_one_that_fits(folder: Path, gpkit) -> None:
    _write(folder, bare=UNKNOWN.partition("\n")[2], lone="env.detph")
    (folder / "word.sink").write_text("targeting:\n  Trget\n  Shoot\n")
    (folder / "switch.sink").write_text("// target: foo\ntargeting:\n  Target\n  Shoot\n")
    assert "did you mean `env.depth`?" in gpkit("check", "bare.tree").out
    assert gpkit("check", "lone.tree").code == 0
    assert "error[E130]: `battleship` has no instruction `Trget`" in gpkit("check", "word.sink").out
    assert "error[E133]: the switch `target` has no value `foo`" in gpkit("check", "switch.sink").out


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [("a.tree", GOOD, "E013"), ("a.sink", "targeting:\n  Target\n  Shoot\n", "E132")],
)
def test_unknown_game_of_a_header_is_a_finding(name: str, text: str, code: str, folder: Path, gpkit) -> None:
    (folder / name).write_text("// game: chess\n" + text)
    outcome = gpkit("check", name)
    assert outcome.code == 1
    assert outcome.out.startswith(f"error[{code}]: there is no game `chess`\n --> {name}:1:10\n")


def test_unknown_placement_is_a_finding(folder: Path, gpkit) -> None:
    (folder / "a.sink").write_text("// placement: nowhere\ntargeting:\n  Target\n  Shoot\n")
    outcome = gpkit("check", "a.sink")
    assert outcome.code == 1
    assert outcome.out.startswith("error[E136]: there is no placement `nowhere`\n --> a.sink:1:15\n")
    assert gpkit("check", "a.sink", "--dialect", "placement=corner").code == 0


def test_game_option_stands_in_for_the_header(folder: Path, gpkit) -> None:
    _write(folder, bare="env.detph")
    assert gpkit("check", "bare.tree").code == 0
    assert gpkit("check", "--game", "sevens", "bare.tree").code == 1
    outcome = gpkit("check", "--game", "seven", "bare.tree")
    assert outcome.code == 2
    assert "did you mean `sevens`?" in outcome.err


def test_strict_makes_warnings_count(folder: Path, gpkit) -> None:
    _write(folder, constant="// game: sevens\nplay: env.depth + (1.0 + 2.0)\nsend: 4.0\n")
    outcome = gpkit("check", "constant.tree")
    assert outcome.code == 0
    assert "warning[W" in outcome.out
    assert gpkit("check", "--strict", "constant.tree").code == 1


def test_explain(gpkit) -> None:
    outcome = gpkit("check", "--explain", "e001")
    assert outcome.code == 0
    assert outcome.out.startswith("E001: ")


LEAN = """
import sys
from gpkit.cli.main import main
code = main(["check", "--json", "--game", "sevens", "."])
sys.exit(code if not {"numba", "networkx", "rich"} & set(sys.modules) else 99)
"""


def test_output_does_not_depend_on_the_hash_seed_and_nothing_heavy_is_imported(folder: Path) -> None:
    _write(folder, wrong=UNKNOWN, constant="play: 1.0 + 2.0\nsend: env.nothing\n")
    outputs = set()
    for seed in ("0", "1"):
        command = [sys.executable, "-c", LEAN]
        environment = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        assert done.returncode == 1, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_summary_says_how_many_files_were_not_read(folder: Path, gpkit) -> None:
    _write(folder, good=GOOD)
    outcome = gpkit("check", "good.tree", "missing.tree")
    assert (outcome.code, outcome.err.splitlines()[-1]) == (2, "2 files, 0 errors, 0 warnings, 1 not read")
    _write(folder, bad="np.float64(1.0) * x\n")
    Path("rows.csv").write_text("x\n1\n", encoding="utf-8")
    outcome = gpkit("check", "bad.tree", "--data", "rows.csv")
    assert (outcome.code, outcome.err.splitlines()[-1]) == (2, "1 file, 1 error, 0 warnings")


def _findings(gpkit, path: str, *arguments: str) -> list[tuple[str, str, str]]:
    found = json.loads(gpkit("check", "--json", path, *arguments).out)["findings"]
    return [(each["code"], each["message"], each["help"]) for each in found]


@pytest.mark.parametrize(
    ("name", "text", "code", "nearest"),
    [
        ("a.tree", "// gmae: kalah\ntake: env.left\n", "W001", "game"),
        ("a.tree", "// game: sevens\n// alphabt: all\nplay: env.depth\nsend: env.dist\n", "W001", "alphabet"),
        ("a.decide", "// Game: sevens\nplay: test env.depth < 3 yes: 1 no: 2\nsend: 1\n", "W001", "game"),
        ("a.plan", "// game: build_order\n// diretcion: up\ndo drone\n", "W001", "direction"),
        (
            "a.sink",
            "// game: battleship\n// ednd: next\n// plcement: random\ntargeting:\n  Shoot\n",
            "W001",
            "placement",
        ),
        ("a.rules", "# gmae: dots_and_boxes\nx_0 w => x_0 - w\n", "W197", "game"),
    ],
)
def test_a_mistyped_line_of_the_header_is_told(
    folder: Path, gpkit, name: str, text: str, code: str, nearest: str
) -> None:
    (folder / name).write_text(text)
    assert (code, f"did you mean `{nearest}`?") in [(each, fix) for each, _, fix in _findings(gpkit, name)]


def test_notes_in_a_header_are_no_mistakes(folder: Path, gpkit) -> None:
    _write(folder, good=GOOD.replace("\n", "\n// name: a\n// date: 1\n// trained: b\n// gains: 3\n", 1))
    assert gpkit("check", "good.tree").out == ""


@pytest.mark.parametrize("text", ["// gmae: kalah\ntake: env.lft\n", "nowhere: env.left\n"])
def test_who_checks_no_names_says_so(folder: Path, gpkit, text: str) -> None:
    _write(folder, a=text)
    assert "no game is named, so names are not checked" in [
        message for _, message, _ in _findings(gpkit, "a.tree")
    ]
    assert "so names are not checked" in gpkit("check", "a.tree").out
    assert gpkit("check", "--explain", "I001").code == 0
    found = all_findings(Document(text, language_of("a.tree").load(), "a.tree")).found
    assert "I001" in {each.code for each in found}


def test_the_file_of_a_game_beside_the_program_is_offered_and_not_imported(folder: Path, gpkit) -> None:
    (folder / "kalah.py").write_text("raise SystemExit('imported')\n")
    _write(folder, a="// game: kalah\ntake: env.left\n", b="// game: kalha\ntake: env.left\n")
    (folder / "c.rules").write_text("# game: kalah\nx_0 w => x_0 - w\n")
    assert ("E013", "there is no game `kalah`", "add `--game ./kalah.py`") in _findings(gpkit, "a.tree")
    assert ("E190", "there is no game `kalah`", "add `--game ./kalah.py`") in _findings(gpkit, "c.rules")
    assert "./kalah.py" not in str(_findings(gpkit, "b.tree"))
    path = str(folder / "a.tree")
    found = all_findings(Document("// game: kalah\ntake: 1\n", language_of(path).load(), path)).found
    assert f"add `--game {folder / 'kalah.py'}`" in [each.help for each in found]
