"""Gain of placement and shooter by knowing each other: the recorded data say what is told."""

import json
from pathlib import Path
from typing import Any

import numpy as np

DATA: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "placement-battleship.json").read_text(encoding="utf-8")
)

POWERS = (0, 1, 2, 3, 4, 6, 8)


def mean(placement: str, who: str) -> float:
    found: float = DATA["placements"][placement][who]["mean"]
    return found


def test_every_placement_is_there() -> None:
    assert list(DATA["placements"]) == [*(f"edges {power}" for power in POWERS), "adversarial"]


def test_edges_fool_who_does_not_know_them_and_help_who_does() -> None:
    fooled = [mean(f"edges {power}", "assuming uniform") for power in POWERS]
    known = [mean(f"edges {power}", "knowing") for power in POWERS]
    assert fooled == sorted(fooled)
    assert known == sorted(known, reverse=True)


def test_no_placement_gains_on_uniform_fleets_against_who_knows_it() -> None:
    uniform = DATA["placements"]["edges 0"]["knowing"]["ci95"]
    for placement, row in DATA["placements"].items():
        assert row["knowing"]["ci95"][0] < uniform[1], placement
    assert DATA["placements"]["adversarial"]["assuming uniform"]["ci95"][0] > uniform[1]


def test_weights_are_symmetric_and_legal() -> None:
    lengths = [int(ship.rpartition(" ")[2]) for ship in DATA["weights"]]
    assert lengths == [5, 4, 3, 3, 2]
    for length, row in zip(lengths, DATA["weights"].values(), strict=True):
        across, down = np.array(row[0::2]).reshape(10, 10), np.array(row[1::2]).reshape(10, 10)
        legal = across[:, : 11 - length]
        assert legal.all() and not across[:, 11 - length :].any()
        for turned in (legal[::-1], legal[:, ::-1], down[: 11 - length].T):
            assert np.allclose(turned, legal)
        assert not down[11 - length :].any()
