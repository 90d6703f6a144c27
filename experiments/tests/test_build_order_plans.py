"""Evolved plans (``data/plans-build_order.json``): what they need in the game, and the shipped ones among them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpkit.core.registry import data_folder
from gpkit.evolution.config import shipped_presets
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import advance, begin
from gpkit.evolution.subjects import resolve
from gpkit.games.build_order.game import GAME, play_plan
from gpkit.genomes.plan import PlanProgram
from gpkit.languages.execution.compiler import compile_program
from gpkit.languages.execution.text import parse

RECORDS = Path(__file__).parents[1] / "data"
RESULTS = json.loads((RECORDS / "plans-build_order.json").read_text(encoding="utf-8"))["results"]


def ticks_of(program: PlanProgram, goal: str) -> int:
    """The tick of the goal in the game without an enemy."""
    compiled = compile_program(program, GAME.offers["execution"])
    nothing = np.zeros((1, 2), dtype=np.int64)
    rules = GAME.make_rules({"goal": goal})
    return int(play_plan(compiled, nothing, np.ones(1, dtype=np.int64), rules)[0, 0])


def shipped(name: str) -> PlanProgram:
    path = data_folder("programs") / "build_order" / f"{name}.plan"
    program: PlanProgram = parse(path.read_text(encoding="utf-8")).program
    return program


def test_lacks_are_told_from_the_least_ticks() -> None:
    optima = json.loads((RECORDS / "optimum-build_order.json").read_text(encoding="utf-8"))["results"]
    least = {each["goal"]: each["ticks"] for each in optima}
    assert [row["optimum"] for row in RESULTS] == [least[row["goal"]] for row in RESULTS]


@pytest.mark.parametrize("row", RESULTS, ids=[f"{row['goal']}{len(row['exercises'])}" for row in RESULTS])
def test_the_plans_need_the_ticks_that_are_said(row: dict[str, Any]) -> None:
    for run, lack in zip(row["runs"], row["lacks"], strict=True):
        program = parse("\n".join(run["plan"])).program
        assert ticks_of(program, row["goal"]) == run["ticks"] == row["optimum"] + lack
    assert ticks_of(shipped("8_pool"), row["goal"]) == row["8_pool"]


def test_random_plans_become_the_fastest_for_six_zerglings() -> None:
    row = RESULTS[0]
    assert row["goal"] == "zerglings=6"
    assert sum(lack == 0 for lack in row["lacks"]) >= 4
    assert row["8_pool"] - row["optimum"] == 17
    run, preset = row["runs"][2], shipped_presets()["plans"]
    guide = replace(preset.guide, exercises=(), deals=1)
    config = replace(preset, seed=run["seed"], rules={"goal": row["goal"]}, guide=guide)
    search, executor = resolve(config).search(), SerialExecutor()
    state = begin(search, executor).state
    while state.generation < (config.stop.generations or 0) and -state.champion.score > row["optimum"]:
        state = advance(search, state, executor).state
    assert (state.generation, state.evaluations) == (run["generation"], run["evaluations"])
    program = search.representation.simplify(state.champion.individual.genome)
    assert program == parse("\n".join(run["plan"])).program


@pytest.mark.parametrize(
    ("name", "goal"), [("six", "zerglings=6"), ("twelve", "zerglings=12"), ("sixteen", "drone=16")]
)
def test_shipped_champions_are_among_them(name: str, goal: str) -> None:
    program = shipped(name)
    runs = [run for row in RESULTS if row["goal"] == goal for run in row["runs"]]
    found = [run for run in runs if parse("\n".join(run["plan"])).program == program]
    assert found
    assert ticks_of(program, goal) == found[0]["ticks"]
