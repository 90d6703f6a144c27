"""``gpkit run --ladder``: the table, what programs say that they were trained on, and what it refuses."""

import json
import re
import shlex
from pathlib import Path

import pytest
from case_files import case_text

from gpkit.analysis.evaluation import training_in
from gpkit.core import plugins
from gpkit.core.registry import data_folder, game_of, language_of, shipped_programs
from gpkit_experiments.held_out_tables import table_from_json

FEW = ("--ladder", "--games", "15")


def test_the_table_says_what_was_trained_on_and_what_is_held_out(tmp_path: Path, gpkit) -> None:
    path = tmp_path / "a.tree"
    path.write_text("// game: build_order\n// trained: enemy on goal=zerglings=12\norder: env.lack\n")
    outcome = gpkit("run", path, *FEW)
    assert outcome.code == 0
    said, heads, *rows = (re.split(r" {2,}", line) for line in outcome.out.splitlines())
    assert said == [f"{path}, trained on: enemy on goal=zerglings=12"]
    assert heads == ["against", "rules", "held out", "ticks, survived", "95% interval", "games"]
    assert [row[1:3] for row in rows if len(row) > 1 and "=" in row[1]] == [
        ["goal=zerglings=12", "deals"],
        ["goal=drone=16", "rules"],
        ["attack=random", "rules"],
    ]


@pytest.mark.release
def test_json_is_the_table(gpkit) -> None:
    outcome = gpkit("run", "champion", "simple", "--game", "sevens", *FEW, "--seed", "5", "--json")
    found = json.loads(outcome.out)
    assert (found["schema"], found["seed"]) == ("gpkit/ladder/1", 5)
    champion, simple = map(table_from_json, found["tables"])
    assert (str(champion.training), str(simple.training)) == ("random, simple; deals 20261121", "nothing")
    assert [row.trial for row in champion.rows] == [row.trial for row in simple.rows]
    for row in champion.rows:
        assert row.seeds == tuple(range(5, 10))
        assert row.games >= 15
        assert row.part == "held out"
    (command,) = {
        row.commands("champion", "sevens")[0] for row in champion.rows if row.trial.opponent == "random"
    }
    again = json.loads(gpkit(*command.split()[1:], "--json").out)
    assert again["results"][0]["mean"] == champion.rows[0].sets[0]


OF_OTHERS = {("sevens", "medium")}
"""Programs that were evolved elsewhere, where it is not told against whom."""


def test_every_shipped_program_says_what_it_was_trained_on() -> None:
    silent = set()
    for name in ("battleship", "build_order", "dots_and_boxes", "mastermind", "sevens"):
        for program, path in shipped_programs(name).items():
            text = path.read_text(encoding="utf-8")
            header = language_of(str(path)).load().parse(text, program).header
            if training_in(header, game_of(name)) is None:
                silent.add((name, program))
    assert silent == OF_OTHERS


def test_a_header_names_nothing_that_would_be_read_or_imported(tmp_path: Path) -> None:
    """Whatever a header says is compared with names; a file that it names is not opened."""
    game = game_of("sevens")
    trap = tmp_path / "trap.py"
    trap.write_text("raise SystemExit('imported')\n")
    training = training_in({"trained": f"{trap}, simple on game={trap}"}, game)
    assert training is not None
    assert training.setups[0].opponents == (str(trap), "simple")
    assert training_in({"preset": str(trap)}, game) is None
    assert training_in({"preset": "battleship"}, game) is None
    assert str(training_in({"preset": "sevens", "rules": "players=4"}, game)) == "random, simple on players=4"


@pytest.mark.release
def test_a_game_of_ones_own_meets_its_opponents_a_search_and_other_rules(gpkit) -> None:
    file = str(data_folder("programs") / "games" / "nim.py")
    found = json.loads(gpkit("run", "champion", "--game", file, *FEW, "--json").out)
    (table,) = found["tables"]
    assert table["trained"] == "random, greedy, former champions on opening=1"
    assert [(row["opponent"], row["rules"]) for row in table["rows"]] == [
        ("random", {}),
        ("greedy", {}),
        ("greedy", {"opening": "0-2"}),
        ("mcts:100", {}),
    ]
    (command, *_) = (row["command"] for row in table["rows"])
    again = json.loads(gpkit(*shlex.split(command)[1:], "--json").out)
    assert again["results"][0]["mean"] == table["rows"][0]["sets"][0]
    plugins.here = plugins.Discovery(installed=plugins.here.installed)


OPTIONS = case_text("games/sticks.txt")


def test_a_ladder_changes_one_option_at_a_time(gpkit, tmp_path: Path) -> None:
    (tmp_path / "sticks.py").write_text(OPTIONS)
    found = json.loads(
        gpkit("run", "shy", "--ladder", "--game", tmp_path / "sticks.py", "--games", 4, "--json").out
    )
    (table,) = found["tables"]
    assert [(row["opponent"], row["rules"]) for row in table["rows"]] == [
        ("random", {}),
        ("greedy", {}),
        ("shy", {}),
        ("greedy", {"opening": "0-2"}),
        ("greedy", {"most": "4"}),
        ("greedy", {"last": "no"}),
        ("greedy", {"word": "two"}),
        ("greedy", {"word": "six"}),
        ("mcts:100", {}),
    ]
    plugins.here = plugins.Discovery(installed=plugins.here.installed)
