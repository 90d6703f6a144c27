"""Scouting pays with ``attack=random`` (``experiments/gpkit_experiments/build_order_scouting.py``)."""

import json

import numpy as np

import gpkit_experiments.build_order_scouting as scouting
from gpkit.games.build_order.arena import play_lists
from gpkit.games.build_order.kernel.things import ACTIONS
from gpkit.games.build_order.options import RANDOM_ATTACKS

MEASURED = json.loads(scouting.FILE.read_text(encoding="utf-8"))


def test_the_attacks_are_those_of_the_rules() -> None:
    assert MEASURED["attacks"] == [f"{each.tick}:{each.size}" for each in RANDOM_ATTACKS]


def test_lists_survive_the_attacks_over_which_they_lead() -> None:
    assert [each["leads"] for each in MEASURED["lists"]] == [[0, -4], [0, -34], [-3, 0]]
    for each in MEASURED["lists"]:
        orders = [ACTIONS.index(name) for name in each["orders"]]
        attacks = np.array([(attack.tick, attack.size) for attack in RANDOM_ATTACKS])
        ends = play_lists([orders] * len(RANDOM_ATTACKS), attacks, scouting.RULES)
        assert ends[:, 0].tolist() == [float(lead == 0) for lead in each["leads"]]


def test_the_plan_that_scouts_survives_more_often_than_any_list() -> None:
    assert scouting.compared(MEASURED["lists"]) == MEASURED["plans"]
    assert all(row["scout_better_by"]["ci95"][0] > 0.4 for row in MEASURED["plans"][1:])
