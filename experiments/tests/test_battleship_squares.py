"""Strength of formulas over squares: ``experiments/data/strength-battleship-squares.json``, headers and page alike."""

from typing import Any

import pytest
from held_out_sets import SETS, SQUARES, reached
from kernel_marks import compiled_only
from result_pages import results

from gpkit.evolution.config import Config, shipped_presets
from gpkit.evolution.subjects import config_from_data
from gpkit.languages.arithmetic.text import parse

PAGE = results("battleship")
RECORDED = SQUARES.recorded()
RUNS: dict[int, dict[str, Any]] = {run["seed"]: run for run in RECORDED["runs"]}
SHIPPED: dict[str, dict[str, Any]] = {one["name"]: one["results"][0] for one in RECORDED["shipped"]}
OF_SEED = 301
"""Seed of the run whose champion is the shipped marksman."""


def means(part: str) -> list[float]:
    return [RUNS[seed]["results"][0]["mean"] for seed in RECORDED[part]]


def test_runs_are_of_the_preset_and_within_its_limit() -> None:
    preset = shipped_presets()["squares"]
    assert config_from_data(RECORDED["config"], Config()) == preset
    assert preset.limits.size == 20
    assert sorted(RUNS) == sorted([*RECORDED["tuned"], *RECORDED["unseen"]])
    for seed, run in RUNS.items():
        assert f"// seed: {seed}\n" in run["program"]
        assert len(parse(run["program"]).program) <= 20
    assert parse(SQUARES.shipped("marksman")).program == parse(RUNS[OF_SEED]["program"]).program


def test_formulas_reach_forty_five_shots_on_many_sets() -> None:
    assert tuple(RECORDED["sets"]) == SETS
    assert RECORDED["games"] == SQUARES.games
    for name in ("covers", "marksman"):
        assert SHIPPED[name]["ci95"][1] < 45.0
        assert len(parse(SQUARES.shipped(name)).program) <= 20
    for part in ("tuned", "unseen"):
        assert RECORDED["summary"][part] == reached(means(part), SQUARES.limit)


def test_the_page_says_what_was_measured() -> None:
    unseen, (covers, marksman) = means("unseen"), (SHIPPED[name] for name in ("covers", "marksman"))
    count = RECORDED["summary"]["unseen"]["at_most_45"]
    first, second, third = (f"{mean:.1f}" for mean in unseen)
    assert f"{count} end at 45.0 shots or fewer: {first}, {second} and {third}, on ten sets" in PAGE
    half = (marksman["ci95"][1] - marksman["ci95"][0]) / 2
    said = f"takes {marksman['mean']:.2f}, give or take {half:.2f}, `covers.tree` {covers['mean']:.2f}."
    assert said in PAGE


@compiled_only
def test_a_set_comes_out_again() -> None:
    played = SQUARES.play(SQUARES.shipped("covers"), "uniform", SETS[0])
    assert played.interval.mean == SHIPPED["covers"]["sets"][0]


@compiled_only
@pytest.mark.slow
def test_all_sets_come_out_again() -> None:
    """Every program of the data file on every set (minutes)."""
    for name, recorded in SHIPPED.items():
        assert SQUARES.measure(SQUARES.shipped(name)) == [recorded]
    for run in RUNS.values():
        assert SQUARES.measure(run["program"]) == run["results"]
