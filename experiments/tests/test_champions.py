"""Champions are as strong, and as small, as their headers, the README and ``experiments/data/strength.json`` say."""

import re
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from held_out_sets import SETS, SEVENS
from kernel_marks import compiled_only
from result_pages import Page

from gpkit.core.registry import data_folder
from gpkit.games.sevens.primitives import ARTICLE
from gpkit.languages.arithmetic.text import parse

ROOT = Path(__file__).parents[2]
README = Page("README.md")
RECORDED = SEVENS.recorded()
SHIPPED: dict[str, list[dict[str, Any]]] = {one["name"]: one["results"] for one in RECORDED["shipped"]}
NODES = {"champion": 30, "champion-40": 40}
FLATTERING = 20261121
"""The set that strengths were read from while programs were chosen."""

EVERYBODY = [*SHIPPED.values(), *(run["results"] for run in RECORDED["runs"])]


def test_strengths_rest_on_many_sets_that_nothing_was_chosen_by() -> None:
    assert tuple(RECORDED["sets"]) == SETS
    assert len(set(SETS)) >= 5
    assert FLATTERING not in SETS
    assert RECORDED["games"] == SEVENS.games == 60_000
    for results in EVERYBODY:
        for result in results:
            low, high = result["ci95"]
            assert len(result["sets"]) == len(SETS)
            assert result["games"] == len(SETS) * SEVENS.games
            assert low < result["mean"] < high
            assert result["mean"] == pytest.approx(fmean(result["sets"]))


@pytest.mark.parametrize("name", NODES)
def test_a_champion_has_few_nodes_and_says_what_is_recorded(name: str) -> None:
    text = SEVENS.shipped(name)
    program = parse(text).program
    assert len(program) <= NODES[name]
    used = {symbol for tree in program.trees for symbol in tree.symbols if isinstance(symbol, str)}
    assert used <= {*ARTICLE.sensors, *(operator.name for operator in ARTICLE.operators)}
    said = ", ".join(
        f"{result['mean']:.4f} +-{(result['ci95'][1] - result['ci95'][0]) / 2:.4f} against {result['opponent']}"
        for result in SHIPPED[name]
    )
    seeds = f"seeds {SETS[0]} to {SETS[-1]}"
    assert f"// On ten sets of 60,000 held-out games: {said} (gpkit run, {seeds}).\n" in text


def test_every_other_header_of_sevens_says_no_strength() -> None:
    for path in sorted((data_folder("programs") / "sevens").rglob("*.tree")):
        if path.stem not in NODES:
            assert not re.search(r"held.out|\+-", path.read_text(encoding="utf-8")), path.name


def test_the_readme_says_what_is_recorded_of_the_preset() -> None:
    random, simple = (fmean(run["results"][place]["mean"] for run in RECORDED["runs"]) for place in (0, 1))
    assert (
        f"five seeds end at {random:.3f} against `random` and {simple:.3f} against `simple` on average, over ten sets"
        in README
    )
    first, second = (result["mean"] for result in SHIPPED["champion"])
    assert f"`champion` reaches {first:.4f} and {second:.4f}" in README


@compiled_only
@pytest.mark.parametrize("name", NODES)
def test_a_set_comes_out_again(name: str) -> None:
    for result in SHIPPED[name]:
        played = SEVENS.play(SEVENS.shipped(name), result["opponent"], SETS[0])
        assert played.interval.mean == result["sets"][0]
        assert played.games == SEVENS.games


def test_the_recorded_runs_of_the_preset_are_strong_and_small() -> None:
    required = RECORDED["required"]
    assert [run["seed"] for run in RECORDED["runs"]] == [1, 2, 3, 4, 5]
    for run in RECORDED["runs"]:
        assert len(parse(run["program"]).program) == run["nodes"] <= required["nodes"]
        for result in run["results"]:
            assert result["ci95"][0] >= required[result["opponent"]]
    assert parse(RECORDED["runs"][0]["program"]).program == parse(SEVENS.shipped("champion")).program


@compiled_only
@pytest.mark.slow
def test_all_sets_come_out_again() -> None:
    """Every program of ``experiments/data/strength.json`` on every set: the file byte for byte (a minute)."""
    for name, results in SHIPPED.items():
        assert SEVENS.measure(SEVENS.shipped(name)) == results
    for run in RECORDED["runs"]:
        assert SEVENS.measure(run["program"]) == run["results"]
