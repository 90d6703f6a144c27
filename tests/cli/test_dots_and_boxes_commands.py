"""The commands on Dots and Boxes: exact results, and what rules match."""

import html
import json
import re
from pathlib import Path

import pytest
from kernel_marks import compiled_only

from gpkit.core.registry import data_folder

PROGRAMS = data_folder("programs") / "dots_and_boxes"
SMALL = ("--rules", "board=2x2")


def test_exact_json_contract(gpkit) -> None:
    outcome = gpkit("run", PROGRAMS / "greedy.rules", "--opponent", "chain", "--exact", "--json", *SMALL)
    assert outcome.code == 0
    report = json.loads(outcome.out)
    assert report["schema"] == "gpkit/run/1"
    (result,) = report["results"]
    assert result.pop("mean") == pytest.approx(0.25159606648495536, abs=1e-9)
    assert sum(result.pop("seatings")) / 2 == pytest.approx(0.25159606648495536, abs=1e-9)
    assert result.pop("best_response") == pytest.approx([1.0, 0.7978571428571427], abs=1e-9)
    assert result == {
        "program": str(PROGRAMS / "greedy.rules"),
        "game": "dots_and_boxes",
        "opponent": "chain",
        "metric": "win_rate",
        "ci95": None,
        "games": 0,
        "stalled": 0,
        "invalid": 0,
        "exact": True,
    }


def test_exact_table(gpkit) -> None:
    outcome = gpkit("run", "greedy", "chain", "--opponent", "greedy", "--exact", *SMALL)
    assert outcome.code == 0
    heading, same, better, *answers = outcome.out.splitlines()
    assert re.split(r" {2,}", heading) == [
        "program", "opponent", "metric", "mean", "moving first", "moving second",
    ]  # fmt: skip
    cells = re.split(r" {2,}", same)
    assert cells[:4] == ["greedy", "greedy", "win_rate", "0.5000"]
    assert float(cells[4]) + float(cells[5]) == pytest.approx(1, abs=2e-4)
    assert float(re.split(r" {2,}", better)[3]) > 0.5
    said = r"The best response to (\w+) wins (\d\.\d{4}) moving first and (\d\.\d{4}) moving second\."
    found = [re.fullmatch(said, line) for line in answers]
    assert [match and match[1] for match in found] == ["greedy", "chain"]
    assert all(match and (float(match[2]) + float(match[3])) / 2 > 0.5 for match in found)


def test_program_against_a_program_exactly(gpkit) -> None:
    safe, greedy = PROGRAMS / "safe.rules", PROGRAMS / "greedy.rules"
    outcome = gpkit("run", safe, "--opponent", greedy, "--exact", "--json", *SMALL)
    (result,) = json.loads(outcome.out)["results"]
    assert result["opponent"] == str(greedy)
    assert 0.5 < result["mean"] < 1


def test_sampled_play_on_a_larger_board(tmp_path: Path, gpkit) -> None:
    text = "# game: dots_and_boxes\nx_0 w => x_0 - w\n"
    (tmp_path / "a.rules").write_text(text, encoding="utf-8")
    arguments = (
        "run",
        tmp_path / "a.rules",
        "--games",
        "200",
        "--json",
        "--rules",
        "board=5x5",
        "--seed",
        "3",
    )
    results = json.loads(gpkit(*arguments).out)["results"]
    assert [(r["opponent"], r["metric"], r["games"]) for r in results] == [
        ("greedy", "win_rate", 200),
        ("chain", "win_rate", 200),
    ]
    assert results[1]["mean"] < 0.1 < results[0]["mean"]
    assert [r["mean"] for r in json.loads(gpkit(*arguments).out)["results"]] == [r["mean"] for r in results]


@pytest.mark.release
@compiled_only
def test_match_of_the_printed_rules(gpkit) -> None:
    outcome = gpkit("match", PROGRAMS / "printed.rules", "--json")
    assert outcome.code == 0
    report = json.loads(outcome.out)
    assert (report["schema"], report["board"]) == ("gpkit/match/1", "3x3")
    assert len(report["results"]) == 6
    specific = next(result for result in report["results"] if result["positions"] == 32)
    assert specific == {
        "name": None,
        "rule": "t_0 l_1 l_2 t_3 : l_1(1) t_0 n : l_2(4) t_0 t_3 : t_3 t_0 l_2 l_4 : l_4(2) t_3 n => t_0 - t_3",
        "joined": False,
        "positions": 32,
        "classes": 1,
        "acts": 32,
        "mean_value": 9.0,
        "optimal": 1.0,
        "regret": 0.0,
    }


