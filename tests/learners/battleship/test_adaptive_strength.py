"""The committed measurements of the adaptive player: of this code, and saying what is claimed."""

import json
from pathlib import Path
from typing import Any

import adaptive_pretraining
import adaptive_series
import pytest

from gpkit.core.registry import data_folder
from gpkit.learners.battleship.pretraining import Effort

DATA = Path(__file__).parents[2] / "data"


def data_of(part: str) -> dict[str, Any]:
    """A committed file."""
    data: dict[str, Any] = json.loads((DATA / f"adaptive-{part}.json").read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize("part", ["targeting", "memory", "opponents"])
def test_files_are_of_the_seeds_and_sizes_in_use(part: str) -> None:
    data = data_of(part)
    assert data["seed"] == adaptive_series.SEEDS[part]
    assert {name: data[name] for name in adaptive_series.SIZES[part]} == adaptive_series.SIZES[part]
    rows = list(data["rows"])
    assert rows == [name for name in adaptive_series.rows_of(part) if name in rows]
    given = " ".join([part, *([] if len(rows) == len(adaptive_series.rows_of(part)) else rows)])
    assert data["command"] == adaptive_series.COMMAND.format(given=given, part=part)


def test_the_mixture_is_not_worse_than_the_better_of_waves_and_counts() -> None:
    rows = data_of("targeting")["rows"]
    assert {"wall", "corner", "corners"} <= set(rows)
    for row in rows.values():
        assert all(row["less"][seen]["ci95"][0] <= 0.0 for seen in ("1", "5", "20"))
    for pattern in ("wall", "corners"):
        assert rows[pattern]["mixture"]["1"]["ci95"][1] < rows[pattern]["counts"]["1"]["ci95"][0]


def test_memory_wins_more() -> None:
    gains = [row["more"] for row in data_of("memory")["rows"].values()]
    assert len(gains) == 15
    assert all(gain["mean"] > 0.05 for gain in gains)
    assert sum(gain["ci95"][0] > 0.0 for gain in gains) == 12


def test_hard_coded_opponents_lose() -> None:
    rows = data_of("opponents")["rows"]
    assert all(
        rows[shooter]["all"]["mean"] == 1.0 for shooter in ("random", "raster", "checkerboard", "diagonal")
    )
    assert rows["corrected"]["all"]["mean"] > 0.85


def test_rows_are_measured_by_this_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adaptive_series, "SEEN", (0, 1))
    monkeypatch.setattr(adaptive_series, "LESSONS", 50)
    row = adaptive_series.targeting_row("wall", 1, 2, 1)
    assert set(row) == {"mixture", "waves", "counts", "known", "less"}
    assert adaptive_series.opponent_of("corrected", "wall").name == "corrected:wall"


def test_what_ships_is_what_pre_training_makes() -> None:
    shipped = json.loads(
        (data_folder("programs") / "battleship" / "adaptive" / "pretrained.json").read_text()
    )
    tiny = adaptive_pretraining.report(Effort(wave_generations=1, rounds=1, boards=1), boards=("8x8",))
    assert set(shipped) == set(tiny)
    assert (shipped["command"], shipped["seed"]) == (tiny["command"], tiny["seed"])
    assert [board["rules"]["board"] for board in shipped["boards"]] == list(adaptive_pretraining.BOARDS)
    by_board = {board["rules"]["board"]: board for board in shipped["boards"]}
    assert by_board["8x8"]["density"] == tiny["boards"][0]["density"]
    assert len(by_board["8x8"]["waves"]) == adaptive_pretraining.WAVES
    assert shipped["programs"][0] == ["targeting:", "  Target", "  Shoot"]


@pytest.mark.slow
def test_what_ships_comes_out_again() -> None:
    path = data_folder("programs") / "battleship" / "adaptive" / "pretrained.json"
    assert adaptive_pretraining.pretty(adaptive_pretraining.report()) == path.read_text()
