"""Evolved code breakers reach what is recorded of them, exactly: ``experiments/data/strength-mastermind.json``."""

import json
from pathlib import Path

import pytest
from kernel_marks import compiled_only

from gpkit.core.registry import data_folder
from gpkit.evolution.config import Config, shipped_presets
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.subjects import config_from_data, resolve
from gpkit.games.mastermind.game import GAME, expect
from gpkit.games.mastermind.primitives import CHANCES
from gpkit.games.mastermind.rules import MastermindRules
from gpkit.languages.arithmetic.language import LANGUAGE
from gpkit.playing.players import player_of_name, player_of_text

RECORDED = json.loads(
    (Path(__file__).parents[1] / "data" / "strength-mastermind.json").read_text(encoding="utf-8")
)
CHAMPION = data_folder("programs") / "mastermind" / "champion.tree"
SUPER = MastermindRules(5, 8)

pytestmark = compiled_only


def _mean(text: str, rules: MastermindRules) -> float:
    agents = [player_of_text(text, GAME, filename="a.tree"), player_of_name("codemaker", GAME)]
    return expect(agents, rules).mean


def test_recorded_runs_are_of_the_preset_and_reach_their_means() -> None:
    assert [run["seed"] for run in RECORDED["runs"]] == [1, 2, 3, 4, 5]
    assert config_from_data(RECORDED["config"], Config()) == shipped_presets()["mastermind"]
    for run in RECORDED["runs"]:
        assert _mean(run["program"], MastermindRules()) == run["classic"] <= 4.38
        assert len(LANGUAGE.parse(run["program"], "run").program) == run["nodes"]


def test_the_champion_is_better_than_every_known_one_step_strategy() -> None:
    text = CHAMPION.read_text(encoding="utf-8")
    used = {symbol for tree in LANGUAGE.parse(text, "champion").program.trees for symbol in tree.symbols}
    assert {symbol for symbol in used if str(symbol).startswith("env.")} <= {*CHANCES.sensors, "env.next"}
    mean = _mean(text, MastermindRules())
    assert mean == RECORDED["champion"]["classic"] <= 5658 / 1296
    for name in ("knuth", "irving", "entropy", "kooi"):
        agents = [player_of_name(name, GAME), player_of_name("codemaker", GAME)]
        assert mean < expect(agents, MastermindRules()).mean


@pytest.mark.slow
def test_the_champion_unchanged_needs_little_more_than_entropy_in_the_super_game() -> None:
    entropy = [player_of_name("entropy", GAME), player_of_name("codemaker", GAME)]
    expected = expect(entropy, SUPER).mean
    assert expected == RECORDED["entropy_super"] == pytest.approx(5.4890, abs=5e-5)
    mean = _mean(CHAMPION.read_text(encoding="utf-8"), SUPER)
    assert mean == RECORDED["champion"]["super"] <= expected + 0.01


def test_a_recorded_program_is_scored_so_in_evolution() -> None:
    run = RECORDED["runs"][0]
    problem = resolve(shipped_presets()["mastermind"]).search().problem
    (found,) = problem.evaluate([LANGUAGE.parse(run["program"], "run").program], 1, 0, SerialExecutor())
    assert found.score == -run["classic"]