def test_match_as_a_table(tmp_path: Path, gpkit) -> None:
    path = tmp_path / "some.rules"
    path.write_text("take: x_0 w => x_0 - w\nl_0(4) w => l_0 - w\nl_0(9) w => l_0 - w\n", encoding="utf-8")
    outcome = gpkit("match", path, "--board", "2x2")
    assert outcome.code == 0
    heading, take, loop, never = outcome.out.splitlines()
    assert re.split(r" {2,}", heading) == [
        "rule", "positions", "classes", "acts in", "mean value", "optimal", "regret",
    ]  # fmt: skip
    assert re.split(r" {2,}", take)[:4] == ["take", "2,654", "112", "2,654"]
    assert loop.startswith("l_0(4) w w => l_0 - w ")
    assert re.split(r" {2,}", never.rstrip()) == ["l_0(9) w w => l_0 - w", "0", "0", "0"]


def test_match_tells_rules_of_equal_precedence(tmp_path: Path, gpkit) -> None:
    path = tmp_path / "some.rules"
    path.write_text(
        "# level: 1\nx_0 w => x_0 - w\n| two: x_5 w => x_5 - w\nx_7 n => x_7 - n\n", encoding="utf-8"
    )
    results = json.loads(gpkit("match", path, "--board", "2x2", "--json").out)["results"]
    assert [(r["joined"], r["acts"]) for r in results] == [(False, 2654), (True, 2654), (False, 0)]
    assert "\n| two " in gpkit("match", path, "--board", "2x2").out


def test_trace_command(tmp_path: Path, gpkit) -> None:
    path = tmp_path / "two.rules"
    path.write_text(
        "# game: dots_and_boxes\ntake: x_0 w => x_0 - w\nl_0(1) w => l_0 - w  @q=0.5 @f=2.0\n",
        encoding="utf-8",
    )
    arguments = ("trace", path, "--opponent", "greedy", "--rules", "board=2x2", "--seed", "1")
    outcome = gpkit(*arguments, "--json")
    assert outcome.code == 0
    head, *steps = map(json.loads, outcome.out.splitlines())
    assert head["sections"] == {"rules": ["take: x_0 w => x_0 - w", "l_0(1) w => l_0 - w  @q=0.5 @f=2.0"]}
    assert [step["step"] for step in steps] == list(range(13))
    assert steps[-1]["scores"] is not None
    decisions = [step["decision"] for step in steps if step["decision"]]
    assert decisions
    for step in steps:
        if step["decision"]:
            assert step["action"] in step["decision"]["edges"]
            assert step["decision"]["chance"] == pytest.approx(1 / len(step["decision"]["edges"]))
            assert [each["rule"] for each in step["decision"]["matching"]][:1] == (
                [step["decision"]["rule"]] if step["decision"]["rule"] else []
            )
    text = gpkit(*arguments, "--until", "mine and rule > 0")
    assert text.code == 0
    assert "chance of each" in text.out
    page = gpkit(*arguments, "--html", tmp_path / "game.html")
    assert page.code == 0
    html = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert html.count("<svg") == 13
    assert "take: x_0 w" in html


def test_tournament_rates_by_wins(gpkit) -> None:
    programs = (PROGRAMS / "greedy.rules", "chain", "random")
    outcome = gpkit("tournament", *programs, "--games", "600", "--json", *SMALL)
    assert outcome.code == 0
    assert "an even share is 0.500" in outcome.err
    report = json.loads(outcome.out)
    assert (report["metric"], report["model"]) == ("win_rate", "plackett-luce")
    ranked = [Path(rating["program"]).stem for rating in report["ratings"]]
    assert ranked == ["chain", "greedy", "random"]
    assert report["cycles"] == []


AS_WRITTEN = """\
# game: dots_and_boxes
# level: 1
&safe = t_7  t_4     # a pattern
take:   x_8 w =>  x_8 - w   @q=0.5
 &safe => t_7 - t_4
|  t_9   n  =>   t_9 - n  @q=0.25
"""


def test_a_trace_prints_the_rules_as_they_are_written(gpkit, tmp_path: Path) -> None:
    program = tmp_path / "mine.rules"
    program.write_text(AS_WRITTEN)
    trace = ("trace", program, "--seed", "1", "--formula")
    text = gpkit(*trace)
    assert text.code == 0, text.err
    assert re.search(r"^[> +]   1  take:   x_8 w =>  x_8 - w   @q=0\.5$", text.out, re.MULTILINE)
    assert re.search(r"^[> +]   3  \|  t_9   n  =>   t_9 - n  @q=0\.25$", text.out, re.MULTILINE)
    assert re.search(r"^> +2 +&safe => t_7 - t_4 ", text.out, re.MULTILINE)
    assert "t_0" not in text.out
    head = json.loads(gpkit(*trace, "--json").out.splitlines()[0])
    assert head["sections"]["rules"] == [
        line.partition("#")[0].strip() for line in AS_WRITTEN.splitlines()[3:]
    ]
    assert gpkit(*trace, "--html", tmp_path / "game.html").code == 0
    page = (tmp_path / "game.html").read_text()
    assert f"<pre><code>{html.escape(AS_WRITTEN)}</code></pre>" in page
    assert gpkit(*trace, "--until", "mine and name == '&safe => t_7 - t_4'").code == 0
