"""Records of what was learned and measured: ten populations and the memorisers beside them say what is claimed."""

import json
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from kernel_marks import compiled_only
from result_pages import results

from gpkit.core.settings import to_data
from gpkit.games.dots_and_boxes.learner.folder import learn
from gpkit.games.dots_and_boxes.learner.learner import Learner
from gpkit.games.dots_and_boxes.learning import PRESETS, Config, config_from_data
from gpkit_experiments.papers.dots_and_boxes.runs import PARTS

ROOT = Path(__file__).resolve().parents[2]
PAGE = results("dots-and-boxes")
FOLDER = ROOT / "experiments" / "data"
RECORDED: dict[str, Any] = json.loads((FOLDER / "learned-dots-and-boxes.json").read_text(encoding="utf-8"))[
    "runs"
]
REFINED: list[dict[str, Any]] = json.loads(
    (FOLDER / "refined-dots-and-boxes.json").read_text(encoding="utf-8")
)["runs"]
OURS, MEMORISER = (RECORDED[name]["runs"] for name in ("ours", "memoriser"))


def test_recorded_runs_are_those_of_the_presets() -> None:
    for name in ("ours", "memoriser"):
        record = RECORDED[name]
        preset = replace(PRESETS[name], games=record["config"]["games"])
        assert config_from_data(record["config"], Config()) == preset


def test_populations_win_as_often_as_claimed_over_ten_seeds() -> None:
    assert [run["seed"] for run in OURS] == list(range(1, 11))
    rates = [run["chain"] for run in OURS]
    assert rates == pytest.approx([run["greedy"]["1000000"] for run in OURS], abs=2e-3)
    assert mean(rates) >= 0.65
    assert min(rates) >= 0.55
    assert mean(run["chain+ex12"] for run in OURS) >= 0.45
    assert mean(run["greedy"]["100000"] for run in OURS) >= 0.50


def test_memorisers_stay_behind_on_the_same_seeds_and_on_boards_that_nobody_met() -> None:
    for run in MEMORISER:
        same = next(ours for ours in OURS if ours["seed"] == run["seed"])
        for games in ("10000", "100000"):
            assert same["greedy"][games] > run["greedy"][games]
        for board in ("4x4", "5x5"):
            assert run[board]["ci95"][1] < same[board]["ci95"][0]


def test_the_page_tells_what_was_measured() -> None:
    ours, refined = ([run["chain"] for run in runs] for runs in (OURS, REFINED))
    stronger = mean(run["chain+ex12"] for run in OURS)
    assert (
        f"Ten such populations win {mean(ours):.3f} of the games against `chain` on average, and "
        f"{stronger:.3f} against `chain+ex12`." in PAGE
    )
    assert (
        f"a list of 763 rules learned at the same commit, wins {max(refined):.3f} against `chain` but loses more"
        in PAGE
    )
    assert max(REFINED, key=lambda run: run["chain"])["rules"] == 763


@compiled_only
def test_the_page_tells_that_a_table_of_values_is_kept_beside_the_rules() -> None:
    """All presets but those of the source learn by it, and every class has its values."""
    kept = []
    for name, preset in PRESETS.items():
        learner = Learner(replace(preset, games=10, others=()))
        learner.play_batch()
        kept += [name] if learner.critic.own.any() and learner.critic.other.any() else []
    assert kept == ["ours", "short", "memoriser"]
    assert f"a table with two values for each of the {len(learner.critic.own):,} classes of positions" in PAGE


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ours", "memoriser"])
def test_results_come_out_again(name: str) -> None:
    record = RECORDED[name]
    run = record["runs"][0]
    course = learn(
        Learner(replace(PRESETS[name], games=record["config"]["games"], seed=run["seed"])), (10_000,)
    )
    assert course.points[0].greedy == pytest.approx(run["greedy"]["10000"], abs=5e-5)


def test_rules_without_a_table_are_far_behind() -> None:
    """``without`` in the record of `placed`: rules that learn by the score at the end, on three seeds."""
    record = json.loads((FOLDER / "placed-dots-and-boxes.json").read_text(encoding="utf-8"))["without"]
    part = PARTS["quality by the score at the end"]
    assert record["config"]["reward"] == json.loads(json.dumps(to_data(part)["reward"]))
    found = [mean(run[name] for run in record["runs"].values()) for name in part.opponents]
    assert f"without a table, 4000 rules win {found[0]:.3f} and {found[1]:.3f} after 100,000 games" in PAGE
    assert record["config"]["population"]["size"] == 4000 and record["config"]["games"] == 100_000
    assert found[0] < mean(run["chain"] for run in OURS) / 2
