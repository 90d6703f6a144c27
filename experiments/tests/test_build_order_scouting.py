"""Worth of scouting: with ``attack=random``, and in a grid of attacks."""

import json
from pathlib import Path

import numpy as np
from build_order_lists import play_lists
from result_pages import results

from gpkit.core.registry import shipped_programs
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval, paired_difference
from gpkit.games.build_order.game import ENEMY, GAME
from gpkit.games.build_order.kernel.things import ACTIONS
from gpkit.games.build_order.rules import RANDOM_ATTACKS, BuildOrderRules
from gpkit.playing.players import player_of_name, player_of_text

DATA = Path(__file__).parents[1] / "data"
MEASURED = json.loads((DATA / "scouting-build_order.json").read_text(encoding="utf-8"))
RULES = BuildOrderRules.from_options({"attack": "random"})


def test_the_attacks_are_those_of_the_rules() -> None:
    assert MEASURED["attacks"] == [f"{each.tick}:{each.size}" for each in RANDOM_ATTACKS]


def test_lists_survive_the_attacks_over_which_they_lead() -> None:
    assert [each["leads"] for each in MEASURED["lists"]] == [[0, -4], [0, -34], [-3, 0]]
    for each in MEASURED["lists"]:
        orders = [ACTIONS.index(name) for name in each["orders"]]
        attacks = np.array([(attack.tick, attack.size) for attack in RANDOM_ATTACKS])
        ends = play_lists([orders] * len(RANDOM_ATTACKS), attacks, RULES)
        assert ends[:, 0].tolist() == [float(lead == 0) for lead in each["leads"]]


def survived(text: str) -> list[float]:
    """By game whether a plan survives."""
    players = [player_of_text(text, GAME, filename="some.plan"), player_of_name(ENEMY, GAME)]
    deals = GAME.deal(stream(MEASURED["play"]["seed"], "deals"), MEASURED["play"]["games"], RULES)
    found: list[float] = GAME.play(players, deals, RULES).values[:, 0].tolist()
    return found


def test_the_plan_that_scouts_survives_more_often_than_any_list() -> None:
    first, *rows = MEASURED["plans"]
    scout = survived(shipped_programs("build_order")["scout"].read_text(encoding="utf-8"))
    assert first["survived"]["ci95"] == ends(mean_interval(scout, support=(0.0, 1.0)))
    for row, each in zip(rows, MEASURED["lists"], strict=True):
        shares = survived("// game: build_order\n" + "".join(f"do {order}\n" for order in each["orders"]))
        assert row["plan"] == f"the best list for {each['survives']}"
        assert row["survived"]["ci95"] == ends(mean_interval(shares, support=(0.0, 1.0)))
        assert row["scout_better_by"]["ci95"] == ends(paired_difference(scout, shares, support=(-1.0, 1.0)))
        assert row["scout_better_by"]["ci95"][0] > 0.4


def ends(interval: Interval) -> list[float]:
    """The ends of an interval as the record has them."""
    return [round(interval.low, 4), round(interval.high, 4)]


def test_the_page_tells_the_grid() -> None:
    grid = MEASURED["grid"]
    cells = grid["cells"]
    early = [f"{tick}:{size}" for tick in (150, 175, 200) for size in (6, 10, 14)]
    pairs = [(each, f"340:{size}") for each in early for size in (25, 34, 43, 52)]
    assert [(each["early"], each["late"]) for each in cells] == pairs
    paying = [each for each in cells if each["pays"] > 0]
    assert [(each["early"], each["late"]) for each in paying] == [tuple(MEASURED["attacks"])]
    assert (grid["pays"], grid["verdict"]) == (len(paying), "fails")
    both = sum(each["lists"] == 1.0 for each in cells)
    told = results("other-games")
    assert f"In a grid of {len(cells)} pairs" in told
    assert f"scouting pays in only one, the pair above. In {both} pairs a single list survives both" in told
    assert f"in {len(cells) - both - len(paying)} a list made for a known attack survives no more" in told
