"""The measured strength of the player of the posterior: its claims, and its first boards played anew."""

import json
from pathlib import Path

import pytest

from gpkit.games.battleship.game import GAME
from gpkit_experiments.belief_strength import COMMAND, FIRST, ROWS, RULES, SEED, SETTINGS, boards, play

DATA = json.loads((Path(__file__).parents[1] / "data" / "strength-belief.json").read_text(encoding="utf-8"))


def test_the_data_are_of_this_script() -> None:
    assert (DATA["command"], DATA["seed"]) == (COMMAND, SEED)
    for name, row in DATA["rows"].items():
        rules, player = ROWS[name]
        assert (row["rules"], row["player"]) == (RULES[rules], player)


@pytest.mark.parametrize("player", ["belief", "greedy"])
def test_first_boards_are_played_as_they_were(player: str) -> None:
    some = boards(GAME.make_rules(RULES["small"]), 0, FIRST)
    shots = [play(board, key, SETTINGS[player])[0] for board, key in some]
    assert shots == DATA["rows"][f"small {player}"]["first"]


def test_rollouts_need_fewer_shots_than_greedy() -> None:
    belief = DATA["rows"]["classic belief"]
    assert belief["boards"] == 10_000
    assert belief["shots"]["mean"] <= 44.4
    assert belief["fewer"]["greedy"]["mean"] >= 0.3
    assert belief["fewer"]["greedy"]["ci95"][0] > 0.0


def test_where_nothing_is_told_and_on_large_boards_it_is_strong_too() -> None:
    rows = DATA["rows"]
    assert rows["not-announced belief"]["shots"]["mean"] <= 47.2
    assert rows["ten-ships belief:50"]["fewer"]["mcs:100"]["ci95"][0] > 0.0
    assert rows["hundred-ships belief"]["fewer"]["mcs:10"]["ci95"][0] > 0.0


def test_more_samples_do_not_hurt() -> None:
    assert DATA["rows"]["ten-ships mcs:100"]["fewer"]["mcs:10"]["ci95"][1] > 0.0
