"""Errors of ``env.chance`` and of the mean field against the exact posterior: ``data/beliefs-battleship.json``."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from kernel_marks import compiled_only
from result_pages import results

from gpkit.core.arrays import Floats
from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.games.battleship.belief import posterior
from gpkit.games.battleship.belief.posterior import Facts, mean_field, posterior_of
from gpkit.games.battleship.rules import Board
from gpkit.games.battleship.sensors import beliefs
from gpkit.playing.players import player_of_name

FILE = Path(__file__).parents[1] / "data" / "beliefs-battleship.json"
RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
GAME: Game = game_of("battleship")


def first_game(turns: tuple[int, ...]) -> Iterator[Board]:
    """The board of the first classic game after these numbers of shots at the likeliest square."""
    rules = GAME.make_rules({})
    deals = GAME.deal(stream(RECORDED["seed"], "beliefs"), 1, rules)
    (board,) = GAME.begin([player_of_name("uniform", GAME)] * 2, deals, rules).boards
    while board.status == "playing" and board.turns < turns[-1]:
        chances = beliefs(board).chance
        board = board.shoot(max(range(rules.squares), key=chances.__getitem__))
        if board.turns in turns:
            yield board


def errors_in(board: Board, chances: Floats) -> dict[str, float]:
    """Errors of chances in a position: the mean, the largest, and what the likeliest square loses."""
    exact = posterior_of(Facts.of(board))
    assert exact.exact
    unshot = [square for square, known in enumerate(board.known) if known == "unshot"]
    mine, truth = chances[unshot], exact.chances[unshot]
    error = np.abs(mine - truth)
    return {"mean": error.mean(), "largest": error.max(), "loss": truth.max() - truth[mine.argmax()]}


def test_recorded_errors_are_small_where_sinkings_are_told() -> None:
    for row in RECORDED["variants"]["classic"]:
        assert row["positions"] > 50
        assert row["not_counted"] == 0
        assert row["mean"] < 0.01
        assert row["loss"] < 0.002
    assert all(row["mean"] < 0.04 for rows in RECORDED["variants"].values() for row in rows)


@compiled_only
def test_the_first_errors_come_out_again() -> None:
    (board,) = first_game((15,))
    found = errors_in(board, np.array(beliefs(board).chance))
    assert found == pytest.approx(RECORDED["first"], abs=1e-12)


@compiled_only
def test_the_mean_field_is_nearer_than_what_is_said_of_it() -> None:
    rows = [row for rows in RECORDED["field"].values() for row in rows]
    assert all(row["positions"] > 5 and row["not_counted"] == 0 for row in rows)
    mean, largest = (max(row[name] for row in rows) for name in ("mean", "largest"))
    assert (f"{mean:.4f}", f"{largest:.2f}") == ("0.0042", "0.31")
    said = f"mean error against counts is {mean:.4f} or less on boards of 10x10 to 22x22"
    assert said.replace("0.", ".") in results("battleship")
    assert f"is at most {f'{mean:.4f}'[1:]}, and the largest error is {f'{largest:.2f}'[1:]}" in " ".join(
        str(posterior.__doc__).split()
    )
    board = next(first_game((10, 20, 30, 40)))
    again = errors_in(board, mean_field(Facts.of(board)))
    assert again["largest"] == pytest.approx(rows[0]["largest"], abs=1e-12), "that of the first of the games"
