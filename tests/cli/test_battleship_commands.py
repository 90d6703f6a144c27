"""Battleship on the command line: matches, traces, pictures, and the dialects that every command can set."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from case_files import case_text

from gpkit.core.registry import data_folder

PROGRAMS = data_folder("programs")
CORRECTED = PROGRAMS / "battleship" / "corrected.sink"

BODY = case_text("games/three_states.sink")
OTHER = "targeting:\n  Target\n  Shoot\n"


def test_run_counts_shots(gpkit) -> None:
    report = json.loads(gpkit("run", CORRECTED, "--games", 30, "--json").out)
    (result,) = report["results"]
    assert (result["game"], result["opponent"], result["metric"]) == ("battleship", "uniform", "shots")
    assert (result["games"], result["stalled"], result["invalid"]) == (30, 0, 0)
    low, high = result["ci95"]
    assert 17 < low < result["mean"] < high < 200


def test_trace_tells_every_line(gpkit) -> None:
    outcome = gpkit("trace", CORRECTED, "--json")
    head, *steps = (json.loads(line) for line in outcome.out.splitlines())
    assert (head["game"], head["players"], head["seat"]) == ("battleship", ["corrected", "uniform"], 0)
    assert list(head["sections"]) == ["targeting", "locking", "sinking"]
    assert [step["step"] for step in steps] == list(range(len(steps)))
    values = [step["values"] for step in steps]
    for each in values:
        if "instruction" in each:
            assert head["sections"][each["state"].lower()][int(each["line"]) - 1] == each["instruction"]
    shots = [each for each in values if each["shot"]]
    assert steps[-1]["scores"] == [len(shots)]
    assert [step["action"] for step in steps if step["action"]] == [shot["square"] for shot in shots]
    assert steps[-1]["known"][0].count("#") == sum(shot["hit"] for shot in shots) == 17
    assert sorted(shot["sinks"] for shot in shots if shot["sinks"]) == [2, 3, 3, 4, 5]


def test_draw_counts_the_lines_that_a_trace_tells(gpkit) -> None:
    until = ("--until", "hits == 2", "--seed", 4)
    trace = [json.loads(line) for line in gpkit("trace", CORRECTED, "--json", *until).out.splitlines()]
    values = [step["values"] for step in trace[1:]]
    lines = Counter((each["state"].lower(), each["line"]) for each in values if each.get("line"))
    drawn = gpkit("draw", CORRECTED, "--trace", *until)
    assert drawn.code == 0
    assert drawn.err == "corrected.sink, seed 4: how often each line was executed up to hits == 2\n"
    found: Counter[tuple[str, int]] = Counter()
    block = ""
    for row in drawn.out.splitlines():
        block = row if row in trace[0]["sections"] else block
        words = row.split()
        if len(words) > 2 and words[0].isdigit() and words[1].isdigit():
            found[block, int(words[1])] = int(words[0])
    assert found == lines


# Dialects.

PLAIN = "// game: battleship\n// a: b\n// c: d\n"
MEANT = "// game: battleship\n// target: raster\n// end: next\n"
DIALECT = ("--dialect", "target=raster", "--dialect", "end=next")


def _without_times(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if '"seconds"' not in line and "_second" not in line)


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "mine.sink", "--games", "20", "--json"),
        ("compare", "mine.sink", "other.sink", "--games", "20", "--json"),
        ("tournament", "mine.sink", "other.sink", "--games", "20", "--rules", "mode=duel", "--json"),
        ("trace", "mine.sink", "--until", "hits == 2"),
        ("draw", "mine.sink"),
        ("draw", "mine.sink", "--trace", "--until", "hits == 2"),
        ("check", "mine.sink"),
        ("play", "battleship", "--vs", "mine.sink", "--adviser", "mine.sink", "--seed", "3"),
    ],
    ids=" ".join,
)
def test_dialect_stands_in_for_header_lines(arguments: tuple[str, ...], folder: Path, gpkit) -> None:
    def said(header: str, *dialect: str) -> str:
        (folder / "mine.sink").write_text(header + BODY)
        (folder / "other.sink").write_text(header + OTHER)
        outcome = gpkit(*arguments, *dialect, stdin=b"\nh\nq\n")
        assert outcome.code in (0, 1), outcome.err
        return _without_times(outcome.out)

    assert said(PLAIN) != said(PLAIN, *DIALECT) == said(MEANT)


def test_a_page_of_a_game_goes_from_shot_to_shot_and_marks_the_executed_line(gpkit, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    program = PROGRAMS / "battleship" / "textbook.sink"
    assert gpkit("trace", program, "--until", "shots == 3", "--html", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert 'aria-label="next shot"' in text
    stops = [" data-stop" in tag for tag in re.findall(r'<div class="frame"[^>]*>', text)]
    assert sum(stops) == 3
    assert len(stops) > 8
    assert text.count('<div class="board"') == 4
    assert text.count('<mark class="line">') == text.count('<div class="listing"') > 3
