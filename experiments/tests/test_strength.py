"""Strength: every program meets the same held-out deals, and one mean has an interval for each thing that it says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from gpkit.core.errors import GpkitError
from gpkit.evolution.executors import SerialExecutor, executor_for
from gpkit.evolution.problem import Lost
from gpkit.games.sevens.game import GAME
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_name
from gpkit_experiments.papers.courses import HeldOut, Pairing, Strength, against, strength
from gpkit_experiments.papers.units import mean_interval

RULES = GAME.make_rules({})
TABLE = HeldOut(GAME, RULES, 4, 300)
SERIAL = SerialExecutor()
RANDOM, SIMPLE, HOLD = (player_of_name(name, GAME).program for name in ("random", "simple", "hold"))
PAIRINGS = [Pairing(SIMPLE, RANDOM), Pairing(RANDOM, SIMPLE), Pairing(SIMPLE, RANDOM), Pairing(HOLD, SIMPLE)]


def test_scores_are_those_of_a_match() -> None:
    scores = TABLE.by_deal(PAIRINGS, SERIAL)
    assert scores.shape == (4, 100)
    agents = [player_of_name(name, GAME) for name in ("hold", "simple")]
    match = play_match(GAME, agents[0], agents[1:], rules=RULES, seed=4, games=300)
    assert (scores[3] == match.by_deal).all()
    assert (scores[0] == scores[2]).all()


def test_workers_change_nothing() -> None:
    with executor_for("2") as executor:
        assert (TABLE.by_deal(PAIRINGS, executor) == TABLE.by_deal(PAIRINGS, SERIAL)).all()


@dataclass(frozen=True)
class Broken:
    """An executor whose workers always die."""

    workers: int = 1

    def run(self, function: Any, items: Sequence[Any], seconds: Sequence[float]) -> list[Any]:
        return [Lost("its worker died 3 times") for _ in items]


def test_a_game_that_kills_its_worker_is_told() -> None:
    with pytest.raises(GpkitError, match="again and again: its worker died 3 times"):
        TABLE.by_deal(PAIRINGS, Broken())


def test_programs_of_a_run_are_averaged_whatever_their_number() -> None:
    found = strength(TABLE, against([[SIMPLE, HOLD, HOLD], [HOLD]], RANDOM), SERIAL)
    simple, hold = TABLE.by_deal([Pairing(SIMPLE, RANDOM), Pairing(HOLD, RANDOM)], SERIAL)
    assert found.values == pytest.approx(np.stack([(simple + 2 * hold) / 3, hold]))


def test_one_mean_has_two_intervals() -> None:
    values = np.random.Generator(np.random.Philox(key=1)).random((7, 50))
    found = Strength(values, (0.0, 1.0))
    by_run, by_deal = found.by_run, found.by_deal
    assert by_run.mean == pytest.approx(by_deal.mean)
    assert by_run == mean_interval(values.mean(axis=1), support=(0.0, 1.0))
    assert (by_run.units, by_deal.units) == (7, 50)


def test_an_even_share_is_that_of_the_seats() -> None:
    assert TABLE.even == pytest.approx(1 / 3)
    assert HeldOut(GAME, GAME.make_rules({"players": "5"}), 1, 10).even == 0.2
