"""What was learned and measured: the kept results say what is claimed, and come out again."""

import json
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from gpkit.agents.dots_and_boxes.curves import learn
from gpkit.agents.dots_and_boxes.exact import greedy_of_list
from gpkit.agents.dots_and_boxes.learner import Learner
from gpkit.agents.dots_and_boxes.presets import PRESETS
from gpkit.core.registry import data_folder
from gpkit.languages.rulegraph.parser import parse

DATA = Path(__file__).resolve().parents[2] / "data" / "learned-dots-and-boxes.json"
RUNS: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))["runs"]


def rates(name: str, games: int) -> list[float]:
    return [run["greedy"][str(games)] for run in RUNS[name]["runs"]]


def test_ours_reaches_what_is_claimed_over_ten_seeds() -> None:
    assert [run["seed"] for run in RUNS["ours"]["runs"]] == list(range(1, 11))
    assert mean(rates("ours", 100_000)) > 0.75
    assert min(rates("ours", 100_000)) > 0.64
    assert mean(rates("ours", 10_000)) > 0.65


def test_a_memoriser_stays_behind_on_the_same_seeds() -> None:
    others = RUNS["memoriser"]["runs"]
    for run, rate in zip(others, rates("memoriser", 100_000), strict=True):
        same = next(one for one in RUNS["ours"]["runs"] if one["seed"] == run["seed"])
        assert same["greedy"]["100000"] > rate + 0.1


def test_twenty_one_learned_rules_win_more_often_than_their_opponent() -> None:
    text = (data_folder("programs") / "dots_and_boxes" / "learned-21.rules").read_text(encoding="utf-8")
    rules = parse(text).program
    assert len(rules.rules) == 21
    assert rules.level == 0
    best = RUNS["short"]["runs"][0]
    assert greedy_of_list(rules, "chain").result.rate == pytest.approx(best["best"], abs=5e-5)
    assert best["best"] > 0.64


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ours", "memoriser"])
def test_results_come_out_again(name: str) -> None:
    run = RUNS[name]["runs"][0]
    points = learn(Learner(replace(PRESETS[name], games=100_000, seed=run["seed"])), (10_000, 20_000)).points
    for point in points:
        assert point.greedy == pytest.approx(run["greedy"][str(point.games)], abs=5e-5)
