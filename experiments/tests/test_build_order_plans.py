"""Evolved plans (``plan_evolution.py``): what they need in the game, and the shipped ones among them."""

import json
from typing import Any

import pytest

from gpkit.evolution.presets import shipped_presets
from gpkit.languages.execution.parser import parse
from gpkit_experiments import plan_evolution

DATA = json.loads((plan_evolution.OPTIMA.parent / "plans-build_order.json").read_text(encoding="utf-8"))
RESULTS = DATA["results"]


def test_the_results_are_of_the_preset_goals_and_seeds_in_use() -> None:
    assert shipped_presets()[DATA["preset"]] is shipped_presets()["plans"]
    optima = json.loads(plan_evolution.OPTIMA.read_text(encoding="utf-8"))["results"]
    for row in RESULTS:
        exercises = tuple(row["exercises"])
        seeds = plan_evolution.SEEDS_OF_STAIRS if exercises else plan_evolution.SEEDS
        assert exercises in ((), plan_evolution.STAIRS.get(row["goal"]))
        assert tuple(run["seed"] for run in row["runs"]) == seeds
        assert row["optimum"] == next(each["ticks"] for each in optima if each["goal"] == row["goal"])


@pytest.mark.parametrize("row", RESULTS, ids=[f"{row['goal']}{len(row['exercises'])}" for row in RESULTS])
def test_the_plans_need_the_ticks_that_are_said(row: dict[str, Any]) -> None:
    for run, lack in zip(row["runs"], row["lacks"], strict=True):
        program = parse("\n".join(run["plan"])).program
        assert plan_evolution.ticks_of(program, row["goal"]) == run["ticks"] == row["optimum"] + lack
    assert plan_evolution.ticks_of(plan_evolution.shipped("8_pool.plan"), row["goal"]) == row["8_pool"]


def test_random_plans_become_the_fastest_for_six_zerglings() -> None:
    row = RESULTS[0]
    assert row["goal"] == "zerglings=6"
    assert sum(lack == 0 for lack in row["lacks"]) >= 4
    assert max(run["cpu_seconds"] for run in row["runs"]) < 300
    assert row["8_pool"] - row["optimum"] == 17
    run = row["runs"][2]
    again = plan_evolution.course(row["goal"], run["seed"], row["optimum"])
    assert {**again, "cpu_seconds": 0} == {**run, "cpu_seconds": 0}


@pytest.mark.parametrize(
    ("name", "goal"), [("six", "zerglings=6"), ("twelve", "zerglings=12"), ("sixteen", "drone=16")]
)
def test_shipped_champions_are_among_them(name: str, goal: str) -> None:
    program = plan_evolution.shipped(f"{name}.plan")
    runs = [run for row in RESULTS if row["goal"] == goal for run in row["runs"]]
    found = [run for run in runs if parse("\n".join(run["plan"])).program == program]
    assert found
    assert plan_evolution.ticks_of(program, goal) == found[0]["ticks"]
