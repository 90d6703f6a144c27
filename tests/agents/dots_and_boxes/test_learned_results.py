"""What was learned and measured: the kept results say what is claimed, and come out again."""

import json
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from rule_rates import result_of

from gpkit.agents.dots_and_boxes.config import Config, config_from_data
from gpkit.agents.dots_and_boxes.curves import learn
from gpkit.agents.dots_and_boxes.learner import Learner
from gpkit.agents.dots_and_boxes.presets import PRESETS
from gpkit.agents.dots_and_boxes.selection import select
from gpkit.cli.select import OPPONENTS
from gpkit.core.registry import data_folder
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.languages.rulegraph.parser import parse

DATA = Path(__file__).resolve().parents[2] / "data" / "learned-dots-and-boxes.json"
RUNS: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))["runs"]


def rates(name: str, games: int) -> list[float]:
    return [run["greedy"][str(games)] for run in RUNS[name]["runs"]]


@pytest.mark.parametrize(
    ("name", "preset"), [("ours", "ours"), ("memoriser", "memoriser"), ("selected", "small")]
)
def test_recorded_runs_are_those_of_the_presets(name: str, preset: str) -> None:
    assert config_from_data(RUNS[name]["config"], Config()) == PRESETS[preset]


def test_ours_reaches_what_is_claimed_over_ten_seeds() -> None:
    assert [run["seed"] for run in RUNS["ours"]["runs"]] == list(range(1001, 1011))
    assert mean(rates("ours", 1_000_000)) >= 0.65
    assert min(rates("ours", 1_000_000)) >= 0.55
    assert mean(rates("ours", 100_000)) >= 0.50


def test_a_memoriser_stays_behind_on_the_same_seeds() -> None:
    others = RUNS["memoriser"]["runs"]
    assert len(others) == 5
    for run, rate in zip(others, rates("memoriser", 1_000_000), strict=True):
        same = next(one for one in RUNS["ours"]["runs"] if one["seed"] == run["seed"])
        assert same["greedy"]["1000000"] > rate


def test_lists_of_21_rules_win_more_often_than_their_opponent_on_larger_boards_too() -> None:
    runs = RUNS["selected"]["runs"]
    assert all(run["rules"] <= 21 for run in runs)
    assert mean(run["chain"] for run in runs) >= 0.60
    assert mean(run["4x4"]["mean"] for run in runs) >= 0.45
    assert mean(run["5x5"]["mean"] for run in runs) >= 0.26


def test_the_shipped_list_is_the_best_of_them_on_the_board_it_was_learned_on() -> None:
    text = (data_folder("programs") / "dots_and_boxes" / "learned-21.rules").read_text(encoding="utf-8")
    rules = parse(text).program
    assert len(rules.rules) <= 21
    assert rules.level == 0
    best = max(RUNS["selected"]["runs"], key=lambda run: sum(run[name] for name in OPPONENTS))
    for name in OPPONENTS:
        assert result_of(rules, name).rate == pytest.approx(best[name], abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ours", "memoriser"])
def test_results_come_out_again(name: str) -> None:
    run = RUNS[name]["runs"][0]
    course = learn(Learner(replace(PRESETS[name], seed=run["seed"])), (10_000, 20_000))
    for point in course.points:
        if str(point.games) in run["greedy"]:
            assert point.greedy == pytest.approx(run["greedy"][str(point.games)], abs=5e-5)


@pytest.mark.slow
def test_a_list_comes_out_again() -> None:
    run = RUNS["selected"]["runs"][0]
    learner = Learner(replace(PRESETS["small"], seed=run["seed"]))
    learn(learner, (learner.config.games,))
    pool = learner.rules.as_list()
    found = select(pool, OPPONENTS, Rules(), most=21, steps=10_000, seed=run["seed"])
    assert found.rates == pytest.approx([run[name] for name in OPPONENTS], abs=1e-6)
