"""Records of what was learned and measured: ten populations and the memorisers beside them say what is claimed."""

import json
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from kernel_marks import compiled_only

from gpkit.cli.main import main
from gpkit.games.dots_and_boxes.learner import config as presets
from gpkit.games.dots_and_boxes.learner.config import PRESETS, Config, config_from_data
from gpkit.games.dots_and_boxes.learner.curves import learn
from gpkit.games.dots_and_boxes.learner.learner import Learner
from gpkit.games.dots_and_boxes.learner.made_lists import CHOSEN_AGAINST
from gpkit.games.dots_and_boxes.learner.selection import Ascent, select
from gpkit.games.dots_and_boxes.options import Rules
from gpkit_experiments import placed_runs

ROOT = Path(__file__).resolve().parents[2]
PAGE = " ".join((ROOT / "docs" / "how-to" / "dots-and-boxes.md").read_text(encoding="utf-8").split())
FOLDER = ROOT / "experiments" / "data"
RECORDED: dict[str, Any] = json.loads((FOLDER / "learned-dots-and-boxes.json").read_text(encoding="utf-8"))[
    "runs"
]
REFINED: list[dict[str, Any]] = json.loads(
    (FOLDER / "refined-dots-and-boxes.json").read_text(encoding="utf-8")
)["runs"]
OURS, ORDERED, MEMORISER = (RECORDED[name]["runs"] for name in ("ours", "ordered", "memoriser"))


def test_recorded_runs_are_those_of_the_presets() -> None:
    for name, record in RECORDED.items():
        preset = replace(PRESETS[name], games=record["config"]["games"])
        assert config_from_data(record["config"], Config()) == preset


@pytest.mark.parametrize(
    ("runs", "average", "worst", "stronger", "early"),
    [
        pytest.param(OURS, 0.65, 0.55, 0.45, {"100000": 0.50}, id="ours"),
        pytest.param(ORDERED, 0.92, 0.90, 0.80, {"100000": 0.88, "10000": 0.75}, id="ordered"),
    ],
)
def test_populations_win_as_often_as_claimed_over_ten_seeds(
    runs: list[dict[str, Any]], average: float, worst: float, stronger: float, early: dict[str, float]
) -> None:
    assert [run["seed"] for run in runs] == list(range(1, 11))
    rates = [run["chain"] for run in runs]
    assert rates == pytest.approx([run["greedy"]["1000000"] for run in runs], abs=2e-3)
    assert mean(rates) >= average
    assert min(rates) >= worst
    assert mean(run["chain+ex12"] for run in runs) >= stronger
    for games, least in early.items():
        assert mean(run["greedy"][games] for run in runs) >= least


def test_ordered_rules_win_more_often_on_every_seed() -> None:
    for ordered, ours in zip(ORDERED, OURS, strict=True):
        for name in ("chain", "chain+ex12"):
            assert ordered[name] > ours[name]
        for games in ("10000", "100000"):
            assert ordered["greedy"][games] > ours["greedy"][games]


def test_memorisers_stay_behind_on_the_same_seeds_and_on_boards_that_nobody_met() -> None:
    for run in MEMORISER:
        same = next(ours for ours in OURS if ours["seed"] == run["seed"])
        for games in ("10000", "100000"):
            assert same["greedy"][games] > run["greedy"][games]
        for board in ("4x4", "5x5"):
            assert run[board]["ci95"][1] < same[board]["ci95"][0]


def test_refined_populations_win_more_often_than_they_did() -> None:
    assert [run["seed"] for run in REFINED] == [run["seed"] for run in ORDERED]
    assert all(new["chain"] > old["chain"] for new, old in zip(REFINED, ORDERED, strict=True))
    assert mean(run["chain+ex12"] for run in REFINED) >= 0.80
    assert all(run["rules"] <= 1000 for run in REFINED)


def test_the_page_tells_what_was_measured() -> None:
    ours, refined = ([run["chain"] for run in runs] for runs in (OURS, REFINED))
    ordered = [mean(run[name] for run in ORDERED) for name in ("chain", "chain+ex12")]
    assert (
        f"ten of these win {ordered[0]:.3f} of the games against `chain` on average, and {ordered[1]:.3f} against "
        "`chain+ex12`." in PAGE
    )
    unordered = mean(run["chain+ex12"] for run in OURS)
    assert f"as in the preset `ours`, ten win {mean(ours):.3f} and {unordered:.3f}." in PAGE
    assert f"then the ten win {mean(refined):.3f}, and the best of them {max(refined):.3f}. Without" in PAGE
    assert f"the 763 rules that win {max(refined):.3f} against `chain` lose" in PAGE
    assert max(REFINED, key=lambda run: run["chain"])["rules"] == 763


