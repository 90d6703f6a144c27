"""Strength of formulas over beliefs: ``experiments/data/strength-battleship-posterior.json``, preset and page alike."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernel_marks import compiled_only

from gpkit.core.statistics import mean_interval
from gpkit.evolution.config import Config
from gpkit.evolution.presets import shipped_presets
from gpkit.evolution.subjects import config_from_data
from gpkit.languages.arithmetic.parser import parse
from gpkit_experiments.held_out_sets import SETS
from gpkit_experiments.posterior_strength import BASE, FILE, OTHERS, PLACES, content, played, scores

PAGE = " ".join(
    (Path(__file__).parents[2] / "docs" / "how-to" / "battleship.md").read_text(encoding="utf-8").split()
)
POSTERIOR = Path(__file__).parents[2] / "programs" / "battleship" / "posterior.tree"
RECORDED: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
RUNS: dict[int, dict[str, Any]] = {run["seed"]: run for run in RECORDED["runs"]}


def test_runs_are_of_the_preset_and_within_its_limit() -> None:
    preset = shipped_presets()["posterior"]
    assert config_from_data(RECORDED["config"], Config()) == preset
    assert list(RUNS) == RECORDED["unseen"]
    for seed, run in RUNS.items():
        assert f"// seed: {seed}\n" in run["program"]
        assert len(parse(run["program"]).program) <= preset.limits.size


def test_the_shipped_champion_is_that_of_a_run() -> None:
    champion = parse(POSTERIOR.read_text(encoding="utf-8"))
    run = RUNS[int(champion.header["seed"])]
    assert champion.program == parse(run["program"]).program
    uniform = run["results"]["uniform"]
    half = (uniform["ci95"][1] - uniform["ci95"][0]) / 2
    low, high = uniform["more"]["ci95"]
    told = (
        f"{uniform['mean']:.2f} +-{half:.2f} shots, {-uniform['more']['mean']:.2f} fewer than likeliest.tree"
    )
    assert f"{told} on the same boards ({-low:.2f} fewer to {high:.2f} more)" in champion.text


def test_everything_was_measured_on_the_same_boards() -> None:
    assert tuple(RECORDED["sets"]) == SETS
    assert list(RECORDED["shipped"]) == [BASE, *OTHERS]
    entries = [*RECORDED["shipped"].values(), *(run["results"] for run in RUNS.values())]
    for entry in entries:
        for name, found in entry.items():
            assert found["games"] == PLACES[name].games * len(SETS)
            assert found["mean"] == pytest.approx(np.mean(found["sets"]), abs=1e-4)
            low, high = found["more"]["ci95"]
            base = RECORDED["shipped"][BASE][name]["mean"]
            assert found["more"]["mean"] == pytest.approx(found["mean"] - base, abs=1e-9)
            assert low <= found["more"]["mean"] <= high
    assert all(set(entry) == set(PLACES) for entry in RECORDED["shipped"].values())


def test_the_page_says_what_was_measured() -> None:
    more = [run["results"]["uniform"]["more"] for run in RUNS.values()]
    said = [f"{each['mean']:+.2f} ({each['ci95'][0]:.2f} to {each['ci95'][1]:.2f})" for each in more]
    assert f"{said[0]}, {said[1]} and {said[2]}".replace("-", "−") in PAGE
    base = RECORDED["shipped"][BASE]["uniform"]
    half = (base["ci95"][1] - base["ci95"][0]) / 2
    assert f"`likeliest.tree` takes {base['mean']:.2f}, give or take {half:.2f}" in PAGE
    for name in ("marksman", "density"):
        each = RECORDED["shipped"][name]["uniform"]["more"]
        assert each["ci95"][0] > 0.0
        assert f"{each['mean']:.2f}" in PAGE
    marksman = {name: found["more"]["mean"] for name, found in RECORDED["shipped"]["marksman"].items()}
    ships, told = (marksman.pop(name) for name in ("ten ships that may not touch", "sinkings not told"))
    assert (
        f"`marksman.tree` takes {ships:.1f} shots more, and where sinking is not announced, {told:.1f} more."
        in PAGE
    )
    assert all(abs(more) < 1.0 for more in marksman.values()), "within a shot of each other"
    assert all("env.sinks" in run["program"] for run in RUNS.values())


@compiled_only
def test_a_set_comes_out_again() -> None:
    again = played(BASE, PLACES["8x8"], SETS[0])
    assert again.mean() == pytest.approx(RECORDED["shipped"][BASE]["8x8"]["sets"][0], abs=1e-6)
    assert mean_interval(again).units == PLACES["8x8"].games


@compiled_only
@pytest.mark.slow
def test_all_of_it_comes_out_again() -> None:
    """Every program on every set (minutes)."""
    assert json.loads(json.dumps(content(RECORDED, scores))) == RECORDED
