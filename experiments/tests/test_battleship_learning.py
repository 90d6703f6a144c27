"""Learning speed of a player: ``data/series-battleship.json``, and the sentences of the page that rest on it."""

import json
from pathlib import Path
from typing import Any

import pytest
from result_pages import results

from gpkit.games.battleship.game import GAME
from gpkit.playing.players import player_of_name
from tests.series_of_two import play_series

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return dict(
        json.loads((ROOT / "experiments" / "data" / "series-battleship.json").read_text(encoding="utf-8"))
    )


def test_what_is_claimed(data: dict[str, Any]) -> None:
    """Learning helps against every pattern, and costs nothing where there is none."""
    assert list(data["patterns"]) == ["uniform", "corner", "wall", "corners", "lines"]
    for pattern, row in data["patterns"].items():
        low, high = row["fewer"]["ci95"]
        assert low > 0.0 if pattern != "uniform" else low < 0.0 < high, pattern
        assert row["counts"]["0"] == row["density"]["0"], pattern
    wall, uniform = data["patterns"]["wall"], data["patterns"]["uniform"]["fewer"]
    told = ", ".join(f"{wall['counts'][seen]['mean']:.2f}" for seen in ("0", "1", "5"))
    page = results("battleship-adaptive")
    assert (
        f"it takes {told} and {wall['counts']['20']['mean']:.2f} shots, and {wall['known']['mean']:.2f} if"
        in page
    )
    low, high = (f"{end:.2f}".replace("-", "−") for end in uniform["ci95"])
    assert f"it takes {uniform['mean']:.2f} shots fewer than `density` ({low} to {high})" in page


def test_a_part_of_it_comes_out_again(data: dict[str, Any]) -> None:
    players = [player_of_name(name, GAME) for name in ("counts", "wall")]
    rules, games = GAME.make_rules({}), data["games"]
    series = play_series(GAME, players, rules=rules, seed=data["seed"], games=games, repeat=25)
    shots = series.scores[..., 0].mean(axis=0)
    for seen, tolerance in (("0", 4.0), ("1", 5.0), ("5", 2.0), ("20", 1.0)):
        assert shots[int(seen)] == pytest.approx(
            data["patterns"]["wall"]["counts"][seen]["mean"], abs=tolerance
        )
