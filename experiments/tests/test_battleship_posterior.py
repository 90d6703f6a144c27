"""Strength of formulas over beliefs: ``experiments/data/strength-battleship-posterior.json``, preset and page alike."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from held_out_sets import SETS
from kernel_marks import compiled_only
from result_pages import results

from gpkit.core.arrays import Floats
from gpkit.core.registry import game_of
from gpkit.core.statistics import mean_interval, paired_difference
from gpkit.evolution.config import Config, shipped_presets
from gpkit.evolution.subjects import config_from_data
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_name, player_of_program, player_of_text, program_of_name
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import entry

PAGE = results("battleship")
POSTERIOR = Path(__file__).parents[2] / "programs" / "battleship" / "posterior.tree"
RECORDED: dict[str, Any] = json.loads(
    (DATA / "strength-battleship-posterior.json").read_text(encoding="utf-8")
)
RUNS: dict[int, dict[str, Any]] = {run["seed"]: run for run in RECORDED["runs"]}


GAME: Game = game_of("battleship")

BASE = "likeliest"
OTHERS = ("covers", "marksman", "density")


@dataclass(frozen=True, slots=True)
class Place:
    """Boards of one kind.

    Attributes:
        games: of each of the ten sets.
        opponent: the placement.
        rules: other than the usual ones.
    """

    games: int
    opponent: str = "uniform"
    rules: Mapping[str, str] = field(default_factory=dict)


PLACES: Mapping[str, Place] = {
    "uniform": Place(2_000),
    "8x8": Place(400, rules={"board": "8x8"}),
    "12x12": Place(200, rules={"board": "12x12"}),
    "ten ships that may not touch": Place(200, rules={"variant": "ten-ships"}),
    "sinkings not told": Place(200, rules={"announce": "hit"}),
    **{pattern: Place(200, pattern) for pattern in ("corner", "corners", "wall", "lines")},
}
"""The boards of training first; the others played no part in it. Runs are measured on the first alone."""

Scores = Callable[[str, str], Floats]
"""Shots by board of a program, by its name or text, in a place, by its name."""


def player_of(program: str) -> Player:
    """The player of a program's text, or of a name."""
    if "shoot:" in program:
        return player_of_text(program, GAME, filename="program", language="arithmetic")
    if program in GAME.programs:
        return player_of_name(program, GAME)
    return player_of_program(program_of_name(program, GAME), GAME, program)


def played(program: str, place: Place, seed: int) -> Floats:
    """Shots by board of a program on one set."""
    return play_match(
        GAME,
        player_of(program),
        [player_of_name(place.opponent, GAME)],
        rules=GAME.make_rules(place.rules),
        seed=seed,
        games=place.games,
    ).by_deal


def scores(program: str, place: str) -> Floats:
    """Shots by board of a program on all sets."""
    return np.concatenate([played(program, PLACES[place], seed) for seed in SETS])


def results_of(program: str, measured: Scores, places: Sequence[str] = tuple(PLACES)) -> dict[str, Any]:
    """By place the mean of a program by set and of all, and by how much it takes more shots than ``BASE``."""
    found = {}
    for name in places:
        shots = measured(program, name)
        found[name] = {
            "sets": shots.reshape(len(SETS), -1).mean(axis=1).round(6).tolist(),
            **entry(mean_interval(shots)),
            "more": entry(paired_difference(shots, measured(BASE, name))),
            "games": len(shots),
        }
    return found


def content(recorded: Mapping[str, Any], measured: Scores, shipped: Sequence[str] = ()) -> dict[str, Any]:
    """The content of the data file with every program measured."""
    return {
        **recorded,
        "sets": list(SETS),
        "base": BASE,
        "shipped": {name: results_of(name, measured) for name in (BASE, *OTHERS, *shipped)},
        "runs": [
            run | {"results": results_of(run["program"], measured, ("uniform",))} for run in recorded["runs"]
        ],
    }


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
    for each in entries:
        for name, found in each.items():
            assert found["games"] == PLACES[name].games * len(SETS)
            assert found["mean"] == pytest.approx(np.mean(found["sets"]), abs=1e-4)
            low, high = found["more"]["ci95"]
            base = RECORDED["shipped"][BASE][name]["mean"]
            assert found["more"]["mean"] == pytest.approx(found["mean"] - base, abs=1e-9)
            assert low <= found["more"]["mean"] <= high
    assert all(set(each) == set(PLACES) for each in RECORDED["shipped"].values())


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
