"""The least ticks for three goals (``data/optimum-build_order.json``), and how far programs are from them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from build_order_lists import play_lists

from gpkit.core.registry import shipped_programs
from gpkit.core.rng import stream
from gpkit.games.build_order.game import ENEMY, GAME
from gpkit.games.build_order.kernel.things import ACTIONS
from gpkit.games.build_order.rules import BuildOrderRules
from gpkit.playing.players import player_of_name, player_of_text

FILE = Path(__file__).parents[1] / "data" / "optimum-build_order.json"
RESULTS = {each["goal"]: each for each in json.loads(FILE.read_text(encoding="utf-8"))["results"]}


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_the_orders_reach_the_goal_in_the_ticks(result: dict[str, Any]) -> None:
    orders = [ACTIONS.index(name) for name in result["orders"]]
    rules = BuildOrderRules.from_options({"goal": result["goal"]})
    ends = play_lists([orders], np.zeros((1, 2), dtype=np.int64), rules)
    assert ends[0, 0] == result["ticks"]


@pytest.mark.parametrize(
    ("goal", "program", "late"),
    [
        ("zerglings=6", "earliest", 0),
        ("zerglings=6", "rush", 0),
        ("zerglings=6", "pool", 32),
        ("zerglings=6", "economy", 100),
    ],
)
def test_programs_are_so_many_ticks_late(goal: str, program: str, late: int) -> None:
    rules = BuildOrderRules.from_options({"goal": goal})
    path = shipped_programs("build_order")[program]
    mine = player_of_text(path.read_text(encoding="utf-8"), GAME, filename=path.name)
    players = [mine, player_of_name(ENEMY, GAME)]
    scores = GAME.play(players, GAME.deal(stream(1, "any"), 1, rules), rules)
    assert scores.values[0, 0] - RESULTS[goal]["ticks"] == late
