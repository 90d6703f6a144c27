"""Verdicts on the adaptive player fail where the mechanism that they are about is switched off."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from kernel_marks import compiled_only

from gpkit.core.rng import stream
from gpkit.core.statistics import mean_interval, paired_difference
from gpkit.games.battleship.learner.adaptive import AdaptiveSide
from gpkit.games.battleship.learner.targeting import drawn_fleets, pattern_density
from gpkit.games.battleship.waves import HARMONICS
from gpkit_experiments import adaptive_series
from gpkit_experiments.papers.battleship_adaptive import placement, recorded, waves
from gpkit_experiments.papers.battleship_adaptive.waves import RULES, SYMMETRIC, Way, asymmetry, bred_waves
from gpkit_experiments.papers.paper import Row, above, below, exact

pytestmark = compiled_only

SEED = 46_001
DRAWS = 40
FLEETS = 20_000


def verdicts(rows: Sequence[Row]) -> dict[tuple[str, str], str | None]:
    """Verdicts by table and row."""
    return {(row.table, row.quantity): row.verdict("full") for row in rows}


@pytest.mark.parametrize(("pattern", "verdict"), [("uniform", "holds"), ("corner", "fails")])
def test_a_density_that_leans_to_a_corner_is_not_symmetric(pattern: str, verdict: str) -> None:
    density = pattern_density(stream(SEED, "density"), pattern, RULES, FLEETS)
    assert below(SYMMETRIC).judge(exact(asymmetry(density, FLEETS))) == verdict


@pytest.mark.parametrize(
    ("way", "verdict"),
    [("whole", "holds"), ("no mutation", "fails"), ("random", "fails")],
)
def test_waves_converge_by_evolution_alone(way: Way, verdict: str) -> None:
    density = pattern_density(stream(SEED, "density"), "wall", RULES, FLEETS)
    seeds = range(SEED, SEED + 6)
    first = [bred_waves(density, 0, seed, way) for seed in seeds]
    claim = waves.converges(first, waves.component_bound(density, HARMONICS))
    assert claim.judge(mean_interval([bred_waves(density, 60, seed, way) for seed in seeds])) == verdict


def test_a_gene_that_does_not_evolve_is_worse_than_figure_6() -> None:
    density = pattern_density(stream(SEED, "density"), "uniform", RULES, FLEETS)
    first = [bred_waves(density, 0, seed, "whole") for seed in range(SEED, SEED + 20)]
    assert above(waves.FIGURE_6).judge(mean_interval(first)) == "fails"


@pytest.mark.slow
def test_corners_are_as_likely_as_by_chance_where_all_squares_weigh_alike() -> None:
    random = [placement.uniform(SEED, draw) for draw in range(DRAWS)]
    alike = [
        drawn_fleets(stream(SEED, "alike", draw), np.ones(RULES.squares), RULES, 100) for draw in range(DRAWS)
    ]
    laid = [placement.monte_carlo(SEED, draw) for draw in range(DRAWS)]
    found = [verdicts([*placement.place_rows(fleets, random)]) for fleets in (laid, alike)]
    row = ("Section III.A, a ship on the square", "corner, more than by chance")
    assert found[0][row] == "holds" and found[1][row] != "holds"
    costs = verdicts([*placement.cost_rows(alike, random)])
    assert sum(verdict == "holds" for verdict in costs.values()) <= 1


@pytest.mark.parametrize(("caution", "verdict"), [(32.0, "holds"), (0.0, "open")])
def test_fleets_cost_more_after_games_if_shots_lower_weights(caution: float, verdict: str) -> None:
    found = [placement.learned("raster", SEED, number, caution) for number in range(6)]
    shots = np.array([each for each, _ in found])
    assert above(0.0).judge(paired_difference(shots[:, -1], shots[:, 0])) == verdict
    assert below(1.0).judge(mean_interval([share for _, share in found])) == verdict


@pytest.mark.slow
@pytest.mark.parametrize("learns", [True, False])
def test_waves_save_shots_only_if_they_learn(learns: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    few: dict[str, Any] = {
        "SEEN": (0, 5),
        "LESSONS": 50,
        "BOARDS_BY_TURN": 1,
        "BATCHES": {"targeting": {SEED: 6}},
    }
    for name, value in few.items():
        monkeypatch.setattr(adaptive_series, name, value)
    if not learns:
        monkeypatch.setattr(adaptive_series, "after_another", lambda before, *_: before)
    shots = adaptive_series.targeting_row("wall", 12)["waves, neither"]
    verdict = above(0.0).judge(recorded.saved(shots["0"], shots["5"]))
    assert (verdict == "holds") == learns


@pytest.mark.slow
@pytest.mark.parametrize("learns", [True, False])
def test_memory_adds_nothing_to_who_does_not_remember(learns: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adaptive_series, "BATCHES", {"opponents": {SEED: 4}})
    if not learns:
        monkeypatch.setattr(AdaptiveSide, "remember", lambda self, board, home: self.experience)
    cell = adaptive_series.opponent_row("hunt", "wall")
    assert (above(0.0).judge(mean_interval(recorded.gains(cell))) == "holds") == learns


def test_rounds_are_not_won_by_memory_where_there_is_none() -> None:
    rows = {name: dict(cell) for name, cell in recorded.record("opponents").items()}
    for cell in rows.values():
        cell |= {f"won with, {games}": cell[f"won without, {games}"] for games in (5, 11)}
    found = {row.quantity: row for row in recorded.round_rows(rows)}
    for games in (5, 11):
        assert found[f"rounds of {games}, added by memory"].verdict("full") != "holds"
        assert above(0.5).judge(found[f"rounds of {games}, with memory"].measured) == "holds"


@pytest.mark.slow
def test_pre_training_gives_nothing_to_who_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adaptive_series, "BATCHES", {"pretraining": {SEED: 5}})
    whole = {"wall": adaptive_series.pretraining_row("wall", 2)}
    row = (
        "Section III, ships' squares found in the first duel with hunt",
        "bottom wall, more with pre-training",
    )
    assert verdicts([*recorded.pretraining_rows(whole)])[row] == "holds"
    none = {"wall": dict.fromkeys(("pre-trained", "untrained"), whole["wall"]["untrained"])}
    assert verdicts([*recorded.pretraining_rows(none)])[row] != "holds"
