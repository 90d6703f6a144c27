"""Facts of games in a file: conditions find them, and traces say them in the terminal, as JSON and as a page."""

import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from gpkit.cli.main import main
from gpkit.core.registry import data_folder

FOLDER = data_folder("programs") / "games"

FOUND = {
    "nim": ("greedy", "objects < 6", "(objects 5)"),
    "tic_tac_toe": ("greedy", "threats == 1", "(threats 1)"),
    "connect_four": ("greedy", "threats > 0", "(threats 1)"),
    "leduc_poker": ("greedy", "chips > 3", "(chips 4)"),
    "liars_dice": ("careful", "showing == 1", "(showing 1)"),
}
"""By game a player that is followed, a condition, and what is said of the first step at which it holds."""


@pytest.mark.parametrize("name", FOUND)
def test_traces_stop_at_a_fact_and_say_it(
    name: str, nobodys: None, capsys: pytest.CaptureFixture[str]
) -> None:
    player, condition, said = FOUND[name]
    line = [
        "trace",
        player,
        "--opponent",
        "random",
        "--game",
        str(FOLDER / f"{name}.py"),
        "--until",
        condition,
    ]
    assert main(line) == 0
    steps = [each for each in capsys.readouterr().out.splitlines() if each.startswith("step ")]
    assert steps[-1].endswith(said)
    assert not any(each.endswith(said) for each in steps[:-1])
    assert main([*line, "--json"]) == 0
    records = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    found = [each for each in records if each["kind"] == "step"]
    assert [f"step {each['step']}: {each['words']}" for each in found] == steps
    values = found[-1]["values"]
    named = [each for each in condition.split() if each.isalpha() and each in values]
    assert named
    assert all(f"{each} {values[each]:g}" in said for each in named)
    assert main([*line, "--html", "game.html"]) == 0
    page = Path("game.html").read_text()
    assert said in page
    assert f"Step {found[-1]['step']}" in page
    assert f"Step {found[-1]['step'] + 1}" not in page


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="needs the extra openspiel")
@pytest.mark.parametrize(
    ("name", "fact", "sought"), [("tic_tac_toe", "candidates", 5), ("connect_four", "margin", 0)]
)
def test_traces_of_openspiel_stop_at_a_fact(
    name: str, fact: str, sought: int, nobodys: None, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine.tree").write_text("act: env.gain * 3.0 - env.losses\n")
    condition = f"mine and {fact} == {sought}"
    line = ["trace", "mine.tree", "--opponent", "random", "--game", f"openspiel:{name}", "--until", condition]
    assert main(line) == 0
    steps = [each for each in capsys.readouterr().out.splitlines() if each.startswith("step ")]
    assert main([*line, "--json"]) == 0
    records = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    found = [each for each in records if each["kind"] == "step"]
    assert [f"step {each['step']}: {each['words']}" for each in found] == steps
    holds = [bool(each["values"].get("mine")) and each["values"].get(fact) == sought for each in found]
    assert holds.index(True) == len(steps) - 1
    assert main([*line, "--html", "game.html"]) == 0
    page = Path("game.html").read_text()
    assert f"Step {len(steps) - 1}: {found[-1]['words']}" in page
    assert f"Step {len(steps)}" not in page


def test_pages_of_shipped_games_show_the_facts_that_sentences_and_tables_leave_out(nobodys: None) -> None:
    line = ["trace", "champion", "--game", "mastermind", "--until", "after < 9", "--html", "game.html"]
    assert main(line) == 0
    *_, facts = re.findall(
        "<summary>Facts</summary>.*?<code>(.*?)</code>", Path("game.html").read_text(), re.DOTALL
    )
    names = {each.split()[0] for each in facts.splitlines()}
    assert {"turn", "left", "after", "settled"} <= names
    assert not {"action", "score", "candidates", "env.possible"} & names
