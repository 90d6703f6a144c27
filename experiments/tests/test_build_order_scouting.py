"""Worth of scouting: with ``attack=random``, and in a grid of attacks."""

import json
from pathlib import Path

import numpy as np
import pytest
from build_order_lists import play_lists

import gpkit_experiments.build_order_scouting as scouting
from gpkit.games.build_order.kernel.things import ACTIONS
from gpkit.games.build_order.options import RANDOM_ATTACKS, Attack

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


def test_the_grid_is_of_the_settings_in_use_and_the_page_tells_it() -> None:
    grid = MEASURED["grid"]
    cells = grid["cells"]
    assert (grid["seeds"], grid["steps"]) == (list(scouting.GRID_SEEDS), scouting.GRID_STEPS)
    pairs = [(f"{a.tick}:{a.size}", f"{b.tick}:{b.size}") for a in scouting.EARLY for b in scouting.LATE]
    assert [(each["early"], each["late"]) for each in cells] == pairs
    paying = [each for each in cells if each["pays"] > 0]
    assert [(each["early"], each["late"]) for each in paying] == [tuple(MEASURED["attacks"])]
    assert (grid["pays"], grid["verdict"]) == (len(paying), "fails")
    both = sum(each["lists"] == 1.0 for each in cells)
    page = Path(__file__).parents[2] / "docs" / "how-to" / "build-order.md"
    told = " ".join(page.read_text(encoding="utf-8").split())
    assert f"In a grid of {len(cells)} pairs" in told
    assert f"scouting pays in only one, the pair above. In {both} pairs a single list survives both" in told
    assert f"in {len(cells) - both - len(paying)} a list made for a known attack survives no more" in told


def test_who_scouts_survives_both_attacks_and_without_the_scout_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Scouting is what pays: who sends no scout, and gets no second list, survives as much as lists do."""
    monkeypatch.setattr(scouting, "GRID_SEEDS", (1,))
    monkeypatch.setattr(scouting, "GRID_STEPS", 20_000)
    early, late = RANDOM_ATTACKS
    assert scouting.cell(early, late)["pays"] == 0.5
    assert scouting.cell(Attack(175, 6), Attack(340, 25))["pays"] == 0.0
    assert not scouting.survives([(scouting.EARLY_WEIGHT, early), (1.0, late)], scouting.SCOUTING)
