"""Distance of shooters from the optimum on small boards: ``experiments/data/optimal-battleship.json``."""

import json
from fractions import Fraction
from typing import Any

import pytest
from kernel_marks import compiled_only
from result_pages import results

from gpkit.games.battleship.rules import BattleshipRules
from gpkit_experiments import battleship_optimal
from gpkit_experiments.battleship_optimal import PATH, boards, name_of, row_of, shooters, summary

SMALL = 25
"""Beliefs that were searched on boards that are solved again in every run of the tests."""

ROUNDED = 1e-4
"""Precision of intervals in the file."""


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return dict(json.loads(PATH.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def rules() -> dict[str, BattleshipRules]:
    return {name_of(each): each for each in boards()}


def test_the_data_is_of_the_settings_in_use(data: dict[str, Any], rules: dict[str, BattleshipRules]) -> None:
    assert list(data["boards"]) == list(rules)
    settings = (battleship_optimal.COMMAND, battleship_optimal.BUDGET, battleship_optimal.KEYS)
    assert (data["command"], data["budget"], data["keys"]) == settings
    assert data["seed"] == battleship_optimal.SEED
    assert data["summary"] == summary(data["boards"])


def test_nobody_is_better_than_the_optimum(data: dict[str, Any]) -> None:
    for name, row in data["boards"].items():
        assert float(Fraction(row["optimum"])) == pytest.approx(row["shots"], abs=1e-6), name
        for shooter, each in row["shooters"].items():
            assert each.get("ci95", [0, each["shots"]])[1] >= row["shots"] - ROUNDED, (name, shooter)


def test_what_is_claimed(data: dict[str, Any]) -> None:
    known = {"3x3 2,2": "25/4", "3x4 3,2": "257/34", "4x4 3": "45/8", "4x4 3,2": "2311/264", "5x5 2": "41/5"}
    assert {name: data["boards"][name]["optimum"] for name in known} == known
    greedy = {"3x3 2,2": 6.305, "3x4 3,2": 7.718, "4x4 3": 5.750, "4x4 3,2": 8.913, "5x5 2": 8.354}
    for name, shots in greedy.items():
        assert data["boards"][name]["shooters"]["greedy"]["shots"] == pytest.approx(shots, abs=5e-4)
    rollouts, nested = data["summary"]["rollouts"], data["summary"]["rollouts of rollouts"]
    assert (rollouts["boards"], rollouts["at most a fifth"], nested["at most a fifth"]) == (102, 73, 101)
    assert (rollouts["mean left"], nested["mean left"]) == (0.1365, 0.0122)
    belief = data["summary"]["belief"]
    assert (belief["boards"], belief["at most a fifth"]) == (102, 102)
    above = {name: each["mean above"] for name, each in data["summary"].items()}
    assert (above["belief"], above["greedy"], above["likeliest"], above["density"]) == (
        0.0007,
        0.0401,
        0.2906,
        0.6663,
    )
    page = results("battleship")
    assert f"the {len(data['boards'])} solved boards of up to 4x5 and 5x5 squares" in page
    asked = sum(bool(row["shooters"]) for row in data["boards"].values())
    assert f"averaged over the {asked} boards where shooters differ" in page
    assert f"On {belief['boards']} of the" in page


def test_small_boards_come_out_again(data: dict[str, Any], rules: dict[str, BattleshipRules]) -> None:
    every = shooters()
    exact = {name: every[name] for name in ("greedy", "rollouts", "rollouts of rollouts", "belief")}
    for name, row in data["boards"].items():
        if row["beliefs"] <= SMALL:
            again = row_of(rules[name], None, exact)
            kept = {shooter: each for shooter, each in row["shooters"].items() if shooter in exact}
            assert again == {**row, "shooters": kept}, name


@compiled_only
@pytest.mark.slow
def test_all_of_it_comes_out_again(data: dict[str, Any], rules: dict[str, BattleshipRules]) -> None:
    every = shooters()
    for name, row in data["boards"].items():
        assert row_of(rules[name], None, every) == row, name
