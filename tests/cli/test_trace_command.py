"""``gpkit trace``: text, JSON, pages, and what is refused."""

import json
import re
from pathlib import Path

import pytest
from case_files import case_text

from gpkit.games.sevens.primitives import PRIMITIVES

PROGRAM = "// game: sevens\nplay: env.depth + 2 * env.selfblock - env.block / 2\nsend: env.dist\n"

STEP = case_text("games/step_of_sevens.txt")


@pytest.fixture
def first(tmp_path: Path) -> Path:
    path = tmp_path / "first.tree"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def test_text_of_a_step(gpkit, first: Path) -> None:
    outcome = gpkit("trace", first, "--until", "mine and candidates > 2 and turn > 5", "--formula")
    assert outcome.code == 0
    assert outcome.out.endswith(STEP)
    assert outcome.err == "sevens: first in seat 0 against random 1, random 2; seed 0\n"


def test_whole_game_ends_with_the_score(gpkit, first: Path) -> None:
    out = gpkit("trace", first, "--rules", "end=points").out
    numbers = [int(number) for number in re.findall(r"^step (\d+):", out, re.MULTILINE)]
    assert numbers == list(range(len(numbers)))
    assert re.search(r"over, .* has won\n.*\npoints of first: -?\d+\n\Z", out, re.DOTALL)


def test_same_arguments_same_bytes_and_another_deal_another_game(gpkit, first: Path) -> None:
    out = gpkit("trace", first, "--seed", 4).out
    assert gpkit("trace", first, "--seed", 4).out == out
    assert gpkit("trace", first, "--seed", 5).out != out
    assert gpkit("trace", first, "--seed", 4, "--deal", 1).out != out


def test_ascii_on_request_and_where_the_encoding_lacks_signs(
    gpkit, first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = gpkit("trace", first, "--ascii", "--formula").out
    assert out.isascii()
    assert "step 1: random 2 plays h7" in out
    assert "|- + = " in out
    monkeypatch.setattr("gpkit.core.streams.can_show", lambda stream, signs: False)
    assert gpkit("trace", first, "--formula").out == out


def test_seats_and_opponents(gpkit, first: Path) -> None:
    outcome = gpkit("trace", first, "--opponent", "simple", "--opponent", first, "--seat", 2, "--until", "1")
    assert outcome.err == "sevens: first 2 in seat 2 against simple, first 1; seed 0\n"
    outcome = gpkit("trace", "simple", "--opponent", "pimc:2", "--players", 2, "--until", "step == 5")
    assert outcome.code == 0
    assert "step 5: " in outcome.out


def test_standard_input_is_a_program(gpkit) -> None:
    outcome = gpkit("trace", "-", "--lang", "arithmetic", "--until", "over", stdin=PROGRAM.encode())
    assert outcome.code == 0
    assert "program in seat 0" in outcome.err


def test_json_lines(gpkit, first: Path) -> None:
    out = gpkit("trace", first, "--json", "--formula").out
    head, *steps = (json.loads(line) for line in out.splitlines())
    assert head["schema"] == "gpkit/trace/1"
    assert head["kind"] == "game"
    assert head["players"] == ["first", "random 1", "random 2"]
    assert head["sections"]["send"] == "env.dist"
    assert (head["seat"], head["seed"], head["deal"], head["rules"]) == (0, 0, 0, {})
    assert {(s["schema"], s["kind"]) for s in steps} == {("gpkit/trace/1", "step")}
    assert [s["step"] for s in steps] == list(range(len(steps)))
    for step in steps:
        assert ("nodes" in step) == (step["decision"] is not None)
        if step["decision"]:
            chosen = next(
                c for c in step["decision"]["candidates"] if c["card"] == step["decision"]["chosen"]
            )
            assert len(chosen["sensors"]) == len(PRIMITIVES.sensors)
            assert step["nodes"][0]["value"] == chosen["value"] == step["values"]["value"]
    assert sum(steps[-1]["scores"]) == 1.0
    assert steps[-1]["values"]["score"] == steps[-1]["scores"][0]


def test_page_is_whole_and_fetches_nothing(gpkit, first: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    outcome = gpkit("trace", first, "--html", path, "--formula", "--until", "step == 9")
    assert (outcome.code, outcome.out) == (0, "")
    assert f"wrote {path}: 10 steps" in outcome.err
    text = path.read_text(encoding="utf-8")
    assert text.count('<div class="frame"') == text.count('role="img"') == 10
    assert "Step 8: first plays ♦6" in text
    assert "Every node of the formula" in text
    assert '<td class="number">3.5000</td>' in text
    assert not re.search(r"(?:src|href)=\"(?!#)", text)


def test_page_escapes_the_name(gpkit, tmp_path: Path) -> None:
    program = tmp_path / "<b>.tree"
    program.write_text(PROGRAM, encoding="utf-8")
    gpkit("trace", program, "--html", tmp_path / "x.html", "--until", "step == 1")
    text = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "<b>" not in text
    assert "&lt;b&gt;" in text


def test_what_never_holds_is_a_finding(gpkit, first: Path) -> None:
    outcome = gpkit("trace", first, "--until", "rank == 15")
    assert outcome.code == 1
    assert outcome.err.endswith("rank == 15 holds in no step\n")


def test_walk_shows_every_node_on_request(gpkit, first: Path) -> None:
    lines = b"f\nu mine and not forced\nf\nv\n"
    out = gpkit("trace", first, "--step", stdin=lines).out
    assert "the program made no decision in this step\n" in out
    assert re.search(r"^play\n− = .*\n├─ \+ = ", out, re.MULTILINE)
    assert re.search(r"^env\.depth +\d  steps from the seven", out, re.MULTILINE)


def test_walk_starts_where_the_condition_holds(gpkit, first: Path) -> None:
    lines = b"p\nu mine\nq\n"
    outcome = gpkit("trace", first, "--step", "--until", "mine and candidates > 2 and turn > 5", stdin=lines)
    assert outcome.code == 0
    assert re.findall(r"^step (\d+):", outcome.out, re.MULTILINE) == ["8", "7", "8"]
    outcome = gpkit("trace", first, "--step", "--until", "rank == 15", stdin=b"\xff\xfe\n")
    assert outcome.code == 1
    assert "rank == 15 holds in no step" in outcome.err
    assert "is not a command" in outcome.out


def test_too_long_a_condition_is_a_limit(gpkit) -> None:
    assert gpkit("trace", "simple", "--until", "1" * 2000).code == 3