def test_help_and_presets_name_the_one_that_plays_best(capsys: pytest.CaptureFixture[str]) -> None:
    placed = mean(end["chain"]["rules"] for end in placed_ends())
    assert all(placed > mean(run["chain"] for run in record["runs"]) for record in RECORDED.values())
    assert main(["learn", "--help"]) == 0
    said = "placed keeps 8000, tries new ones where recent decisions lose most, and plays best"
    assert PRESETS["placed"].population.size == 8000
    assert said in " ".join(capsys.readouterr().out.split())
    assert said in " ".join(Path(presets.__file__).read_text(encoding="utf-8").replace("`", "").split())


@compiled_only
def test_the_page_tells_that_a_table_of_values_is_kept_beside_the_rules() -> None:
    """All presets but those of the source learn by it, and every class has its values."""
    kept = []
    for name, preset in PRESETS.items():
        learner = Learner(replace(preset, games=10, others=()))
        learner.play_batch()
        kept += [name] if learner.critic.own.any() and learner.critic.other.any() else []
    assert kept == ["ours", "ordered", "placed", "short", "small", "memoriser"]
    assert f"a table with two values for each of the {len(learner.critic.own):,} classes of positions" in PAGE


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ours", "ordered", "memoriser"])
def test_results_come_out_again(name: str) -> None:
    record = RECORDED[name]
    run = record["runs"][0]
    course = learn(
        Learner(replace(PRESETS[name], games=record["config"]["games"], seed=run["seed"])), (10_000,)
    )
    assert course.points[0].greedy == pytest.approx(run["greedy"]["10000"], abs=5e-5)


@pytest.mark.slow
def test_a_refined_population_comes_out_again() -> None:
    run = REFINED[0]
    learner = Learner(replace(PRESETS["ordered"], seed=run["seed"]))
    learn(learner, (learner.config.games,))
    pool = learner.rules.as_list()
    found = select(pool, CHOSEN_AGAINST, Rules(), Ascent(1000, 2000, run["seed"], refine=True))
    assert found.rates == pytest.approx([run[name] for name in CHOSEN_AGAINST], abs=1e-6)
    assert len(found.rules.rules) == run["rules"]


def placed_ends() -> list[dict[str, Any]]:
    """The strength of each run of ``experiments/data/placed-dots-and-boxes.json`` at its end."""
    record = json.loads((FOLDER / "placed-dots-and-boxes.json").read_text(encoding="utf-8"))
    assert config_from_data(record["config"], Config()) == placed_runs.CONFIG
    assert {*map(int, record["runs"])} <= {*placed_runs.SEEDS}
    return [run[str(placed_runs.MARKS[-1])] for run in record["runs"].values()]


def test_placed_populations_win_as_often_as_claimed_on_unseen_seeds() -> None:
    """They do not come quite up to the tables that they were learned beside."""
    ends = placed_ends()
    for opponent, least in (("chain", 0.95), ("chain+ex12", 0.88)):
        rates = [end[opponent]["rules"] for end in ends]
        assert mean(rates) >= least
        assert f"{mean(rates):.3f} against `{opponent}`" in PAGE
        assert all(end[opponent]["table"] > end[opponent]["rules"] for end in ends)
    assert len(ends) == len(placed_runs.SEEDS)


def test_rules_without_a_table_are_far_behind() -> None:
    """``without`` in the same record: rules that learn by the score at the end, on three of the same seeds."""
    record = json.loads((FOLDER / "placed-dots-and-boxes.json").read_text(encoding="utf-8"))["without"]
    assert config_from_data(record["config"], Config()) == placed_runs.WITHOUT
    found = [mean(run[name] for run in record["runs"].values()) for name in placed_runs.WITHOUT.opponents]
    assert f"without a table, 4000 rules win {found[0]:.3f} and {found[1]:.3f} after 100,000 games" in PAGE
    assert found[0] < mean(end["chain"]["rules"] for end in placed_ends()) / 2
