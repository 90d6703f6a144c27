"""Strength of evolved sinkers: ``experiments/data/strength-battleship.json``, headers, page and presets alike."""

from pathlib import Path
from statistics import fmean, median
from typing import Any

import pytest
from held_out_sets import BATTLESHIP, SETS, reached
from kernel_marks import compiled_only
from result_pages import Page, results

from gpkit.core.statistics import mean_interval
from gpkit.evolution.config import Config, shipped_presets
from gpkit.evolution.subjects import config_from_data
from gpkit.languages.sinking.text import parse

PAGE = results("battleship")
PRESETS = Path(__file__).parents[2] / "gpkit" / "games" / "battleship" / "presets.toml"
RECORDED = BATTLESHIP.recorded()
RUNS: dict[int, dict[str, Any]] = {run["seed"]: run for run in RECORDED["runs"]}
SHIPPED: dict[tuple[str, str], dict[str, Any]] = {
    (one["name"], one.get("direction", "")): one for one in RECORDED["shipped"]
}
FORMER: dict[str, Any] = RECORDED["other_settings"][0]
"""Runs of the preset before."""
FIRST = 209
"""The first of the named seeds that the preset of today runs."""
OTHER_RUNS: list[dict[str, Any]] = [run for other in RECORDED["other_settings"] for run in other["runs"]]
OF_SEED = {"champion": 3, "runner-up": 5}
"""The shipped programs that are champions of runs with former settings, with their seeds."""


def result_of(run: dict[str, Any]) -> dict[str, Any]:
    """The only result of a run or program."""
    (result,) = run["results"]
    found: dict[str, Any] = result
    return found


def test_shots_rest_on_many_sets_that_nothing_was_chosen_by() -> None:
    assert tuple(RECORDED["sets"]) == SETS
    assert RECORDED["games"] == BATTLESHIP.games
    for run in (*RUNS.values(), *OTHER_RUNS, *SHIPPED.values()):
        result = result_of(run)
        low, high = result["ci95"]
        assert result["games"] == len(SETS) * BATTLESHIP.games
        assert len(result["sets"]) == len(SETS)
        assert low < result["mean"] < high
        assert result["mean"] == pytest.approx(fmean(result["sets"]))


def test_runs_are_of_the_preset_and_shipped_champions_of_the_one_before() -> None:
    recorded = dict(RECORDED["config"])
    own = {
        key: value for key, value in recorded.pop("representation").items() if key != "start"
    }  # population.start
    assert config_from_data({**recorded, "representation": own}, Config()) == shipped_presets()["battleship"]
    former = {run["seed"]: run for run in FORMER["runs"]}
    for name, seed in OF_SEED.items():
        assert parse(BATTLESHIP.shipped(name)).program == parse(former[seed]["program"]).program
        assert result_of(SHIPPED[name, ""]) == result_of(former[seed])
    for seed, run in (*RUNS.items(), *former.items()):
        assert f"// seed: {seed}\n" in run["program"]


def test_unseen_seeds_are_run_in_the_order_in_which_they_were_named() -> None:
    unseen, named = RECORDED["unseen"], RECORDED["named"]
    assert sorted(RUNS) == sorted(unseen)
    assert named[named.index(FIRST) :][: len(unseen)] == unseen
    means = [result_of(RUNS[seed])["mean"] for seed in unseen]
    assert RECORDED["summary"] == {"unseen": reached(means, BATTLESHIP.limit)}


def test_four_of_five_unseen_seeds_end_at_60_shots_or_fewer_and_the_median_at_58() -> None:
    means = [result_of(RUNS[seed])["mean"] for seed in RECORDED["unseen"]]
    assert len(means) == 5
    assert sum(mean <= 60.0 for mean in means) >= 4
    assert median(means) <= 58.3


def test_seeds_that_ran_with_other_settings_are_not_unseen_any_more() -> None:
    seen = {*RUNS}
    assert FORMER["tuned"] == [1, 3, 4], "those that were looked at while the former settings were chosen"
    for other in RECORDED["other_settings"]:
        assert (
            config_from_data(other["settings"], shipped_presets()["battleship"])
            != shipped_presets()["battleship"]
        )
        for run in (*other["runs"], *other["unfinished"]):
            assert run["seed"] in RECORDED["named"] or run["seed"] in (*FORMER["tuned"], 2, 5)
            assert run["seed"] not in seen
            seen.add(run["seed"])
        for run in other["runs"]:
            assert f"// seed: {run['seed']}\n" in run["program"]


def test_the_search_for_settings_says_what_it_found() -> None:
    arms = RECORDED["search"]["arms"]
    assert (
        config_from_data(arms[0]["settings"], shipped_presets()["battleship"])
        == shipped_presets()["battleship"]
    )
    assert config_from_data(arms[3]["settings"], shipped_presets()["battleship"]) == config_from_data(
        FORMER["settings"], shipped_presets()["battleship"]
    )
    for arm in arms:
        ends = arm["ends"]
        assert arm["runs"] == len(ends)
        assert [arm["at_most_60"], arm["at_most_58.3"]] == [
            sum(end <= limit for end in ends) for limit in (60.0, 58.3)
        ]
        assert arm["median"] == pytest.approx(median(ends), abs=0.001)


