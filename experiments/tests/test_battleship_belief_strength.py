"""The measured strength of the player of the posterior: its claims, and its first boards played anew."""

import json
from pathlib import Path

import pytest
from result_pages import results

from gpkit.games.battleship.game import GAME
from gpkit_experiments.belief_strength import (
    COMMAND,
    FIRST,
    ROWS,
    RULES,
    SEED,
    SEEDS,
    SETTINGS,
    boards,
    play,
    play_sampler,
)

DATA = json.loads((Path(__file__).parents[1] / "data" / "strength-belief.json").read_text(encoding="utf-8"))

PAGE = results("battleship")


def test_the_data_are_of_this_script() -> None:
    assert (DATA["command"], DATA["seed"], DATA["seeds"]) == (COMMAND, SEED, SEEDS)
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


def test_where_nothing_is_told_it_is_strong_too() -> None:
    assert DATA["rows"]["not-announced belief"]["shots"]["mean"] <= 47.2


def test_the_page_tells_what_the_posterior_saves_with_equal_knowledge() -> None:
    fewer = DATA["rows"]["ten-ships-hits belief:50"]["fewer"]
    assert {told["boards"] for told in fewer.values()} == {90}
    for other in ("mcs:100", "mcs-mended:100", "mcs-mended:20000"):
        told = fewer[other]
        low, high = (f"{end:.1f}".replace("-", "−") for end in told["ci95"])
        assert f"{told['mean']:.1f}" in PAGE and f"({low} to {high})" in PAGE


@pytest.mark.parametrize("player", ["mcs-mended:100", "mcs:10"])
def test_first_boards_of_samplers_are_played_as_they_were(player: str) -> None:
    rules = "ten-ships-hits"
    some = boards(GAME.make_rules(RULES[rules]), 0, 3, SEEDS[rules])
    shots = [play_sampler(board, key, player)[0] for board, key in some]
    assert shots == DATA["rows"][f"{rules} {player}"]["first"][:3]


def test_more_samples_do_not_hurt() -> None:
    assert DATA["rows"]["ten-ships mcs:100"]["fewer"]["mcs:10"]["ci95"][1] > 0.0
