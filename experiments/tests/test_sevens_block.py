"""The record of Sevens by a kernel block beside its own kernel."""

import json
import statistics
from pathlib import Path

import pytest

from gpkit.gamekit.game import Game
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.sevens_block import BLOCK, GAME, LEAST, MOST_APART, OTHER, PROGRAM, SEED, TURNS, played

RECORD = json.loads((DATA / "sevens-block.json").read_text(encoding="utf-8"))


def test_the_block_plays_the_same_game_and_is_too_slow() -> None:
    assert (RECORD["seed"], len(RECORD["ratios"])) == (SEED, TURNS)
    assert abs(RECORD["means"][GAME.name] - RECORD["means"][BLOCK.name]) <= MOST_APART
    assert RECORD["ratio"] == statistics.median(RECORD["ratios"]) < LEAST


def test_the_readme_tells_the_ratio() -> None:
    text = Path(__file__).parents[1].joinpath("README.md").read_text(encoding="utf-8")
    assert f"{RECORD['ratio']:.2f} times as many games a second" in " ".join(text.split())


@pytest.mark.slow
@pytest.mark.parametrize("game", [GAME, BLOCK], ids=lambda each: each.name)
def test_the_mean_comes_out_again(game: Game) -> None:
    assert played(game, [PROGRAM, OTHER, OTHER], 0)[1] == RECORD["means"][game.name]