def test_the_page_and_the_preset_say_what_to_expect() -> None:
    arm, former = RECORDED["search"]["arms"][0], RECORDED["search"]["arms"][3]
    preset = Page(str(PRESETS))
    ends = f"{arm['at_most_60']} end at 60 shots or fewer, the median at {arm['median']:.1f}"
    assert (
        f"Of {arm['runs']} runs of a copy for a graphics processor, of at most 530 generations, {ends}"
        in preset
    )
    shown = f"{arm['at_most_60']} end at 60 shots or fewer, with a median of {arm['median']:.1f}"
    assert f"Of {arm['runs']} runs of a version for graphics processors, {shown}" in PAGE
    means = ", ".join(f"{result_of(RUNS[seed])['mean']:.2f}" for seed in RECORDED["unseen"])
    told = f"five seeds fixed in advance end at {means} shots."
    assert told in preset
    assert " and ".join(told.rsplit(", ", 1)) in PAGE
    before = f"{former['at_most_60']} do, with a median of {former['median']:.1f}"
    assert f"Of {former['runs']} runs with earlier settings, {before}" in PAGE


@pytest.mark.parametrize("name", [*OF_SEED, "searched"])
def test_headers_say_what_is_recorded(name: str) -> None:
    result = result_of(SHIPPED[name, ""])
    half = (result["ci95"][1] - result["ci95"][0]) / 2
    said = f"{result['mean']:.2f} +-{half:.2f} shots (gpkit run, seeds {SETS[0]} to {SETS[-1]})"
    assert f"// On ten sets of 50,000 held-out boards: {said}.\n" in BATTLESHIP.shipped(name)


def test_the_page_says_how_strong_the_searched_program_is() -> None:
    means = [result_of(SHIPPED[name, ""])["mean"] for name in ("searched", "champion", "corrected")]
    searched, champion, corrected = (f"{mean:.2f}" for mean in means)
    said = f"`searched.sink`, a result of that search, takes {searched} shots"
    lost = result_of(SHIPPED["searched", ""])["invalid"]
    told = f"`champion.sink` {champion} and `corrected.sink` {corrected}"
    assert f"{said}, {told}; `searched.sink` does not finish {lost} of 500,000 games." in PAGE


@pytest.mark.parametrize("name", ["runner-up", "searched"])
def test_headers_say_how_many_games_do_not_finish(name: str) -> None:
    result = result_of(SHIPPED[name, ""])
    games, lost = result["games"], result["invalid"]
    share = mean_interval([1.0] * lost + [0.0] * (games - lost), support=(0.0, 1.0))
    mean, low, high = (f"{100 * value:.3f}" for value in (share.mean, share.low, share.high))
    text = BATTLESHIP.shipped(name)
    assert f"// Of these {games:,} games {lost} do not finish: {mean}% ({low} to {high})," in text


def test_all_games_of_the_others_finish() -> None:
    assert all(result_of(SHIPPED[name, ""])["invalid"] == 0 for name in ("champion", "corrected", "textbook"))


def test_the_page_says_what_the_other_reading_of_any_direction_changes() -> None:
    """VertDir where every square around is known: "any" of two, or of four directions."""
    corrected, runner_up = (SHIPPED[name, "unshot-all"]["more"] for name in ("corrected", "runner-up"))
    assert f"`corrected.sink` then takes {-corrected['mean']:.3f} fewer shots" in PAGE
    assert f"`runner-up.sink` {runner_up['mean']:.2f} more, but" in PAGE
    unfinished = [result_of(SHIPPED["runner-up", value])["invalid"] for value in ("unshot-all", "")]
    assert f"only {unfinished[0]} of 500,000 games stay unfinished instead of {unfinished[1]}" in PAGE


@compiled_only
@pytest.mark.parametrize(("name", "direction"), [("champion", ""), ("corrected", "unshot-all")])
def test_a_set_comes_out_again(name: str, direction: str) -> None:
    heading = f"// direction: {direction}\n" if direction else ""
    played = BATTLESHIP.play(heading + BATTLESHIP.shipped(name), "uniform", SETS[0])
    assert played.interval.mean == result_of(SHIPPED[name, direction])["sets"][0]


@compiled_only
@pytest.mark.slow
def test_all_sets_come_out_again() -> None:
    """Every program of the data file on every set (minutes)."""
    for (name, direction), recorded in SHIPPED.items():
        text = BATTLESHIP.shipped(name)
        switched = f"// direction: {direction}\n{text}" if direction else text
        assert BATTLESHIP.measure(switched) == recorded["results"]
        if direction:
            assert BATTLESHIP.compare(switched, text) == recorded["more"]
    for run in (*RUNS.values(), *OTHER_RUNS):
        assert BATTLESHIP.measure(run["program"]) == run["results"]
