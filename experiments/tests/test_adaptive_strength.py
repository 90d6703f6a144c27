"""The committed measurements of the adaptive player: of this code, and saying what is claimed."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpkit.core.registry import data_folder
from gpkit.core.rng import stream
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.rules import returns_of
from gpkit.games.battleship.sides import first_memory, play_sides
from gpkit.playing.players import player_of_name
from gpkit_experiments import adaptive_pretraining, adaptive_series
from gpkit_experiments.papers.battleship_adaptive.pretraining import Effort

DATA = Path(__file__).parents[1] / "data"


def data_of(part: str) -> dict[str, Any]:
    """A committed file."""
    data: dict[str, Any] = json.loads((DATA / f"adaptive-{part}.json").read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize("part", ["targeting", "memory", "opponents"])
def test_files_are_of_the_seeds_and_sizes_in_use(part: str) -> None:
    data = data_of(part)
    settings = adaptive_series.settings_of(part)
    assert {name: data[name] for name in settings} == settings
    assert list(data["rows"]) == list(adaptive_series.rows_of(part))
    assert data["command"] == adaptive_series.COMMAND.format(given=part, part=part)


def test_the_mixture_is_not_worse_than_the_better_of_waves_and_counts() -> None:
    rows = data_of("targeting")["rows"]
    for row in rows.values():
        assert all(row["less"][seen]["ci95"][0] <= 0.0 for seen in ("1", "5", "20"))
    for pattern in ("wall", "corners"):
        assert rows[pattern]["mixture"]["1"]["ci95"][1] < rows[pattern]["counts"]["1"]["ci95"][0]


def test_memory_wins_more_whatever_the_placement_and_the_board() -> None:
    gains = [row["more"] for row in data_of("memory")["rows"].values()]
    assert len(gains) == 15
    assert all(gain["ci95"][0] > 0.0 for gain in gains)


def test_hard_coded_opponents_lose() -> None:
    rows = data_of("opponents")["rows"]
    assert all(
        rows[shooter]["all"]["mean"] == 1.0 for shooter in ("random", "raster", "checkerboard", "diagonal")
    )
    assert all(row["all"]["ci95"][0] > 0.85 for shooter, row in rows.items() if shooter != "hunt")
    assert 0.7 < rows["hunt"]["all"]["ci95"][0] < rows["hunt"]["all"]["ci95"][1] < 0.85


def test_a_paired_series_is_played_as_any_other() -> None:
    rules = GAME.make_rules({"mode": "duel"})
    series = adaptive_series.PairedSeries("wall", rules, 43_002, 1, 2)
    players = [player_of_name("adaptive", GAME), player_of_name("adaptive:wall", GAME)]
    nothing = learned = first_memory(players[0], rules)
    found = []
    for game, seat in enumerate((1, 0)):
        deals = GAME.deal(stream(43_002, "memory", 1, game), 1, rules)
        keys = [deals.seat(0, 0), deals.seat(0, 1)]
        ended = play_sides(players, keys, [learned, nothing], seat, rules)
        learned = ended.memory[0]
        found.append(returns_of(ended.boards, rules)[seat])
    assert series.scores()[0].tolist() == found


def test_rows_are_measured_by_this_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adaptive_series, "SEEN", (0, 1))
    monkeypatch.setattr(adaptive_series, "LESSONS", 50)
    row = adaptive_series.targeting_row("wall", {1: 2}, 1)
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
