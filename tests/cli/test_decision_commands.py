"""Commands with decision trees: pictures, and games that are followed."""

import json
from pathlib import Path

from tests.decision_trees import EVERY_NODE

FILES = {"every.decide": EVERY_NODE}


def test_branches_that_no_game_can_reach_are_grey(folder: Path, gpkit) -> None:
    outcome = gpkit("draw", "every.decide", "-o", "every.dot")
    assert outcome.code == 0, outcome.err
    dot = (folder / "every.dot").read_text()
    assert dot.count("shape=diamond") == 5
    assert dot.count("shape=circle") == 3
    assert dot.count("never reached") == 2  # the leaf, and the legend
    text = gpkit("draw", "every.decide").out
    assert "no: 8.0  (never reached)" in text


def test_a_traced_game_shows_what_it_visited(folder: Path, gpkit) -> None:
    shown = gpkit("draw", "every.decide", "--trace").out
    assert "not visited" in shown
    steps = gpkit("trace", "every.decide", "--until", "mine and candidates > 1").out
    assert "depth" in steps
    (folder / "other.decide").write_text(EVERY_NODE.replace("depth > 3", "depth > 4"))
    assert (
        "~ test env.depth > 3.0 → test env.depth > 4.0"
        in gpkit("draw", "other.decide", "--diff", "every.decide").out
    )


def test_lua_is_taken_back(folder: Path, gpkit) -> None:
    assert gpkit("export", "champion-15", "--to", "lua", "--mode", "module", "-o", "back.lua").code == 0
    outcome = gpkit("export", "back.lua", "--game", "sevens", "--to", "json")
    assert outcome.code == 0, outcome.err
    assert '"decision_trees"' in outcome.out
    assert "env.safe" in outcome.out


def test_nodes_that_a_decision_passes_by_have_no_value(gpkit) -> None:
    outcome = gpkit("trace", "rush", "--game", "build_order", "--json", "--formula", "--until", "step == 1")
    assert outcome.code == 0, outcome.err
    nodes = [json.loads(line) for line in outcome.out.splitlines()][-1]["nodes"]
    assert [(node["symbol"], node["value"]) for node in nodes] == [
        ("test", 0.0),
        ("spawning_pool", 2.0),
        ("zerglings", None),
    ]
