"""Gain of placement and shooter by knowing each other: the recorded data are of the script and say what is told."""

import json
from pathlib import Path
from typing import Any

import numpy as np

import gpkit_experiments.battleship_placement as script

DATA: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "placement-battleship.json").read_text(encoding="utf-8")
)


def mean(placement: str, who: str) -> float:
    found: float = DATA["placements"][placement][who]["mean"]
    return found


def test_data_are_of_the_script() -> None:
    assert (DATA["command"], DATA["seed"], DATA["boards"]) == (script.COMMAND, script.SEED, script.BOARDS)
    assert (DATA["rounds"], DATA["boards of a round"], DATA["step"]) == (
        script.ROUNDS,
        script.BOARDS_OF_A_ROUND,
        script.STEP,
    )
    assert list(DATA["placements"]) == [*(f"edges {power}" for power in script.POWERS), "adversarial"]


def test_edges_fool_who_does_not_know_them_and_help_who_does() -> None:
    fooled = [mean(f"edges {power}", "assuming uniform") for power in script.POWERS]
    known = [mean(f"edges {power}", "knowing") for power in script.POWERS]
    assert fooled == sorted(fooled)
    assert known == sorted(known, reverse=True)


def test_no_placement_gains_on_uniform_fleets_against_who_knows_it() -> None:
    uniform = DATA["placements"]["edges 0"]["knowing"]["ci95"]
    for placement, row in DATA["placements"].items():
        assert row["knowing"]["ci95"][0] < uniform[1], placement
    assert DATA["placements"]["adversarial"]["assuming uniform"]["ci95"][0] > uniform[1]


def test_weights_are_symmetric_and_legal() -> None:
    weights = np.array(list(DATA["weights"].values()))
    assert weights.shape == script.LEGAL.shape
    assert not weights[script.LEGAL == 0].any()
    for row, turned in zip(weights, script.MIRRORED, strict=True):
        legal = np.flatnonzero(row)
        for each in turned:
            assert np.allclose(row[each[legal]], row[legal])
    assert script.scaled(script.edges(3)).shape == weights.shape
