"""Shipped decision trees are as strong, and as small, as headers and ``data/strength-decisions.json`` say."""

import re
from typing import Any

import pytest
from held_out_sets import SETS, SEVENS, TREES
from kernel_marks import compiled_only

from gpkit.core.registry import data_folder
from gpkit.evolution.config import shipped_presets
from gpkit.evolution.subjects import parse_config
from gpkit.languages.decision.text import parse

RECORDED = TREES.recorded()
SHIPPED: dict[str, list[dict[str, Any]]] = {one["name"]: one["results"] for one in RECORDED["shipped"]}
CHAMPION = "champion-15"
FOLDER = data_folder("programs") / "sevens"


def test_strengths_rest_on_sets_that_nothing_was_chosen_by() -> None:
    assert tuple(RECORDED["sets"]) == SETS
    assert RECORDED["games"] == TREES.games == 60_000
    for results in SHIPPED.values():
        for result in results:
            assert result["games"] == len(SETS) * TREES.games
            assert result["ci95"][0] < result["mean"] < result["ci95"][1]


def test_the_champion_is_stronger_than_is_asked_on_every_set() -> None:
    for name in (CHAMPION, "steps"):
        for result in SHIPPED[name]:
            assert min(result["sets"]) > RECORDED["required"][result["opponent"]]
    for champion, steps in zip(SHIPPED[CHAMPION], SHIPPED["steps"], strict=True):
        assert champion["ci95"][0] > steps["ci95"][1]


@pytest.mark.parametrize("name", SHIPPED)
def test_trees_have_few_leaves(name: str) -> None:
    leaves = [len(tree.leaves) for tree in parse(TREES.shipped(name)).program.trees]
    assert max(leaves) <= RECORDED["required"]["leaves"]


def test_only_the_champion_says_its_strength() -> None:
    said = ", ".join(
        f"{result['mean']:.4f} +-{(result['ci95'][1] - result['ci95'][0]) / 2:.4f} against {result['opponent']}"
        for result in SHIPPED[CHAMPION]
    )
    seeds = f"seeds {SETS[0]} to {SETS[-1]}"
    assert f"// On ten sets of 60,000 held-out games: {said} (gpkit run, {seeds}).\n" in TREES.shipped(
        CHAMPION
    )
    for path in FOLDER.glob("*.decide"):
        if path.stem != CHAMPION:
            assert not re.search(r"held.out|\+-", path.read_text(encoding="utf-8")), path.name


def test_the_champion_was_evolved_from_random_trees() -> None:
    config = parse_config((FOLDER / f"{CHAMPION}.toml").read_text(encoding="utf-8"), shipped_presets())
    assert config.population.start == ()
    assert config.representation.max_leaves == RECORDED["required"]["leaves"]
    assert config.seed == 1


@compiled_only
def test_a_set_comes_out_again() -> None:
    for result in SHIPPED[CHAMPION]:
        assert (
            TREES.play(TREES.shipped(CHAMPION), result["opponent"], SETS[0]).interval.mean
            == result["sets"][0]
        )


@compiled_only
def test_a_hand_written_tree_plays_as_simple_does() -> None:
    found = TREES.play(TREES.shipped("steps"), "random", SETS[0]).interval.mean
    formula = SEVENS.play(SEVENS.shipped("simple"), "random", SETS[0])
    assert found == pytest.approx(formula.interval.mean, abs=2e-4)


@compiled_only
@pytest.mark.slow
def test_all_sets_come_out_again() -> None:
    """Every program of ``experiments/data/strength-decisions.json`` on every set (half a minute)."""
    for name, results in SHIPPED.items():
        assert TREES.measure(TREES.shipped(name)) == results
