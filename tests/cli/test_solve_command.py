"""``gpkit solve``: positions by perfect play."""

import json
from pathlib import Path

import pytest

from gpkit.games.dots_and_boxes.board import edge_name, edge_of_name
from gpkit.games.dots_and_boxes.classes import table
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState

POSITION = """+---+---+
|       |
+---+---+
| B |
+---+   +
A 0, B 1; B is to draw
"""


def test_values_of_an_empty_board_are_those_of_the_table(gpkit) -> None:
    report = json.loads(gpkit("solve", "--board", "2x2", "--json").out)
    rules = DotsAndBoxesRules(2, 2)
    values = table(rules)
    assert report["schema"] == "gpkit/solve/1"
    assert (report["board"], report["drawn"], report["player"]) == ("2x2", 0, "A")
    assert report["value"] == values[0]
    assert [(each["edge"], each["value"]) for each in report["edges"]] == [
        (edge_name(edge, rules), -values[1 << edge]) for edge in range(rules.edges)
    ]
    assert all(each["best"] == (each["value"] == values[0]) for each in report["edges"])
    state = DotsAndBoxesState.begin(rules)
    for drawn in report["line"]:
        assert drawn["player"] == "AB"[state.current_player]
        state = state.apply(edge_of_name(drawn["edge"], rules))
    assert state.lead(0) == report["value"]


def test_a_position_in_a_file(tmp_path: Path, gpkit) -> None:
    path = tmp_path / "end.board"
    path.write_text(POSITION, encoding="utf-8")
    outcome = gpkit("solve", path)
    assert outcome.code == 0
    assert "\nWith perfect play B, to move, gets 1 more of the 3 boxes left than A.\n" in outcome.out
    rows = [line.split() for line in outcome.out.splitlines()[-6:-3]]
    assert rows == [["B1", "left", "+1", "best"], ["B2", "bottom", "-3"], ["B2", "right", "-3"]]
    assert outcome.out.splitlines()[-2:] == [
        "A best line: B B1 left, B2 bottom; A B2 right",
        "Nobody has to give a long chain or a loop in it.",
    ]


@pytest.mark.parametrize("standing", ["B is to draw", "A careful 0, B you 1; your turn"])
def test_a_position_as_games_show_it(tmp_path: Path, gpkit, standing: str) -> None:
    path = tmp_path / "shown.board"
    path.write_text(POSITION.replace("A 0, B 1; B is to draw", standing), encoding="utf-8")
    assert json.loads(gpkit("solve", path, "--json").out)["player"] == "B"


def test_the_last_box(tmp_path: Path, gpkit) -> None:
    path = tmp_path / "last.board"
    path.write_text("+---+\n|   |\n+   +\n", encoding="utf-8")
    assert "With perfect play A, to move, gets the last box." in gpkit("solve", path).out
    told = gpkit("solve", "--board", "1x1").out
    assert "With perfect play A, to move, gets nothing: B gets the last box." in told


def test_coins_on_the_command_line_and_in_a_file(tmp_path: Path, gpkit) -> None:
    text = "chains 3 3  # two of three\nloop 4"
    path = tmp_path / "end.txt"
    path.write_text(text, encoding="utf-8")
    outcome = gpkit("solve", path)
    assert outcome.out == gpkit("solve", "--coins", text).out
    assert outcome.out.startswith("chain of 3: 1.1 1.2 1.3\nchain of 3: 2.1 2.2 2.3\nloop of 4: ")
    assert "\nWith perfect play A, to move, gets 2 fewer of the 10 coins left than B.\n" in outcome.out
    assert "\nB is in control: A has to give the first long chain or loop, a chain of 3 and" in outcome.out
    report = json.loads(gpkit("solve", path, "--json").out)
    assert (report["board"], report["coins"][:4], report["value"]) == (None, ["1.1", "1.2", "1.3", "2.1"], -2)
    assert report["control"] == {"player": "B", "turn": 0, "chains": [3, 3], "loops": [4]}
    assert report["edges"][0] == {"edge": "1.1-ground", "value": -2, "best": True}
