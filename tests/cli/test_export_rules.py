"""``gpkit export`` of rule lists: Lua that is checked in every Lua, JSON and back, LaTeX, and what is refused."""

import json
from pathlib import Path

import pytest

from gpkit.export.lua.hosts import hosts as luas

RULES = """\
# game: dots_and_boxes

take: x_0 w => x_0 - w
safe: t_0 t_1 => t_0 - t_1
q_0 w => q_0 - w
"""
FILES = {"a.rules": RULES}


@pytest.mark.parametrize("board", [pytest.param("3x3", marks=pytest.mark.release), "4x2"])
def test_lua_is_checked_wherever_it_runs(folder: Path, gpkit, board: str) -> None:
    arguments = (
        "--to",
        "lua",
        "-o",
        "a.lua",
        "--check",
        "--rules",
        f"board={board}",
        "--evaluations",
        "50",
        "--json",
    )
    outcome = gpkit("export", "a.rules", *arguments)
    assert outcome.code == 0
    assert outcome.err == "wrote a.lua\nwrote a.conformance.jsonl\n"
    (result,) = json.loads(outcome.out)["results"]
    hosts = [(row["host"], row["evaluations"], row["games"], row["failures"]) for row in result["hosts"]]
    assert hosts == [(name, 50, 20, 0) for name in (host.name for host in luas())]
    lines = [json.loads(line) for line in (folder / "a.conformance.jsonl").read_text().splitlines()]
    assert {(line["width"], line["height"]) for line in lines[1:]} == {tuple(map(int, board.split("x")))}


def test_json_comes_back_as_rules(folder: Path, gpkit) -> None:
    assert gpkit("export", "a.rules", "--to", "json", "-o", "a.json", "--check").code == 0
    again = gpkit("export", "a.json", "--to", "tree")
    formatted = gpkit("fmt", "-", "--lang", "rulegraph", stdin=RULES.encode()).out
    assert again.out == formatted.replace(
        "t_0 t_1 => t_0 - t_1", "t_0 t_1 w w : t_1 t_0 w w => t_0 - t_1"
    ).replace("q_0 w =>", "q_0 w w w w =>")
    (folder / "back").mkdir()
    assert gpkit("export", "a.json", "--to", "tree", "-o", "back").err == "wrote back/a.rules\n"
    assert gpkit("check", "back/a.rules").code == 0


def test_latex_is_in_the_notation_of_the_source(folder: Path, gpkit) -> None:
    text = gpkit("export", "a.rules", "--to", "latex").out
    assert r"\text{take:}\quad & x_{0} w \Rightarrow x_{0} - w \\" in text
