"""Recorded errors of beliefs against what the exact posterior said: small, and some of them measured again."""

import json
from pathlib import Path

import pytest
from kernel_marks import compiled_only

from gpkit.games.battleship.belief import field
from gpkit_experiments.battleship_beliefs import (
    FIELD_GAMES,
    FIELD_VARIANTS,
    FILE,
    VARIANTS,
    errors_in,
    first,
    positions,
    relaxed,
)

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "battleship.md"
RECORDED = json.loads(FILE.read_text(encoding="utf-8"))


def test_recorded_errors_are_small_where_sinkings_are_told() -> None:
    assert set(RECORDED["variants"]) == set(VARIANTS)
    for row in RECORDED["variants"]["classic"]:
        assert row["positions"] > 50
        assert row["not_counted"] == 0
        assert row["mean"] < 0.01
        assert row["loss"] < 0.002
    assert all(row["mean"] < 0.04 for rows in RECORDED["variants"].values() for row in rows)


@compiled_only
def test_the_first_errors_come_out_again() -> None:
    assert first() == pytest.approx(RECORDED["first"], abs=1e-12)


@compiled_only
def test_the_mean_field_is_nearer_than_what_is_said_of_it() -> None:
    assert set(RECORDED["field"]) == set(FIELD_VARIANTS)
    assert RECORDED["field_games"] == FIELD_GAMES
    rows = [row for rows in RECORDED["field"].values() for row in rows]
    assert all(row["positions"] > 5 and row["not_counted"] == 0 for row in rows)
    mean, largest = (max(row[name] for row in rows) for name in ("mean", "largest"))
    assert (f"{mean:.4f}", f"{largest:.2f}") == ("0.0042", "0.31")
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"mean error against counts is {f'{mean:.4f}'[1:]} or less on boards of 10x10 to 22x22" in page
    assert f"is {f'{mean:.4f}'[1:]} or less and the largest {f'{largest:.2f}'[1:]}" in " ".join(
        str(field.__doc__).split()
    )
    options, turns = FIELD_VARIANTS["classic"]
    (boards, *_) = positions(options, 1, turns)
    again = errors_in(boards[0], relaxed)
    assert again is not None
    assert again.largest == pytest.approx(rows[0]["largest"], abs=1e-12), "that of the first of the games"
